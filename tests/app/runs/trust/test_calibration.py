"""The page of calibrations: tasks are chosen, switches are found in the background, and a report is saved."""

import pytest
from PySide6.QtCore import Qt

from tests.app.conftest import open_instance

WAIT_MS = 60_000


@pytest.fixture
def page(window, qtbot):
    window.actions_registry["runs.calibration"].trigger()
    opened = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: opened.is_idle)
    return opened


@pytest.fixture
def calibrated(page, qtbot):
    page.tasks.set_chosen(["two_segments", "shikaku"])
    qtbot.mouseClick(page.go, Qt.MouseButton.LeftButton)
    assert not page.go.isEnabled()
    qtbot.waitUntil(lambda: page.area.section is not None and page.is_idle, timeout=WAIT_MS)
    return page


def test_an_empty_page_says_what_it_is_for(page):
    assert page.area.empty.isVisible()
    assert "between one that passes and one that fails" in page.area.empty.text.text()
    assert not page.area.save.isEnabled()


def test_without_a_choice_all_tasks_are_meant(page):
    count = int(page.expected.text().split()[0])
    page.tasks.set_chosen(["two_segments"])
    page.tasks.changed.emit(page.tasks.chosen)
    assert page.expected.text() == "2 tolerances can be calibrated"
    assert count > 10


def test_the_page_begins_with_the_task_in_front(window, qtbot):
    open_instance(window, qtbot, "pipe_loop:0")
    window.actions_registry["runs.calibration"].trigger()
    page = window.tabs.currentWidget()
    assert page.tasks.chosen == ("pipe_loop",)


def test_switches_are_found_in_the_background(calibrated):
    section = calibrated.area.section
    assert {line.title for line in section.tables[0].lines} == {"Grid", "Boundary"}
    assert {line.title for line in section.tables[1].lines} == {"Two segments", "Shikaku rectangles"}
    assert len(section.charts) == 1
    assert calibrated.go.isEnabled()


@pytest.mark.slow
def test_it_can_be_stopped(page, qtbot):
    page.tasks.set_chosen(["lego_hemisphere"])
    qtbot.mouseClick(page.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "lego_hemisphere" in page.area.note.text(), timeout=WAIT_MS)
    qtbot.mouseClick(page.area.cancel, Qt.MouseButton.LeftButton)
    assert page.area.note.text() == "Stopped."
    assert page.go.isEnabled()
    assert not page.area.cancel.isVisible()


@pytest.mark.slow
def test_a_report_is_saved_with_its_chart(calibrated, qtbot, tmp_path):
    path = tmp_path / "calibration.html"
    calibrated.area.save_to(path)
    qtbot.waitUntil(lambda: calibrated.is_idle, timeout=WAIT_MS)
    assert calibrated.area.note.text() == "“calibration.html” was written."
    text = path.read_text()
    assert "Where verifiers switch" in text
    assert "data:image/svg+xml" in text


@pytest.mark.slow
def test_the_table_is_saved_as_csv(calibrated, qtbot, tmp_path):
    path = tmp_path / "calibration.csv"
    calibrated.area.save_to(path)
    qtbot.waitUntil(path.exists, timeout=WAIT_MS)
    assert path.read_text().startswith("Tolerance,Task,Verifier,Rules")


@pytest.mark.slow
def test_a_report_that_cannot_be_written_is_told(calibrated, qtbot, tmp_path):
    calibrated.area.save_to(tmp_path / "none" / "calibration.csv")
    qtbot.waitUntil(lambda: "was not written" in calibrated.area.note.text(), timeout=WAIT_MS)


@pytest.mark.slow
def test_closing_the_page_ends_what_runs(page, window, qtbot):
    page.tasks.set_chosen(["lego_hemisphere"])
    qtbot.mouseClick(page.go, Qt.MouseButton.LeftButton)
    window.pages.close(page)
    assert window.tabs.indexOf(page) == -1
