"""Undo and redo for the page in front, and steps of histories."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.editing.document import UndoStack

SAME_EDIT_S = 1.5
"""Letters typed into a field without a longer pause are one step of the history."""


def undo_stack_of(page: QWidget | None) -> QUndoStack | None:
    """The history of a page: that of its document, or its own; None if it keeps none."""
    stack = getattr(getattr(page, "document", page), "undo_stack", None)
    return stack if isinstance(stack, QUndoStack) else None


class UndoGroup(QObject):
    """The two actions that undo and redo in the history of the page in front.

    Qt has such a group too, but through it Python keeps every history that it ever had, with all answers in it.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stack: QUndoStack | None = None
        self.undo_action, self.redo_action = QAction(tr("Undo"), self), QAction(tr("Redo"), self)
        self.undo_action.triggered.connect(self.undo)
        self.redo_action.triggered.connect(self.redo)
        self._refresh()

    def set_active(self, stack: QUndoStack | None) -> None:
        """Uses the history of the page that is in front now; None: that page has none."""
        if stack is self._stack:
            return
        if self._stack is not None and isValid(self._stack):
            self._stack.indexChanged.disconnect(self._refresh)
            self._stack.cleanChanged.disconnect(self._refresh)
        self._stack = stack
        if stack is not None:
            stack.indexChanged.connect(self._refresh)
            stack.cleanChanged.connect(self._refresh)
        self._refresh()

    def release(self, stack: QUndoStack) -> None:
        """Drops a history that is closed."""
        if stack is self._stack:
            self.set_active(None)

    def undo(self) -> None:
        """Undoes a step in front."""
        if self._stack is not None:
            self._stack.undo()

    def redo(self) -> None:
        """Redoes a step in front."""
        if self._stack is not None:
            self._stack.redo()

    def _refresh(self, *_: object) -> None:
        back, again = _words_of(self._stack)
        self.undo_action.setEnabled(bool(back))
        self.redo_action.setEnabled(bool(again))
        self.undo_action.setText(back or tr("Undo"))
        self.redo_action.setText(again or tr("Redo"))


def _words_of(stack: QUndoStack | None) -> tuple[str, str]:
    """What undo and redo would do; "" for what does nothing now."""
    if stack is None:
        return "", ""
    if isinstance(stack, UndoStack):
        return stack.undo_words(), stack.redo_words()
    undo = tr("Undo {step}", step=said(stack.undoText())).strip() if stack.canUndo() else ""
    redo = tr("Redo {step}", step=said(stack.redoText())).strip() if stack.canRedo() else ""
    return undo, redo


class SharedHistory(QObject):
    """Lets undo and redo in a field reach the page's history instead of the field's own."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return True
        return super().eventFilter(watched, event)


class StateChange(QUndoCommand):
    """Replaces the subject of a page by another state of it.

    Args:
        show: The method of the page that shows a state; the page is not kept alive by its history.
        key: The field that was typed into: what is typed into it without a pause becomes one step. "" stands alone.
        is_shown: Whether the page shows the new state already.
    """

    def __init__(
        self, show: Callable[[Any], None], label: str, before: Any, after: Any, key: str, is_shown: bool = False
    ) -> None:
        super().__init__(label)
        self._show = weakref.WeakMethod(show)
        self._before = before
        self._after = after
        self._key = key
        self._at = time.monotonic()
        self._is_shown = is_shown

    def redo(self) -> None:
        if not self._is_shown:
            self._show_state(self._after)
        self._is_shown = False

    def undo(self) -> None:
        self._show_state(self._before)

    def id(self) -> int:
        return 0x57A7E

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, StateChange) or not self._key or other._key != self._key:
            return False
        if other._at - self._at > SAME_EDIT_S:
            return False
        self._after = other._after
        self._at = other._at
        return True

    def _show_state(self, state: Any) -> None:
        show = self._show()
        if show is not None:
            show(state)
