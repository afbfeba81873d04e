"""The text field with the focus is told to a page, whose own field types into it."""

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.studies.participant.focused_field import MOST_CHARS, FocusedField


@pytest.fixture
def form(qtbot, qapp):
    """A window with fields, and what is told of the one with the focus."""
    window = QWidget()
    window.line = QLineEdit("one")
    window.area = QPlainTextEdit("first\nsecond")
    window.secret = QLineEdit()
    window.secret.setEchoMode(QLineEdit.EchoMode.Password)
    window.fixed = QLineEdit("fixed")
    window.fixed.setReadOnly(True)
    window.button = QPushButton("Continue")
    window.label = QLabel("A number")
    window.label.setBuddy(window.line)
    window.area.setAccessibleName("Answer")
    column = QVBoxLayout(window)
    for part in (window.label, window.line, window.area, window.secret, window.fixed, window.button):
        column.addWidget(part)
    window.told = []
    window.firsts = []
    window.field = FocusedField(qapp, window)
    window.field.changed.connect(lambda told: window.told.append(told))
    window.field.first_typed.connect(lambda: window.firsts.append(True))
    qtbot.addWidget(window)
    window.button.setFocus()
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def focus(qtbot, form, widget):
    form.told.clear()
    widget.setFocus()
    qtbot.waitUntil(lambda: bool(form.told))
    return form.told[-1]


def test_a_field_is_told_with_its_label_text_and_cursor(form, qtbot):
    told = focus(qtbot, form, form.line)
    assert (told["label"], told["text"], told["lines"]) == ("A number", "one", False)
    told = focus(qtbot, form, form.area)
    assert (told["label"], told["text"], told["lines"]) == ("Answer", "first\nsecond", True)
    assert told["number"] > 1


@pytest.mark.parametrize("name", ["secret", "fixed", "button"])
def test_passwords_and_what_cannot_be_typed_into_are_not_told(form, qtbot, name):
    focus(qtbot, form, form.line)
    assert focus(qtbot, form, getattr(form, name)) is None


@pytest.mark.parametrize("name", ["line", "area"])
def test_what_is_typed_in_the_page_stands_in_the_field_and_can_be_undone(form, qtbot, name):
    widget = getattr(form, name)
    told = focus(qtbot, form, widget)
    before = told["text"]
    form.field.type_text(told["number"], 1, "日本 🎲 " + before, [3, 5])
    qtbot.waitUntil(lambda: form.told[-1]["heard"] == 1)
    assert (form.told[-1]["text"], form.told[-1]["cursor"]) == ("日本 🎲 " + before, [3, 5])
    widget.undo()
    qtbot.waitUntil(lambda: form.told[-1]["text"] == before)


def test_that_a_field_of_the_page_was_used_is_told_once_each_time(form, qtbot):
    for widget in (form.line, form.area, form.line):
        told = focus(qtbot, form, widget)
        for text in ("a", "ab"):
            form.field.type_text(told["number"], 1, text, [1, 1])
    assert len(form.firsts) == 3


def test_text_for_a_field_that_has_lost_the_focus_goes_nowhere(form, qtbot):
    told = focus(qtbot, form, form.line)
    focus(qtbot, form, form.area)
    form.field.type_text(told["number"], 1, "late", [0, 0])
    assert (form.line.text(), form.area.toPlainText()) == ("one", "first\nsecond")


def test_lengths_are_bounded(form, qtbot):
    form.line.setMaxLength(5)
    told = focus(qtbot, form, form.line)
    assert told["most"] == 5
    form.field.type_text(told["number"], 1, "123456789", [9, 900])
    assert form.line.text() == "12345"[: len(form.line.text())]
    told = focus(qtbot, form, form.area)
    form.field.type_text(told["number"], 1, "x" * (MOST_CHARS + 7), [0, 0])
    assert len(form.area.toPlainText()) == MOST_CHARS
    form.area.setPlainText("x" * (MOST_CHARS + 1))
    qtbot.waitUntil(lambda: form.told[-1] is None)


def test_a_field_that_is_deleted_is_told_no_more(form, qtbot):
    focus(qtbot, form, form.line)
    form.line.deleteLater()
    qtbot.waitUntil(lambda: form.told[-1] is None or form.told[-1]["label"] != "A number")
