"""Results come from any machine in any order, and end in equal rows; withdrawal reaches every byte."""

import itertools
import json

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.store import Project, RunFilter
from spatial_workbench.engine.store.attempts import _ABOUT_ATTEMPTS
from spatial_workbench.engine.store.studies.records import ExclusionKind, StudyError
from spatial_workbench.engine.store.studies.sessions import _OF_SESSIONS
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.analysis.rules import list_hash
from spatial_workbench.engine.studies.files.sealed_parts import without_outcomes
from spatial_workbench.engine.studies.sessions.schema import SessionState
from tests.store.studying import WRONG, document, results, session
from tests.studies.sittings import SECRET
from tests.sweeps import some

STUDY = document()
TABLES = ("sessions", "trials", "submissions", "responses", "event_chunks", "conflicting_states")


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "work.workbench") as opened:
        opened.studies.add(STUDY)
        yield opened


def open_parts(project):
    """The sessions of the study without their sealed parts."""
    return [one.model_copy(update={"sealed": ""}) for one in project.sessions.all(STUDY.id)]


@pytest.fixture
def bundle(project):
    return project.places.add_bundle(STUDY.id, passphrase=SECRET)[0]


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "results"
    path.mkdir()
    return path


def rows(project):
    return {
        table: sorted(tuple(row) for row in project.database.sqlite.execute(f"SELECT * FROM {table}"))
        for table in TABLES
    }


def outcomes(merged):
    return [entry.outcome.value for entry in merged]


def test_a_session_that_is_merged_is_read_again(project, bundle, folder):
    record = session(bundle, "P001H", [WRONG])
    project.merging.merge([results(folder, bundle, record)])
    assert open_parts(project) == [without_outcomes(record)]
    assert [json.loads(chunk)["n"] for chunk in project.sessions.events(record.id)] == [1, 2]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_files_of_three_machines_end_in_equal_rows_in_any_order_and_any_number_of_times(
    project, bundle, folder, tmp_path, order
):
    files = [
        results(folder, bundle, session(bundle, code), events)
        for code, events in (("P001H", 2), ("P002Q", 3), ("P003X", 1))
    ]
    project.merging.merge(files)
    expected = rows(project)
    with copied(project, tmp_path) as other:
        other.merging.merge([files[k] for k in (*order, *order)])
        assert rows(other) == expected


def copied(project, tmp_path):
    """The same project with its sessions taken out again."""
    path = tmp_path / "copy.workbench"
    project.save_copy(path)
    other = Project.open(path)
    with other.database.write_transaction():
        other.sessions.erase([row["id"] for row in other.database.rows("SELECT id FROM sessions")])
    return other


@pytest.mark.parametrize("order", some(list(itertools.permutations(range(4))), 8))
def test_states_of_one_session_end_in_equal_rows_in_any_order(project, bundle, folder, tmp_path, order):
    record = session(bundle, "P001H")
    files = [
        results(folder, bundle, record, 2),
        results(folder, bundle, record, 4),
        results(folder, bundle, record, 3, mark="other"),
        results(folder, bundle, record, 5, key=b"x" * 32),
    ]
    project.merging.merge(files)
    expected = rows(project)
    assert len(expected["conflicting_states"]) == 2
    with copied(project, tmp_path) as other:
        other.merging.merge([files[k] for k in (*order, *order)])
        assert rows(other) == expected


def test_what_becomes_of_each_file_is_told_and_logged(project, bundle, folder):
    record = session(bundle, "P001H")
    short = results(folder, bundle, record, 2)
    long = results(folder, bundle, record, 4)
    other = results(folder, bundle, record, 3, mark="other")
    merged = project.merging.merge([short, short, long, short, other])
    assert outcomes(merged) == ["new", "already there", "extended", "older, nothing changed", "conflict"]
    assert [entry.outcome.value for entry in project.merging.log(STUDY.id)] == outcomes(merged)


@pytest.mark.parametrize(("bundle_id", "key", "fault"), [(None, b"x" * 32, "altered"), ("lost", None, "unsigned")])
def test_a_file_without_a_good_signature_is_taken_flagged_and_excluded(project, bundle, folder, bundle_id, key, fault):
    record = session(bundle, "P001H").model_copy(update={"bundle": bundle_id or bundle.id})
    project.merging.merge([results(folder, bundle, record, key=key)])
    (stored,) = project.sessions.all(STUDY.id)
    assert stored.file_faults == (fault,)
    assert [(breach.rule, breach.value) for breach in project.exclusions.flags(STUDY.id)] == [("file", fault)]


