"""Texts that are typed on the page."""

from PySide6.QtCore import Qt

from spatial_workbench.engine.puzzles.annotation.layers import (
    Text,
)
from tests.widgets.sketch.conftest import LEFT, on_screen, shapes


def test_a_text_is_typed_on_the_page(qtbot, open_pad):
    pad = open_pad()
    qtbot.keyClick(pad.view, Qt.Key.Key_T)
    qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, (40, 40)))
    qtbot.keyClicks(pad.text_entry.field, "route")
    qtbot.keyClick(pad.text_entry.field, Qt.Key.Key_Return)
    assert [shape.text for shape in shapes(pad)] == ["route"]


def written(qtbot, open_pad):
    """A pad with the text "route"."""
    pad = open_pad()
    pad.toolbox.tools["Text"].add("Write", Text(position=(60, 60), text="route", size=30))
    return pad


def change_text(qtbot, pad, words, key=Qt.Key.Key_Return):
    """Double-clicks the text with the tool Pick, and types other words."""
    pad.toolbox.take("Pick")
    at = on_screen(pad, (80, 75))
    qtbot.mouseClick(pad.view, LEFT, pos=at)
    qtbot.mouseDClick(pad.view, LEFT, pos=at)
    pad.text_entry.field.selectAll()
    qtbot.keyClicks(pad.text_entry.field, words)
    qtbot.keyClick(pad.text_entry.field, Qt.Key.Key_Backspace if not words else key)
    if not words:
        qtbot.keyClick(pad.text_entry.field, key)


def test_a_double_click_changes_a_text_and_undo_brings_it_back(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    before = shapes(pad)
    change_text(qtbot, pad, "way")
    assert shapes(pad) == (before[0].model_copy(update={"text": "way"}),)
    pad.desk.undo_stack.undo()
    assert shapes(pad) == before


def test_escape_leaves_a_text_as_it_was(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    change_text(qtbot, pad, "way", Qt.Key.Key_Escape)
    assert [shape.text for shape in shapes(pad)] == ["route"]


def test_a_text_that_is_emptied_is_removed(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    change_text(qtbot, pad, "")
    assert shapes(pad) == ()


def test_a_click_on_a_text_with_the_text_tool_changes_it(qtbot, open_pad):
    pad = written(qtbot, open_pad)
    pad.toolbox.take("Text")
    qtbot.mouseClick(pad.view, LEFT, pos=on_screen(pad, (80, 75)))
    assert pad.text_entry.field.text() == "route"
    pad.toolbox.take("Pick")
    assert pad.desk.undo_stack.count() == 1
