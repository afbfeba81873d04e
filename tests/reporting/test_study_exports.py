"""The data of a study on their way out: tables, Psych-DS, JSON lines, and the public form."""

import csv
import dataclasses
import json
from dataclasses import replace

import numpy as np
import pytest

from spatial_workbench.engine.reporting.psych_ds import check_psychds, write_psychds
from spatial_workbench.engine.reporting.study_tables import data_tables, write_tables
from spatial_workbench.engine.studies.analysis.figures import cells_of, figures
from spatial_workbench.engine.studies.analysis.outcomes import PostHoc, StudyState
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.files.lines import LinesError, read_lines, study_lines
from spatial_workbench.engine.studies.files.merging import chain_of
from spatial_workbench.engine.studies.files.publishing import public_form
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.engine.studies.planning.freezing import freeze
from spatial_workbench.engine.studies.sessions.schema import TrialState
from tests.studies.sample import outcomes, session, study

EVENTS = {
    "session-0": (b'{"n":1,"t":0,"b":0,"kind":"session","os":"Linux"}\n', b'{"n":2,"t":9,"b":9,"kind":"paste"}\n')
}
QUESTIONS = [
    {"key": "age", "ask": "How old?", "type": "choice", "options": ["20-29", "30-39"]},
    {"key": "town", "ask": "Which town?", "type": "choice", "options": ["A", "B"], "identifying": True},
    {"key": "remark", "ask": "Anything else?", "type": "text", "when": "after"},
]


def asked(**changes):
    """Outcomes of people who answered questions; the first is the only one of an age, and does not share."""
    of = study(covariates=QUESTIONS, leader="Ada Lovelace", contact="ada@example.org")
    people = []
    for person in range(8):
        said = {"age": "20-29" if person < 2 else "30-39", "town": "A", "remark": f"I am number {person}."}
        boxes = {"part": True, "share": person > 0, "quote": person == 1}
        given = {"began_at": f"2026-03-0{person + 1}T10:00:00+00:00", "site": "Basement", "boxes": boxes}
        one = session(of, person, covariates=said, **given)
        trials = [trial.model_copy(update={"responses": {"strategy": f"Way {person}"}}) for trial in one.trials]
        people.append(one.model_copy(update={"trials": tuple(trials)}))
    return outcomes(of=of, sessions=tuple(people), frozen=freeze(of), **changes)


def rows_of(given, name, **more):
    table = next(table for table in data_tables(given, **more) if table.name == name)
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


def test_there_is_a_row_for_each_session_trial_submission_and_item():
    counts = {table.name: len(table.rows) for table in data_tables(outcomes(frozen=freeze(study())), EVENTS)}
    assert counts == {"participants": 8, "trials": 32, "submissions": 32, "responses": 32, "items": 4, "events": 2}


def test_each_row_has_a_unique_number_and_the_ids_of_the_field():
    rows = rows_of(outcomes(), "trials")
    assert [row["row_id"] for row in rows] == list(range(1, 33))
    assert {"subject_id", "session_id", "trial_id", "condition_id", "stimulus_id"} <= rows[0].keys()


def test_scores_stand_with_their_trials_and_booleans_are_0_and_1():
    row = next(row for row in rows_of(outcomes(), "trials") if row["item"] == "ia")
    assert (row["stimulus_id"], row["score"], row["passed"], row["confidence"]) == ("maze_3d:0", 1.0, 1, 80)


def test_what_is_not_known_is_empty():
    sealed = outcomes(judged={})
    assert {row["score"] for row in rows_of(sealed, "trials")} == {None}
    assert {row["difficulty"] for row in rows_of(sealed, "items")} == {None}


def test_rules_that_excluded_or_flagged_stand_with_what_they_hit():
    breaches = (
        Breach("session-0", "P001H", "attention", StudyResponse.EXCLUDE, "", ""),
        Breach("session-1", "P002Q", "too_fast", StudyResponse.FLAG, "", "", 2),
    )
    given = outcomes(breaches=breaches)
    assert [row["excluded_by"] for row in rows_of(given, "participants")][:2] == ["attention", None]
    rows = rows_of(given, "trials")
    assert [row["excluded"] for row in rows[:5]] == [1, 1, 1, 1, 0]
    assert [row["flags"] for row in rows[4:8]] == [None, None, "too_fast", None]


