"""The history of an annotation."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.puzzles.annotation.layers import Arrow
from tests.app.puzzles.annotation.conftest import CONTROL, draw


@pytest.mark.slow
def test_everything_is_undone_and_redone(window, note, qtbot):
    before = note.edited.annotation.puzzle
    note.side.steps.delete(0)
    note.side.fields.difficulty["hard"].click()
    note.side.fields.tags["skills", "logic"].click()
    qtbot.keyClicks(note.side.fields.texts["title"], "X")
    draw(note, Arrow(start=(1, 1), end=(50, 50)))
    after = note.edited.annotation.puzzle
    for _ in range(5):
        window.undo_group.undo_action.trigger()
    assert note.edited.annotation.puzzle == before
    assert not note.pad.pages.layers()
    for _ in range(5):
        window.undo_group.redo_action.trigger()
    assert note.edited.annotation.puzzle == after
    assert note.pad.pages.layers()


def test_the_history_is_200_deep(note):
    for i in range(220):
        note.side.fields.changed.emit(replace(note.edited.annotation.puzzle, title=f"t{i}"), "title", "")
    assert note.undo_stack.count() == 200


def test_the_undo_key_in_a_field_reaches_the_pages_history(window, note, qtbot):
    before = note.edited.annotation.puzzle
    text = note.side.steps.cards[0].text
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    text.setFocus()
    qtbot.keyClicks(text, "abc")
    assert note.edited.annotation.puzzle != before
    qtbot.keyClick(text, Qt.Key.Key_Z, CONTROL)
    assert note.edited.annotation.puzzle == before
