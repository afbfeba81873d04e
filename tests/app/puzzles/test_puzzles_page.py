"""The Puzzles page: sets, puzzles, import, export, statistics, and sets that mean harm."""

import os
import zipfile

import pytest
from PIL import Image
from PySide6.QtCore import Qt

from spatial_workbench.app.puzzles.set_dialogs import NewPuzzleDialog, RenameDialog
from spatial_workbench.app.puzzles.transfer_dialogs import ExportDialog, ImportDialog
from spatial_workbench.engine.puzzles.annotation.review import Checked
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.importing import PdfMatch
from spatial_workbench.engine.puzzles.sets.known_sets import known_sets
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.store import PuzzleEvent
from tests.app.puzzles.conftest import settled


def titles(page):
    return [page.puzzles.filter.index(i, 0).data() for i in range(page.puzzles.filter.rowCount())]


def dialog_of(page, kind, qtbot):
    qtbot.waitUntil(lambda: any(d.isVisible() for d in page.findChildren(kind)))
    return next(d for d in page.findChildren(kind) if d.isVisible())


def zipped(folder, path):
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return path


def test_the_originals_are_listed_read_only(window, qtbot):
    page = settled(window.puzzle_pages.show_sets(), qtbot)
    assert page.entry.is_read_only
    assert len(titles(page)) == 6
    assert not page.new.isEnabled()
    assert page.open.text() == "Look at it"


def test_a_set_lists_title_state_problems_steps_and_tags(page):
    row = [page.puzzles.filter.index(0, c).data() for c in range(page.puzzles.model.columnCount())]
    assert row[0] == "Harbour Clocks"
    assert row[1] == "draft"
    assert row[4:7] == ["4", "easy", "visual"]


def test_a_puzzle_with_errors_says_so_in_its_state(page, puzzles, qtbot):
    save(puzzles, "Harbour_Clocks", Change(writes={"metadata.json": b'{"title": ""}'}))
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.filter.index(0, 1).data() == "has errors"


def test_the_state_is_that_of_the_projects_log(window, page, puzzles, qtbot):
    folder = puzzles.folder("Harbour_Clocks")
    metadata = folder.bytes_of("metadata.json").decode()
    sent = Checked(folder=folder.name, version=folder.version(), person="Ada", metadata=metadata)
    record = PuzzleEvent(puzzle_set="hunt", event=sent.model_dump_json(), **sent.model_dump(exclude={"metadata"}))
    window.project.tell(lambda project: project.puzzles.add_events([record]), announce=True)
    qtbot.waitUntil(lambda: page.puzzles.filter.index(0, 1).data() == "checked")


def test_search_and_filters_narrow_the_list(page):
    page.puzzles.search.setText("semaphore")
    assert titles(page) == ["Harbour Clocks"]
    page.puzzles.search.setText("")
    page.puzzles.filters["tags"].changed.emit(("structured",))
    assert titles(page) == ["Supper Without a Lamp"]
    page.puzzles.filters["tags"].changed.emit(())
    page.puzzles.search.setText("nothing of the kind")
    assert page.puzzles.stack.currentWidget() is page.puzzles.empty


def test_a_column_sorts_by_what_it_means(page):
    page.puzzles.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    assert titles(page) == ["Supper Without a Lamp", "Harbour Clocks"]


def test_a_folder_is_added_and_forgotten_without_touching_it(window, page, tmp_path, qtbot):
    other = PuzzleSet(tmp_path / "other")
    other.path.mkdir()
    page.transfer.take_dropped(other.path)
    settled(page, qtbot)
    assert page.entry.name == "other"
    assert "New puzzle" in page.puzzles.empty.text.text()
    page.set_changing.forget()
    settled(page, qtbot)
    assert "other" not in known_sets()
    assert other.path.is_dir()


def test_a_set_whose_folder_is_gone_says_where_it_was(page, puzzles, qtbot):
    puzzles.path.rename(puzzles.path.with_name("elsewhere"))
    page.load_sets("hunt")
    settled(page, qtbot)
    assert str(puzzles.path) in page.puzzles.empty.text.text()


def test_a_new_set_starts_empty_and_refuses_a_full_folder(page, puzzles, tmp_path, qtbot):
    page.set_changing.make_set(tmp_path / "fresh")
    settled(page, qtbot)
    assert page.entry.name == "fresh"
    page.set_changing.make_set(puzzles.path)
    settled(page, qtbot)
    assert "not empty" in page.note.text()


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


def test_the_statistics_stand_beside_the_published_ones(page):
    rows = {name: (here, published) for name, here, published in page.statistics.rows}
    assert rows["Puzzles"] == ("2", "667")
    assert rows["Steps of a puzzle, mean"] == ("4.5", "5.4")
    assert rows["visual, easy"] == ("1", "90")
    assert page.statistics.histogram.bars == [0, 0, 0, 1, 1]


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


# Sets that mean harm -------------------------------------------------------------------------------------------------


def harmful_zip(path, *entries):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


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


def test_metadata_of_a_hundred_megabytes_is_refused_by_size(page, puzzles, qtbot):
    with (puzzles.path / "Harbour_Clocks" / "metadata.json").open("wb") as file:
        file.truncate(100_000_000)
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.filter.index(0, 1).data() == "unreadable"
    assert "Harbour_Clocks: metadata.json has 100 MB" in page.puzzles.model.rows[0].trouble


def test_a_page_of_a_hundred_thousand_pixels_a_side_is_an_error_of_its_puzzle(page, puzzles, qtbot):
    raw = bytearray(png_of(Image.new("RGB", (300, 300))))
    raw[16:24] = (100_000).to_bytes(4, "big") * 2
    save(puzzles, "Harbour_Clocks", Change(writes={"content.png": bytes(raw)}))
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.model.rows[0].errors == 1


@pytest.mark.parametrize("metadata", [b'{"title": 5, "reasoning": "x", "skills": [1]}', b"[]", b"\xff", b"[" * 100_000])
def test_wrong_types_are_listed_as_errors(page, puzzles, qtbot, metadata):
    save(puzzles, "Harbour_Clocks", Change(writes={"metadata.json": metadata}))
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.model.rows[0].errors >= 1
    assert len(page.puzzles.model.rows) == 2


def test_two_folders_that_differ_by_case_are_both_named(page, puzzles, qtbot):
    twin = puzzles.path / "harbour_clocks"
    twin.mkdir()
    (twin / "metadata.json").write_text("{}")
    page.reload()
    settled(page, qtbot)
    assert "Harbour_Clocks" in page.puzzles.empty.text.text()
    assert "harbour_clocks" in page.puzzles.empty.text.text()


def test_links_that_lead_outside_are_not_followed(page, puzzles, tmp_path, qtbot):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "metadata.json").write_text('{"title": "Secret"}')
    (puzzles.path / "Linked").symlink_to(outside)
    os.remove(puzzles.path / "Harbour_Clocks" / "metadata.json")
    (puzzles.path / "Harbour_Clocks" / "metadata.json").symlink_to(outside / "metadata.json")
    page.reload()
    settled(page, qtbot)
    assert "Secret" not in str(page.puzzles.model.rows)
    assert "links are not followed" in page.puzzles.model.rows[0].trouble


def test_a_long_selection_comes_back_in_one_change(page, qtbot):
    changes = []
    page.puzzles.table.selectionModel().selectionChanged.connect(lambda *_: changes.append(1))
    page.puzzles.choose([row.folder for row in page.puzzles.model.rows])
    assert len(changes) == 1
    assert len(page.puzzles.chosen_rows()) == 2
