"""A text that replaces another leaves the cursor where it was, as far as that can be."""

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from spatial_workbench.widgets.shown_text import place_after, replace_line, replace_text


@pytest.mark.parametrize(
    ("before", "after", "place", "expected"),
    [
        ("abc", "abc", 2, 2),
        ("one two", "one 2", 3, 3),
        ("one two three", "one 2 three", 13, 11),
        ("one two three", "one 2 three", 8, 6),
        ("one two three", "one 2 three", 6, 5),
        ("a", "ab", 1, 2),
        ("abc", "abxc", 1, 1),
        ("abc", "axc", 1, 1),
        ("ab", "a", 2, 1),
        ("aaa", "aa", 3, 2),
        ("abc", "", 2, 0),
        ("", "abc", 0, 3),
        ("\U0001f600 one", "\U0001f600 two one", 3, 7),
        ("\U0001f600 one", "\U0001f600 two one", 2, 2),
        ("\U0001f600 one", "two \U0001f600 one", 3, 7),
    ],
)
def test_a_cursor_stays_beside_the_same_characters_or_goes_behind_the_change(before, after, place, expected):
    assert place_after(before, after, place) == expected


def test_the_selection_and_what_is_in_sight_stay_in_a_long_text(qtbot):
    field = QPlainTextEdit("\n".join(f"line {n}" for n in range(200)))
    qtbot.addWidget(field)
    field.resize(200, 100)
    field.show()
    cursor = field.textCursor()
    cursor.setPosition(field.document().findBlockByNumber(50).position())
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    field.setTextCursor(cursor)
    field.verticalScrollBar().setValue(90)
    replace_text(field, field.toPlainText().replace("line 3\n", "another line 3\n"))
    assert (field.textCursor().selectedText(), field.verticalScrollBar().value()) == ("line 50", 90)


def test_a_text_that_is_shown_first_is_shown_from_its_beginning(qtbot):
    field = QPlainTextEdit()
    qtbot.addWidget(field)
    replace_text(field, "one\ntwo")
    assert field.textCursor().position() == 0


def test_the_cursor_of_one_line_stays(qtbot):
    line = QLineEdit("one two")
    qtbot.addWidget(line)
    line.setCursorPosition(4)
    replace_line(line, "one, two")
    assert (line.text(), line.cursorPosition()) == ("one, two", 5)
