"""The filters of the runs browser."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.frame.controls import Chip
from spatial_workbench.app.runs.filtering.filter_words import active_filters
from spatial_workbench.engine.store import Actor, Project, RunFilter
from tests.app.runs.conftest import listed, open_page


@pytest.mark.slow
def test_a_filter_that_nothing_fits_says_so_and_can_be_cleared(page, qtbot):
    assert listed(page, qtbot, RunFilter(text="nowhere")) == []
    assert page.empty.heading.text() == "No attempt matches"
    page.empty.button.click()
    assert listed(page, qtbot) == [4, 3, 2, 1]


@pytest.mark.slow
def test_typing_searches_in_the_raw_words_after_a_moment(page, qtbot):
    qtbot.keyClicks(page.filters.search, "turned")
    qtbot.waitUntil(lambda: list(page.model.numbers) == [2])
    assert page._count.text() == "1 of 4 attempts"


def test_the_last_of_many_filters_wins(page, qtbot):
    for run_filter in (RunFilter(passed=True), RunFilter(who=("cedar",)), RunFilter(who=("birch",))):
        page.filters.set_filter(run_filter)
    assert listed(page, qtbot) == [4, 2]


@pytest.mark.slow
def test_choosing_in_a_list_makes_a_chip_and_a_click_on_it_takes_the_filter_away(page, qtbot):
    page.filters.who._list.item(1).setCheckState(Qt.CheckState.Checked)
    assert listed(page, qtbot) == [4, 2]
    (chip,) = page.filters.chips.findChildren(Chip)
    assert chip.text() == "Who: birch"
    chip.click()
    assert listed(page, qtbot) == [4, 3, 2, 1]


@pytest.mark.slow
def test_ranges_and_dates_are_filters_too(page, qtbot):
    low, high = page.filters.popup.ranges["Time, s"]._fields
    low.setText("5")
    high.setText("25")
    high.editingFinished.emit()
    assert listed(page, qtbot) == [4, 2]
    page.filters.popup.dates._fields[1].setText("2001-01-01")
    page.filters.popup.dates._fields[1].editingFinished.emit()
    assert listed(page, qtbot) == []
    assert [words for words, _ in active_filters(page.filters.run_filter)] == [
        "Time, s: 5.0 to 25.0",
        "Submitted: up to 2001-01-01",
    ]


def test_every_author_can_be_chosen(page, qtbot):
    page.filters.popup.actor.setCurrentIndex(page.filters.popup.actor.findData(Actor.PERSON))
    assert listed(page, qtbot) == [1]


@pytest.mark.slow
def test_not_passed_is_told_apart_from_unreadable(page, qtbot):
    result = page.filters.result
    result.setCurrentIndex(result.findText("Not passed"))
    assert listed(page, qtbot) == [4, 2]
    result.setCurrentIndex(result.findText("Unreadable"))
    assert listed(page, qtbot) == [3]
    assert [words for words, _ in active_filters(page.filters.run_filter)] == ["Unreadable"]
    result.setCurrentIndex(result.findText("Any result"))
    assert listed(page, qtbot) == [4, 3, 2, 1]


@pytest.mark.slow
def test_the_first_failed_check_can_be_chosen(page, qtbot):
    button = page.filters.popup.choices["failed_checks"]
    qtbot.waitUntil(lambda: button.isEnabled())
    (item,) = [item for item in button._items() if item.text() == "the answer can be read"]
    item.setCheckState(Qt.CheckState.Checked)
    assert listed(page, qtbot) == [3]


def test_a_list_without_anything_to_choose_is_grey(page):
    assert not page.filters.popup.choices["run_ends"].isEnabled()


@pytest.mark.slow
def test_an_address_in_the_search_finds_that_instance_only(page, qtbot):
    page.filters.search.setText("two_segments:1")
    qtbot.waitUntil(lambda: list(page.model.numbers) == [4])


@pytest.mark.slow
def test_a_search_stays_in_its_project(window, page, qtbot, tmp_path):
    page.filters.search.setText("turned")
    qtbot.waitUntil(lambda: list(page.model.numbers) == [2])
    window.pages.close(page)
    assert open_page(window, qtbot).filters.search.text() == "turned"
    Project.create(tmp_path / "other.workbench").close()
    with qtbot.waitSignal(window.project.opened):
        window.project.open(tmp_path / "other.workbench")
    assert open_page(window, qtbot).filters.search.text() == ""
