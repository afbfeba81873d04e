"""Who is to be paid, and what the recruiter's table reports: by commands, with real places and sealed identities."""

import csv
import stat
from datetime import date

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitOutcome
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from tests.app.serving.recruiting.recruited import Recruited, begin
from tests.app.serving.recruiting.recruiter import PERSON, query, recruiters_file
from tests.studies.sittings import SECRET

OTHER = "6a0c1a2b3c4d5e6f70819204"


@pytest.fixture
def recruited(tmp_path):
    return Recruited(tmp_path)


def paid(recruited, secret=SECRET, more=()):
    """The table for the recruiter, by the recruiter's name for people; None if the command is refused."""
    passphrase = recruited.folder / "passphrase"
    passphrase.write_text(secret)
    table = recruited.folder / "pay.csv"
    recruiter = recruiters_file(recruited.folder)
    words = ["study", "pay", str(recruited.path), recruited.id, "--recruit", str(recruiter), "-o", str(table)]
    if main([*words, "--passphrase-file", str(passphrase), *more]):
        return None
    assert stat.S_IMODE(table.stat().st_mode) == 0o600
    return {row["PROLIFIC_PID"]: row for row in csv.DictReader(table.read_text().splitlines())}


def consent(recruited, person, code):
    """Somebody comes, begins and consents, as the page with the window finds out."""
    with recruited.browser() as browser:
        assert begin(browser, query(person)).status_code == 303
        recruited.window(code).consent()
        study = recruited.companion._study
        known = study.places.of_code(code)
        study.places.consent(known.id, study.keep_s)
        arrival = study.reader.read(query(person))
        study.identities.add(known.id, code, arrival, study.served.bundle.seal, 30, date.today())
        return known


@pytest.mark.slow
def test_everybody_who_consented_is_in_the_table_with_the_end_and_no_code(recruited):
    first = consent(recruited, PERSON, "P001H")
    consent(recruited, OTHER, "P002Q")
    recruited.companion._study.places.end(first.id, RecruitOutcome.COMPLETE)
    table = paid(recruited)
    assert (table[PERSON]["outcome"], table[PERSON]["completion_code"]) == ("complete", "C0MPLETE")
    assert float(table[PERSON]["minutes"]) >= 0
    assert (table[OTHER]["outcome"], table[OTHER]["minutes"]) == ("going on", "")
    assert "P001H" not in (recruited.folder / "pay.csv").read_text()


@pytest.mark.slow
def test_who_gets_a_place_that_was_dealt_before_is_paid_under_the_own_name(recruited):
    first = consent(recruited, PERSON, "P001H")
    places = recruited.companion._study.places
    places.end(first.id, RecruitOutcome.INELIGIBLE)
    places.give_back(first.id)
    recruited.companion._study.links.take_back("P001H")
    second = places.deal("another", "proof")
    assert second.code == "P001H"
    study = recruited.companion._study
    study.identities.add(
        second.id, "P001H", study.reader.read(query(OTHER)), study.served.bundle.seal, 30, date.today()
    )
    places.end(second.id, RecruitOutcome.COMPLETE)
    table = paid(recruited)
    assert {person: row["outcome"] for person, row in table.items()} == {PERSON: "ineligible", OTHER: "complete"}


@pytest.mark.slow
def test_paying_opens_no_outcome_and_needs_the_passphrase(recruited, capsys):
    consent(recruited, PERSON, "P001H")
    assert paid(recruited, "a wrong one") is None
    assert "passphrase" in capsys.readouterr().err.lower()
    assert paid(recruited) is not None
    with Project.open(recruited.path) as project:
        assert project.studies.state(recruited.id) is StudyState.FROZEN
        assert project.study_keys.is_locked(recruited.id)


def test_a_table_of_the_recruiter_gives_places_back(recruited, capsys):
    consent(recruited, PERSON, "P001H")
    table = recruited.folder / "prolific.csv"
    table.write_text(f"Participant id,Status\n{PERSON},RETURNED\n{OTHER},TIMED-OUT\n")
    assert main(["study", "recruited", str(recruited.path), recruited.id, str(table)]) == 0
    assert "1 person has given up. 1 other is not known here." in capsys.readouterr().out
    assert recruited.companion._study.places.of_code("P001H").reported == "returned"


def test_a_table_without_people_is_one_sentence(recruited, capsys):
    table = recruited.folder / "no.csv"
    table.write_text("a,b\n1,2\n")
    assert main(["study", "recruited", str(recruited.path), recruited.id, str(table)]) == 2
    assert "It needs the columns Status" in capsys.readouterr().err


@pytest.mark.slow
def test_a_bonus_waits_for_open_outcomes_or_is_left_out(tmp_path, capsys):
    recruited = Recruited(tmp_path, incentive={"per_solved": 0.2, "currency": "GBP"})
    known = consent(recruited, PERSON, "P001H")
    recruited.companion._study.places.end(known.id, RecruitOutcome.COMPLETE)
    assert paid(recruited) is None
    assert "The bonus depends on outcomes, which are sealed." in capsys.readouterr().err
    assert "bonus" not in paid(recruited, more=["--without-bonus"])[PERSON]


@pytest.mark.slow
def test_the_table_has_the_bonus_of_each_person_once_outcomes_are_open(tmp_path):
    recruited = Recruited(tmp_path, incentive={"per_solved": 0.2, "currency": "GBP"})
    known = consent(recruited, PERSON, "P001H")
    recruited.companion._study.places.end(known.id, RecruitOutcome.COMPLETE)
    with Project.open(recruited.path) as project:
        project.outcomes.unseal(recruited.id, SECRET, before_exclusions=True)
    row = paid(recruited)[PERSON]
    assert (row["bonus"], row["currency"], row["credits"]) == ("0.00", "GBP", "0")