def test_a_session_of_a_foreign_study_is_refused(project, bundle, folder):
    foreign = session(bundle, "P001H", study="0" * 64)
    (merged,) = project.merging.merge([results(folder, bundle, foreign)])
    assert (merged.outcome, "no study 000000000000" in merged.message) == ("refused", True)
    assert project.sessions.all(STUDY.id) == []


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_a_file_that_is_none_is_refused(project, bundle, folder, content):
    path = folder / "x.studyresult"
    path.write_bytes(content)
    assert outcomes(project.merging.merge([path, folder / "missing"])) == ["refused", "refused"]


def test_values_that_cannot_be_are_refused(project, bundle, folder):
    huge = session(bundle, "P001H")
    huge = huge.model_copy(update={"trials": (huge.trials[0].model_copy(update={"active_ms": 10**30}),)})
    assert outcomes(project.merging.merge([results(folder, bundle, huge)])) == ["refused"]
    assert rows(project)["sessions"] == []


def test_the_leader_decides_a_conflict_and_the_decision_is_logged(project, bundle, folder):
    record = session(bundle, "P001H")
    other = record.model_copy(update={"covariates": {"age": "35-44"}})
    project.merging.merge([results(folder, bundle, record), results(folder, bundle, other, mark="other")])
    (conflict,) = project.merging.conflicts(STUDY.id)
    assert not conflict.is_settled
    chosen = next(state for state in conflict.states if not state.stands)
    project.merging.settle(record.id, chosen.number, "The other machine had the wrong date")
    (settled,) = project.merging.conflicts(STUDY.id)
    assert settled.is_settled
    assert [state.digest for state in settled.states if state.stands] == [chosen.digest]
    assert [state.number for state in settled.states] == [1, 2]
    assert project.study_log.notes(STUDY.id)[-1].kind == "conflict"


@pytest.mark.parametrize("mark", ["a", "b"])
def test_a_decision_holds_when_the_chosen_state_goes_on(project, bundle, folder, mark):
    record = session(bundle, "P001H")
    files = {mark: results(folder, bundle, record, 2, mark) for mark in ("a", "b")}
    project.merging.merge([files[mark]])
    project.merging.merge(files.values())
    project.merging.settle(record.id, 1, "It is the right one")
    project.merging.merge([results(folder, bundle, record, 5, mark)])
    assert json.loads(project.sessions.events(record.id)[4])["mark"] == mark


def test_the_later_of_two_sessions_of_a_code_is_marked_as_the_duplicate(project, bundle, folder):
    files = [results(folder, bundle, session(bundle, "P001H", number=number)) for number in (2, 1)]
    project.merging.merge(files)
    assert [(one.id, one.file_faults) for one in project.sessions.all(STUDY.id)] == [
        ("p001h-1", ()),
        ("p001h-2", ("duplicate",)),
    ]


def test_of_who_is_not_eligible_no_answers_are_kept(project, bundle, folder):
    refused = session(bundle, "P001H", state=SessionState.INELIGIBLE, ineligible_by=0, covariates={"age": "SECRET-AGE"})
    project.merging.merge([results(folder, bundle, refused)])
    assert b"SECRET-AGE" not in whole(project)
    counts = project.outcomes.of(STUDY.id).counts
    assert (counts.started, counts.ineligible) == (1, 1)
    assert project.sessions.of_record(STUDY.id) == []


def whole(project):
    """All bytes of the project's file and its journal."""
    return b"".join(path.read_bytes() for path in project.path.parent.glob(f"{project.path.name}*"))


def test_what_people_were_told_is_not_shown_while_outcomes_are_sealed(project, bundle, folder):
    record = session(bundle, "P001H")
    told = record.trials[0].submissions[0].model_copy(update={"told_score": 0.25, "told_passed": False})
    first = record.trials[0].model_copy(update={"submissions": (told,)})
    project.merging.merge([results(folder, bundle, record.model_copy(update={"trials": (first, *record.trials[1:])}))])
    assert project.sessions.all(STUDY.id)[0].trials[0].submissions[0].told_score is None


