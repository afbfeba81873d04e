"""The command `cases`."""

import json

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED

FENCED = "```\nA5054\n78882\n23404\n09759\n2210B\n```"


@pytest.fixture
def case(tmp_path):
    (tmp_path / "answer.txt").write_text(FENCED)
    path = tmp_path / "case.json"
    words = ["cases", "new", "maze_3d:0", str(tmp_path / "answer.txt"), "--reason", "fences", "-o", str(path)]
    assert main(words) == PASSED
    return path


def test_a_case_that_is_as_expected_passes(case, capsys):
    assert main(["cases", "run", str(case)]) == PASSED
    assert "as expected" in capsys.readouterr().out


def test_a_case_that_has_changed_does_not_pass(case, capsys):
    data = json.loads(case.read_text())
    data["expected"]["published"]["passed"] = True
    case.write_text(json.dumps(data))
    assert main(["cases", "run", str(case), "--json"]) == NOT_PASSED
    assert json.loads(capsys.readouterr().out)["cases"][str(case)][0]["verifier"] == "published"


def test_a_broken_case_is_refused_with_its_place(case, capsys):
    case.write_text('{"address": 3}')
    assert main(["cases", "run", str(case)]) == BAD_INPUT
    assert "address: " in capsys.readouterr().err


def test_a_case_is_made_small(case, capsys):
    assert main(["cases", "small", str(case), "-o", str(case)]) == PASSED
    small = json.loads(case.read_text())
    assert len(small["answer"]) < len(FENCED)
    assert small["reason"] == "fences"


def test_cases_become_tests(case, tmp_path):
    assert main(["cases", "export", str(case), "-o", str(tmp_path / "test_case.py")]) == PASSED
    assert "def test_every_verifier_says_what_it_said" in (tmp_path / "test_case.py").read_text()
