"""What is asked before something is made: each dialog begins in its first field."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from spatial_workbench.app.puzzles.export_dialog import ExportDialog
from spatial_workbench.app.puzzles.set_dialogs import NewPuzzleDialog, NewSetDialog, RenameDialog

DIALOGS = {
    NewSetDialog: ((Path("/home"),), QLineEdit),
    NewPuzzleDialog: (([],), QLineEdit),
    RenameDialog: (("Dials",), QLineEdit),
    ExportDialog: ((Path("/home/hunt"), [], []), QCheckBox),
}


@pytest.mark.parametrize("kind", DIALOGS)
def test_a_dialog_begins_in_its_first_field(qtbot, kind):
    arguments, field = DIALOGS[kind]
    dialog = kind(*arguments)
    qtbot.addWidget(dialog)
    dialog.show()
    assert isinstance(dialog.focusWidget(), field)


def test_the_title_that_is_there_is_selected_to_be_replaced(qtbot):
    dialog = RenameDialog("Dials")
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.title.selectedText() == "Dials"
