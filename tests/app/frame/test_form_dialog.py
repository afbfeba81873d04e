"""The usual dialog."""

import pytest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from spatial_workbench.app.frame.form_dialog import FormDialog

WORDS = "A sentence that says what the dialog is about, and needs several lines. " * 3


@pytest.fixture
def dialog(qtbot):
    dialog = FormDialog("Title", WORDS, "Go")
    qtbot.addWidget(dialog)
    return dialog


def needed(dialog):
    return dialog.layout().totalHeightForWidth(dialog.width())


def test_it_is_as_high_as_its_words_and_fields_need(dialog, qtbot):
    dialog.form.addRow("Name", QLineEdit())
    dialog.resize(460, 0)
    dialog.show()
    assert dialog.height() == needed(dialog)
    dialog.show_trouble(WORDS)
    assert dialog.height() == needed(dialog)


def test_a_dialog_that_was_made_higher_stays_so(dialog, qtbot):
    dialog.form.addRow("Text", QPlainTextEdit())
    dialog.resize(460, 700)
    dialog.show()
    assert dialog.height() == 700