def ended(given, person, position, **changes):
    """Outcomes in which a trial ended in another way."""
    sessions = list(given.sessions)
    trials = list(sessions[person].trials)
    trials[position] = trials[position].model_copy(update=changes)
    sessions[person] = sessions[person].model_copy(update={"trials": tuple(trials)})
    return replace(given, sessions=tuple(sessions))


@pytest.mark.parametrize("state", ["given_up", "timed_out", "left", "skipped"])
def test_what_ended_without_an_answer_is_analysed_as_0(state):
    given = ended(outcomes(), 0, 1, state=TrialState(state), submissions=())
    row = rows_of(given, "trials")[1]
    assert (row["score"], row["analysed_score"], row["analysed_passed"]) == (None, 0.0, 0)
    assert (row["counted"], row["not_counted_because"]) == (1, None)
    assert (row["analysed_ms"], row["solved"]) == ((None, None) if state == "skipped" else (600_000, 0))


@pytest.mark.parametrize(("state", "reason"), [("waiting", "not reached"), ("broken", "broken off")])
def test_what_nobody_knows_does_not_count(state, reason):
    row = rows_of(ended(outcomes(), 0, 1, state=TrialState(state), submissions=()), "trials")[1]
    assert (row["analysed_score"], row["counted"], row["not_counted_because"]) == (None, 0, reason)


def test_practice_does_not_count():
    row = rows_of(ended(outcomes(), 0, 1, phase="practice"), "trials")[1]
    assert (row["analysed_score"], row["counted"], row["not_counted_because"]) == (None, 0, "no main item")


def test_excluded_trials_keep_their_score_and_say_by_which_rules_they_do_not_count():
    breaches = (
        Breach("session-0", "P001H", "attention", StudyResponse.EXCLUDE, "", ""),
        Breach("session-0", "P001H", "by_hand", StudyResponse.EXCLUDE, "", "", 1),
        Breach("session-1", "P002Q", "too_fast", StudyResponse.FLAG, "", "", 1),
    )
    rows = rows_of(outcomes(breaches=breaches), "trials")
    assert [row["excluded_by"] for row in rows[:2]] == ["attention", "attention by_hand"]
    assert [row["not_counted_because"] for row in rows[1:6]] == [
        "excluded: attention by_hand",
        "excluded: attention",
        "excluded: attention",
        None,
        None,
    ]
    assert rows[1]["analysed_score"] is not None


def test_later_exclusions_are_marked_and_count_as_planned():
    rows = rows_of(outcomes(post_hoc=(PostHoc("session-0", "was asleep", "2026", 2),)), "trials")
    assert [row["excluded_later"] for row in rows[:4]] == [0, 0, 1, 0]
    assert rows[2]["counted"] == 1


def test_the_analysed_scores_that_count_give_the_mean_of_the_report():
    given = ended(outcomes(), 0, 0, state=TrialState.GIVEN_UP, submissions=())
    given = replace(given, breaches=(Breach("session-3", "P", "attention", StudyResponse.EXCLUDE, "", ""),))
    scores = {}
    for row in rows_of(given, "trials"):
        if row["counted"]:
            scores.setdefault(row["item"], []).append(row["analysed_score"])
    mean = np.mean([np.mean(of_item) for of_item in scores.values()])
    assert mean == pytest.approx(figures(cells_of(given)).score.value)


def test_before_outcomes_are_opened_nothing_is_analysed():
    given = replace(outcomes(judged={}), state=StudyState.CLOSED)
    rows = rows_of(given, "trials")
    assert {(row["analysed_score"], row["analysed_ms"], row["solved"]) for row in rows} == {(None, None, None)}
    assert {row["counted"] for row in rows} == {1}


def test_tables_are_written_as_csv_that_spreadsheets_read_safely(tmp_path):
    (path, *_) = write_tables(tmp_path, data_tables(asked()))
    with path.open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file))[-3:] == ["q_age", "q_town", "q_remark"]


