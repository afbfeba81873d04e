"""Undo and redo belong to the page in front."""

import gc
import weakref

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.frame.undo import UndoGroup


def test_the_actions_name_and_undo_the_last_step_in_front(qapp):
    parent, stack = QObject(), QUndoStack()
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

    parent, stack = QObject(), History()
    group, history = UndoGroup(parent), weakref.ref(stack)
    group.set_active(stack)
    group.release(stack)
    del stack
    gc.collect()
    assert history() is None
