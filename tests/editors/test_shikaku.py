"""The editor of shikaku, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core import task as task_of
from tests.editors.driving import HANDS, at
from tests.widgets.test_viewport3d import LEFT, drag

TASK = task_of("shikaku")
RIGHT = Qt.MouseButton.RightButton


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, TASK.instances()[0], size=(760, 700))


def cell(editor, x, y):
    return at(editor, (x + 0.5, y + 0.5))


def draw(qtbot, editor, start, goal):
    drag(qtbot, editor.view, LEFT, cell(editor, *start), cell(editor, *goal))


def test_a_drag_from_cell_to_cell_draws_a_rectangle_in_one_step(editor, qtbot):
    draw(qtbot, editor, (0, 2), (0, 0))
    assert editor.rectangles == ((0, 0, 0, 2),)
    assert editor.document.undo_stack.count() == 1
    editor.document.undo_stack.undo()
    assert editor.rectangles == ()


def test_while_dragging_the_area_is_told_against_the_clue(editor):
    assert editor.fit((2, 0, 5, 1)).words == "8 / 8"
    assert (editor.fit((2, 0, 5, 1)).role, editor.fit((2, 0, 4, 1)).role) == ("passed", "accent")
    assert editor.fit((0, 0, 2, 0)).role == "warning"


def test_an_overlap_may_be_dropped_and_is_hatched(editor, qtbot):
    editor.add_rectangle((0, 0, 0, 2))
    editor.add_rectangle((0, 2, 1, 3))
    assert any(item.name.startswith("overlap") for item in editor.view.scene.items)
    assert "overlaps" in editor.fit((0, 2, 1, 3), 1).words


def test_dragging_the_inside_moves_and_dragging_a_border_resizes(editor, qtbot):
    editor.add_rectangle((1, 0, 2, 1))
    drag(qtbot, editor.view, LEFT, cell(editor, 1, 0), cell(editor, 3, 2))
    assert editor.rectangles == ((3, 2, 4, 3),)
    drag(qtbot, editor.view, LEFT, at(editor, (4.95, 2.5)), cell(editor, 6, 2))
    assert editor.rectangles == ((3, 2, 6, 3),)
    assert editor.document.undo_stack.undoText() == "Resize rectangle"


def test_a_moved_rectangle_stays_in_the_grid(editor, qtbot):
    editor.add_rectangle((5, 5, 6, 6))
    drag(qtbot, editor.view, LEFT, cell(editor, 5, 5), cell(editor, 6, 6))
    assert editor.rectangles == ((5, 5, 6, 6),)


def test_the_right_button_and_delete_take_rectangles_away(editor, qtbot):
    editor.add_rectangle((0, 0, 0, 2))
    editor.add_rectangle((6, 0, 6, 1))
    qtbot.mouseClick(editor.view, RIGHT, pos=cell(editor, 0, 1))
    assert editor.rectangles == ((6, 0, 6, 1),)
    qtbot.mouseClick(editor.view, LEFT, pos=cell(editor, 6, 0))
    qtbot.keyClick(editor.view, Qt.Key.Key_Delete)
    assert editor.rectangles == ()


def test_a_double_click_on_a_clue_offers_its_candidates(editor, qtbot):
    options = editor.board.candidates((0, 0))
    qtbot.mouseDClick(editor.view, LEFT, pos=cell(editor, 0, 0))
    assert editor.rectangles == (options[0],)
    qtbot.keyClick(editor.view, "c")
    assert editor.rectangles == (options[1 % len(options)],)


def test_candidates_that_a_gesture_brings_are_recorded_as_help(editor, qtbot):
    with qtbot.waitSignal(editor.aid_used) as used:
        qtbot.mouseDClick(editor.view, LEFT, pos=cell(editor, 0, 0))
    assert used.args == ["Next candidate", Aid.SOLVING]


def test_the_keyboard_alone_draws_a_rectangle(editor, qtbot):
    for _ in range(2):
        qtbot.keyClick(editor.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(editor.view, Qt.Key.Key_Return)
    assert editor.rectangles == ((0, 0, 0, 2),)


def test_the_cursor_moves_and_stays_in_the_grid(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    qtbot.keyClick(editor.view, Qt.Key.Key_Up)
    assert editor.cursor_area == (1, 0, 1, 0)


def test_what_is_certain_can_be_marked(editor):
    editor.panel.widgets["Mark what is certain"].click()
    single = [cell for cell in editor.board.clues if len(editor.board.candidates(cell)) == 1]
    marked = [item.name for item in editor.view.scene.items if item.name.startswith("certain")]
    assert marked == [f"certain {cell}" for cell in single]


def test_the_status_counts_what_is_left(editor):
    editor.add_rectangle((0, 0, 0, 2))
    assert editor.status() == "1 of 14 rectangles · 46 cells left"


def test_by_hand_nothing_tells_how_a_rectangle_fits(show_editor):
    editor = show_editor(TASK, TASK.instances()[0], aids=HANDS)
    editor.add_rectangle((0, 0, 3, 0))
    editor.add_rectangle((2, 0, 3, 1))
    assert editor.status() == "2 rectangles"
    assert not [item.id for item in editor.view.scene.items if item.id.startswith("overlap")]
    editor.show_preview((0, 0, 1, 1))
    assert [item.id for item in editor.view.ghost] == ["preview"]


def test_by_hand_no_gesture_gives_a_clue_its_candidates(show_editor, qtbot):
    editor = show_editor(TASK, TASK.instances()[0], aids=HANDS)
    clue = next(iter(editor.board.clues))
    qtbot.mouseDClick(editor.view, Qt.MouseButton.LeftButton, pos=at(editor, clue))
    assert editor.rectangles == ()
    assert "candidates" not in editor.view.texts.hint
