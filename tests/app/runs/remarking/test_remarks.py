"""Notes and labels of one's own in the runs browser."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.frame.controls import Chip
from spatial_workbench.app.runs.remarking.remark_dialog import RemarkDialog
from spatial_workbench.engine.store import RunFilter
from tests.app.runs.conftest import cells, choose, listed


def add_label(page, words):
    page.buttons.add_label.trigger()
    dialog = page.findChild(RemarkDialog)
    dialog.label.setCurrentText(words)
    dialog.add.click()


@pytest.fixture
def labelled(page, qtbot):
    """Attempts 4 and 3 have a label."""
    choose(page, qtbot, 3, 4)
    add_label(page, "look again")
    qtbot.waitUntil(lambda: [cells(page, row, "Labels")[0] for row in range(4)] == ["look again"] * 2 + [""] * 2)
    qtbot.waitUntil(lambda: page.findChild(RemarkDialog) is None)
    return page


@pytest.mark.slow
def test_a_label_of_several_attempts_is_undone_and_redone_with_one_step(window, labelled, qtbot):
    window.undo_group.undo_action.trigger()
    qtbot.waitUntil(lambda: cells(labelled, 0, "Labels") == [""])
    window.undo_group.redo_action.trigger()
    qtbot.waitUntil(lambda: cells(labelled, 1, "Labels") == ["look again"])


def test_labels_are_a_filter(labelled, qtbot):
    button = labelled.filters.popup.choices["tags"]
    qtbot.waitUntil(lambda: button.isEnabled())
    button._items()[0].setCheckState(Qt.CheckState.Checked)
    assert listed(labelled, qtbot) == [4, 3]


@pytest.mark.slow
def test_a_label_is_taken_off_the_selected_attempts(labelled, qtbot):
    qtbot.waitUntil(lambda: labelled.filters.known_labels == ["look again"])
    choose(labelled, qtbot, 3, 4)
    labelled.buttons.add_label.trigger()
    dialog = labelled.findChild(RemarkDialog)
    assert not dialog.remove.isEnabled()
    dialog.label.setCurrentText("look again")
    dialog.remove.click()
    qtbot.waitUntil(lambda: cells(labelled, 0, "Labels") == [""] and cells(labelled, 1, "Labels") == [""])


@pytest.mark.slow
def test_a_note_is_written_beside_the_attempt_found_by_its_words_and_taken_back(page, qtbot):
    choose(page, qtbot, 2)
    remarks = page.detail.remarks
    assert not remarks.add_note.isEnabled()
    remarks.note.setPlainText("Ask Emmy about the ridge")
    remarks.add_note.click()
    qtbot.waitUntil(lambda: cells(page, 2, "Note") == ["Ask Emmy about the ridge"])
    assert listed(page, qtbot, RunFilter(text="ridge")) == [2]
    page.detail.remarks.note_removed.emit(page.detail.dossier.remarks[0].number)
    qtbot.waitUntil(lambda: page.model.rowCount() == 0)


@pytest.mark.slow
def test_a_click_on_a_label_beside_the_attempt_removes_it(labelled, qtbot):
    choose(labelled, qtbot, 4)
    qtbot.waitUntil(lambda: bool(labelled.detail.remarks.findChildren(Chip)))
    labelled.detail.remarks.findChildren(Chip)[0].click()
    qtbot.waitUntil(lambda: cells(labelled, 0, "Labels") == [""])
    assert cells(labelled, 1, "Labels") == ["look again"]


def test_the_history_of_an_attempt_tells_who_noted_what(labelled, qtbot):
    choose(labelled, qtbot, 4)
    item = labelled.detail.history.topLevelItem(0)
    assert (item.text(1), item.text(2)) == ("Label", "Somebody: look again")
