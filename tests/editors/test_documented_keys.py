"""The keys in docs/tasks are those of the editors."""

import re
from pathlib import Path

import pytest

from spatial_workbench.engine.core import tasks as all_tasks

DOCS = Path(__file__).resolve().parents[2] / "docs" / "tasks"
ARROWS = ("Left", "Right", "Up", "Down")


def documented(task_id):
    """Every key in the table of keys of a task's page; "Arrows" stands for four."""
    family = next((name for name in ("cube", "machine") if task_id.startswith(f"{name}_")), task_id)
    page = (DOCS / f"{family}.md").read_text(encoding="utf-8")
    table = page.partition("\n## Keys\n")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    keys = {key for cell in cells for key in re.findall(r"`([^`]+)`", cell)}
    return {key.replace("Arrows", arrow) for key in keys for arrow in (ARROWS if "Arrows" in key else ("",))}


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
def test_a_task_s_page_names_the_keys_of_its_editor(show_editor, task):
    editor = show_editor(task, task.instances()[0], size=(700, 500))
    keys = {shortcut.toString() for action in editor.actions() for shortcut in action.shortcuts()}
    assert documented(task.id) == keys
