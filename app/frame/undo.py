"""Undo and redo for the page in front."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QUndoStack
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid


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
        self.undo_action, self.redo_action = QAction("Undo", self), QAction("Redo", self)
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
        stack = self._stack
        self.undo_action.setEnabled(stack is not None and stack.canUndo())
        self.redo_action.setEnabled(stack is not None and stack.canRedo())
        self.undo_action.setText(f"Undo {stack.undoText()}".strip() if stack is not None else "Undo")
        self.redo_action.setText(f"Redo {stack.redoText()}".strip() if stack is not None else "Redo")


class SharedHistory(QObject):
    """Lets undo and redo in a field reach the page's history instead of the field's own."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return True
        return super().eventFilter(watched, event)
