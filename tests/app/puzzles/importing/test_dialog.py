"""The dialog that imports puzzles: many sources, pairs, ranges, duplicates, and what is left out."""

import shutil

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage

from spatial_workbench.app.puzzles.importing.plan_tree import LIKENESS, PAGES, SOLUTION, SOURCE, THERE, TITLE
from spatial_workbench.engine.puzzles.sets.importing import carry_out
from spatial_workbench.widgets.clipboard import copy_data, copy_image, copy_text
from spatial_workbench.widgets.qt import top_items
from tests.puzzles.sets.test_importing import pdf, zipped


def rows(dialog, *columns):
    return [tuple(item.text(column) for column in columns) for item in top_items(dialog.tree)]


def left_out(dialog):
    return [dialog.left_out.item(i).text() for i in range(dialog.left_out.count())]


def ordered(dialog):
    """The order that a click on the button gives."""
    orders = []
    dialog.ordered.connect(orders.append)
    dialog.go.click()
    return orders[0]


def commit(field, text):
    field.setText(text)
    field.editingFinished.emit()


def scan(path):
    Image.new("RGB", (300, 200)).save(path)
    return path


def test_an_empty_dialog_says_what_can_be_added_and_imports_nothing(dialog):
    assert not dialog.go.isEnabled()
    assert dialog.focusWidget() is dialog.add_files


