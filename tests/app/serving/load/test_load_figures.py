"""The figures of a trial say what was measured, and no more."""

import os

import pytest

from spatial_workbench.app.serving.load.crowd_report import CrowdReport, mark, together
from spatial_workbench.app.serving.load.load_summary import load_table, summary_of, verdict_on
from spatial_workbench.app.serving.load.taken_share import (
    OF_PEOPLE,
    ProcessorShares,
    ProcessorTimes,
    Taker,
    own_memory,
    shares_between,
    takers,
)

MEMORY = {Taker.WINDOW: 1_200_000_000, Taker.VERDICTS: 300_000_000, Taker.SCREEN: 300_000_000, Taker.GATE: 50_000_000}
SHARES = ProcessorShares({Taker.GATE: 0.1, Taker.WINDOW: 1.0, Taker.SCREEN: 0.2, Taker.CROWD: 0.1}, others=0.05)


def report(near=(30.0,) * 99, elsewhere=(), unanswered=0, **more):
    return CrowdReport(seconds=60, near_ms=list(near), elsewhere_ms=list(elsewhere), unanswered=unanswered, **more)


def summary(given, people=10, memory=MEMORY, shares=SHARES):
    return summary_of(people, 2, given, memory, shares)


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.95, 95), (0.951, 96), (1, 100)])
def test_a_mark_is_a_value_that_so_many_do_not_exceed(share, value):
    assert mark(range(100, 0, -1), share) == value


def test_there_is_no_mark_of_nothing():
    assert mark([], 0.95) is None


def test_what_people_saw_is_put_together():
    whole = together([report([1.0, 2.0], orbits=[(24, 1.0)]), report([3.0], [9.0], 2, orbits=[(36, 2.0)])])
    assert (whole.answered_ms, whole.moves, whole.pictures_a_second) == ([1.0, 2.0, 3.0, 9.0], 6, 20.0)


def test_where_a_drawing_answers_near_the_pointer_later_changes_elsewhere_are_no_answers():
    settled = report([30.0, 31.0], [300.0, 310.0], 1).settled()
    assert (settled.answered_ms, settled.unanswered, settled.moves) == ([30.0, 31.0], 3, 5)


def test_where_it_never_does_changes_elsewhere_are():
    assert report([], [50.0], 2).settled().answered_ms == [50.0]


def test_an_item_that_does_not_answer_is_told_as_such():
    settled = report([], unanswered=30).settled()
    assert (settled.moves, settled.unanswering) == (0, 1)
    assert "those of 1 person" in "\n".join(load_table(summary(together([report(), settled]))))


def test_single_pictures_in_an_item_that_does_not_answer_have_other_reasons():
    settled = report([900.0, 20.0], [40.0], 20).settled()
    assert (settled.answered_ms, settled.unanswering) == ([], 1)


def test_a_view_that_never_moved_has_no_pictures_a_second():
    assert report(still_orbits=3).pictures_a_second is None


def test_each_person_has_an_equal_part_and_the_gate_is_not_theirs():
    figures = summary(report(bytes_received=600_000_000))
    assert (figures.person_bytes, figures.bytes_a_second) == (180_000_000, 1_000_000)
    assert figures.person_processors == pytest.approx(0.12)


def test_who_meets_the_aims_is_held():
    assert verdict_on(summary(report())) == (
        "This machine holds 10 people at once: 95 % of the pictures came within 200 ms, with 180 MB of memory a person."
    )


def test_who_misses_an_aim_is_told_which():
    slow = summary(report([30.0] * 90 + [340.0] * 10), memory={Taker.WINDOW: 3_000_000_000})
    assert verdict_on(slow) == (
        "This machine does not hold 10 people at once: 5 % of the pictures took 340 ms or longer (aim: 200 ms) and a "
        "person takes 300 MB of memory (aim: 250 MB)."
    )


def test_a_busy_machine_is_tried_again():
    noisy = summary(report([340.0] * 20), shares=ProcessorShares({}, others=1.2))
    assert verdict_on(noisy).endswith("Other programs kept it busy; try again when it is quiet.")


@pytest.mark.parametrize("given", [report([], unanswered=40).settled(), report([10.0], unanswered=9)])
def test_where_nothing_changes_nothing_is_claimed(given):
    figures = summary(given, people=1)
    assert verdict_on(figures).startswith("Whether this machine holds 1 person cannot be told")


def test_the_table_tells_where_nothing_changes_instead_of_a_time_of_0():
    table = "\n".join(load_table(summary(report([], unanswered=40))))
    assert "nothing changed where the pointer was" in table
    assert "40 of 40" in table
    assert " 0 ms" not in table


def test_processors_are_counted_between_two_moments():
    before = ProcessorTimes(10, {(Taker.GATE, 1): 5.0, (Taker.WINDOW, 2): 1.0}, busy=100)
    after = ProcessorTimes(20, {(Taker.GATE, 1): 6.0, (Taker.WINDOW, 2): 4.0, (Taker.WINDOW, 3): 2.0}, busy=115)
    shares = shares_between(before, after)
    assert shares.own == pytest.approx({Taker.GATE: 0.1, Taker.WINDOW: 0.5})
    assert shares.others == pytest.approx(0.9)


def test_a_process_takes_memory_of_its_own():
    found = own_memory(takers(os.getpid(), -1))
    assert found[Taker.GATE] > 1_000_000
    assert not found.get(Taker.SCREEN)


def test_all_of_a_person_is_counted():
    assert set(OF_PEOPLE) == set(Taker) - {Taker.GATE, Taker.CROWD}
