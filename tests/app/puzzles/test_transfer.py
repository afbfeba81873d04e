"""Imports and exports."""

import zipfile

from PIL import Image
from PySide6.QtCore import Qt

from spatial_workbench.app.puzzles.transfer_dialogs import ExportDialog, ImportDialog
from spatial_workbench.engine.puzzles.sets.importing import PdfMatch
from tests.app.puzzles.conftest import dialog_of, settled, titles


def zipped(folder, path):
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return path


def harmful_zip(path, *entries):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def test_an_import_shows_what_comes_before_anything_is_written(page, puzzles, tmp_path, qtbot):
    archive = zipped(puzzles.path, tmp_path / "more.zip")
    page.transfer.offer_import(archive)
    dialog = dialog_of(page, ImportDialog, qtbot)
    assert dialog.list.count() == 2
    assert len(puzzles.names()) == 2
    dialog.go.click()
    settled(page, qtbot)
    assert len(puzzles.names()) == 4
    assert "2 puzzles imported" in page.window().statusBar().currentMessage()


def test_an_import_can_make_a_new_set(page, puzzles, tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.puzzles.transfer.sets_home", lambda: tmp_path / "home")
    page.transfer.offer_import(zipped(puzzles.path, tmp_path / "other hunt.zip"))
    dialog = dialog_of(page, ImportDialog, qtbot)
    dialog.target.setCurrentIndex(dialog.target.count() - 1)
    dialog.go.click()
    settled(page, qtbot)
    assert page.entry.path == (tmp_path / "home" / "other_hunt").resolve()
    assert len(titles(page)) == 2


def test_pdf_pairs_are_confirmed_and_can_be_changed(page, tmp_path, qtbot):
    folder = tmp_path / "pdfs"
    folder.mkdir()
    for name in ("Tea Time", "Tea Time solution", "Odd one"):
        Image.new("RGB", (850, 1100), "white").save(folder / f"{name}.pdf")
    page.transfer.take_dropped(folder)
    dialog = dialog_of(page, ImportDialog, qtbot)
    pairs = [dialog.list.topLevelItem(i) for i in range(2)]
    assert [(item.text(0), item.text(2)) for item in pairs] == [("Odd one", "–"), ("Tea Time", "100 %")]
    dialog.list.itemWidget(pairs[1], 1).setCurrentIndex(0)
    assert pairs[1].data(0, Qt.ItemDataRole.UserRole) == PdfMatch(folder / "Tea Time.pdf")
    pairs[0].setCheckState(0, Qt.CheckState.Unchecked)
    dialog.go.click()
    settled(page, qtbot)
    assert "Tea Time" in titles(page)
    assert "Odd one" not in titles(page)


def test_an_import_can_be_cancelled(page, puzzles, tmp_path, qtbot):
    from spatial_workbench.app.puzzles.transfer_work import ImportOrder

    page.transfer.run_import(ImportOrder(puzzles.path, tmp_path / "copy", is_new=True))
    assert page.long_work.isVisible()
    page.long_work.cancel_button.click()
    settled(page, qtbot)
    assert not page.long_work.isVisible()


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


def test_a_zip_that_names_a_place_outside_is_refused_with_the_entry(page, tmp_path, qtbot):
    page.transfer.offer_import(harmful_zip(tmp_path / "bad.zip", ("A/../../evil/metadata.json", "{}")))
    settled(page, qtbot)
    assert "A/../../evil/metadata.json" in page.note.text()
    assert not list(tmp_path.rglob("evil"))


def test_a_zip_of_a_hundred_thousand_entries_is_refused(page, tmp_path, qtbot):
    page.transfer.offer_import(
        harmful_zip(tmp_path / "many.zip", *((f"p{i}/metadata.json", "") for i in range(50_001)))
    )
    settled(page, qtbot)
    assert "50,001 entries" in page.note.text()
