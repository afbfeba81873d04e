"""Puzzles are reviewed on the command line, by three people."""

import json
from pathlib import Path

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.test_cli_puzzles import NAMES, folder, own_files, run, told

__all__ = ["folder", "own_files"]

FIRST = NAMES[0]


@pytest.fixture
def sent(capsys, folder):
    """The set, sent to review by Ada."""
    told(capsys, "review", "send", folder, "--author", "Ada")
    return folder


def state(capsys, chosen):
    return told(capsys, "review", "show", chosen, FIRST)[1]["state"]


@pytest.mark.slow
def test_three_people_assign_decide_and_settle(capsys, sent, tmp_path):
    rejects = tmp_path / "decision.json"
    steps = [{"judged": "reject", "reason": "needless"}, *[{"judged": "accept"}] * 3]
    rejects.write_text(json.dumps({"steps": steps}))
    review = ("review", "assign", sent, *NAMES, "--reviewers", "Ben", "Cleo", "--due", "2020-01-01", "--by", "Ada")
    assert told(capsys, *review)[0] == PASSED
    _, waiting = told(capsys, "review", "list", sent, "--queue", "waiting", "--person", "Ben")
    assert [(row["puzzle"], row["overdue"]) for row in waiting] == [(name, True) for name in NAMES]
    told(capsys, "review", "decide", sent, FIRST, "--by", "Ben")
    told(capsys, "review", "decide", sent, FIRST, "--by", "Cleo", "--file", str(rejects))
    _, shown = told(capsys, "review", "show", sent, FIRST)
    assert (shown["state"], shown["differences"][0]["B"]) == ("disagreement", "")
    told(capsys, "review", "settle", sent, FIRST, "--take", "step 1=B", "--by", "Dora")
    assert state(capsys, sent) == "verified"
    assert told(capsys, "review", "apply", sent)[1]["changed"] == [FIRST]


def test_bulk_assignment_is_all_or_nothing(capsys, sent):
    told(capsys, "review", "assign", sent, FIRST, "--reviewers", "Ben", "Cleo", "--by", "Ada")
    told(capsys, "review", "decide", sent, FIRST, "--by", "Ben")
    code, _, err = run(capsys, "review", "assign", sent, NAMES[1], FIRST, "--reviewers", "Dan", "Eve", "--by", "Ada")
    assert (code, "Ben has decided already" in err) == (BAD_INPUT, True)
    assert [r["puzzle"] for r in told(capsys, "review", "list", sent, "--queue", "unassigned")[1]] == [NAMES[1]]


@pytest.mark.slow
def test_comments_have_replies_and_a_puzzle_goes_back(capsys, sent):
    told(capsys, "review", "comment", sent, FIRST, "Why?", "--step", "2", "--by", "Ben")
    first = told(capsys, "review", "show", sent, FIRST)[1]["comments"][0]["id"]
    told(capsys, "review", "comment", sent, FIRST, "Look at page 1.", "--reply-to", first, "--by", "Ada")
    told(capsys, "review", "return", sent, FIRST, "--wanted", "Say why.", "--by", "Ben")
    assert "To be changed: Say why." in run(capsys, "review", "show", sent, FIRST)[1]
    assert [r["comments"] for r in told(capsys, "review", "list", sent, "--search", "page")[1]] == [2]
    code, data = told(capsys, "review", "send", sent, "--author", "Ada")
    assert (code, data["sent"], "has not been changed since" in data["refused"][0]) == (NOT_PASSED, [], True)
    text = (Path(sent) / FIRST / METADATA).read_text("utf-8").replace("semaphore", "flags")
    save(PuzzleSet(Path(sent)), FIRST, Change(writes={METADATA: text.encode()}))
    assert told(capsys, "review", "send", sent, "--author", "Ben")[1]["sent"] == []
    assert told(capsys, "review", "send", sent, "--author", "Ada")[1]["sent"] == [FIRST]


@pytest.mark.slow
def test_two_people_annotate_apart_and_two_projects_merge_what_they_wrote(capsys, folder, tmp_path):
    data = json.loads((Path(folder) / FIRST / METADATA).read_text("utf-8"))
    projects = [str(tmp_path / name) for name in ("a.workbench", "b.workbench")]
    for person, project, skills in (("Ben", projects[0], data["skills"]), ("Cleo", projects[1], ["logic"])):
        (tmp_path / "own.json").write_text(json.dumps(data | {"skills": skills}))
        own = ("--file", str(tmp_path / "own.json"), "--by", person, "--project", project)
        assert told(capsys, "review", "annotate", folder, FIRST, *own)[0] == PASSED
    assert told(capsys, "review", "agreement", folder, "--project", projects[0])[1]["puzzles"] == 0
    told(capsys, "review", "export", folder, "-o", str(tmp_path / "r.jsonl"), "--project", projects[1])
    told(capsys, "review", "merge", str(tmp_path / "r.jsonl"), "--project", projects[0])
    _, figures = told(capsys, "review", "agreement", folder, "--project", projects[0])
    assert (figures["puzzles"], figures["steps"]["mean"], len(figures["pairs"][0]["steps"])) == (1, 1.0, 4)
    assert figures["tags"]["mean"] < 1
    assert "Steps with a partner     1.00" in run(capsys, "review", "agreement", folder, "--project", projects[0])[1]


