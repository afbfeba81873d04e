"""Undo and redo belong to the page in front."""

import gc
import weakref

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from spatial_workbench.app.frame.undo import UndoGroup
from tests.app.conftest import open_instance


def test_the_actions_name_and_undo_the_last_step_in_front(qapp):
    parent = QObject()
    stack = QUndoStack()
    group = UndoGroup(parent)
    assert not group.undo_action.isEnabled()
    group.set_active(stack)
    stack.push(QUndoCommand("Add brick"))
    assert (group.undo_action.isEnabled(), group.undo_action.text()) == (True, "Undo Add brick")
    group.undo_action.trigger()
    assert (group.redo_action.isEnabled(), group.redo_action.text()) == (True, "Redo Add brick")
    group.set_active(None)
    assert not group.redo_action.isEnabled()


def test_a_history_that_was_released_is_let_go(qapp):
    class History(QUndoStack):
        pass

    parent = QObject()
    stack = History()
    group = UndoGroup(parent)
    history = weakref.ref(stack)
    group.set_active(stack)
    group.release(stack)
    del stack
    gc.collect()
    assert history() is None


@pytest.mark.slow
def test_closing_a_tab_behind_leaves_the_history_in_front_to_be_undone(window, qtbot):
    behind = open_instance(window, qtbot, "shikaku:0")
    front = open_instance(window, qtbot, "two_segments:0")
    before = front.document.answer
    front.document.edit("Put", front.document.task.solve(front.document.instance))
    window.pages.close(behind)
    assert window.undo_group.undo_action.isEnabled()
    window.undo_group.undo_action.trigger()
    assert front.document.answer == before


@pytest.mark.slow
def test_each_tab_undoes_its_own_steps(window, qtbot):
    first = open_instance(window, qtbot, "two_segments:0")
    empty = first.document.answer
    first.document.edit("Put", first.document.task.solve(first.document.instance))
    open_instance(window, qtbot, "shikaku:0")
    assert not window.undo_group.undo_action.isEnabled()
    window.tabs.setCurrentWidget(first)
    window.undo_group.undo_action.trigger()
    assert first.document.answer == empty
