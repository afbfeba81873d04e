"""The page of sets: the originals, states of reviews, statistics, and a set that has gone."""

from spatial_workbench.engine.puzzles.annotation.review import Checked
from spatial_workbench.engine.puzzles.sets.side_files import drop, side_path
from spatial_workbench.engine.puzzles.sets.storing import remove
from spatial_workbench.engine.store import PuzzleEvent
from tests.app.puzzles.conftest import settled, titles


def test_the_originals_are_listed_read_only(window, qtbot):
    page = settled(window.puzzle_pages.show_sets(), qtbot)
    assert page.entry.is_read_only
    assert len(titles(page)) == 6
    assert not page.new.isEnabled()
    assert page.open.text() == "Look at it"


def test_the_state_is_that_of_the_projects_log(window, page, puzzles, qtbot):
    folder = puzzles.folder("Harbour_Clocks")
    metadata = folder.bytes_of("metadata.json").decode()
    sent = Checked(folder=folder.name, version=folder.version(), person="Ada", metadata=metadata)
    record = PuzzleEvent(puzzle_set="hunt", event=sent.model_dump_json(), **sent.model_dump(exclude={"metadata"}))
    window.project.tell(lambda project: project.puzzles.add_events([record]), announce=True)
    qtbot.waitUntil(lambda: page.puzzles.filter.index(0, 1).data() == "checked")


def test_the_statistics_stand_beside_the_published_ones(page):
    rows = {name: (here, published) for name, here, published in page.statistics.rows}
    assert rows["Puzzles"] == ("2", "667")
    assert rows["Steps of a puzzle, mean"] == ("4.5", "5.4")
    assert rows["visual, easy"] == ("1", "90")
    assert page.statistics.histogram.bars == [0, 0, 0, 1, 1]


def test_a_set_whose_folder_is_gone_says_where_it_was(page, puzzles, qtbot):
    puzzles.path.rename(puzzles.path.with_name("elsewhere"))
    page.load_sets("hunt")
    settled(page, qtbot)
    assert str(puzzles.path) in page.puzzles.empty.text.text()


def test_a_set_that_was_just_added_is_chosen_though_an_earlier_reading_ends_first(page, puzzles):
    entries = page.sets.entries
    page.sets.choose_next("hunt")
    page.sets.show_entries(tuple(entry for entry in entries if entry.name != "hunt"))
    assert page.entry.name != "hunt"
    page.sets.show_entries(entries)
    assert page.entry.name == "hunt"


def test_the_rows_of_a_set_vanish_when_another_is_opened(page, qtbot):
    assert titles(page)
    page.sets.list.setCurrentRow(0)
    assert titles(page) == []
    assert page.puzzles.empty.isVisibleTo(page)
    settled(page, qtbot)
    assert len(titles(page)) == 6


def test_a_page_that_opens_says_that_puzzles_are_read_and_offers_nothing_to_do_with_them(window):
    page = window.puzzle_pages.show_sets()
    assert page.puzzles.empty.isVisibleTo(page)
    assert "Reading" in page.puzzles.empty.heading.text()
    buttons = (page.rename, page.remove, page.export, page.open, page.new)
    assert not [button.text() for button in buttons if button.isEnabled()]


def test_an_empty_set_leads_to_the_original_puzzles(page, puzzles, qtbot):
    for folder in list(puzzles.folders()):
        remove(puzzles, folder.name)
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.empty.button.isVisibleTo(page)
    page.puzzles.empty.button.click()
    settled(page, qtbot)
    assert page.entry.is_read_only
    assert len(titles(page)) == 6


def test_changes_that_were_not_saved_are_marked_in_the_list(window, page, puzzles, qtbot):
    note = window.puzzle_pages.annotate(page.entry, "Harbour_Clocks")
    qtbot.waitUntil(lambda: note.is_idle)
    note.side.steps.cards[0].text.setPlainText("typed and not saved")
    window.pages.close(note)
    qtbot.waitUntil(lambda: side_path(puzzles.path, "Harbour_Clocks").is_file())
    window.puzzle_pages.show_sets()
    page.reload()
    settled(page, qtbot)
    assert titles(page) == ["Harbour Clocks · not saved", "Supper Without a Lamp"]
    page.puzzles.filter.choose("problems", ("kept",))
    assert titles(page) == ["Harbour Clocks · not saved"]
    drop(puzzles.path, "Harbour_Clocks")
    page.puzzles.filter.choose("problems", ())
    page.hide()
    page.show()
    settled(page, qtbot)
    assert titles(page)[0] == "Harbour Clocks"