def test_while_sealed_no_score_is_anywhere(project, bundle, folder):
    project.merging.merge([results(folder, bundle, session(bundle, code)) for code in ("P001H", "P002Q")])
    project.exclusions.close_study(STUDY.id, STUDY.name)
    assert (project.runs.count(), project.attempts.progress(), project.attempts.newest()) == (0, {}, [])
    assert list(project.runs.select(RunFilter(study=STUDY.id))) == []
    assert project.runs.scored(of_studies=True)["attempt"] == []
    assert (project.outcomes.judged(STUDY.id), project.outcomes.submissions_to_judge(STUDY.id)) == ({}, [])


def test_closing_needs_the_name_and_fixes_a_list_with_a_stable_hash(project, bundle, folder):
    project.merging.merge([results(folder, bundle, session(bundle, "P001H", covariates={"used_ai": True}))])
    expected = list_hash(project.exclusions.flags(STUDY.id))
    with pytest.raises(StudyError, match="type the name"):
        project.exclusions.close_study(STUDY.id, "Two")
    assert project.exclusions.close_study(STUDY.id, STUDY.name) == expected
    assert [breach.rule for breach in project.exclusions.fixed(STUDY.id)] == ["declared"]
    assert project.outcomes.of(STUDY.id).breaches_hash == expected
    with pytest.raises(StudyError, match="closed and cannot be closed"):
        project.exclusions.close_study(STUDY.id, STUDY.name)


def test_a_closed_study_takes_only_sessions_that_began_before(project, bundle, folder):
    project.exclusions.close_study(STUDY.id, STUDY.name)
    early = session(bundle, "P001H", covariates={"used_ai": True})
    late = session(bundle, "P002Q", began_at="2999-01-01T00:00:00+00:00")
    files = [results(folder, bundle, early), results(folder, bundle, late)]
    assert outcomes(project.merging.merge(files)) == ["new", "refused"]
    assert [breach.rule for breach in project.exclusions.fixed(STUDY.id)] == ["declared"]
    assert project.outcomes.of(STUDY.id).breaches_hash == list_hash([])


def test_no_bundle_is_written_for_a_closed_study(project, bundle):
    project.exclusions.close_study(STUDY.id, STUDY.name)
    with pytest.raises(StudyError, match="closed and cannot be bundled"):
        project.places.add_bundle(STUDY.id, passphrase=SECRET)


def test_an_exclusion_by_hand_is_one_of_the_list_and_a_later_one_is_post_hoc(project, bundle, folder):
    record = session(bundle, "P001H")
    project.merging.merge([results(folder, bundle, record)])
    assert project.exclusions.exclude(STUDY.id, record.id, "Was interrupted by a fire alarm") is ExclusionKind.BY_HAND
    project.exclusions.close_study(STUDY.id, STUDY.name)
    assert project.exclusions.exclude(STUDY.id, record.id, "Saw the screen before", 1) is ExclusionKind.POST_HOC
    stored = project.outcomes.of(STUDY.id)
    assert [breach.value for breach in stored.breaches] == ["Was interrupted by a fire alarm"]
    assert [(entry.reason, entry.position) for entry in stored.post_hoc] == [("Saw the screen before", 1)]


@pytest.mark.parametrize(("who", "reason", "position"), [("p001h-1", "short", None), ("x", "long enough", None)])
def test_an_exclusion_without_a_reason_or_a_session_is_refused(project, bundle, folder, who, reason, position):
    project.merging.merge([results(folder, bundle, session(bundle, "P001H"))])
    with pytest.raises(StudyError):
        project.exclusions.exclude(STUDY.id, who, reason, position)


def test_outcomes_are_not_opened_before_exclusions_are_fixed_unless_that_is_said(project, bundle):
    with pytest.raises(StudyError, match="Close the collection first"):
        project.outcomes.unseal(STUDY.id, SECRET)
    project.outcomes.unseal(STUDY.id, SECRET, before_exclusions=True)
    (look,) = project.study_log.looks(STUDY.id)
    assert (project.studies.state(STUDY.id), look.is_before_exclusions) == (StudyState.UNSEALED, True)


def test_codes_without_a_session_are_named(project, bundle, folder):
    project.merging.merge([results(folder, bundle, session(bundle, "P001H"))])
    assert project.outcomes.missing_codes(STUDY.id) == ["P002Q", "P003X", "P004F"]


