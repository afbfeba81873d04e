"""The text field that has the focus, told to a page in a browser, whose own field types into it.

A picture takes no input method and no dictation, and says nothing to a screen reader; a field of the page does.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from spatial_workbench.widgets.shown_text import common_length

MOST_CHARS = 5000
"""A longer text is not told, and cannot be typed in the page."""
TELL_MS = 50
_FOLLOWED = "isFollowed"
TextField = QLineEdit | QPlainTextEdit | QTextEdit


class FocusedField(QObject):
    """Follows the focus, and types what the page's field says.

    Signals:
        changed(object): what the page has to know of the field, as plain data; None if no text field has the focus.
        first_typed(): the page has typed into a field for the first time since it has the focus.
    """

    changed = Signal(object)
    first_typed = Signal()

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._field: TextField | None = None
        self._number = 0
        self._heard = 0
        self._is_typed = False
        self._soon = QTimer(self, singleShot=True, interval=TELL_MS)
        self._soon.timeout.connect(self._tell)
        application.focusChanged.connect(self._follow)

    def type_text(self, number: int, heard: int, text: str, cursor: Sequence[int]) -> None:
        """Makes the text of the field this one, in one step that can be undone.

        number: which field is meant; another one has the focus no longer. heard: the number of this message.
        cursor: the ends of what is selected, in units of UTF-16.
        """
        field = self._field
        if field is None or number != self._number:
            return
        self._heard = heard
        if not self._is_typed:
            self._is_typed = True
            self.first_typed.emit()
        type_into(field, text[:MOST_CHARS])
        _select(field, cursor[0], cursor[1])
        self._soon.start()

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        field = now if isinstance(now, TextField) and is_told(now) else None
        if field is self._field:
            return
        self._field = field
        self._number += 1
        self._heard = 0
        self._is_typed = False
        if field is not None and not field.property(_FOLLOWED):
            # For good: a field without the focus only causes the present one to be told again.
            field.setProperty(_FOLLOWED, True)
            field.textChanged.connect(self._tell_soon)
            field.cursorPositionChanged.connect(self._tell_soon)
        self._soon.start()

    def _tell_soon(self, *_: object) -> None:
        self._soon.start()

    def _tell(self) -> None:
        field = self._field
        if field is None or len(text_of(field)) > MOST_CHARS:
            self.changed.emit(None)
            return
        window = field.window()
        middle = field.mapTo(window, field.rect().center()).y()
        self.changed.emit(
            {
                "number": self._number,
                "heard": self._heard,
                "label": label_of(field),
                "text": text_of(field),
                "cursor": _cursor_of(field),
                "lines": not isinstance(field, QLineEdit),
                "most": min(field.maxLength(), MOST_CHARS) if isinstance(field, QLineEdit) else MOST_CHARS,
                "low": middle > window.height() / 2,
            }
        )


def is_told(field: TextField) -> bool:
    """Whether a page may know a field: it can be typed into, and shows what is typed."""
    hides = isinstance(field, QLineEdit) and field.echoMode() is not QLineEdit.EchoMode.Normal
    return field.isEnabled() and not field.isReadOnly() and not hides


def text_of(field: TextField) -> str:
    """What stands in a field."""
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def label_of(field: TextField) -> str:
    """What a field is called, for screen readers."""
    labels = (label.text() for label in field.window().findChildren(QLabel) if label.buddy() is field)
    return field.accessibleName() or next(labels, "") or field.placeholderText()


def type_into(field: TextField, text: str) -> None:
    """Types what has changed, as if it was typed there."""
    before = text_of(field)
    start = common_length(before, text)
    end = common_length(before[start:][::-1], text[start:][::-1])
    if before == text:
        return
    first = _place(before[:start])
    last = _place(before[: len(before) - end])
    inserted = text[start : len(text) - end]
    if isinstance(field, QLineEdit):
        field.setSelection(first, last - first)
        field.insert(inserted)
        return
    cursor = field.textCursor()
    cursor.beginEditBlock()
    cursor.setPosition(first)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(inserted)
    cursor.endEditBlock()
    field.setTextCursor(cursor)


def _cursor_of(field: TextField) -> list[int]:
    if not isinstance(field, QLineEdit):
        return [field.textCursor().anchor(), field.textCursor().position()]
    place = field.cursorPosition()
    if not field.hasSelectedText():
        return [place, place]
    start, end = field.selectionStart(), field.selectionEnd()
    return [end, start] if place == start else [start, end]


def _select(field: TextField, anchor: int, position: int) -> None:
    """Puts the cursor at a position, and selects what is between it and the anchor, as far as there is text."""
    most = _place(text_of(field))
    first, last = (max(0, min(place, most)) for place in (anchor, position))
    if isinstance(field, QLineEdit):
        field.setCursorPosition(last)
        if first != last:
            field.setSelection(first, last - first)
        return
    cursor = field.textCursor()
    cursor.setPosition(first)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    field.setTextCursor(cursor)


def _place(text: str) -> int:
    """Where a field's cursor stands behind a text, in units of UTF-16, as Qt and browsers count."""
    return len(text.encode("utf-16-le")) // 2
