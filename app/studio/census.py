"""The controls of editors with their aid classes, as a list and as the page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from spatial_workbench.engine.core import Aid, Family, Task, tasks
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.widgets.editing.control_panel import census
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors import editor_for

TASK_CHARS, AID_CHARS = 24, 10
FIRST_TASK = "\n## classify_behaviour"
"""Where the list of tasks begins on the page on aids."""


def census_lines(chosen: Iterable[Task[Any]]) -> Iterator[str]:
    """A line for each control of the tasks' editors: task, aid class and text, in columns. Needs a QApplication."""
    for task in chosen:
        editor = _open_editor(task)
        for text, aid in census(editor.panel.declared):
            yield f"{task.id:{TASK_CHARS}} {aid.value:{AID_CHARS}} {text}"
        editor.close_editor()
        editor.tools.deleteLater()
        editor.deleteLater()


def aids_page(page: str, lines: Iterable[str]) -> str:
    """The page on aids with a new list by task: what the live verdict shows, and the controls by class.

    page: the current page. lines: those of `census_lines`.
    """
    parts = [page.partition(FIRST_TASK)[0]]
    for classes, names in _alike(lines):
        rule = task_of(names[0]).live
        parts.append(f"## {', '.join(names)}\n\nThe live verdict shows {rule.in_words} {rule.why}\n")
        parts += [f"- **{aid}**: {' · '.join(dict.fromkeys(classes[aid]))}" for aid in Aid if aid in classes]
        parts.append("")
    return "\n".join(parts)


def _alike(lines: Iterable[str]) -> list[tuple[dict[Aid, list[str]], list[str]]]:
    """The controls by class, with the ids of the tasks whose editors have just these."""
    by_task: dict[str, dict[Aid, list[str]]] = {}
    for line in lines:
        name = line[:TASK_CHARS].strip()
        aid = Aid(line[TASK_CHARS + 1 : TASK_CHARS + 1 + AID_CHARS].strip())
        by_task.setdefault(name, {}).setdefault(aid, []).append(line[TASK_CHARS + AID_CHARS + 2 :].strip())
    alike: dict[str, tuple[dict[Aid, list[str]], list[str]]] = {}
    for name, classes in by_task.items():
        alike.setdefault(str(classes), (classes, []))[1].append(name)
    return list(alike.values())


def tasks_with_controls() -> list[Task[Any]]:
    """The tasks of this program whose editors list controls of their own."""
    return [task for task in tasks() if task.family in Family.PUBLISHED and "list_controls" in vars(editor_for(task))]


class _NoWork:
    """A runner for editors that nobody uses: it does nothing. It is its own job."""

    def run(self, *_: object, **__: object) -> _NoWork:
        """Begins nothing."""
        return self

    def cancel(self) -> None:
        """There is nothing to cancel."""


def _open_editor(task: Task[Any]) -> Editor[Any]:
    return editor_for(task)(AnswerDocument(task, task.instances()[0]), _NoWork())
