"""Puzzles made, renamed and removed."""

import pytest
from PIL import Image
from PySide6.QtCore import Qt

from spatial_workbench.app.puzzles.set_dialogs import NewPuzzleDialog, RenameDialog
from tests.app.puzzles.conftest import dialog_of, settled


@pytest.mark.slow
def test_a_new_puzzle_gets_its_folder_from_the_title_and_its_page_from_a_file(page, puzzles, tmp_path, qtbot):
    Image.new("RGB", (300, 240), "white").save(tmp_path / "scan.jpg")
    page.puzzle_changing.ask_new_puzzle()
    dialog = dialog_of(page, NewPuzzleDialog, qtbot)
    dialog.title.setText("Harbour Clocks")
    assert dialog.folder.text() == "Harbour_Clocks_2"
    dialog.add_pages([tmp_path / "scan.jpg"])
    dialog.go.click()
    settled(page, qtbot)
    assert puzzles.folder("Harbour_Clocks_2").pages() == ("content.png",)
    assert [row.folder for row in page.puzzles.chosen_rows()] == ["Harbour_Clocks_2"]


def test_a_page_that_is_no_picture_is_refused_by_name(page, puzzles, tmp_path, qtbot):
    (tmp_path / "notes.txt").write_text("no picture")
    page.puzzle_changing.make_puzzle("Odd", [tmp_path / "notes.txt"])
    settled(page, qtbot)
    assert "notes.txt is not a picture" in page.note.text()
    assert "Odd" not in puzzles.names()


def test_a_picture_on_the_clipboard_becomes_a_page(page, qapp, qtbot):
    from PySide6.QtGui import QImage

    image = QImage(220, 210, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    qapp.clipboard().setImage(image)
    page.puzzle_changing.ask_new_puzzle()
    dialog = dialog_of(page, NewPuzzleDialog, qtbot)
    dialog.title.setText("Pasted")
    dialog.paste()
    assert dialog.list.item(0).text() == "pasted picture, 220 × 210 px"
    assert not dialog.go.isEnabled()
    qtbot.waitUntil(dialog.go.isEnabled)
    assert dialog.pages[0].startswith(b"\x89PNG")
    dialog.reject()


@pytest.mark.parametrize(("follows", "folder"), [(True, "Port_Dials"), (False, "Harbour_Clocks")])
def test_the_folder_follows_another_title_if_asked_to(page, puzzles, qtbot, follows, folder):
    page.puzzles.choose(["Harbour_Clocks"])
    page.puzzle_changing.ask_rename()
    dialog = dialog_of(page, RenameDialog, qtbot)
    dialog.title.setText("Port Dials")
    dialog.follows.setChecked(follows)
    dialog.go.click()
    settled(page, qtbot)
    assert puzzles.folder(folder).read().puzzle.title == "Port Dials"


def test_a_removed_puzzle_comes_back_with_undo(window, page, puzzles, qtbot):
    page.puzzles.choose(["Harbour_Clocks"])
    page.puzzle_changing.remove_puzzles()
    settled(page, qtbot)
    assert puzzles.names() == ("Supper_Without_a_Lamp",)
    window.undo_group.undo_action.trigger()
    settled(page, qtbot)
    assert "Harbour_Clocks" in puzzles.names()
