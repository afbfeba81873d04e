"""Groups in the runs browser: heads with count and mean, opened and closed."""

import pytest
from PySide6.QtCore import QPoint, Qt

from spatial_workbench.engine.store import Actor
from tests.app.runs.conftest import FIRST, choose

BY_MODEL, BY_TASK, BY_INSTANCE = 1, 2, 3


@pytest.fixture
def grouped(page, qtbot):
    """The attempts by model: Ada's, two of birch, one of cedar; all closed."""
    page.grouping.setCurrentIndex(BY_MODEL)
    qtbot.waitUntil(lambda: page.model.rowCount() == 3)
    return page


def heads(page):
    return [page.model.index(row, 0).data() for row in range(page.model.rowCount())]


@pytest.mark.slow
def test_each_group_has_a_head_with_count_and_mean(grouped):
    assert heads(grouped) == [
        "Ada, 1 attempt · mean 1.00, closed",
        "birch, 2 attempts · mean 0.00, closed",
        "cedar, 1 attempt · mean 0.00, closed",
    ]
    assert grouped._count.text() == "4 attempts in 3 groups"


@pytest.mark.slow
def test_a_click_on_a_head_opens_the_group_and_another_one_closes_it(grouped, qtbot):
    view = grouped.table.viewport()
    place = grouped.table.visualRect(grouped.model.index(1, 0)).center()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(place))
    qtbot.waitUntil(lambda: list(grouped.model.lines) == [-1, -2, 4, 2, -3])
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(place))
    qtbot.waitUntil(lambda: list(grouped.model.lines) == [-1, -2, -3])


@pytest.mark.slow
def test_arrows_and_space_open_and_close_the_group_at_the_cursor(grouped, qtbot):
    grouped.table.setCurrentIndex(grouped.model.index(1, 0))
    lines = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Space):
        qtbot.keyClick(grouped.table, key)
        lines.append(len(grouped.model.lines))
    assert lines == [5, 5, 3, 5]
    assert grouped.table.currentIndex().row() == 1


@pytest.mark.slow
def test_all_groups_are_opened_and_closed_at_once_and_heads_are_never_selected(grouped, qtbot):
    grouped.open_all.click()
    grouped.table.selectAll()
    assert sorted(grouped.table.selected_numbers()) == [1, 2, 3, 4]
    assert grouped.table.selected_count == 4
    grouped.close_all.click()
    assert grouped.table.selected_numbers() == []
    assert "all 4 attempts" in grouped.buttons.export_menu.listed.text()


@pytest.mark.slow
def test_an_attempt_without_a_score_is_in_no_mean(window, grouped, qtbot):
    window.project.tell(lambda project: project.attempts.add(FIRST, "{}", Actor.MODEL, "cedar"), announce=True)
    qtbot.waitUntil(lambda: heads(grouped)[2] == "cedar, 2 attempts · mean 0.00 (1 without a score), closed")


def test_an_attempt_that_is_asked_for_is_shown_in_its_group(grouped, qtbot):
    grouped.show_attempt(4)
    assert grouped.table.selected_numbers() == [4]
    assert grouped.model.opened == {"birch"}


def test_by_task_and_by_instance_the_heads_say_which(page, qtbot):
    page.grouping.setCurrentIndex(BY_TASK)
    qtbot.waitUntil(lambda: heads(page) == ["Two segments, 4 attempts · mean 0.25, closed"])
    page.grouping.setCurrentIndex(BY_INSTANCE)
    qtbot.waitUntil(lambda: page.model.rowCount() == 2)
    assert heads(page)[0].endswith("3 attempts · mean 0.33, closed")


def test_without_groups_the_selection_is_still_there(grouped, qtbot):
    grouped.open_all.click()
    choose(grouped, qtbot, 2)
    grouped.grouping.setCurrentIndex(0)
    qtbot.waitUntil(lambda: list(grouped.model.lines) == [4, 3, 2, 1])
    assert grouped.table.selected_numbers() == [2]
