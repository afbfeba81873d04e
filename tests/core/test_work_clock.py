"""The clock: what counts as work, and what the computer's sleep, crashes and other clocks do to it."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.core.clocks.work_clock import Instant, Phase, WorkClock, WorkTimes, resumed


def run(clock, seconds, acts=False, is_away=False, m=True, wall=1.0):
    """Reads the clock every quarter of a second."""
    clock = replace(clock, is_away=is_away)
    for _ in range(round(4 * seconds)):
        last = clock.last
        reading = Instant(last.m + 250, last.b + 250, last.wall + round(250 * wall))
        clock, happenings = clock.read(reading, acted=acts)
        assert not happenings
    return clock


def start():
    return WorkClock(Instant(0, 0, 0))


def test_work_idle_and_away_are_told_apart_and_all_count_as_active():
    clock = run(start(), 100, acts=True)
    clock, _ = run(clock, 70).read(Instant(170_000, 170_000, 170_000), acted=True)
    times = run(clock, 30, acts=True, is_away=True).times
    assert (times.active, times.idle, times.away) == (200_000, 70_000, 30_000)


def test_less_than_a_minute_without_input_is_not_idle():
    assert run(start(), 59).times.idle == 0
    assert run(start(), 60).times.idle == 60_000


@pytest.mark.parametrize("m_runs", [False, True], ids=["one clock stands", "both run"])
def test_sleep_takes_nothing_from_the_limit(m_runs):
    clock = run(start(), 50, acts=True)
    slept = Instant(clock.last.m + (600_000 if m_runs else 0), clock.last.b + 600_000, clock.last.wall + 600_000)
    clock, (gap,) = clock.read(slept)
    assert clock.remaining(300_000) == 250_000
    assert (gap.kind, gap.length_ms) == ("stall" if m_runs else "suspend", 600_000)
    assert clock.must_go_on


def test_time_behind_the_cover_does_not_count():
    clock, _ = run(start(), 10, acts=True).read(Instant(30_000, 30_000, 30_000))
    clock = run(clock, 20)
    assert (clock.times.active, clock.times.gap, clock.times.covered) == (10_000, 20_000, 20_000)
    assert clock.times.elapsed == 50_000


def test_a_short_stall_is_a_gap_without_a_cover():
    clock, (gap,) = start().read(Instant(3_000, 3_000, 3_000))
    assert (gap.kind, clock.times.active, clock.must_go_on) == ("stall", 0, False)


def test_the_wall_clock_changes_no_time():
    clock = run(start(), 10, acts=True)
    clock, (change,) = clock.read(Instant(10_250, 10_250, 10_250 - 3_600_000))
    assert (change.kind, change.length_ms) == ("clock_change", -3_600_000)
    assert clock.times.active == 10_250


def test_verifying_and_pauses_stand_beside_the_active_time():
    clock = run(replace(start(), phase=Phase.VERIFYING), 5)
    clock = run(replace(clock, phase=Phase.COVERED), 7)
    assert (clock.times.active, clock.times.verifying, clock.times.covered) == (0, 5_000, 7_000)


def test_a_clock_that_goes_back_counts_nothing():
    clock, _ = run(start(), 5).read(Instant(0, 0, 5_000))
    assert clock.times.active == 5_000


def test_a_trial_that_was_cut_off_goes_on_with_the_times_that_were_stored():
    clock = resumed(WorkTimes(active=42_000, idle_run=30_000), Instant(7, 7, 7))
    assert clock.must_go_on
    assert clock.remaining(60_000) == 18_000


def test_what_a_person_did_not_see_was_no_time():
    clock = run(start(), 100, acts=True).unseen(3_250)
    assert (clock.times.active, clock.times.gap, clock.times.connection) == (96_750, 3_250, 3_250)
    assert clock.must_go_on
    lost = run(clock, 20)
    assert (lost.times.active, lost.times.gap, lost.times.connection) == (96_750, 23_250, 23_250)
    back = run(replace(lost, phase=Phase.ACTIVE), 5)
    assert (back.times.active, back.times.covered, back.times.elapsed) == (96_750, 5_000, 125_000)


def test_idle_and_away_stay_parts_of_the_active_time_when_some_of_it_was_not_seen():
    times = run(start(), 70, is_away=True).unseen(3_250).times
    assert (times.active, times.idle, times.away) == (66_750, 66_750, 66_750)


def test_time_that_did_not_count_is_not_taken_away_again():
    covered = run(replace(run(start(), 10), phase=Phase.COVERED), 5).unseen(3_250)
    assert (covered.times.active, covered.times.covered, covered.times.gap) == (10_000, 5_000, 0)
