"""Imports and exports."""

import zipfile

import pytest
from PySide6.QtCore import QMimeData, QUrl

from spatial_workbench.app.puzzles.export_dialog import ExportDialog
from spatial_workbench.app.puzzles.importing.dialog import ImportDialog
from spatial_workbench.app.puzzles.importing.report import LeftOutDialog
from spatial_workbench.engine.puzzles.sets.importing import decide_import
from spatial_workbench.engine.puzzles.sets.known_sets import known_sets
from tests.app.puzzles.conftest import dialog_of, settled, titles


def zipped(folder, path):
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return path


def looked(page, qtbot):
    """Waits until the dialog has looked into everything."""
    dialog = dialog_of(page, ImportDialog, qtbot)
    qtbot.waitUntil(lambda: dialog.is_idle)
    return dialog


@pytest.mark.slow
def test_an_import_goes_into_the_set_where_one_stands(page, puzzles, tmp_path, qtbot):
    source = zipped(puzzles.path, tmp_path / "more.zip")
    (puzzles.path / "Harbour_Clocks").rename(puzzles.path / "Clocks")
    page.transfer.offer_import([source])
    dialog = looked(page, qtbot)
    assert dialog.target.box.currentText() == "hunt"
    assert len(puzzles.names()) == 2
    dialog.tree.selectAll()
    dialog.strip.choice.setCurrentText("Keep both")
    dialog.strip.choice.activated.emit(2)
    dialog.go.click()
    settled(page, qtbot)
    assert puzzles.names() == ("Clocks", "Harbour_Clocks", "Supper_Without_a_Lamp", "Supper_Without_a_Lamp_2")
    assert "2 puzzles imported" in page.window().statusBar().currentMessage()


@pytest.mark.slow
def test_an_import_can_make_a_new_set(page, puzzles, tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.puzzles.transfer.sets_home", lambda: tmp_path / "home")
    page.sets.choose(page.sets.entries[0].name)
    page.transfer.offer_import([zipped(puzzles.path, tmp_path / "other hunt.zip")])
    looked(page, qtbot).go.click()
    settled(page, qtbot)
    assert page.entry.path == (tmp_path / "home" / "other_hunt").resolve()
    assert len(titles(page)) == 2


@pytest.mark.slow
def test_a_set_that_is_dropped_can_stay_where_it_is(page, puzzles, tmp_path, qtbot):
    page.sets.choose(page.sets.entries[0].name)
    other = tmp_path / "other"
    other.mkdir()
    (puzzles.path / "Harbour_Clocks").rename(other / "Harbour_Clocks")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(other))])
    page.transfer.offer_data(data)
    dialog = looked(page, qtbot)
    assert dialog.target.is_in_place
    dialog.go.click()
    settled(page, qtbot)
    assert known_sets()["other"] == other.resolve()


@pytest.mark.slow
def test_an_import_can_be_cancelled(page, puzzles, tmp_path, qtbot):
    page.transfer.run_import(decide_import([puzzles.path], tmp_path / "copy"))
    assert page.long_work.isVisible()
    page.long_work.cancel_button.click()
    settled(page, qtbot)
    assert not page.long_work.isVisible()


def test_what_could_not_be_imported_though_it_was_planned_is_named(page, puzzles, tmp_path, qtbot):
    order = decide_import([puzzles.path], tmp_path / "copy")
    (puzzles.path / "Harbour_Clocks" / "content.png").unlink()
    page.transfer.run_import(order)
    settled(page, qtbot)
    report = dialog_of(page, LeftOutDialog, qtbot)
    assert "hunt/Harbour_Clocks was left out" in report.list.item(0).text()
    assert "1 puzzle imported. 1 file or puzzle left out." in page.window().statusBar().currentMessage()


def test_an_export_takes_only_verified_puzzles_unless_asked_for_more(page, tmp_path, qtbot):
    page.transfer.ask_export()
    dialog = dialog_of(page, ExportDialog, qtbot)
    assert not dialog.go.isEnabled()
    dialog.unverified.setChecked(True)
    dialog.target.setText(str(tmp_path / "tuning"))
    dialog.seed.setValue(7)
    dialog.go.click()
    settled(page, qtbot)
    assert (tmp_path / "tuning" / "split.json").is_file()
    assert "1 puzzles for training" in page.note.text() or "puzzle" in page.note.text()
