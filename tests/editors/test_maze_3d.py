"""The editor of the 3D maze, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.maze_3d import MazeText
from tests.editors.driving import at, steps
from tests.mouse_wheel import turn_wheel
from tests.widgets.test_viewport3d import LEFT, RIGHT

TASK = task_of("maze_3d")
INSTANCE = TASK.instances()[0]
AMBIGUOUS = MazeText(maze="A5555\n55555\n55555\n43255\n9210B")
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, INSTANCE, size=(1000, 620))


@pytest.fixture
def solved(show_editor):
    return show_editor(TASK, INSTANCE, TASK.solve(INSTANCE), size=(1000, 620))


def place(editor, cell):
    return at(editor, (cell[1] + 0.5, cell[0] + 0.5))


def click(qtbot, editor, cell, button=LEFT):
    qtbot.mouseClick(editor.view, button, pos=place(editor, cell))


def move(editor, cell, button=LEFT):
    pos = QPointF(place(editor, cell))
    where = QPointF(editor.view.mapToGlobal(pos.toPoint()))
    event = QMouseEvent(QEvent.Type.MouseMove, pos, where, Qt.MouseButton.NoButton, button, NONE)
    QApplication.sendEvent(editor.view, event)


def drag(qtbot, editor, *cells, button=LEFT):
    qtbot.mousePress(editor.view, button, NONE, place(editor, cells[0]))
    for cell in cells[1:]:
        move(editor, cell, button)
    qtbot.mouseRelease(editor.view, button, NONE, place(editor, cells[-1]))


def rows(editor):
    return editor.document.answer.maze.splitlines()


# Heights -------------------------------------------------------------------------------------------------------------


def test_a_click_selects_and_a_digit_sets_the_height_as_one_step(editor, qtbot):
    editor.panel.actions["Select"].trigger()
    click(qtbot, editor, (1, 2))
    qtbot.keyClicks(editor.view, "7")
    assert rows(editor)[1] == "..7.."
    assert steps(editor) == 1


def test_digits_do_not_turn_the_view_in_space(editor):
    assert editor.space.view_actions["isometric"].shortcut().toString() == "Alt+1"


def test_a_and_b_do_not_take_other_heights(editor, qtbot):
    editor.cells.select([(0, 0)])
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.keyClicks(editor.view, "7")
    assert "given by the task" in blocker.args[0]
    assert steps(editor) == 0


def test_the_wheel_changes_a_height_by_1_and_its_notches_are_one_step(editor):
    turn_wheel(editor.view, 1, at=place(editor, (2, 2)))
    turn_wheel(editor.view, 1, at=place(editor, (2, 2)))
    assert rows(editor)[2] == "..1.."
    assert steps(editor) == 1


def test_with_control_the_wheel_zooms(editor):
    before = editor.view.plane.pixels_per_unit
    turn_wheel(editor.view, 1, CONTROL, at=place(editor, (2, 2)))
    assert editor.view.plane.pixels_per_unit > before
    assert steps(editor) == 0


def test_a_drag_paints_every_cell_on_its_way_as_one_step(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_B)
    qtbot.keyClicks(editor.view, "3")
    drag(qtbot, editor, (1, 0), (1, 4))
    assert rows(editor)[1] == "33333"
    assert steps(editor) == 1


def test_the_right_button_empties(solved, qtbot):
    solved.panel.actions["Paint"].trigger()
    drag(qtbot, solved, (1, 0), (1, 2), button=RIGHT)
    assert rows(solved)[1] == "...82"


def test_escape_drops_what_is_being_painted(editor, qtbot):
    editor.panel.actions["Paint"].trigger()
    qtbot.mousePress(editor.view, LEFT, NONE, place(editor, (1, 0)))
    move(editor, (1, 3))
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert rows(editor)[1] == "....."
    assert editor.draft.maze.text == editor.document.answer.maze
    assert steps(editor) == 0


def test_a_region_is_filled_with_the_brush_height(solved, qtbot):
    qtbot.keyClick(solved.view, Qt.Key.Key_G)
    solved.panel.widgets["Brush"].setValue(6)
    click(qtbot, solved, (1, 2))
    assert rows(solved)[1] == "76662"
    assert steps(solved) == 1


def test_the_height_field_sets_the_selected_cells(editor):
    editor.cells.select([(1, 1), (1, 2)])
    editor.panel.widgets["Selected"].setValue(4)
    assert rows(editor)[1] == ".44.."
    assert editor.panel.widgets["Selected"].value() == 4


def test_delete_empties_the_selected_cells(solved, qtbot):
    solved.cells.select([(1, 1)])
    qtbot.keyClick(solved.view, Qt.Key.Key_Delete)
    assert rows(solved)[1] == "7.882"


def test_arrows_move_the_cursor_and_shift_extends(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_Down)
    qtbot.keyClick(editor.view, Qt.Key.Key_Right, SHIFT)
    assert editor.cells.selected == [(1, 0), (1, 1)]
    qtbot.keyClick(editor.view, Qt.Key.Key_Plus)
    assert rows(editor)[1] == "00..."


# A and B -------------------------------------------------------------------------------------------------------------


def test_a_is_dragged_and_leaves_its_height(editor, qtbot):
    editor.panel.actions["Select"].trigger()
    drag(qtbot, editor, (0, 0), (0, 1), (0, 3))
    assert rows(editor)[0] == "5..A."
    assert steps(editor) == 1


def test_a_cannot_be_dragged_onto_b(editor, qtbot):
    editor.panel.actions["Paint"].trigger()
    qtbot.mousePress(editor.view, LEFT, NONE, place(editor, (0, 0)))
    move(editor, (4, 4))
    assert editor.view.ghost_reason == "A and B cannot share a cell"
    qtbot.mouseRelease(editor.view, LEFT, NONE, place(editor, (4, 4)))
    assert steps(editor) == 0


def test_b_is_put_at_the_cursor_by_a_key(editor, qtbot):
    editor.cells.select([(2, 2)])
    qtbot.keyClick(editor.view, Qt.Key.Key_B, SHIFT)
    assert rows(editor)[2] == "..B.."


# The route pen -------------------------------------------------------------------------------------------------------


def test_the_pen_draws_a_route_whose_heights_follow_in_one_step(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_D)
    drag(qtbot, editor, (0, 0), (0, 4), (1, 4), (4, 4))
    assert rows(editor)[0] == "A4321"
    assert steps(editor) == 1
    assert editor.draft.routes.path[-1] == (4, 4)


def test_the_path_appears_while_the_pen_is_still_drawing(editor, qtbot):
    qtbot.mousePress(editor.view, LEFT, NONE, place(editor, (0, 0)))
    for cell in ((0, 4), (4, 4)):
        move(editor, cell)
    assert "path" in list(editor.view.scene.ids())
    assert steps(editor) == 0


def test_while_j_is_held_the_pen_jumps(editor, qtbot):
    editor.panel.actions["Level"].trigger()
    qtbot.mousePress(editor.view, LEFT, NONE, place(editor, (0, 0)))
    move(editor, (0, 1))
    qtbot.keyPress(editor.view, Qt.Key.Key_J)
    move(editor, (0, 3))
    qtbot.keyRelease(editor.view, Qt.Key.Key_J)
    move(editor, (0, 4))
    qtbot.mouseRelease(editor.view, LEFT, NONE, place(editor, (0, 4)))
    assert rows(editor)[0][2] in "0123"
    assert rows(editor)[0].replace(rows(editor)[0][2], "_") == "A5_55"
    assert len(editor.draft.routes.jumps) == 1
    assert editor.cells.selected == [(0, 4)]


def test_the_pen_tells_why_it_cannot_go_on(editor, qtbot):
    editor.panel.actions["Level"].trigger()
    qtbot.mousePress(editor.view, LEFT, NONE, place(editor, (0, 0)))
    for cell in ((0, 4), (4, 4)):
        move(editor, cell)
    assert editor.view.ghost_reason == "height 0 cannot be reached from 5"
    qtbot.mouseRelease(editor.view, LEFT, NONE, place(editor, (4, 4)))
    assert rows(editor)[3] == "....5"


def test_a_route_does_not_begin_at_an_empty_cell(editor, qtbot):
    with qtbot.waitSignal(editor.message) as blocker:
        click(qtbot, editor, (2, 2))
    assert "begins at A" in blocker.args[0]


def test_the_pen_by_keyboard_is_one_step_for_a_run_of_keys(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_E)
    qtbot.keyClick(editor.view, Qt.Key.Key_Right, CONTROL)
    qtbot.keyClick(editor.view, Qt.Key.Key_Down, CONTROL)
    assert rows(editor)[:2] == ["A5...", ".5..."]
    assert editor.cells.selected == [(1, 1)]
    assert steps(editor) == 1


def test_the_pen_by_keyboard_jumps_while_the_box_is_ticked(editor, qtbot):
    editor.panel.widgets["Jump"].setChecked(True)
    qtbot.keyClick(editor.view, Qt.Key.Key_Right, CONTROL)
    assert rows(editor)[0][2] == "5"
    assert len(editor.draft.routes.jumps) == 1


# Commands ------------------------------------------------------------------------------------------------------------


def test_the_rest_is_filled_in_the_background_and_the_maze_passes(solved, qtbot):
    qtbot.keyClick(solved.view, Qt.Key.Key_K)
    assert "8 empty cells" in solved.status()
    qtbot.keyClick(solved.view, Qt.Key.Key_R)
    assert solved.runner.labels == ["Filling the rest"]
    assert steps(solved) == 2
    assert solved.draft.routes.is_unique
    assert "empty" not in solved.status()


def test_without_a_path_nothing_is_filled(editor, qtbot):
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.keyClick(editor.view, Qt.Key.Key_R)
    assert "no path from A to B yet" in blocker.args[0]


def test_mending_changes_one_cell_and_selects_it(solved, qtbot):
    solved.cells.select([(3, 1)])
    qtbot.keyClicks(solved.view, "2")
    assert not solved.draft.routes.is_unique
    qtbot.keyClick(solved.view, Qt.Key.Key_M)
    assert solved.draft.routes.is_unique
    assert len(solved.cells.selected) == 1


# What is shown -------------------------------------------------------------------------------------------------------


def test_the_second_route_is_shown_in_red_at_once(editor, qtbot):
    editor.edit("type", AMBIGUOUS)
    assert editor.view.scene.item("second path").color == "failed"
    assert editor.view.scene.item("loose 0").color == "failed"
    assert "a second route leaves it at row 0, column 0" in editor.status()
    assert editor.panel.widgets["Ways from A to B"].figure.text() == "Ambiguous"


def test_what_a_reaches_is_shaded_if_asked(editor):
    editor.edit("type", AMBIGUOUS)
    assert "reached 0,4" in list(editor.view.scene.ids())
    editor.panel.widgets["Shade what A reaches"].setChecked(False)
    assert "reached 0,4" not in list(editor.view.scene.ids())


def test_a_bar_of_the_histogram_selects_the_cells_of_its_height(solved, qtbot):
    solved.tools.show()
    bar = solved.histogram
    qtbot.mouseClick(bar, LEFT, pos=QPoint(round(bar.width() * 0.85), 40))
    assert solved.cells.selected == [(1, 1), (1, 2), (1, 3)]
    assert "Height 8: 3 cells of at most 7" in bar.accessibleDescription()


def test_control_and_a_digit_select_the_cells_of_a_height(solved, qtbot):
    qtbot.keyClick(solved.view, Qt.Key.Key_7, CONTROL)
    assert solved.cells.selected == [(1, 0), (3, 2)]


def test_the_maze_in_space_follows_and_shares_the_selection(editor, qtbot):
    editor.edit("type", AMBIGUOUS)
    qtbot.waitUntil(lambda: "second path" in list(editor.space.scene.ids()))
    editor.view.set_selection(["cell 1,1"])
    assert editor.space.selection == ("cell 1,1",)


def test_an_imported_text_that_is_no_grid_is_shown_as_far_as_it_goes(editor):
    editor.edit("type", MazeText(maze="A5x54\n788\n"))
    assert editor.draft.maze.text == "A5.54\n788..\n.....\n.....\n....."
    assert editor.status()


def test_the_label_tells_height_and_step_of_the_path(solved):
    assert solved._describe(type("P", (), {"id": "cell 0,1"})) == ("Row 0, column 1", "height 5, step 1 of the path")
    assert solved._describe(type("P", (), {"id": "cell 0,0"}))[0] == "A · Row 0, column 0"


# Classes of aids -----------------------------------------------------------------------------------------------------


def shown_to(show_editor, *aids):
    return show_editor(TASK, INSTANCE, AMBIGUOUS, size=(1000, 620), aids=frozenset(aids))


def test_routes_are_drawn_and_told_only_to_those_who_may_have_them_measured(show_editor):
    editor = shown_to(show_editor, Aid.VIEWING, Aid.EDITING)
    assert "path" not in list(editor.view.scene.ids())
    assert not editor.plan.shows_steps
    assert editor.status() == ""


def test_a_ruler_finds_the_path_and_not_what_is_wrong_with_it(show_editor):
    editor = shown_to(show_editor, Aid.VIEWING, Aid.EDITING, Aid.MEASURING)
    ids = list(editor.view.scene.ids())
    assert "path" in ids
    assert not {"second path", "loose 0", "reached 0,4"} & set(ids)
    assert "second" not in editor.status()


def test_limits_are_shown_with_the_figures_only_where_one_is_judged(show_editor):
    editor = shown_to(show_editor, Aid.VIEWING, Aid.EDITING, Aid.MEASURING)
    assert editor.panel.widgets["Jumps of the path"].words.text() == ""
    assert "at most" not in editor.histogram.accessibleDescription()


def test_the_pen_goes_against_the_rules_where_nothing_is_judged(show_editor, qtbot):
    editor = show_editor(TASK, INSTANCE, size=(1000, 620), aids=frozenset({Aid.VIEWING, Aid.EDITING}))
    editor.panel.actions["Level"].trigger()
    drag(qtbot, editor, (0, 0), (0, 4), (4, 4))
    assert editor.view.ghost_reason == ""
    assert [row[4] for row in rows(editor)] == ["5", "5", "5", "5", "B"]
