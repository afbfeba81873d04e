"""How far a study is: places, sessions and flags, without outcomes."""

import pytest

from spatial_workbench.engine.studies.analysis.progress import IN_RESERVE, NOT_STARTED, StudyPlace, progress_of
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.document import StudyResponse, study_of
from spatial_workbench.engine.studies.planning.slots import slots_of
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState, TrialRecord, TrialState
from tests.studies.planning.test_document import SMALLEST

STUDY = study_of(SMALLEST | {"plan": {"slots": 4, "reserve": 2}})
PLACES = [StudyPlace(slot) for slot in slots_of(STUDY)]


def session(code="P001H", state=SessionState.FINISHED, name="s1", shown="2026-01-01", **changes):
    trials = tuple(
        TrialRecord(
            position=position,
            block=trial.block,
            item=trial.item,
            phase="main",
            condition=trial.condition,
            state=TrialState.SUBMITTED,
            active_ms=60_000,
            elapsed_ms=60_000,
        )
        for position, trial in enumerate(PLACES[0].slot.trials)
    )
    record = SessionRecord(id=name, study=STUDY.hash, code=code, state=state, first_shown_at=shown, trials=trials)
    return record.model_copy(update=changes)


def first(sessions, *more, **options):
    return progress_of(STUDY, PLACES, sessions, *more, **options).slots[0]


def test_a_place_without_a_session_has_not_started():
    slot = first([])
    assert (slot.state, [cell.state for cell in slot.cells]) == ("not started", ["waiting", "waiting"])


def test_a_finished_place_has_its_time():
    assert (first([session()]).state, first([session()]).active_ms) == ("finished", 120_000)


def test_who_was_not_eligible_leaves_the_place_free():
    assert first([session(state=SessionState.INELIGIBLE)]).state == "free again"


def test_whoever_withdrew_is_said_to_have():
    assert first([], withdrawn=["P001H"]).state == "withdrew"


def test_of_two_sessions_of_a_code_the_earlier_counts():
    slot = first([session(name="late", shown="2026-01-02"), session(name="early")])
    assert (slot.session, slot.others) == ("early", 1)


@pytest.mark.parametrize(
    ("state", "word"), [(SessionState.RUNNING, "interrupted"), (SessionState.FINISHED, "finished")]
)
def test_only_a_session_at_work_is_interrupted(state, word):
    assert first([session(state=state)], interrupted=["s1"]).state == word


def breach(position=None, response=StudyResponse.EXCLUDE):
    return Breach("s1", "P001H", "incomplete", response, "0", "1", position)


def test_flags_stand_at_their_session_and_their_item():
    slot = first([session()], [breach(), breach(1, StudyResponse.FLAG)])
    assert (slot.flags, slot.is_excluded, slot.cells[1].flags) == (("incomplete",), True, ("incomplete",))


def test_a_session_at_work_is_not_excluded_yet():
    slot = first([session(state=SessionState.RUNNING)], [breach()])
    assert (slot.flags, slot.is_excluded) == ((), False)


@pytest.mark.parametrize(
    ("sessions", "needs"), [([session()], False), ([session(state=SessionState.STOPPED)], True), ([], False)]
)
def test_a_place_that_is_lost_needs_a_replacement(sessions, needs):
    assert first(sessions).needs_replacement is needs


def test_reserves_are_in_reserve_until_they_stand_in():
    used = [*PLACES[:4], StudyPlace(PLACES[4].slot, replaces="P001H"), PLACES[5]]
    assert progress_of(STUDY, PLACES, []).states == {NOT_STARTED: 4, IN_RESERVE: 2}
    assert progress_of(STUDY, used, []).states == {NOT_STARTED: 5, IN_RESERVE: 1}
    assert progress_of(STUDY, used, []).slots[0].replaced_by == "P005N"


def test_an_item_that_was_skipped_is_not_counted_as_handed_in():
    one, two = session().trials
    skipped = two.model_copy(update={"state": TrialState.SKIPPED})
    assert first([session(trials=(one, two))]).ended_words == "2 of 2 items handed in"
    assert first([session(trials=(one, skipped))]).ended_words == "1 of 2 items handed in, 1 skipped"


def test_rows_and_dropouts_are_counted():
    sessions = [session(), session("P002Q", SessionState.STOPPED, "s2")]
    progress = progress_of(STUDY, PLACES, sessions)
    assert (sum(progress.rows.values()), progress.dropouts, progress.active_ms) == (1, 1, 120_000)
    assert progress.states == {"finished": 1, "stopped": 1, "not started": 2, "in reserve": 2}
