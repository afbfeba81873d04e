"""The command `cases`."""

import json

import pytest

from spatial_workbench.app.commands.main import INTERRUPTED, main
from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.evaluation.laboratory import sizes
from spatial_workbench.engine.evaluation.laboratory.sizes import ShrunkenDifference

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


@pytest.mark.slow
def test_a_case_is_made_small(case, capsys):
    assert main(["cases", "small", str(case), "-o", str(case)]) == PASSED
    small = json.loads(case.read_text())
    assert len(small["answer"]) < len(FENCED)
    assert small["reason"] == "fences"


@pytest.mark.parametrize("seconds", ["nan", "-1", "inf", "much"])
def test_a_time_that_never_ends_is_refused(case, seconds, capsys):
    with pytest.raises(SystemExit):
        main(["cases", "small", str(case), f"--seconds={seconds}"])
    assert "is no number of seconds" in capsys.readouterr().err


def test_how_small_known_differences_become_is_a_table(tmp_path, capsys):
    file = tmp_path / "sizes.md"
    assert main(["cases", "measure", "hamiltonian_loop", "-o", str(file), "--json"]) == PASSED
    (row,) = json.loads(capsys.readouterr().out)["differences"]
    assert row["is_finished"]
    assert f"| hamiltonian_loop | `{row['id']}` | " in file.read_text()


def test_interrupted_it_shows_what_was_made_small_until_then(tmp_path, monkeypatch, capsys):
    def interrupted(*_):
        yield ShrunkenDifference("maze_3d", "carriage-returns", (5, 0), (4, 0), 1200, 3.4, True)
        raise KeyboardInterrupt

    monkeypatch.setattr(sizes, "shrunken_differences", interrupted)
    file = tmp_path / "sizes.md"
    assert main(["cases", "measure", "maze_3d", "-o", str(file)]) == INTERRUPTED
    assert "`carriage-returns`" in file.read_text()
    assert "`carriage-returns`" in capsys.readouterr().out


def test_cases_become_tests(case, tmp_path):
    assert main(["cases", "export", str(case), "-o", str(tmp_path / "test_case.py")]) == PASSED
    assert "def test_every_verifier_says_what_it_said" in (tmp_path / "test_case.py").read_text()