def test_pilots_are_stored_under_their_phase_and_set_the_thresholds_only(project, folder):
    pilot, _ = project.places.add_bundle(STUDY.id, phase="pilot")
    project.merging.merge([results(folder, pilot, session(pilot, code)) for code in ("P001H", "P002Q", "P003X")])
    main, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    quick = session(main, "P001H", number=9)
    hasty = quick.trials[0].model_copy(update={"active_ms": 5_500})
    quick = quick.model_copy(update={"trials": (hasty, *quick.trials[1:])})
    project.merging.merge([results(folder, main, quick)])
    assert [one.id for one in project.sessions.of_record(STUDY.id)] == ["p001h-9"]
    assert [(breach.rule, breach.threshold) for breach in project.exclusions.flags(STUDY.id)] == [("too_fast", "6.0 s")]
    assert project.outcomes.of(STUDY.id).pilot_sessions == 3


def test_simulated_people_are_analysed_only_where_nobody_else_took_part(project, bundle, folder):
    project.merging.merge([results(folder, bundle, session(bundle, "P001H", phase="rehearsal"))])
    assert project.outcomes.of(STUDY.id).is_rehearsal
    project.merging.merge([results(folder, bundle, session(bundle, "P002Q"))])
    stored = project.outcomes.of(STUDY.id)
    assert ([one.code for one in stored.sessions], stored.is_rehearsal) == (["P002Q"], False)


def test_after_a_withdrawal_no_byte_is_left_and_no_file_brings_it_back(project, bundle, folder):
    secret = '{"path": "SECRET-ANSWER-' + "x" * 400 + '"}'
    record = noted(session(bundle, "P001H", [secret, secret]), "SECRET-SKETCH")
    file = results(folder, bundle, record, mark="SECRET-EVENT")
    project.merging.merge([file, results(folder, bundle, session(bundle, "P002Q"))])
    project.study_log.add_note(STUDY.id, "SECRET-NOTE", "P001H")
    assert b"SECRET-NOTE" in whole(project)
    project.study_log.note_export(STUDY.id, "table.csv", "csv", "ab" * 32)
    done = project.withdrawals.withdraw(STUDY.id, "P001H")
    assert b"SECRET" not in whole(project)
    assert done.is_journal_clear
    assert done.elsewhere[0].startswith(file.name)
    assert done.elsewhere[1].startswith("table.csv (SHA-256 abababababab")
    assert outcomes(project.merging.merge([file])) == ["withdrawn"]
    assert [one.code for one in project.sessions.all(STUDY.id)] == ["P002Q"]
    assert project.outcomes.of(STUDY.id).counts.withdrew == 1


def noted(record, text):
    """The session with a sketch and a note in its first trial."""
    first, *rest = record.trials
    first = first.model_copy(update={"sketches": {"page 1": json.dumps({"text": text})}, "scratch": text})
    return record.model_copy(update={"trials": (first, *rest)})


def test_sketches_are_kept_with_the_attempt_that_comes_of_their_trial_and_withdrawn_with_it(project, bundle, folder):
    record = noted(session(bundle, "P001H"), "SECRET-SKETCH")
    project.merging.merge([results(folder, bundle, record)])
    assert open_parts(project) == [without_outcomes(record)]
    assert project.database.rows("SELECT * FROM sketches") == []
    project.exclusions.close_study(STUDY.id, STUDY.name)
    project.outcomes.unseal(STUDY.id, SECRET)
    for entry in project.outcomes.submissions_to_judge(STUDY.id):
        task, instance = resolve(entry.address)
        project.outcomes.add_judged(
            STUDY.id, entry, entry.answer, {entry.address: [task.verify(instance, entry.answer)]}
        )
    kept = [project.attempts.sketches(number) for number in sorted(row.number for row in project.attempts.newest())]
    assert kept == [{"page 1": '{"text": "SECRET-SKETCH"}'}, {}]
    project.withdrawals.withdraw(STUDY.id, "P001H")
    assert b"SECRET-SKETCH" not in whole(project)


def test_a_code_that_never_came_can_be_withdrawn(project, bundle, folder):
    assert project.withdrawals.withdraw(STUDY.id, "P003X").sessions == 0
    assert outcomes(project.merging.merge([results(folder, bundle, session(bundle, "P003X"))])) == ["withdrawn"]