@pytest.fixture
def folder(tmp_path):
    write_psychds(tmp_path / "set", asked(), report="<!doctype html>", events=EVENTS)
    return tmp_path / "set"


def test_a_psychds_folder_passes_its_own_check(folder):
    assert check_psychds(folder) == []
    assert (folder / "data" / "study-T_description-trials_data.csv").is_file()
    assert (folder / "analysis" / "report.html").is_file()


def test_a_column_that_is_not_described_is_found(folder):
    path = folder / "dataset_description.json"
    data = json.loads(path.read_text())
    data["variableMeasured"] = [entry for entry in data["variableMeasured"] if entry["name"] != "score"]
    path.write_text(json.dumps(data))
    assert "the column “score” is not among" in " ".join(check_psychds(folder))


def test_a_file_with_another_name_is_found(folder):
    (folder / "data" / "study-T_description-participants_data.csv").rename(folder / "data" / "participants.csv")
    assert check_psychds(folder) == ["participants.csv: the name is not made of keyword-value pairs and “_data.csv”."]


@pytest.mark.parametrize(
    ("text", "words"),
    [(None, "is missing"), ("{", "is not JSON"), ("[]", "is not an object"), ("{}", "“name” is missing")],
)
def test_a_folder_without_a_readable_description_is_told(folder, text, words):
    path = folder / "dataset_description.json"
    path.unlink() if text is None else path.write_text(text)
    assert words in check_psychds(folder)[0]


def test_lines_give_the_sessions_back_with_equal_rows():
    given = asked()
    deliveries = read_lines(study_lines(given, EVENTS, EVENTS, its_key), its_key)
    assert tuple(delivery.session for delivery in deliveries) == given.sessions
    assert deliveries[0].chain == chain_of(EVENTS["session-0"])


KEY = bytes(range(32))


def its_key(study, bundle):
    """The key of every bundle."""
    return KEY


def faults_of(lines, key_of=its_key):
    return [delivery.session.file_faults for delivery in read_lines(lines, key_of)]


def test_lines_without_a_signature_are_marked_session_by_session():
    lines = list(study_lines(asked(), EVENTS, EVENTS, its_key))
    signed = [line for line in lines if b'"type":"signature"' in line]
    assert len(signed) == 8
    assert faults_of([line for line in lines if line != signed[2]]) == [()] * 2 + [("unsigned",)] + [()] * 5
    assert faults_of(study_lines(asked(), EVENTS, EVENTS)) == [("unsigned",)] * 8


def test_lines_of_a_bundle_that_the_project_does_not_know_are_not_taken_for_signed():
    lines = study_lines(asked(), EVENTS, EVENTS, its_key)
    assert set(faults_of(lines, lambda study, bundle: None)) == {("unsigned",)}


@pytest.mark.parametrize("kind", ["session", "trial", "submission", "event", "response"])
def test_lines_that_were_edited_taken_away_or_added_are_found(kind):
    lines = list(study_lines(asked(), EVENTS, EVENTS, its_key))
    place = next(i for i, line in enumerate(lines) if f'"type":"{kind}"'.encode() in line)
    before, line, after = lines[:place], lines[place], lines[place + 1 :]
    edited = json.loads(line) | {"more": 1}
    assert faults_of([*before, json.dumps(edited), *after])[0] == ("altered",)
    assert faults_of([*lines, json.dumps(edited)])[0][:1] in {("altered",), ("unsigned",)}
    if kind not in ("session", "trial"):
        assert faults_of([*before, *after])[0] == ("altered",)


def test_an_edited_answer_is_found():
    theirs = rb'"answer":"{\"by\": 3}"'
    lines = [line.replace(theirs, b'"answer":"{}"') for line in study_lines(asked(), key_of=its_key)]
    assert faults_of(lines) == [()] * 3 + [("altered",)] + [()] * 4


def test_lines_that_another_program_wrote_anew_keep_their_signature():
    lines = [json.dumps(json.loads(line), indent=None) for line in study_lines(asked(), EVENTS, EVENTS, its_key)]
    assert set(faults_of(lines)) == {()}


