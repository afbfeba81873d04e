"""Where keys and the wheel go: one set of rules for the panels of all editors.

- The wheel changes a field only while the field has the focus.
- Return and Escape in a field give the focus back to the view.
- Undo and redo are those of the document, also while a number field has the focus.
- Lists, sliders and number fields keep the arrow keys to themselves while they have the focus.
- A click on a button, a box, a slider or a list does not take the focus from the view; Tab still reaches them.
- Letters and digits in a list are keys of the view; they do not search the list.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)

from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.wheel_fields import takes_wheel

_FIELDS = (QAbstractSpinBox, QComboBox, QAbstractSlider)
_TYPED = (QAbstractSpinBox, QLineEdit)
_WITH_ARROWS = (*_FIELDS, QAbstractItemView)
_ARROWS = {
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right),
    *(Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End),
}
_DONE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
_HISTORY = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class PanelFocus(QObject):
    """Applies the rules to widgets in panels.

    Signals:
        left(): a field was finished; the focus returns to the view.
    """

    left = Signal()

    def watch(self, root: QWidget) -> None:
        """Applies the rules to a widget and its children."""
        for widget in (root, *root.findChildren(QWidget)):
            if isinstance(widget, QScrollBar | QTabBar):
                continue
            is_chosen = isinstance(widget, QAbstractButton | QAbstractItemView | QAbstractSlider)
            if is_chosen or (isinstance(widget, QComboBox) and not widget.isEditable()):
                if widget.focusPolicy() & Qt.FocusPolicy.ClickFocus:
                    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            elif isinstance(widget, _FIELDS) and widget.focusPolicy() == Qt.FocusPolicy.WheelFocus:
                widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            if isinstance(widget, (*_WITH_ARROWS, QLineEdit)):
                widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QWheelEvent) and isinstance(watched, _FIELDS):
            return not takes_wheel(watched, event)
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return self._override(watched, event)
        if kind != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in _DONE:
            self._finish_field(watched)
        elif isinstance(watched, QAbstractItemView) and event.text().strip().isalnum():
            event.ignore()
            return True
        return False

    def _finish_field(self, field: QObject) -> None:
        if isinstance(field, _TYPED):
            # The field first commits the typed text.
            call_later(self, self.left.emit)

    def _override(self, watched: QObject, event: QKeyEvent) -> bool:
        """Whether the field, not Qt, decides if a key is a shortcut."""
        if isinstance(watched, QAbstractSpinBox) and any(event.matches(key) for key in _HISTORY):
            event.ignore()
            return True
        keeps = isinstance(watched, _WITH_ARROWS) and event.key() in _ARROWS
        keeps |= isinstance(watched, _TYPED) and event.key() in _DONE
        if keeps and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.accept()
            return True
        return False


def keeps_keyboard(widget: QWidget | None) -> bool:
    """Whether a widget needs the keyboard after a click: text is typed there, or a part of it is selected."""
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return not widget.isReadOnly() or widget.textCursor().hasSelection()
    if isinstance(widget, QLabel):
        return widget.hasSelectedText()
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QLineEdit | QAbstractSpinBox)


def is_typing(widget: QWidget | None) -> bool:
    """Whether a widget takes typed input; a click on a view then only ends the typing."""
    return isinstance(widget, QLineEdit | QAbstractSpinBox | QComboBox)
