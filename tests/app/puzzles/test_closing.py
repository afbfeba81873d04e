"""Closed pages about puzzles leave no objects behind."""

import pytest

from tests.app.test_memory import TIMES, left_over, living, wait_for_libraries, wait_for_work


@pytest.mark.slow
def test_an_annotation_that_is_closed_leaves_nothing_behind(window, page, qtbot):
    def open_and_close():
        note = window.puzzle_pages.annotate(page.entry, "Harbour_Clocks")
        qtbot.waitUntil(lambda: note.is_idle)
        note.pad.pages.wait()
        note.grab()
        window.pages.close(note)

    open_and_close()
    wait_for_libraries(window)
    open_and_close()
    before = living()
    for _ in range(TIMES):
        open_and_close()
    assert left_over(before, TIMES) == {}


@pytest.mark.slow
def test_a_review_that_is_closed_leaves_nothing_behind(window, page, qtbot):
    def open_and_close():
        review = window.puzzle_pages.review_set(page.entry)
        qtbot.waitUntil(lambda: bool(review.records.names))
        window.pages.close(review)
        wait_for_work(window, qtbot)

    open_and_close()
    wait_for_libraries(window)
    open_and_close()
    before = living()
    for _ in range(TIMES):
        open_and_close()
    assert left_over(before, TIMES) == {}