def test_faults_that_a_session_had_travel_with_it():
    given = asked()
    sessions = (given.sessions[0].model_copy(update={"file_faults": ("altered",)}), *given.sessions[1:])
    lines = list(study_lines(replace(given, sessions=sessions), key_of=its_key))
    assert faults_of(lines)[:2] == [("altered",), ()]
    laundered = [line.replace(b'"file_faults":["altered"]', b'"file_faults":[]') for line in lines]
    assert faults_of(laundered)[:2] == [("altered",), ()]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "Line 1 cannot be read"),
        (b"[]", "Line 1 cannot be read"),
        (b'{"type": "poem"}', "there is no type “poem”"),
        (b'{"type": "trial", "session": "x", "data": {"position": 0}}', "'x' is missing"),
        (b'{"type": "session", "data": {"id": "x", "code": "P001H"}}', "Session P001H cannot be read: study"),
    ],
)
def test_lines_that_cannot_be_read_are_named(line, words):
    with pytest.raises(LinesError, match=words):
        read_lines([line], its_key)


def everything(public):
    tables = [row for table in data_tables(public.outcomes, public.events) for row in table.rows]
    lines = b"".join(study_lines(public.outcomes, public.events)).decode()
    return json.dumps(tables, ensure_ascii=False) + lines


def test_the_public_form_holds_no_code_date_place_or_person_of_the_private_one():
    given = asked()
    text = everything(public_form(given, EVENTS))
    private = [session.code for session in given.sessions] + [session.id for session in given.sessions]
    private += ["2026-03", "Basement", "I am number", given.study.leader, given.study.contact, "Linux"]
    assert [word for word in private if word in text] == []


def test_only_people_who_agreed_are_published_and_quoted():
    public = public_form(asked())
    said = [trial.responses.get("strategy") for one in public.outcomes.sessions for trial in one.trials]
    assert len(public.outcomes.sessions) == 7
    assert set(said) == {None, "Way 1"}


def test_sketches_and_notes_are_published_with_what_people_wrote_about_their_way():
    given = asked()
    notes = {"sketches": {"page": "{}"}, "scratch": "3 + 4"}
    sessions = [
        one.model_copy(update={"trials": tuple(trial.model_copy(update=notes) for trial in one.trials)})
        for one in given.sessions
    ]
    public = public_form(dataclasses.replace(given, sessions=tuple(sessions)))
    trials = [(one.boxes["quote"], trial) for one in public.outcomes.sessions for trial in one.trials]
    assert all(bool(trial.scratch) is bool(trial.sketches) is quotes for quotes, trial in trials)
    assert {quotes for quotes, _ in trials} == {True, False}


def test_rare_answers_are_merged_and_identifying_questions_left_out():
    public = public_form(asked())
    assert sorted(one.covariates["age"] for one in public.outcomes.sessions) == ["30-39"] * 6 + ["other"]
    assert {key for one in public.outcomes.sessions for key in one.covariates} == {"age"}


def test_dates_become_days_after_the_first_session():
    days = {one.began_at for one in public_form(asked()).outcomes.sessions}
    assert days == {f"day {day}" for day in range(7)}


def test_outcomes_follow_the_new_codes():
    given = asked()
    public = public_form(given)
    assert len(public.outcomes.judged) == 28
    assert sorted(row["score"] for row in rows_of(public.outcomes, "trials")) == sorted(
        row["score"] for row in rows_of(dataclasses.replace(given, sessions=given.sessions[1:]), "trials")
    )


def test_what_was_left_out_is_listed():
    text = " ".join(public_form(asked()).left_out)
    for words in ("1 of 8 sessions", "town, remark", "age", "6 of 7 people", "copying, pasting"):
        assert words in text


def test_a_study_of_any_state_can_be_exported(tmp_path):
    given = dataclasses.replace(outcomes(judged={}), state=StudyState.FROZEN)
    write_psychds(tmp_path, given)
    assert check_psychds(tmp_path) == []


def test_submissions_say_how_their_answers_were_read():
    given = outcomes()
    judged = {key: replace(one, how_read="mended") for key, one in given.judged.items()}
    assert {row["how_read"] for row in rows_of(replace(given, judged=judged), "submissions")} == {"mended"}
