"""The *Edit* menu: the same for every editor, grey with a word why where it does nothing."""

import pytest
from PySide6.QtGui import QGuiApplication

from spatial_workbench.engine.core import resolve
from spatial_workbench.widgets.editing.controls import Verb
from tests.app.conftest import open_instance


def entries_of(window):
    """The entries as they stand in the opened menu: their words, and whether they can be chosen."""
    menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Edit")
    menu.aboutToShow.emit()
    return {action.text().partition("\t")[0]: action for action in menu.actions()}


def test_without_an_editor_every_entry_is_grey_and_says_why(window):
    entries = entries_of(window)
    grey = [entries[f"{verb} (no subtask is in front)"] for verb in Verb]
    assert not any(action.isEnabled() for action in grey)


def test_an_editor_that_places_nothing_says_so(window, qtbot):
    open_instance(window, qtbot, "two_segments:0").editor.view.setFocus()
    entries = entries_of(window)
    assert not entries["Paste (not in this editor)"].isEnabled()


@pytest.mark.slow
def test_what_is_copied_by_the_menu_is_pasted_by_it_in_another_tab(window, qtbot):
    first = open_instance(window, qtbot, "lego_hemisphere:0")
    _, instance = resolve("lego_hemisphere:0")
    reference = first.document.task.solve(instance)
    first.document.edit("Build", reference.model_copy(update={"bricks": reference.bricks[:1]}))
    first.editor.view.setFocus()
    QGuiApplication.clipboard().clear()
    assert "Copy (nothing is selected)" in entries_of(window)
    assert "Paste (nothing of this task was copied)" in entries_of(window)
    entries_of(window)["Select all"].trigger()
    entries_of(window)["Copy"].trigger()
    second = open_instance(window, qtbot, "lego_hemisphere:1")
    second.editor.view.setFocus()
    entries_of(window)["Paste"].trigger()
    qtbot.waitUntil(lambda: len(second.document.answer.bricks) == 1)


def test_in_a_field_the_menu_copies_text(window, qtbot):
    opened = open_instance(window, qtbot, "lego_hemisphere:0")
    window.activateWindow()
    window.show_catalogue()
    window.catalogue.search.setText("maze")
    qtbot.waitUntil(window.catalogue.search.hasFocus)
    entries_of(window)["Select all"].trigger()
    entries_of(window)["Copy"].trigger()
    assert QGuiApplication.clipboard().text() == "maze"
    assert opened.document.undo_stack.count() == 0
