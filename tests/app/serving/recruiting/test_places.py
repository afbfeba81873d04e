"""Which place each person has, and when it is dealt again."""

import sqlite3
import stat
import threading
import time

import pytest

from spatial_workbench.app.serving.recruiting.arrivals import SIGNED
from spatial_workbench.app.serving.recruiting.places import BEGIN_S, WITHOUT_CONSENT_S, ProofRefused, RecruitedPlaces
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitOutcome
from tests.app.serving.test_seats import Clock

CODES = ["P001H", "P002Q", "P003X"]
DAY = 86_400


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def places(tmp_path, clock):
    return offering(tmp_path / "places.sqlite", CODES, clock)


def offering(path, codes, clock=time.time):
    places = RecruitedPlaces(path, clock)
    places.offer(codes)
    return places


def codes(places, *people):
    return [person and person.code for person in (places.deal(who, "proof") for who in people)]


def test_places_are_dealt_in_their_order_until_the_study_is_full(places):
    assert codes(places, "a", "b", "c", "d") == [*CODES, None]


def test_the_same_person_comes_back_to_the_same_place(places):
    assert codes(places, "a", "b", "a", "a", "b") == ["P001H", "P002Q", "P001H", "P001H", "P002Q"]


def test_another_proof_of_the_same_identity_gets_no_place(places):
    places.deal("a", "proof")
    with pytest.raises(ProofRefused):
        places.deal("a", "another")
    assert codes(places, "a", "b") == ["P001H", "P002Q"]


def test_a_signature_stands_above_other_proofs_and_is_needed_from_then_on(places):
    places.deal("a", "proof")
    assert places.deal("a", SIGNED).code == "P001H"
    assert places.of_code("P001H").is_signed
    with pytest.raises(ProofRefused):
        places.deal("a", "proof")


def test_two_requests_at_once_do_not_get_one_place(tmp_path):
    path = tmp_path / "places.sqlite"
    many = [f"P{number:03}" for number in range(40)]
    offering(path, many).close()
    dealt = []

    def take_ten(prefix):
        places = offering(path, many)
        dealt.extend(places.deal(f"{prefix}{number}", "proof").code for number in range(10))
        places.close()

    threads = [threading.Thread(target=take_ten, args=(prefix,)) for prefix in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(dealt) == many


def test_places_outlive_the_server_and_only_the_owner_reads_them(tmp_path, places):
    places.deal("a", "proof")
    places.close()
    path = tmp_path / "places.sqlite"
    assert codes(offering(path, CODES), "b", "a") == ["P002Q", "P001H"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_place_of_somebody_who_does_not_begin_within_half_an_hour_is_dealt_again(places, clock):
    first = places.deal("a", "proof")
    clock.now += BEGIN_S - 1
    assert places.left_before_consent() == []
    places.see(first.id)
    clock.now += BEGIN_S - 1
    assert places.left_before_consent() == []
    clock.now += 2
    assert [one.code for one in places.left_before_consent()] == ["P001H"]
    places.give_back(first.id)
    assert places.of_id(first.id) is None
    assert codes(places, "b", "a") == ["P001H", "P002Q"]


def test_who_has_consented_keeps_the_place(places, clock):
    places.consent(places.deal("a", "proof").id, 30 * DAY)
    clock.now += 10 * BEGIN_S
    assert places.left_before_consent() == []


def test_what_the_recruiter_reports_frees_a_place_before_consent_and_asks_for_a_reserve_after_it(places):
    before, after = (places.deal(who, "proof") for who in "ab")
    places.consent(after.id, DAY)
    assert places.report("a", "returned")
    assert places.report("b", "timed out")
    assert not places.report("unknown", "returned")
    assert [one.id for one in places.left_before_consent()] == [before.id]
    assert [one.id for one in places.gave_back()] == [after.id]


def test_a_reserve_is_dealt_once_it_replaces_somebody_who_can_finish_all_the_same(places):
    lost = places.deal("a", "proof")
    places.consent(lost.id, DAY)
    places.report("a", "returned")
    places.add_reserve("P004F", "P001H")
    places.add_reserve("P004F", "P001H")
    assert places.gave_back() == []
    assert codes(places, "b", "c", "d", "e", "a") == ["P002Q", "P003X", "P004F", None, "P001H"]


@pytest.mark.parametrize("outcome", [RecruitOutcome.DECLINED, RecruitOutcome.INELIGIBLE])
def test_who_declines_gives_the_place_back_and_is_recognized_for_seven_days(places, clock, outcome):
    person = places.deal("a", "proof")
    places.end(person.id, outcome)
    places.give_back(person.id)
    assert codes(places, "b") == ["P001H"]
    again = places.deal("a", "proof")
    assert (again.id, again.code, again.outcome) == (person.id, "", outcome)
    clock.now += WITHOUT_CONSENT_S
    places.forget_due()
    assert codes(places, "a") == ["P002Q"]


def test_an_outcome_is_said_once(places):
    person = places.deal("a", "proof")
    places.end(person.id, RecruitOutcome.COMPLETE)
    places.end(person.id, RecruitOutcome.STOPPED)
    assert places.of_code("P001H").outcome is RecruitOutcome.COMPLETE


def test_minutes_go_from_the_first_begin_to_the_end(places, clock):
    person = places.deal("a", "proof")
    assert person.minutes is None
    clock.now += 600
    places.deal("a", "proof")
    clock.now += 900
    places.end(person.id, RecruitOutcome.COMPLETE)
    assert places.of_code("P001H").minutes == 25


def test_after_its_days_nobody_is_recognized_any_more(tmp_path, places, clock):
    places.consent(places.deal("recognizable", "proof").id, 30 * DAY)
    clock.now += 30 * DAY
    places.forget_due()
    assert not places.report("recognizable", "returned")
    assert places.of_code("P001H").consented_at is not None
    assert b"recognizable" not in (tmp_path / "places.sqlite").read_bytes()


def test_a_file_that_is_something_else_is_refused(tmp_path):
    path = tmp_path / "places.sqlite"
    path.write_bytes(b"no database at all, but long enough to be looked at as one" * 20)
    with pytest.raises(sqlite3.Error):
        RecruitedPlaces(path)
