"""The page of sets: the originals, states of reviews, statistics, and a set that has gone."""

import pytest

from spatial_workbench.app.puzzles.annotation.page import AnnotationPage
from spatial_workbench.app.puzzles.review.page import ReviewPage
from spatial_workbench.engine.puzzles.annotation.review import Checked
from spatial_workbench.engine.puzzles.sets.known_sets import forget_set
from spatial_workbench.engine.puzzles.sets.side_files import drop, side_path
from spatial_workbench.engine.puzzles.sets.storing import remove
from spatial_workbench.engine.store import PuzzleEvent
from tests.app.conftest import trigger
from tests.app.puzzles.conftest import open_sets, settled, titles


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


@pytest.mark.slow
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


def test_the_set_has_a_button_for_its_review(window, page):
    page.review.click()
    review = window.tabs.currentWidget()
    assert (type(review), review.entry) == (ReviewPage, page.entry)


def test_the_review_of_the_remembered_set_opens_before_its_page_was_seen(window, puzzles, qtbot):
    window.settings.remember("puzzle_set", "hunt")
    trigger(window, "puzzles.review")
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ReviewPage))
    assert window.tabs.currentWidget().entry.name == "hunt"


@pytest.mark.slow
def test_after_a_restart_the_page_opens_on_the_set_that_was_chosen_last(open_window, puzzles, qtbot):
    window = open_window()
    page = settled(window.puzzle_pages.show_sets(), qtbot)
    page.sets.choose("hunt")
    settled(page, qtbot)
    window.close()
    page = settled(open_window().puzzle_pages.show_sets(), qtbot)
    assert page.entry.name == "hunt"


@pytest.mark.slow
def test_a_set_that_was_forgotten_since_gives_way_to_the_originals(open_window, puzzles, qtbot):
    window = open_window()
    settled(window.puzzle_pages.show_sets(), qtbot).sets.choose("hunt")
    window.close()
    forget_set("hunt")
    assert settled(open_window().puzzle_pages.show_sets(), qtbot).entry.is_read_only


@pytest.mark.slow
def test_after_a_restart_the_review_of_a_set_is_open_again(open_window, puzzles, qtbot):
    window = open_window()
    page = open_sets(window, qtbot)
    window.puzzle_pages.show_agreement(page.entry)
    window.puzzle_pages.review()
    window.close()
    window = open_window()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ReviewPage))
    review = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: len(review.records.names) == 2)
    assert tab_titles(window)[-3:] == ["Puzzles", "Agreement · hunt", "Review · hunt"]


@pytest.mark.slow
def test_after_a_restart_the_annotation_of_a_puzzle_is_open_again(open_window, puzzles, qtbot):
    window = open_window()
    page = open_sets(window, qtbot)
    gone, kept = puzzles.names()
    for folder in (gone, kept):
        settled(window.puzzle_pages.annotate(page.entry, folder), qtbot)
    window.close()
    remove(puzzles, gone)
    window = open_window()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), AnnotationPage))
    assert window.tabs.currentWidget().folder == kept
    settled(window.tabs.currentWidget(), qtbot)
    window.tabs.setCurrentIndex(window.tabs.count() - 2)
    qtbot.waitUntil(lambda: window.tabs.count() == 3)
    assert tab_titles(window)[-2:] == ["Puzzles", kept.replace("_", " ")]


@pytest.mark.slow
def test_the_review_of_a_set_that_was_forgotten_is_not_opened_again(open_window, puzzles, qtbot):
    window = open_window()
    open_sets(window, qtbot)
    window.puzzle_pages.review()
    window.close()
    forget_set("hunt")
    window = open_window()
    qtbot.waitUntil(lambda: "Review · hunt" not in tab_titles(window) and "Puzzles" in tab_titles(window))


def tab_titles(window):
    return [window.tabs.tabText(k) for k in range(window.tabs.count())]
