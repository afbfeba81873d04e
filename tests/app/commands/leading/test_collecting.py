"""Collecting results on the command line: progress, merging, conflicts, replaced places."""

import json

import pytest

from spatial_workbench.app.commands.plumbing import NOT_PASSED, PASSED
from spatial_workbench.engine.store import Project
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run
from tests.store.studying import results, session


def test_status_shows_states_and_times_and_no_outcome(capsys, project, merged):
    shown = printed_by(capsys, "status", project, STUDY.id)
    assert shown["states"] == {"finished": 3, "not started": 1, "in reserve": 2}
    assert shown["missing"] == ["P004F"]
    text = run(capsys, "study", "status", project, STUDY.id)[1]
    assert "P001H  finished  2 of 2 items handed in, 2 min" in text
    assert not {"score", "passed", "answer"} & set(json.dumps(shown).replace('"', " ").split())


def test_merging_says_what_became_of_each_file(capsys, project, merged, tmp_path):
    (tmp_path / "bad.studyresult").write_bytes(b"no zip")
    code, out, _ = run(capsys, "study", "merge", project, str(tmp_path / "results"), str(tmp_path / "bad.studyresult"))
    assert (code, out.count("already there"), "bad.studyresult: refused" in out) == (NOT_PASSED, 3, True)


def test_a_place_is_replaced_by_a_reserve(capsys, project):
    run(capsys, "study", "freeze", project, STUDY.id)
    assert (
        printed_by(capsys, "replace", project, STUDY.id, "P001H", "--reason", "Dropped out")["replaced_by"] == "P005N"
    )


@pytest.mark.slow
def test_a_conflict_is_settled(capsys, project, merged, tmp_path):
    results(tmp_path / "results", merged, session(merged, "P001H"), 3, mark="other")
    assert run(capsys, "study", "merge", project, str(tmp_path / "results"))[0] == NOT_PASSED
    (conflict,) = printed_by(capsys, "settle", project, STUDY.id)
    assert [state["number"] for state in conflict["states"]] == [1, 2]
    for number in (2, 1):
        reason = "The clock of the other was wrong"
        settled = ("--session", conflict["session"], "--state", str(number), "--reason", reason)
        states = printed_by(capsys, "settle", project, STUDY.id, *settled)[0]["states"]
        assert [state["number"] for state in states if state["stands"]] == [number]


@pytest.mark.slow
def test_a_conflict_says_what_is_known_of_each_state(capsys, project, merged, tmp_path):
    other = tmp_path / "results" / "from the other machine.studyresult"
    results(tmp_path / "results", merged, session(merged, "P001H"), 3, mark="other").rename(other)
    run(capsys, "study", "merge", project, str(other))
    out = run(capsys, "study", "settle", project, STUDY.id)[1]
    assert "not settled" in out
    assert "2. from the other machine.studyresult, merged 20" in out
    assert "signed, unchanged" in out
    assert "differs in events after chunk 0" in out


@pytest.mark.slow
def test_exported_lines_are_merged_back_with_equal_rows(capsys, project, merged, tmp_path):
    lines = tmp_path / "out.jsonl"
    run(capsys, "study", "export", project, STUDY.id, "-o", str(lines), "--format", "jsonl")
    other = tmp_path / "copy.workbench"
    with Project.open(project) as opened:
        before = opened.sessions.all(STUDY.id)
        opened.save_copy(other)
    with Project.open(other) as copy, copy.database.write_transaction():
        copy.sessions.erase([one.id for one in before])
    assert run(capsys, "study", "merge", str(other), str(lines))[0] == PASSED
    with Project.open(other) as copy:
        assert copy.sessions.all(STUDY.id) == before
