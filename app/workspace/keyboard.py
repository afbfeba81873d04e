"""Which widget has the keyboard focus in a workspace: the view, unless the person is typing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.focus import keeps_keyboard
from spatial_workbench.widgets.qt import call_later


class Keyboard(QObject):
    """Gives the focus back to the editor's view after a click in a panel, and view keys to it from anywhere."""

    def __init__(self, workspace: QWidget, editor: Editor[Any]) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._editor = editor

    def watch(self, panel: QWidget) -> None:
        """Gives the focus back to the view after a click in a panel, or in a part of it."""
        for widget in (panel, *panel.findChildren(QWidget)):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease:
            self.give_soon()
        return False

    def give_soon(self) -> None:
        """Gives the focus to the view once the current event is handled, unless something is typed by then."""
        call_later(self, self._give_focus)

    def give_to_view(self) -> None:
        """Gives the focus to the view, or to the editor's widget that had it last."""
        last = self._editor.focusWidget()
        is_of_use = last is not None and last.isVisible() and not keeps_keyboard(last)
        (last if last is not None and is_of_use else self._editor.view).setFocus()

    def press_view_key(self, event: QKeyEvent) -> bool:
        """Handles a key that nothing else used as the view would; returns whether the view has such a key."""
        pressed = QKeySequence(event.keyCombination())
        for action in self._editor.view.view_actions.values():
            if action.isEnabled() and pressed in action.shortcuts():
                action.trigger()
                return True
        return False

    def _give_focus(self) -> None:
        focus = QApplication.focusWidget()
        is_elsewhere = focus is not None and focus.window() is not self._workspace.window()
        if not self._workspace.isVisible() or is_elsewhere or keeps_keyboard(focus):
            return
        if focus is None or not self._is_of_editor(focus):
            self.give_to_view()

    def _is_of_editor(self, widget: QWidget) -> bool:
        return widget is self._editor or self._editor.isAncestorOf(widget)
