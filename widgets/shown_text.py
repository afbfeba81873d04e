"""Replaces the text of a field in which somebody may be writing: the cursor, and what is in sight, stay if they can."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit


def replace_text(field: QPlainTextEdit, text: str) -> None:
    """Shows another text in a field; its own history begins anew, as with `setPlainText`."""
    before = field.toPlainText()
    if not before:
        field.setPlainText(text)
        return
    cursor = field.textCursor()
    places = [place_after(before, text, place) for place in (cursor.anchor(), cursor.position())]
    bar = field.verticalScrollBar()
    in_sight = bar.value()
    field.setPlainText(text)
    select_text(field, places[0], places[1])
    bar.setValue(in_sight)


def replace_line(field: QLineEdit, text: str) -> None:
    """Shows another text in a field of one line."""
    place = place_after(field.text(), text, field.cursorPosition())
    field.setText(text)
    field.setCursorPosition(place)


def select_text(field: QPlainTextEdit, anchor: int, position: int) -> None:
    """Puts the cursor at a position, and selects what is between it and the anchor."""
    cursor = field.textCursor()
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    field.setTextCursor(cursor)


def place_after(before: str, after: str, place: int) -> int:
    """Where a cursor stands in a text that replaces another: beside the same characters, or behind those that changed.

    Where text is only added at the cursor, it goes behind that, too, as if the text had been typed.

    Places are counted as Qt does, in units of UTF-16.
    """
    old, new = before.encode("utf-16-le", "surrogatepass"), after.encode("utf-16-le", "surrogatepass")
    start = common_length(old, new) // 2
    rest = common_length(old[2 * start :][::-1], new[2 * start :][::-1]) // 2
    is_added = 2 * (start + rest) == len(old)
    if place < start or (place == start and not is_added):
        return place
    behind_change = len(new) // 2 - rest
    return max(behind_change, place + (len(new) - len(old)) // 2)


def common_length(one: str | bytes, other: str | bytes) -> int:
    """How many characters or bytes two texts have in common from their beginning."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least