def test_withdrawing_an_unknown_code_is_refused(project, bundle):
    with pytest.raises(StudyError, match="no place P900X"):
        project.withdrawals.withdraw(STUDY.id, "P900X")


def test_after_the_last_day_nobody_withdraws(tmp_path):
    past = document(retention={"withdraw_until": "2020-01-01", "delete_after": "2032-01-31"})
    with Project.create(tmp_path / "past.workbench") as project:
        project.studies.add(past)
        project.studies.freeze(past.id, SECRET)
        with pytest.raises(StudyError, match="last day to withdraw was 2020-01-01"):
            project.withdrawals.withdraw(past.id, "P001H")


def test_a_code_of_the_pilot_and_of_the_study_are_two_people(project, folder):
    pilot, _ = project.places.add_bundle(STUDY.id, phase="pilot")
    main, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    project.merging.merge(
        [results(folder, pilot, session(pilot, "P001H")), results(folder, main, session(main, "P001H", number=2))]
    )
    with pytest.raises(StudyError, match="several versions or phases"):
        project.withdrawals.withdraw(STUDY.id, "P001H")
    project.withdrawals.withdraw(STUDY.id, "P001H", phase="pilot")
    assert [one.phase for one in project.sessions.all(STUDY.id)] == ["main"]


def test_a_person_who_withdrew_on_their_machine_is_buried_by_the_file(project, bundle, folder):
    record = session(bundle, "P001H")
    project.merging.merge([results(folder, bundle, record)])
    gone = record.model_copy(update={"state": SessionState.WITHDRAWN, "trials": (), "covariates": {}})
    assert outcomes(project.merging.merge([results(folder, bundle, gone, 1, key=b"x" * 32)])) == ["refused"]
    assert outcomes(project.merging.merge([results(folder, bundle, gone, 1)])) == ["withdrawn"]
    assert (project.sessions.all(STUDY.id), len(project.sessions.tombstones(STUDY.id))) == ([], 1)


def test_purging_deletes_all_sessions_and_ends_merging(project, bundle, folder):
    file = results(folder, bundle, session(bundle, "P001H", ["SECRET-ANSWER"]))
    project.merging.merge([file])
    assert project.withdrawals.purge(STUDY.id) == 1
    assert b"SECRET-ANSWER" not in whole(project)
    assert outcomes(project.merging.merge([file])) == ["refused"]


def test_the_study_of_two_leaders_windows_is_one(project, bundle, folder):
    with Project.open(project.path) as other:
        before = project.change_count
        other.merging.merge([results(folder, bundle, session(bundle, "P001H"))])
        assert project.change_count != before
        assert len(project.sessions.all(STUDY.id)) == 1


def test_sessions_of_a_version_that_is_not_pooled_are_kept_apart(project, bundle, folder):
    project.merging.merge([results(folder, bundle, session(bundle, "P001H"))])
    project.studies.amend(STUDY.id, document(limits={"item_s": 900}), "Ten minutes were too short")
    assert (project.sessions.of_record(STUDY.id), project.sessions.unpooled(STUDY.id)) == ([], 1)
    project_slots = project.outcomes.progress(STUDY.id).slots
    assert {slot.state for slot in project_slots} == {"not started", "in reserve"}


def test_sessions_of_comparable_versions_are_analysed_together(project, bundle, folder):
    project.merging.merge([results(folder, bundle, session(bundle, "P001H"))])
    project.studies.amend(STUDY.id, document(welcome="Hello"), "A greeting", "A greeting changes no answer.")
    later, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    project.merging.merge([results(folder, later, session(later, "P002Q"))])
    stored = project.outcomes.of(STUDY.id)
    assert ({one.code for one in stored.sessions}, project.sessions.unpooled(STUDY.id)) == ({"P001H", "P002Q"}, 0)
    assert stored.amendments[0].comparable == "A greeting changes no answer."


def test_every_table_about_attempts_and_sessions_is_known_to_withdrawal(project):
    tables = [row["name"] for row in project.database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    about = {"attempts": set(), "sessions": set()}
    for table in tables:
        for key in project.database.rows("SELECT * FROM pragma_foreign_key_list(?)", table):
            if key["table"] in about:
                about[key["table"]].add(table)
    assert about["attempts"] - {"items"} <= set(_ABOUT_ATTEMPTS)
    assert about["sessions"] <= set(_OF_SESSIONS)