def test_many_sources_are_shown_together_and_everything_left_out_is_named(dialog, add, tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    add(zipped(tmp_path / "set.zip", {"Oak/metadata.json": "{}", "../x": "", "Oak/a.exe": ""}), tmp_path / "notes.txt")
    add(pdf(tmp_path / "Tea.pdf", 2), scan(tmp_path / "Neon.jpg"))
    assert rows(dialog, TITLE, SOURCE, PAGES) == [
        ("Oak", "set/Oak", "0"),
        ("Neon", "Neon.jpg", "1"),
        ("Tea", "Tea.pdf", "2"),
    ]
    assert left_out(dialog) == [
        "set.zip/../x names a place outside the zip file",
        "set/Oak/a.exe is not part of a puzzle",
        "notes.txt is neither a folder, a zip file, a PDF nor a picture",
    ]
    assert "3 puzzles will be imported" in dialog.note.text()


def test_pairs_are_shown_explained_and_can_be_changed(dialog, add, tmp_path):
    add(*(pdf(tmp_path / f"{name}.pdf") for name in ("Tea Time", "Tea Time solution", "Odd one")))
    assert rows(dialog, TITLE, SOLUTION, LIKENESS) == [
        ("Odd one", "–", "–"),
        ("Tea Time", "Tea Time solution.pdf", "100 %"),
    ]
    assert dialog.names_alike.isVisible()
    dialog.tree.setCurrentItem(dialog.tree.topLevelItem(1))
    dialog.strip.solution.setCurrentIndex(0)
    dialog.strip.solution.activated.emit(0)
    assert rows(dialog, SOLUTION)[1] == ("–",)
    assert left_out(dialog) == ["Tea Time solution.pdf is a solution that no puzzle has been given"]
    dialog.tree.topLevelItem(0).setCheckState(0, Qt.CheckState.Unchecked)
    (step,) = ordered(dialog).steps
    assert (step.folder, step.puzzle.solution) == ("Tea_Time", None)


def test_a_long_pdf_waits_for_a_range_of_its_pages(dialog, add, tmp_path):
    add(pdf(tmp_path / "Hunt.pdf", 120))
    assert rows(dialog, PAGES) == [("120, too many",)]
    assert not dialog.go.isEnabled()
    commit(dialog.strip.pages, "7-900")
    assert "not within the pages 1 to 120" in dialog.trouble.text()
    commit(dialog.strip.pages, "7-9")
    assert rows(dialog, PAGES) == [("3 of 120",)]
    assert dialog.trouble.isHidden()
    assert ordered(dialog).steps[0].puzzle.pages.numbers == (7, 8, 9)


def test_a_range_of_the_pages_of_a_tiff_file_is_chosen(dialog, add, tmp_path):
    first, *others = (Image.new("L", (300, 200)) for _ in range(3))
    first.save(tmp_path / "Tide.tiff", save_all=True, append_images=others)
    add(tmp_path / "Tide.tiff")
    assert rows(dialog, PAGES) == [("3",)]
    assert dialog.strip.pages.isVisibleTo(dialog)
    commit(dialog.strip.pages, "2-3")
    assert rows(dialog, PAGES) == [("2 of 3",)]


def test_duplicates_are_skipped_until_something_else_is_chosen(dialog, add, puzzles, tmp_path):
    add(shutil.copytree(puzzles.path, tmp_path / "copy", ignore=shutil.ignore_patterns(".workbench")))
    assert rows(dialog, THERE)[0] == ("Skip: is in the set: same pages",)
    assert not dialog.go.isEnabled()
    dialog.tree.selectAll()
    dialog.strip.choice.setCurrentText("Replace")
    dialog.strip.choice.activated.emit(1)
    assert rows(dialog, THERE) == [("Replace: is in the set: same pages",)] * 2
    assert [step.replaces for step in ordered(dialog).steps] == [True, True]


def test_another_title_is_compared_with_the_set_again(dialog, add, tmp_path, qtbot):
    add(scan(tmp_path / "IMG.jpg"))
    commit(dialog.strip.title, "Harbour Clocks")
    qtbot.waitUntil(lambda: dialog.is_idle)
    assert rows(dialog, TITLE, THERE) == [("Harbour Clocks", "Skip: is in the set under this name")]


def test_a_new_set_has_no_duplicates(dialog, add, puzzles, qtbot):
    add(puzzles.path)
    dialog.target.box.setCurrentText("A new set")
    dialog.target.box.activated.emit(1)
    qtbot.waitUntil(lambda: dialog.is_idle)
    order = ordered(dialog)
    assert (order.adds_set, order.target.name, len(order.steps)) == (True, "hunt", 2)


def test_numbered_pictures_are_one_puzzle_or_several(dialog, add, tmp_path, qtbot):
    add(scan(tmp_path / "Neon 1.png"), scan(tmp_path / "Neon 2.jpg"))
    assert rows(dialog, TITLE, PAGES) == [("Neon", "2")]
    dialog.join_pictures.setChecked(False)
    qtbot.waitUntil(lambda: dialog.is_idle)
    assert rows(dialog, TITLE) == [("Neon 1",), ("Neon 2",)]


@pytest.mark.slow
def test_a_picture_a_file_and_a_path_are_pasted(dialog, tmp_path, qtbot, puzzles):
    copy_image(QImage(300, 200, QImage.Format.Format_RGB32))
    dialog.paste()
    qtbot.waitUntil(lambda: bool(dialog.sources) and dialog.is_idle)
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(scan(tmp_path / "Neon.jpg")))])
    copy_data(files)
    dialog.paste()
    copy_text(str(pdf(tmp_path / "Tea.pdf")))
    dialog.paste()
    qtbot.waitUntil(lambda: dialog.is_idle)
    assert rows(dialog, TITLE) == [("Neon",), ("Pasted picture 1",), ("Tea",)]
    assert len(carry_out(ordered(dialog)).folders) == 3


def test_a_text_that_is_no_path_is_not_pasted(dialog):
    copy_text("See you on Sunday")
    dialog.paste()
    assert "no picture and no file" in dialog.trouble.text()


def test_looking_can_be_stopped_and_what_was_found_before_stays(dialog, add, puzzles, tmp_path, qtbot):
    add(scan(tmp_path / "Neon.jpg"))
    dialog.add([puzzles.path])
    assert dialog.looking.isVisible()
    dialog.looking.stop_button.click()
    assert not dialog.looking.isVisible()
    assert dialog.sources == [tmp_path / "Neon.jpg"]
    assert dialog.go.isEnabled()


def test_a_set_that_cannot_be_read_is_one_sentence(dialog, add, puzzles, tmp_path):
    (puzzles.path / "harbour_clocks").mkdir()
    (puzzles.path / "harbour_clocks" / "metadata.json").write_text("{}")
    add(scan(tmp_path / "Neon.jpg"))
    assert "differ by case only" in dialog.trouble.text()
    assert not dialog.go.isEnabled()


@pytest.mark.parametrize("name", ["title", "pages", "solution", "choice"])
def test_the_fields_of_the_selected_puzzle_have_names(dialog, name):
    assert getattr(dialog.strip, name).accessibleName()