def test_an_annotation_with_errors_is_not_taken(capsys, folder, tmp_path):
    (tmp_path / "own.json").write_text('{"title": ""}')
    own = ("--file", str(tmp_path / "own.json"), "--by", "Ben")
    code, _, err = run(capsys, "review", "annotate", folder, FIRST, *own)
    assert (code, FIRST in err) == (BAD_INPUT, True)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("list", "--queue", "mine"), "Say whose queue"),
        (("show", "Nowhere"), "No review of a puzzle Nowhere"),
        (("settle", FIRST, "--take", "step 2=C", "--by", "Ada"), "is no choice"),
        (("settle", FIRST, "--take", "step 2=A", "--by", "Ada"), "needs it to be disputed"),
    ],
)
def test_what_is_not_possible_is_said(capsys, sent, words, reason):
    code, _, err = run(capsys, "review", words[0], sent, *words[1:])
    assert (code, reason in err) == (BAD_INPUT, True)


def handed_in(capsys, folder, tmp_path):
    """Ben and Cleo were asked, and have handed in annotations that differ in a step and in the skills."""
    data = json.loads((Path(folder) / FIRST / METADATA).read_text("utf-8"))
    double = ("review", "double", folder, FIRST, "--annotators", "Ben", "Cleo", "--by", "Ada")
    assert told(capsys, *double)[1][0]["state"] == "two_annotators"
    for person, skills, steps in (
        ("Ben", data["skills"], data["reasoning"]),
        ("Cleo", ["logic"], data["reasoning"][1:]),
    ):
        (tmp_path / "own.json").write_text(json.dumps(data | {"skills": skills, "reasoning": steps}))
        told(capsys, "review", "annotate", folder, FIRST, "--file", str(tmp_path / "own.json"), "--by", person)


@pytest.mark.slow
def test_two_people_are_asked_and_a_third_makes_one_annotation(capsys, folder, tmp_path):
    handed_in(capsys, folder, tmp_path)
    assert [r["puzzle"] for r in told(capsys, "review", "list", folder, "--queue", "twice")[1]] == [FIRST]
    third = ("review", "adjudicate", folder, FIRST, "--take", "1=-=neither", "--take")
    code, _, err = run(capsys, *third, "skills=new:logic, odd", "--by", "Ada")
    assert (code, "“odd” is not one of" in err) == (BAD_INPUT, True)
    assert told(capsys, *third, "skills=B", "--by", "Ada")[0] == PASSED
    written = json.loads((Path(folder) / FIRST / METADATA).read_text("utf-8"))
    assert (len(written["reasoning"]), written["skills"]) == (3, ["logic"])
    assert state(capsys, folder) == "checked"


@pytest.mark.parametrize(
    ("take", "said"),
    [
        ((), "Nothing is chosen for 1=–"),
        (("1=-=A",), "Nothing is chosen for skills"),
        (("1=-=A", "skills=A", "9=9=A"), "There is no place “9=9”"),
        (("1=-=C",), "“C” is not one of"),
    ],
)
def test_a_third_annotation_needs_a_choice_for_each_place(capsys, folder, tmp_path, take, said):
    handed_in(capsys, folder, tmp_path)
    choices = [part for choice in take for part in ("--take", choice)]
    code, _, err = run(capsys, "review", "adjudicate", folder, FIRST, *choices, "--by", "Ada")
    assert (code, said in err) == (BAD_INPUT, True)


@pytest.mark.slow
def test_another_persons_project_is_merged_and_what_does_not_count_is_named(capsys, sent, tmp_path):
    projects = [str(tmp_path / name) for name in ("a.workbench", "b.workbench")]
    for author, project in zip(("Ada", "Ben"), projects, strict=True):
        told(capsys, "review", "send", sent, "--author", author, "--project", project)
    _, rows = told(capsys, "review", "merge", projects[1], "--project", projects[0])
    assert (rows[0]["new"], len(rows[0]["conflicts"])) == (2, 2)
    assert "“checked” by Ben" in rows[0]["conflicts"][0]
    assert told(capsys, "review", "merge", projects[1], "--project", projects[0])[1][0]["conflicts"] == []
