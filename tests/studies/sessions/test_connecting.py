"""Sessions whose window a browser shows: what a person did not see was no time, and round trips are stored."""

import pytest

from spatial_workbench.engine.studies.sessions.pages import Cover
from spatial_workbench.engine.studies.sessions.schema import RoundTrips
from tests.studies.sittings import Person


@pytest.fixture
def person(tmp_path):
    return Person(tmp_path)


def connected(person, seconds, round_trip_ms=40):
    """Works while the page answers once a second."""
    for _ in range(seconds):
        person.work(1)
        person.sitting.connection.answer(round_trip_ms)


def test_active_time_ends_at_the_last_answer_of_the_page(person):
    connected(person, 50)
    person.work(20)
    assert person.sitting.state.cover is Cover.CONNECTION
    person.sitting.connection.answer(40)
    connected(person, 4)
    person.sitting.go_on()
    connected(person, 10)
    person.sitting.work.submit()
    trial = person.record.trials[0]
    assert (trial.active_ms, trial.gap_ms, trial.connection_ms, trial.covered_ms) == (60_000, 20_000, 20_000, 4_000)
    assert trial.elapsed_ms == 84_000
    (event,) = person.events("connection")
    assert event["ms"] == 20_000


def test_three_seconds_without_an_answer_are_no_loss(person):
    connected(person, 10)
    person.work(3)
    person.sitting.connection.answer(40)
    assert person.sitting.state.cover is None
    assert person.sitting.state.run.times.active == 13_000


def test_a_page_that_answers_but_shows_an_old_picture_is_silent(person):
    connected(person, 50)
    for behind_s in range(1, 8):
        person.work(1)
        person.sitting.connection.answer(40, behind_ms=1000 * behind_s)
        assert person.sitting.connection.is_lost == (behind_s > 3)
    person.work(1)
    person.sitting.connection.answer(40)
    person.sitting.go_on()
    connected(person, 5)
    person.sitting.work.submit()
    trial = person.record.trials[0]
    assert (trial.active_ms, trial.connection_ms) == (55_000, 8_000)


def test_what_the_page_does_not_show_yet_was_not_seen(person):
    connected(person, 50)
    person.sitting.connection.answer(40, behind_ms=2000)
    person.work(5)
    person.sitting.connection.answer(40)
    person.sitting.go_on()
    person.sitting.work.submit()
    assert person.record.trials[0].active_ms == 50_000


def test_an_old_picture_takes_back_nothing_that_was_seen(person):
    connected(person, 50)
    for _ in range(10):
        person.work(1)
        person.sitting.connection.answer(40, behind_ms=1500)
    person.sitting.work.submit()
    assert person.record.trials[0].active_ms == 60_000


@pytest.mark.slow
def test_a_lost_connection_takes_nothing_from_the_limit(person):
    connected(person, 100)
    person.work(900)
    assert not person.sitting.state.record.state.has_ended
    assert person.sitting.limits.remaining_ms == 200_000


def test_the_person_goes_on_when_they_say_so(person):
    connected(person, 5)
    person.work(10)
    person.sitting.connection.answer(40)
    assert person.sitting.state.cover is Cover.CONNECTION
    person.sitting.go_on()
    assert person.sitting.state.cover is None


def test_a_window_at_a_desk_waits_for_no_answers(person):
    person.work(100)
    assert person.sitting.state.cover is None
    person.sitting.work.submit()
    assert person.record.trials[0].round_trips is None
    assert "connection_ms" not in person.record.trials[0].model_dump()


def test_round_trips_are_stored_for_each_item(person):
    for round_trip_ms in (*range(1, 100), 900):
        connected(person, 1, round_trip_ms)
    person.sitting.work.submit()
    assert person.record.trials[0].round_trips == RoundTrips(count=100, median_ms=50, p95_ms=95, worst_ms=900)


def test_between_items_nothing_is_lost(person):
    connected(person, 5)
    person.sitting.work.submit()
    person.sitting.state.run = None
    person.work(30)
    person.sitting.connection.answer(40)
    assert person.sitting.state.cover is None


def test_no_limit_ends_while_it_is_not_known_whether_the_person_sees_anything(person):
    connected(person, 298)
    person.work(10)
    assert not person.sitting.state.record.state.has_ended
    assert person.sitting.limits.remaining_ms == 2_000


def test_a_limit_that_passed_in_a_short_silence_ends_with_the_next_answer(person):
    connected(person, 298)
    person.work(2.5)
    assert not person.sitting.state.record.state.has_ended
    person.sitting.connection.answer(40)
    person.work(0.25)
    assert person.record.trials[0].state.has_ended
    assert person.record.trials[0].submissions[0].active_ms == 300_000
