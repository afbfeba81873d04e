"""The keys of actions can be changed, and no two are alike."""

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialogButtonBox

from spatial_workbench.app.window.dialogs import SettingsDialog
from tests.app.conftest import open_instance, trigger


def settings_dialog(window, qtbot):
    trigger(window, "app.settings")
    return next(child for child in window.findChildren(SettingsDialog) if child.isVisible())


def row_of(dialog, text):
    return next(row for row in dialog.keys.rows if row.bound.text == text)


def test_keys_that_are_taken_are_named_and_cannot_be_stored(window, qtbot):
    dialog = settings_dialog(window, qtbot)
    row_of(dialog, "Submit answer").field.setKeySequence(QKeySequence("F6"))
    assert "Load reference solution" in dialog.keys.note.text()
    assert not dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    dialog.keys.restore.click()
    assert dialog.keys.conflicts() == []
    dialog.reject()


@pytest.mark.slow
def test_keys_of_undo_and_of_an_editor_can_be_changed_and_stay_so(window, workspace, qtbot):
    dialog = settings_dialog(window, qtbot)
    row_of(dialog, "Undo").field.setKeySequence(QKeySequence("Ctrl+U"))
    row_of(dialog, "Move").field.setKeySequence(QKeySequence("Ctrl+J"))
    dialog.accept()
    window.pages.close(workspace)
    again = open_instance(window, qtbot, "two_segments:0")
    move = next(action for action in again.editor.actions() if action.text() == "Move")
    assert move.shortcut().toString() == "Ctrl+J"
    assert window.actions_registry["edit.undo"].shortcut().toString() == "Ctrl+U"


def test_no_two_actions_share_a_key(window):
    keys = [entry.action.shortcut().toString() for entry in window.actions_registry.entries.values()]
    used = [key for key in keys if key]
    assert sorted(used) == sorted(set(used))
