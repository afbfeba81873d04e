"""What is under the pointer is forgotten when the answer is replaced by something else than the tool itself."""

import pytest
from PySide6.QtCore import QPoint, Qt

from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.widgets.editing.controls import Buttons, Section
from tests.sweeps import some_tasks

TASKS = all_tasks()
PLACES = (0.3, 0.5, 0.7)
FEW_BLASTS = 1
"""Each is simulated."""


def solved(document):
    answer = document.task.solve(document.instance)
    charges = getattr(answer, "charges", None)
    return answer if charges is None else answer.with_charges(charges[:FEW_BLASTS])


def tools_of(editor):
    """The actions that take up a tool."""
    for group in editor.panel.declared:
        for row in group.rows if isinstance(group, Section) else ():
            if isinstance(row, Buttons) and row.exclusive:
                yield from (editor.panel.actions[action.text] for action in row.actions)


def hover(qtbot, editor):
    """Points at several places of each view, and leaves the pointer there."""
    for pane in editor.panes:
        if pane.isVisible() and hasattr(pane, "ghost"):
            for x in PLACES:
                qtbot.mouseMove(pane, QPoint(round(x * pane.width()), pane.height() // 2))


def assert_nothing_stale(editor):
    for pane in editor.panes:
        assert getattr(pane, "ghost", ()) == ()
    editor.status()
    editor.view.grab()


@pytest.mark.parametrize("task", some_tasks(TASKS, 10), ids=lambda task: task.id)
def test_pointing_and_then_undoing_leaves_nothing_stale_with_any_tool(qtbot, show_editor, task):
    editor = show_editor(task, task.instances()[0], size=(600, 450))
    document = editor.document
    reference = solved(document)
    for take_up in [None, *tools_of(editor)]:
        document.edit("Load reference solution", reference)
        editor.view.flush()
        if take_up is not None and take_up.isEnabled():
            take_up.trigger()
        hover(qtbot, editor)
        document.undo_stack.undo()
        assert_nothing_stale(editor)
        hover(qtbot, editor)
        document.undo_stack.redo()
        assert_nothing_stale(editor)
        hover(qtbot, editor)
        document.edit("Clear answer", task.empty(document.instance))
        assert_nothing_stale(editor)


@pytest.mark.parametrize("task", some_tasks(TASKS, 10), ids=lambda task: task.id)
def test_undo_in_the_middle_of_a_drag_ends_it(qtbot, show_editor, task):
    editor = show_editor(task, task.instances()[0], size=(600, 450))
    document = editor.document
    reference = solved(document)
    left = Qt.MouseButton.LeftButton
    for take_up in [None, *tools_of(editor)]:
        document.edit("Load reference solution", reference)
        editor.view.flush()
        if take_up is not None and take_up.isEnabled():
            take_up.trigger()
        middle = editor.view.rect().center()
        before = document.undo_stack.index()
        qtbot.mousePress(editor.view, left, pos=middle)
        qtbot.mouseMove(editor.view, middle + QPoint(20, 10))
        while document.undo_stack.index() >= before and document.undo_stack.canUndo():
            document.undo_stack.undo()
        undone = document.answer
        assert_nothing_stale(editor)
        qtbot.mouseRelease(editor.view, left, pos=middle + QPoint(20, 10))
        assert document.answer == undone
