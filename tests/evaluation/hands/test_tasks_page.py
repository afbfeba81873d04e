"""The page on hands lists the commands of every task, as they are declared."""

import re
from pathlib import Path

import pytest

from spatial_workbench.engine.core import Aid, tasks
from spatial_workbench.engine.core.acting.commands import HasCommands
from spatial_workbench.engine.evaluation.hands.tools import COMMON_NAMES, all_tools

PAGE = Path(__file__).parents[3] / "docs" / "hands.md"


def rows():
    """The tasks of the page, each with the names in its row."""
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        names = re.findall(r"`(\w+)`", cells[0])
        if len(cells) == 2 and names and names[0] in known():
            yield from ((name, cells[1]) for name in names)


def known():
    return {task.id: task for task in tasks() if isinstance(task, HasCommands)}


def test_every_task_with_commands_is_listed():
    assert sorted(name for name, _ in rows()) == sorted(known())


@pytest.mark.parametrize(("name", "listed"), list(rows()), ids=lambda value: value if value in known() else "")
def test_a_row_lists_exactly_the_declared_commands(name, listed):
    plain, _, solving = listed.partition("solving:")
    declared = [tool for tool in all_tools(known()[name]).values() if tool.name not in COMMON_NAMES]
    hard = {tool.name for tool in declared if tool.aid is Aid.SOLVING}
    assert set(re.findall(r"`(\w+)`", plain)) == {tool.name for tool in declared} - hard
    assert set(re.findall(r"`(\w+)`", solving)) == hard
