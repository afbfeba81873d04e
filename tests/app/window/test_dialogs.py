"""The settings, and the dialog for a new instance."""

from PySide6.QtWidgets import QFormLayout

from spatial_workbench.app.window.dialogs import GenerateDialog, SettingsDialog
from spatial_workbench.engine.core import task


def test_the_dialog_for_a_new_instance_asks_for_what_differs_from_the_defaults(window):
    dialog = GenerateDialog(task("half_subdivision"), window)
    controls = {name: field.control for name, field in dialog.form.fields.items()}
    assert dialog.address == "half_subdivision@1000"
    controls["max_depth"].setValue(7)
    controls["split_prob"].setText("0.255")
    assert dialog.address == "half_subdivision@1000?max_depth=7&split_prob=0.255"


def test_the_dialog_for_a_new_instance_leaves_to_the_seed_what_is_not_given(window):
    dialog = GenerateDialog(task("interlocking_parts"), window)
    segments = dialog.form.fields["segments"].control
    assert segments.text() == "from the seed"
    segments.setValue(2)
    assert dialog.address == "interlocking_parts@1000?segments=2"


def test_the_dialog_for_a_new_instance_says_what_is_wrong_and_stays(window):
    dialog = GenerateDialog(task("half_subdivision"), window)
    dialog.show()
    dialog.form.fields["split_prob"].control.setText("7")
    dialog.accept()
    assert "split_prob" in dialog._error.text()
    assert dialog.isVisible()


def test_the_settings_tell_what_this_computer_can_do(window, qtbot):
    window.preferences.show_settings()
    dialog = next(child for child in window.findChildren(SettingsDialog) if child.isVisible())
    qtbot.waitUntil(lambda: dialog._abilities.rowCount() == 5)
    assert "sandbox" in dialog._abilities.itemAt(0, QFormLayout.ItemRole.FieldRole).widget().text().lower()
    dialog.reject()
