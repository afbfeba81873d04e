"""The puzzles of a set: what is listed, found and sorted."""

from PySide6.QtCore import Qt

from spatial_workbench.app.puzzles.puzzle_list import NO_PUZZLES
from spatial_workbench.app.puzzles.review.words import MEANINGS
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.conftest import settled, titles


def test_a_set_lists_title_state_problems_steps_and_tags(page):
    row = [page.puzzles.filter.index(0, c).data() for c in range(page.puzzles.model.columnCount())]
    assert row[0] == "Harbour Clocks"
    assert row[1] == "draft"
    assert row[4:7] == ["4", "easy", "visual"]


def test_the_state_of_a_puzzle_with_errors_has_the_word_of_the_review(page, puzzles, qtbot):
    save(puzzles, "Harbour_Clocks", Change(writes={"metadata.json": b'{"title": ""}'}))
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.filter.index(0, 1).data() == "draft"


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


def test_a_long_selection_comes_back_in_one_change(page, qtbot):
    changes = []
    page.puzzles.table.selectionModel().selectionChanged.connect(lambda *_: changes.append(1))
    page.puzzles.choose([row.folder for row in page.puzzles.model.rows])
    assert len(changes) == 1
    assert len(page.puzzles.chosen_rows()) == 2


def test_no_state_is_cut_and_each_says_what_it_means(page):
    column = page.puzzles.model.columns[1]
    metrics = page.puzzles.table.fontMetrics()
    widest = max(metrics.horizontalAdvance(state.label) for state in ReviewState)
    # The icon, and room at both sides.
    assert column.width >= widest + 40
    assert column.tip(page.puzzles.model.rows[0]) == MEANINGS[ReviewState.DRAFT]


def test_an_empty_set_says_what_to_do_and_leads_to_the_original_puzzles(page, qtbot, tmp_path):
    (tmp_path / "empty").mkdir()
    page.set_changing.add_folder(tmp_path / "empty")
    settled(page, qtbot)
    qtbot.waitUntil(lambda: page.puzzles.stack.currentWidget() is page.puzzles.empty and page.entry.name == "empty")
    qtbot.waitUntil(page.puzzles.empty.button.isVisible)
    assert NO_PUZZLES[1].startswith("Make one with New puzzle")
    qtbot.mouseClick(page.puzzles.empty.button, Qt.MouseButton.LeftButton)
    settled(page, qtbot)
    assert len(page.puzzles.rows) == 6
