"""The command `disagree`."""

import json

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED


@pytest.mark.slow
def test_it_lists_groups_with_their_smallest_case(capsys):
    assert main(["disagree", "maze_3d", "--answers", "300"]) in (PASSED, NOT_PASSED)
    out = capsys.readouterr().out
    assert out.startswith("maze_3d: ")
    assert "default and published at “" in out


@pytest.mark.slow
def test_it_is_stored_in_a_project_and_resumed(capsys, tmp_path):
    words = ["disagree", "maze_3d", "--answers", "200", "--json", "--project", str(tmp_path / "p.workbench")]
    main(words)
    first = json.loads(capsys.readouterr().out)
    main(words)
    assert json.loads(capsys.readouterr().out) == first
    assert first["tasks"]["maze_3d"]


@pytest.mark.slow
def test_what_was_found_of_the_known_differences_is_a_table(capsys, tmp_path):
    words = ["disagree", "maze_3d", "--answers", "50", "--measure", "-o", str(tmp_path / "table.md")]
    assert main(words) == PASSED
    assert (tmp_path / "table.md").read_text().startswith("| task | answers | seconds | listed |")


def test_an_unknown_task_is_refused(capsys):
    assert main(["disagree", "mazes"]) == BAD_INPUT
    assert "There is no task “mazes”" in capsys.readouterr().err
