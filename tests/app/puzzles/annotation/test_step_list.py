"""The list of steps: keys and the pointer move, split and merge them."""

import pytest
from PySide6.QtCore import Qt

from tests.app.puzzles.annotation.conftest import ALT, CONTROL, put_cursor, texts


def test_keys_make_move_split_and_merge_steps(note, qtbot):
    before = texts(note)
    first = note.side.steps.cards[0].text
    qtbot.keyClick(first, Qt.Key.Key_Down, ALT)
    assert texts(note)[:2] == [before[1], before[0]]
    qtbot.keyClick(note.side.steps.cards[1].text, Qt.Key.Key_Up, ALT)
    assert texts(note) == before
    qtbot.keyClick(note.side.steps.cards[0].text, Qt.Key.Key_Return, CONTROL)
    assert texts(note)[1] == ""
    assert note.side.steps.current == 1
    note.undo_stack.undo()
    put_cursor(note, 0, len("every dial has two equal hands"))
    note.side.steps.split(0)
    assert texts(note)[0] == "Pattern discovery: every dial has two equal hands"
    assert texts(note)[1].startswith("Pattern discovery: that point only")
    note.side.steps.merge(0)
    assert texts(note) == before


def test_a_step_is_dragged_to_another_place(note):
    before = texts(note)
    card = note.side.steps.cards[0]
    last = note.side.steps.cards[-1]
    height = last.mapToGlobal(last.rect().bottomLeft()).y()
    card.number.dragged.emit(height)
    card.number.dropped.emit(height)
    assert texts(note) == [*before[1:], before[0]]


def outlined(note):
    return [i for i, card in enumerate(note.side.steps.cards) if card.property("current")]


@pytest.mark.slow
def test_the_outlined_step_is_the_one_with_the_cursor(note, qtbot):
    steps = note.side.steps
    steps.focus_step(2)
    assert outlined(note) == [2]
    qtbot.keyClick(steps.cards[2].text, Qt.Key.Key_Up, ALT)
    assert outlined(note) == [1]
    note.window().activateWindow()
    qtbot.waitUntil(note.window().isActiveWindow)
    steps.cards[3].action.setFocus()
    assert outlined(note) == [3]
    steps.delete(3)
    assert outlined(note) == [2]
    note.undo_stack.undo()
    assert len(outlined(note)) == 1
