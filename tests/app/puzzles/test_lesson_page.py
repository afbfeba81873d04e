"""The lesson for annotators, with mouse and keys."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.puzzles.annotation.lesson import TaskKind
from tests.puzzles.annotation.test_lesson import RIGHT

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def lesson(window):
    return window.puzzle_pages.show_lesson()


def give(lesson, qtbot, answer):
    field = lesson.field
    if field.kind is TaskKind.LINE:
        qtbot.keyClicks(field.line, answer)
    elif field.kind is TaskKind.TEXT:
        qtbot.keyClicks(field.text, answer)
    else:
        for words in answer.split(",") if field.kind is TaskKind.TAGS else [answer]:
            field.boxes[words].setFocus()
            qtbot.keyClick(field.boxes[words], Qt.Key.Key_Space)


def test_a_task_is_passed_once_its_answer_is_right(lesson, qtbot):
    assert not lesson.next.isEnabled()
    give(lesson, qtbot, "leaf")
    qtbot.mouseClick(lesson.check, LEFT)
    assert lesson.feedback.text().startswith("✗ Not yet.")
    qtbot.mouseClick(lesson.hint, LEFT)
    assert "WARMEST" in lesson.clue.text()
    lesson.field.line.clear()
    give(lesson, qtbot, "stem")
    qtbot.keyClick(lesson.field.line, Qt.Key.Key_Return)
    assert lesson.next.isEnabled()


def test_the_lesson_leads_to_the_sets_of_puzzles_and_keeps_nothing(window, lesson, qtbot):
    for answer in RIGHT[:-1]:
        give(lesson, qtbot, answer)
        qtbot.mouseClick(lesson.check, LEFT)
        qtbot.mouseClick(lesson.next, LEFT)
    assert lesson.next.text() == "Show the sets of puzzles"
    qtbot.mouseClick(lesson.next, LEFT)
    assert window.pages.front is window.puzzle_pages.show_sets()
    events = []
    window.project.ask(lambda project: project.puzzles.events(), events.append)
    qtbot.waitUntil(lambda: events == [[]])


def test_an_answer_is_still_there_after_going_back(lesson, qtbot):
    give(lesson, qtbot, "stem")
    qtbot.mouseClick(lesson.check, LEFT)
    qtbot.mouseClick(lesson.next, LEFT)
    qtbot.mouseClick(lesson.back, LEFT)
    assert lesson.field.line.text() == "stem"
    assert lesson.next.isEnabled()
