"""The editor of hamiltonian_loop, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.tasks.hamiltonian_loop import HamiltonianLoop, loop_answer
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import serpentine
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import link
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.hamiltonian_loop import HamiltonianLoopEditor
from spatial_workbench.widgets.editors.hamiltonian_loop.gestures import DrawTool, FillTool, LinkTool
from tests.editors.driving import HANDS, at, steps
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = HamiltonianLoop()
SMALL = TASK.instances()[0]
HOLED = TASK.instances()[1]
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def open_editor(show_editor):
    def opened(instance=SMALL, cells=(), aids=ALL_AIDS):
        return show_editor(TASK, instance, loop_answer(cells), (640, 640), aids)

    return opened


@pytest.fixture
def editor(open_editor):
    return open_editor()


def cells(editor):
    return list(editor.document.answer.cells)


def draw(qtbot, editor, path):
    qtbot.mousePress(editor.view, LEFT, pos=at(editor, path[0]))
    for cell in path[1:]:
        QApplication.sendEvent(editor.view, _move(editor.view, at(editor, cell), LEFT, NONE))
    qtbot.mouseRelease(editor.view, LEFT, pos=at(editor, path[-1]))


def point_at(editor, place):
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, place), Qt.MouseButton.NoButton, NONE))


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is HamiltonianLoopEditor


# Drawing -------------------------------------------------------------------------------------------------------------


def test_a_drag_draws_from_cell_to_cell_in_one_step(qtbot, editor):
    draw(qtbot, editor, [(1, 1), (2, 1), (2, 2), (2, 3)])
    assert cells(editor) == [(1, 1), (2, 1), (2, 2), (2, 3)]
    assert steps(editor) == 1
    editor.document.undo_stack.undo()
    assert cells(editor) == []


def test_a_quick_drag_fills_in_the_cells_between(qtbot, editor):
    draw(qtbot, editor, [(1, 1), (4, 1)])
    assert cells(editor) == [(1, 1), (2, 1), (3, 1), (4, 1)]


def test_dragging_back_takes_the_last_cell_back(qtbot, editor):
    draw(qtbot, editor, [(1, 1), (2, 1), (3, 1), (2, 1)])
    assert cells(editor) == [(1, 1), (2, 1)]


def test_both_ends_go_on(qtbot, editor):
    draw(qtbot, editor, [(2, 1), (3, 1)])
    draw(qtbot, editor, [(2, 1), (1, 1), (1, 2)])
    assert cells(editor) == [(3, 1), (2, 1), (1, 1), (1, 2)] or cells(editor) == [(1, 2), (1, 1), (2, 1), (3, 1)]


def test_the_pencil_stops_before_a_blocked_cell_and_says_so(qtbot, open_editor):
    editor = open_editor(HOLED)
    qtbot.mousePress(editor.view, LEFT, pos=at(editor, (1, 2)))
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, (3, 2)), LEFT, NONE))
    assert editor.view.ghost_reason == "Cell (2, 2) is blocked."
    qtbot.mouseRelease(editor.view, LEFT, pos=at(editor, (3, 2)))
    assert (cells(editor), editor.view.ghost_reason) == ([], "")


def test_escape_drops_what_is_being_drawn(qtbot, editor):
    qtbot.mousePress(editor.view, LEFT, pos=at(editor, (1, 1)))
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, (3, 1)), LEFT, NONE))
    assert editor.loop.tally.visited == 3
    qtbot.keyClick(editor.view, Key.Key_Escape)
    qtbot.mouseRelease(editor.view, LEFT, pos=at(editor, (3, 1)))
    assert (editor.loop.tally.visited, steps(editor)) == (0, 0)


def test_a_whole_loop_is_drawn_and_passes(qtbot, editor):
    draw(qtbot, editor, [cell.xy for cell in TASK.solve(SMALL).steps])
    assert TASK.verify(SMALL, editor.document.answer).passed
    assert editor.panel.widgets["Progress"].note.text() == "One loop through every free cell."


def test_a_loop_is_opened_where_it_was_closed(qtbot, open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1), (2, 2), (1, 2)])
    draw(qtbot, editor, [(1, 2), (1, 3)])
    assert (editor.loop.tally.loops, editor.loop.tally.visited) == (0, 5)


# Links and rectangles ------------------------------------------------------------------------------------------------


def test_a_click_on_a_border_links_and_unlinks(qtbot, editor):
    qtbot.keyClick(editor.view, Key.Key_L)
    assert isinstance(editor.view.tool, LinkTool)
    qtbot.mouseClick(editor.view, LEFT, pos=at(editor, (1.5, 2)))
    assert editor.loop.links == {link((1, 2), (2, 2))}
    qtbot.mouseClick(editor.view, LEFT, pos=at(editor, (1.5, 2)))
    assert editor.loop.links == set()


def test_pieces_may_stand_beside_each_other(qtbot, editor):
    editor.view.set_tool(LinkTool(editor.context))
    for place in ((1.5, 1), (1.5, 2), (3.5, 4)):
        qtbot.mouseClick(editor.view, LEFT, pos=at(editor, place))
    assert len(editor.loop.links) == 3
    assert editor.loop.tally.paths == 3


def test_a_click_on_a_point_swaps_parallel_links(qtbot, open_editor):
    editor = open_editor(cells=serpentine((1, 1), (4, 2)))
    editor.view.set_tool(LinkTool(editor.context))
    qtbot.mouseClick(editor.view, LEFT, pos=at(editor, (2.5, 1.5)))
    assert {link((2, 1), (2, 2)), link((3, 1), (3, 2))} <= editor.loop.links
    assert editor.loop.tally.loops == 2


def test_pointing_shows_what_a_click_would_do(qtbot, editor):
    editor.view.set_tool(LinkTool(editor.context))
    point_at(editor, (1.5, 2))
    assert [item.name for item in editor.view.ghost] == ["link"]
    point_at(editor, (1.5, 1.5))
    assert editor.view.ghost == ()


def test_a_third_link_is_refused_with_the_reason(qtbot, open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1), (3, 1)])
    editor.view.set_tool(LinkTool(editor.context))
    point_at(editor, (2, 1.4))
    assert editor.view.ghost_reason == "Cell (2, 1) has two links already."
    with qtbot.waitSignal(editor.message):
        qtbot.mouseClick(editor.view, LEFT, pos=at(editor, (2, 1.4)))
    assert steps(editor) == 0


def test_a_dragged_rectangle_is_filled_to_and_fro(qtbot, editor):
    qtbot.keyClick(editor.view, Key.Key_R)
    assert isinstance(editor.view.tool, FillTool)
    drag(qtbot, editor.view, LEFT, at(editor, (1, 1)), at(editor, (4, 3)))
    assert cells(editor) == serpentine((1, 1), (4, 3))
    assert steps(editor) == 1


def test_a_rectangle_over_a_blocked_cell_is_refused(qtbot, open_editor):
    editor = open_editor(HOLED)
    editor.view.set_tool(FillTool(editor.context))
    with qtbot.waitSignal(editor.message):
        drag(qtbot, editor.view, LEFT, at(editor, (1, 1)), at(editor, (4, 3)))
    assert steps(editor) == 0


# Keys ----------------------------------------------------------------------------------------------------------------


def test_arrows_move_the_cursor_and_stop_at_the_border(qtbot, editor):
    qtbot.keyClick(editor.view, Key.Key_Right)
    qtbot.keyClick(editor.view, Key.Key_Up)
    assert editor.loop_cursor.cell == (2, 1)
    assert editor.panel.widgets["Cursor"].fields[0].value() == 2


def test_shift_and_arrows_draw_and_take_back(qtbot, editor):
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Down):
        qtbot.keyClick(editor.view, key, SHIFT)
    assert (cells(editor), editor.loop_cursor.cell, steps(editor)) == ([(1, 1), (2, 1), (3, 1), (3, 2)], (3, 2), 1)
    qtbot.keyClick(editor.view, Key.Key_Up, SHIFT)
    assert cells(editor) == [(1, 1), (2, 1), (3, 1)]


def test_control_and_arrows_toggle_a_link(qtbot, editor):
    qtbot.keyClick(editor.view, Key.Key_Down, CTRL)
    assert editor.loop.links == {link((1, 1), (1, 2))}
    qtbot.keyClick(editor.view, Key.Key_Down, CTRL)
    assert editor.loop.links == set()


def test_delete_unlinks_the_cell_at_the_cursor(qtbot, open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1), (3, 1)])
    editor.loop_cursor.go_to((3, 1))
    qtbot.keyClick(editor.view, Key.Key_Delete)
    assert cells(editor) == [(1, 1), (2, 1)]


def test_return_twice_fills_between_two_corners(qtbot, editor):
    qtbot.keyClick(editor.view, Key.Key_Return)
    qtbot.keyClick(editor.view, Key.Key_Right)
    qtbot.keyClick(editor.view, Key.Key_Down)
    qtbot.keyClick(editor.view, Key.Key_Return)
    assert editor.loop.tally.visited == 4


def test_x_swaps_links(qtbot, open_editor):
    editor = open_editor(cells=serpentine((1, 1), (4, 2)))
    editor.loop_cursor.go_to((2, 1))
    qtbot.keyClick(editor.view, Key.Key_X)
    assert editor.loop.tally.loops == 2


def test_a_draws_every_forced_link(qtbot, editor):
    editor.panel.widgets["Show"].setChecked(True)
    assert link((1, 1), (2, 1)) in editor.loop.forced
    qtbot.keyClick(editor.view, Key.Key_A)
    assert link((1, 1), (2, 1)) in editor.loop.links
    assert steps(editor) == 1


def test_the_loop_is_turned_and_begun_elsewhere(qtbot, open_editor):
    loop = [step.xy for step in TASK.solve(SMALL).steps]
    editor = open_editor(cells=loop)
    editor.loop_cursor.go_to(loop[5])
    qtbot.keyClick(editor.view, Key.Key_S)
    assert cells(editor)[0] == loop[5]
    qtbot.keyClick(editor.view, Key.Key_R, SHIFT)
    assert cells(editor)[1] == loop[4]
    assert TASK.verify(SMALL, editor.document.answer).passed


def test_reverse_leaves_the_links_of_separate_pieces_as_they_are(qtbot, open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1), (3, 1)])
    editor.commands.toggle(link((1, 3), (2, 3)))
    before = editor.loop.links
    first = cells(editor)[0]
    qtbot.keyClick(editor.view, Key.Key_R, SHIFT)
    assert editor.loop.links == before
    assert (first, cells(editor)[0]) == ((1, 1), (3, 1))


def test_reversing_twice_gives_the_same_steps(qtbot, open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1), (3, 1)])
    editor.commands.toggle(link((1, 2), (2, 2)))
    before = cells(editor)
    for _ in range(2):
        qtbot.keyClick(editor.view, Key.Key_R, SHIFT)
    assert (cells(editor), len(before)) == (before, len(before))


def test_coordinates_are_written_as_whole_numbers(qtbot, editor):
    draw(qtbot, editor, [(1, 1), (2, 1)])
    assert editor.document.answer.model_dump_json() == '{"steps":[{"xy":[1,1]},{"xy":[2,1]}]}'


def test_typed_coordinates_move_the_cursor(qtbot, editor):
    field = editor.panel.widgets["Cursor"].fields[1]
    editor.tools.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, "3")
    qtbot.keyClick(field, Key.Key_Return)
    assert editor.loop_cursor.cell == (1, 3)


def test_clear_takes_everything_away_in_one_step(qtbot, open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1)])
    qtbot.keyClick(editor.view, Key.Key_Delete, SHIFT)
    assert (cells(editor), steps(editor)) == ([], 1)


# What is shown -------------------------------------------------------------------------------------------------------


def test_the_meters_follow_the_pencil(qtbot, editor):
    qtbot.mousePress(editor.view, LEFT, pos=at(editor, (1, 1)))
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, (3, 1)), LEFT, NONE))
    assert editor.panel.widgets["Progress"].visited.figure.text() == "3 / 16"
    assert editor.panel.widgets["Progress"].ends.figure.text() == "2"
    qtbot.mouseRelease(editor.view, LEFT, pos=at(editor, (3, 1)))
    assert editor.status() == "3 of 16 cells · 2 open ends"


def test_cells_that_cannot_be_finished_are_told(open_editor):
    editor = open_editor(cells=[(1, 3), (1, 2), (2, 2), (2, 1), (3, 1)])
    assert editor.loop.dead_ends.starved == ((1, 1),)
    assert "cut off" in editor.status()
    assert editor.panel.widgets["Progress"].note.text() == "The hatched cells cannot be reached and left again."


def test_forced_links_are_not_drawn_before_somebody_asks_for_them(editor):
    assert editor.loop.forced == frozenset()
    editor.panel.widgets["Show"].setChecked(True)
    assert editor.loop.forced


def test_what_is_under_the_pointer_is_described(open_editor):
    editor = open_editor(HOLED, cells=[(1, 1), (2, 1)])
    shown = [editor.loop.describe(editor.view.pick(at(editor, cell).toPointF())) for cell in ((2, 1), (2, 2), (4, 4))]
    assert shown == [("(2, 1)", "Step 1 of 2 · 1 link"), ("(2, 2)", "Blocked"), ("(4, 4)", "Not visited")]


def test_an_answer_with_mistakes_is_shown_as_it_is_and_can_be_mended(qtbot, open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1), (4, 4), (4, 3), (4, 4)])
    assert "step 2" in set(editor.view.scene.ids())
    draw(qtbot, editor, [(2, 1), (3, 1)])
    assert len(editor.loop.links) == 3


def test_pieces_are_drawn_without_the_jumps_between_them(open_editor):
    editor = open_editor()
    square = [(1, 3), (2, 3), (2, 4), (1, 4)]
    editor.document.edit("Draw", loop_answer([(4, 1), (4, 2), *square, square[0]]))
    names = [item.name for item in editor.view.scene.items]
    assert names.count("ends") == 1
    assert not [name for name in names if name.startswith(("step", "again"))]


def test_a_clicked_check_shows_its_cells(open_editor):
    editor = open_editor(cells=[(1, 1), (2, 1)])
    editor.document.set_verdict(TASK.verify(SMALL, editor.document.answer), editor.document.revision)
    editor.show_elements(["cell 4,4"])
    assert editor.view.selection == ("cell 4,4",)


def test_the_draw_tool_is_there_at_the_start(editor):
    assert isinstance(editor.view.tool, DrawTool)


def test_a_press_that_slips_off_a_border_links_nothing(qtbot, editor):
    editor.view.set_tool(LinkTool(editor.context))
    drag(qtbot, editor.view, LEFT, at(editor, (1.5, 2)), at(editor, (3.5, 3)))
    assert editor.loop.links == set()


def test_figures_are_measured_and_ticks_and_troubles_are_judged(open_editor):
    path = [(1, 3), (1, 2), (2, 2), (2, 1), (3, 1)]
    ruler = open_editor(cells=path, aids=HANDS | {Aid.MEASURING})
    assert ruler.status() == "5 of 16 cells · 2 open ends"
    assert ruler.panel.widgets["Progress"].note.text() == ""
    ruler.document.edit("Solve", TASK.solve(SMALL))
    assert ruler.panel.widgets["Progress"].note.text() == ""
    assert not [meter for meter in ruler.panel.widgets["Progress"].meters if meter.icon.isVisible()]


def test_hands_alone_see_no_figures_and_no_troubles(open_editor):
    editor = open_editor(cells=[(1, 3), (1, 2), (2, 2), (2, 1), (3, 1)], aids=HANDS)
    assert editor.status() == ""
    assert (editor.loop.dead_ends.starved, editor.loop.dead_ends.cut_off) == ((), ())
    assert "Progress" not in editor.panel.widgets


def test_steps_that_jump_are_red_only_where_they_may_be_judged(open_editor):
    def colors(aids):
        return {open_editor(cells=[(1, 1), (2, 1), (4, 4)], aids=aids).view.scene.item("step 2").color}

    assert (colors(ALL_AIDS), colors(HANDS)) == ({"failed"}, {"accent"})


def test_a_typed_coordinate_beyond_the_grid_goes_to_its_border(open_editor):
    editor = open_editor()
    editor.loop_cursor.type_coordinate(0, 99.0)
    assert editor.loop_cursor.cell == (editor.loop.grid.width, 1)
