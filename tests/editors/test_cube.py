"""The editor of the cube's tasks: real keys and buttons."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from spatial_workbench.app.frame.undo import UndoGroup
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.cube.notation import QUARTER_TURNS
from spatial_workbench.engine.tasks.cube.drawing import hex_colour
from spatial_workbench.widgets.appearance import appearance
from tests.editors.driving import steps

TASK = task_of("cube_full_symbolic")
INSTANCE = TASK.instances()[5]


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, INSTANCE)


def moves(editor):
    return editor.document.answer.moves


def shown(editor):
    """The colours of the stickers in the view."""
    boxes = editor.view.scene.item("stickers")
    return dict(zip(boxes.ids, boxes.colors, strict=True))


@pytest.mark.parametrize("face", "UDLRFB")
def test_a_letter_turns_its_face_and_shift_turns_it_back(qtbot, editor, face):
    qtbot.keyClick(editor.view, Qt.Key[f"Key_{face}"])
    assert moves(editor) == (face,)
    qtbot.keyClick(editor.view, Qt.Key[f"Key_{face}"], Qt.KeyboardModifier.ShiftModifier)
    assert moves(editor) == (face, f"{face}'")
    assert steps(editor) == 2


def test_there_is_a_button_for_each_of_the_twelve_turns(qtbot, editor):
    buttons = {button.text(): button for button in editor.tools.findChildren(QToolButton)}
    for move in QUARTER_TURNS:
        qtbot.mouseClick(buttons[move], Qt.MouseButton.LeftButton)
    assert moves(editor) == QUARTER_TURNS


def test_undo_makes_the_opposite_turn_and_the_cube_follows(qtbot, editor):
    start = shown(editor)
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not editor.turning.motion.is_running)
    assert shown(editor) != start
    editor.document.undo_stack.undo()
    qtbot.waitUntil(lambda: not editor.turning.motion.is_running)
    assert (moves(editor), shown(editor)) == (("R", "R'"), start)


def test_undo_and_redo_go_on_counting(qtbot, editor):
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    qtbot.keyClick(editor.view, Qt.Key.Key_U)
    for _ in range(2):
        editor.document.undo_stack.undo()
    editor.document.undo_stack.redo()
    assert moves(editor) == ("R", "U", "U'", "R'", "R")


def test_a_layer_turns_before_the_eyes_unless_motion_is_unwanted(qtbot, editor):
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    assert any(item.name == "turning body" for item in editor.view.scene.items)
    qtbot.waitUntil(lambda: not editor.turning.motion.is_running)
    assert len(shown(editor)) == 54


def test_a_typed_sequence_replaces_the_moves_in_one_step_with_half_turns_expanded(qtbot, editor):
    editor.panel.widgets["Moves"].field.setFocus()
    qtbot.keyClicks(editor.panel.widgets["Moves"].field, "R U2 f")
    qtbot.keyClick(editor.panel.widgets["Moves"].field, Qt.Key.Key_Backspace)
    qtbot.keyClick(editor.panel.widgets["Moves"].field, Qt.Key.Key_Return)
    assert moves(editor) == ("R", "U", "U")
    assert steps(editor) == 1
    assert editor.panel.widgets["Moves"].field.text() == "R U U"


def test_a_sequence_that_cannot_be_read_changes_nothing_and_says_where(qtbot, editor):
    editor.panel.widgets["Moves"].field.setFocus()
    qtbot.keyClicks(editor.panel.widgets["Moves"].field, "R Uw")
    qtbot.keyClick(editor.panel.widgets["Moves"].field, Qt.Key.Key_Return)
    assert moves(editor) == ()
    assert "wide move" in editor.panel.widgets["Moves"].note.text()
    assert editor.panel.widgets["Moves"].field.cursorPosition() == 3


def test_letters_typed_into_the_field_turn_nothing(qtbot, editor):
    editor.panel.widgets["Moves"].field.setFocus()
    qtbot.keyClicks(editor.panel.widgets["Moves"].field, "RUF")
    assert moves(editor) == ()


def test_the_status_says_how_far_the_cube_is(qtbot, editor):
    assert editor.status().startswith("0 moves · ")
    editor.document.edit("Load reference solution", TASK.solve(INSTANCE))
    assert editor.status() == f"{len(moves(editor))} moves · solved"


def test_a_solved_cube_turns_no_more(qtbot, editor):
    editor.document.edit("Load reference solution", TASK.solve(INSTANCE))
    before = moves(editor)
    with qtbot.waitSignal(editor.message):
        qtbot.keyClick(editor.view, Qt.Key.Key_U)
    assert moves(editor) == before


def test_backspace_turns_the_moves_back_one_by_one_and_shift_delete_takes_all_away(qtbot, editor):
    for key in (Qt.Key.Key_R, Qt.Key.Key_U, Qt.Key.Key_Backspace, Qt.Key.Key_Backspace):
        qtbot.keyClick(editor.view, key)
    assert moves(editor) == ("R", "U", "U'", "R'")
    with qtbot.waitSignal(editor.message):
        qtbot.keyClick(editor.view, Qt.Key.Key_Backspace)
    assert len(moves(editor)) == 4
    qtbot.keyClick(editor.view, Qt.Key.Key_Delete, Qt.KeyboardModifier.ShiftModifier)
    assert moves(editor) == ()


def test_the_moves_are_played_from_the_start(qtbot, editor):
    editor.document.edit("Load reference solution", TASK.solve(INSTANCE))
    editor.play_moves()
    assert editor.timeline.isVisible()
    editor.timeline.go_to(0)
    assert shown(editor)["sticker U1"] == hex_colour(INSTANCE.parameters["state"][0])
    editor.play_moves()
    assert not editor.timeline.isVisible()


def test_what_stands_beside_the_cube_follows_the_moves_that_are_played(qtbot, editor):
    editor.document.edit("Load reference solution", TASK.solve(INSTANCE))
    at_the_end = editor.panel.widgets["Net"]._state, editor.panel.widgets["Rewards"]._values
    editor.play_moves()
    editor.timeline.go_to(0)
    assert editor.panel.widgets["Net"]._state == INSTANCE.parameters["state"]
    assert [len(values) for values in editor.panel.widgets["Rewards"]._values] == [1, 1, 1]
    editor.play_moves()
    assert (editor.panel.widgets["Net"]._state, editor.panel.widgets["Rewards"]._values) == at_the_end


def test_home_and_not_f_shows_the_whole_cube(editor):
    assert editor.view.view_actions["frame"].shortcut().toString() == "Home"


def test_failing_stickers_keep_their_colours(editor):
    verdict = TASK.verify(INSTANCE, editor.document.answer)
    before = shown(editor)
    editor.document.set_verdict(verdict, editor.document.revision)
    editor.show_elements(verdict.failed_elements)
    assert shown(editor) == before
    assert set(editor.view.selection) == set(verdict.failed_elements)


def test_nothing_moves_by_itself_with_reduced_motion(qtbot, editor, monkeypatch):
    monkeypatch.setattr(appearance(), "reduce_motion", True)
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    assert not editor.turning.motion.is_running
    assert len(shown(editor)) == 54


def test_undo_of_a_turn_says_that_it_counts_and_is_not_offered_once_the_cube_is_solved(show_editor):
    instance = TASK.instances()[0]
    editor = show_editor(TASK, instance)
    group = UndoGroup(editor)
    solution = TASK.solve(instance).moves
    group.set_active(editor.document.undo_stack)
    editor.moves.turn(solution[0])
    assert group.undo_action.text() == f"Turn {solution[0]} back (counts as a move)"
    for move in solution[1:]:
        editor.moves.turn(move)
    assert editor.moves.run.is_solved
    assert not group.undo_action.isEnabled()
    assert not editor.panel.actions["Take back"].isEnabled()
