"""Places are dealt again where nobody takes part in them, and never under somebody else's session."""

import asyncio

import pytest

from spatial_workbench.app.serving.recruiting.places import BEGIN_S
from spatial_workbench.engine.store import Project
from tests.app.serving.recruiting.recruited import Recruited, begin
from tests.app.serving.recruiting.recruiter import PERSON, query


@pytest.fixture
def recruited(tmp_path):
    return Recruited(tmp_path)


def given_back(recruited, person=PERSON):
    study = recruited.companion._study
    assert study.places.report(study.hash_of(person), "returned")
    recruited.sweep()


def test_somebody_who_does_not_consent_within_half_an_hour_loses_the_place_and_the_cookie(recruited):
    browser = recruited.browser()
    begin(browser)
    old_link = recruited.gate.link_of("P001H")
    recruited.age(BEGIN_S + 1)
    recruited.sweep()
    assert (recruited.people(), recruited.gate.seats.taken) == ([], [])
    assert browser.get("/take-part").status_code == 403
    begin(recruited.browser(), query("another", "s"))
    assert browser.get("/take-part").status_code == 403
    assert browser.get(old_link).status_code == 404


def test_the_next_person_begins_anew(recruited):
    begin(recruited.browser())
    first = recruited.window().sitting.state.head.id
    recruited.age(BEGIN_S + 1)
    recruited.sweep()
    begin(recruited.browser(), query("another", "s"))
    assert recruited.window().sitting.state.head.id != first


def test_somebody_who_is_there_keeps_the_place(recruited):
    begin(recruited.browser())
    recruited.gate.seats.arrive("P001H")
    recruited.age(BEGIN_S + 1)
    recruited.sweep()
    assert len(recruited.people()) == 1


def test_who_has_consented_keeps_the_place_although_nobody_has_noticed(recruited):
    begin(recruited.browser())
    recruited.window().consent()
    recruited.age(BEGIN_S + 1)
    recruited.sweep()
    assert recruited.companion._study.places.of_code("P001H").consented_at is not None


def test_who_declines_in_the_window_gives_the_place_back_and_is_shown_the_way_out(recruited):
    browser = recruited.browser()
    begin(browser)
    recruited.window().end()
    recruited.sweep()
    answer = browser.get(f"/study?{query()}")
    assert answer.status_code == 303
    page = browser.get(answer.headers["location"]).text
    assert "You do not take part" in page
    assert "N0CONSENT" in page
    assert begin(recruited.browser(), query("another", "s")).status_code == 303
    assert [code for _, code in recruited.people()] == [None, "P001H"]


def test_a_reserve_is_dealt_for_somebody_who_gave_the_participation_back_after_consent(recruited):
    begin(recruited.browser())
    begin(recruited.browser(), query("second", "s"))
    recruited.window().consent()
    given_back(recruited)
    with Project.open(recruited.path) as project:
        replaced = {place.slot.code: place.replaces for place in project.places.slots(recruited.id)}
    (reserve,) = [code for code, lost in replaced.items() if lost == "P001H"]
    assert recruited.told == [f"P001H was given back at the recruiter. {reserve} can be dealt in its place."]
    begin(recruited.browser(), query("third", "s"))
    assert [code for _, code in recruited.people()] == ["P001H", "P002Q", reserve]
    assert begin(recruited.browser()).status_code == 303


def test_where_no_reserve_is_left_the_leader_is_told_once(tmp_path):
    recruited = Recruited(tmp_path, reserves=0)
    begin(recruited.browser())
    recruited.window().consent()
    recruited.age(BEGIN_S + 1)
    recruited.sweep()
    given_back(recruited)
    recruited.sweep()
    (told,) = recruited.told
    assert told.startswith("P001H was given back at the recruiter, and is not dealt again.")


def test_a_session_of_somebody_who_was_not_recruited_is_never_dealt(tmp_path):
    recruited = Recruited(tmp_path)
    asyncio.run(recruited.gate.seats.close())
    (recruited.served.folder_of("P001H") / "P001H.session").write_bytes(b"")
    recruited.start()
    begin(recruited.browser())
    assert [code for _, code in recruited.people()] == ["P002Q"]
