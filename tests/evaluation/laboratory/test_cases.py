"""Regression cases: written, read, run, made small, and turned into tests."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from spatial_workbench.engine.evaluation.laboratory.cases import (
    CaseError,
    ExpectedVerdict,
    as_pytest,
    case_in,
    case_made_small,
    case_of,
    changes_in,
    read_case,
)

FENCED = "Here it is:\n```\nA5054\n78882\n23404\n09759\n2210B\n```\nIt is a maze."


def test_a_case_expects_what_all_verifiers_say_and_is_read_again() -> None:
    case = case_of("maze_3d:0", FENCED, "Text around the grid is no fault.", "Ada")
    assert list(case.expected) == ["default", "published", "crosscheck"]
    assert case.expected["default"].passed
    assert not case.expected["published"].passed
    assert case_in(case.as_text()) == case
    assert changes_in(case) == []


def test_a_verifier_that_says_something_else_is_named() -> None:
    case = case_of("maze_3d:0", FENCED)
    other = case.model_copy(update={"expected": {"default": ExpectedVerdict(score=0.0, passed=False)}})
    assert [change.words for change in changes_in(other)] == ["default: expected not passed, 0; now passed, 1"]


def test_a_verifier_that_is_gone_is_named() -> None:
    case = case_of("maze_3d:0", FENCED)
    other = case.model_copy(update={"expected": {"theirs": case.expected["default"]}})
    assert "no such verifier" in changes_in(other)[0].words


@pytest.mark.slow
def test_a_case_is_made_small_and_keeps_its_difference() -> None:
    small = case_made_small(case_of("maze_3d:0", FENCED, "why", "Ada"))
    assert len(small.answer) < len(FENCED)
    assert (small.expected["default"].passed, small.expected["published"].passed) == (True, False)
    assert (small.reason, small.who) == ("why", "Ada")


def test_a_case_on_which_all_agree_cannot_be_made_small() -> None:
    with pytest.raises(CaseError, match="all verifiers agree"):
        case_made_small(case_of("maze_3d:0", "A"))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{", "line 1, column 2"),
        ("[]", "x: case: "),
        ('{"address": "maze_3d:0"}', "answer: "),
        ('{"format": "spatial-workbench case 9"}', "format: "),
        ('{"address": "maze_3d:0", "answer": "", "expected": {"default": {"score": 2}}}', r"expected.default.score: "),
        ('{"address": "maze_3d:0", "answer": "", "expected": {}, "more": 1}', "expected: "),
        ("[" * 100_000, "x: "),
    ],
)
def test_a_broken_case_is_refused_with_the_place(text: str, place: str) -> None:
    with pytest.raises(CaseError, match=place):
        case_in(text, "x")


def test_a_case_about_an_unknown_instance_is_refused() -> None:
    case = case_of("maze_3d:0", "A").model_copy(update={"address": "maze_3d:999"})
    with pytest.raises(CaseError, match="address: "):
        changes_in(case)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_bytes(b"\xff\xfe")
    with pytest.raises(CaseError, match="UTF-8"):
        read_case(tmp_path / "case.json")
    with pytest.raises(CaseError, match=r"none\.json"):
        read_case(tmp_path / "none.json")


def test_an_answer_with_a_program_makes_no_case() -> None:
    turned = [1.0, 0.0, 0.0, 0.0, 0.0] * 3 + [1.0]
    program = {"fileContents": "# a program", "fileType": "Python Generating STL", "transform": turned}
    with pytest.raises(CaseError, match="program"):
        case_of("interlocking_parts:0", json.dumps({"reasoning": "", "parts": [program]}))


@pytest.mark.slow
def test_the_exported_test_runs_by_itself(tmp_path: Path) -> None:
    case = case_of("maze_3d:0", FENCED + " It's \\ '''odd'''.")
    (tmp_path / "test_cases.py").write_text(as_pytest([("fenced", case), ("again", case)]))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "2 passed" in done.stdout
