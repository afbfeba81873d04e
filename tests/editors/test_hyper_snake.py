"""The editor of hyper-snake, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import QPoint, Qt

from spatial_workbench.engine.core import Aid, Instance, silent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.hyper_snake import answer_of
from spatial_workbench.engine.tasks.hyper_snake.drawing import axis_color
from spatial_workbench.engine.tasks.hyper_snake.editing import FreeWalk, Walk, extend, prospects_of
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField, numbers_of
from tests.editors.driving import at, steps

TASK = task_of("hyper_snake")
FLAT, WALLED, SOLID, LARGE = (TASK.instances()[k] for k in (0, 1, 2, 9))
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def path(instance, letters):
    """An answer spelled in letters: a, b, c step up along axis 0, 1, 2, and capitals step down."""
    field = SnakeField.of(instance.parameters)
    return answer_of(field, numbers_of(field, letters))


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, FLAT)


@pytest.fixture
def started(show_editor):
    """A snake at (1, 0, 1) in a 4 x 4 x 4 grid, with a wall at (1, 1, 1)."""
    return show_editor(TASK, SOLID)


def spot(editor, *cell):
    """The place of a cell on the sheet."""
    return at(editor, editor.path.sheet.places[editor.path.field.number(cell)])


def click(editor, qtbot, *cell):
    qtbot.mouseClick(editor.view, LEFT, NONE, spot(editor, *cell))


def drag(editor, qtbot, first, last):
    start, end = spot(editor, *first), spot(editor, *last)
    qtbot.mousePress(editor.view, LEFT, NONE, start)
    for k in range(1, 6):
        qtbot.mouseMove(editor.view, start + (end - start) * k / 5)
    qtbot.mouseRelease(editor.view, LEFT, NONE, end)


def cells(editor):
    return list(editor.document.answer.cells)


# Clicks and drags ----------------------------------------------------------------------------------------------------


def test_a_click_on_a_next_cell_is_one_step(editor, qtbot):
    click(editor, qtbot, 1, 0)
    click(editor, qtbot, 1, 1)
    assert cells(editor) == [(0, 0), (1, 0), (1, 1)]
    assert steps(editor) == 2
    editor.document.undo_stack.undo()
    assert cells(editor) == [(0, 0), (1, 0)]


def test_a_click_in_line_with_the_head_runs_there_as_one_step(editor, qtbot):
    click(editor, qtbot, 0, 5)
    assert cells(editor) == [(0, y) for y in range(6)]
    assert steps(editor) == 1


def test_a_drag_runs_straight_to_the_edge_as_one_step(editor, qtbot):
    drag(editor, qtbot, (0, 0), (7, 1))
    assert cells(editor) == [(x, 0) for x in range(8)]
    assert steps(editor) == 1


def test_a_drag_stops_at_a_wall_and_tells_why(show_editor, qtbot):
    editor = show_editor(TASK, WALLED, path(WALLED, "aaaaa"))
    with qtbot.waitSignal(editor.message) as blocker:
        drag(editor, qtbot, (5, 0), (5, 7))
    assert cells(editor)[-1] == (5, 4)
    assert blocker.args == ["(5, 5) is a wall."]


def test_a_drag_shows_the_run_before_it_is_made(editor, qtbot):
    qtbot.mousePress(editor.view, LEFT, NONE, spot(editor, 0, 0))
    qtbot.mouseMove(editor.view, spot(editor, 3, 0))
    assert [editor.path.field.cell(n) for n in editor.plan.cells] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert steps(editor) == 0
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert editor.plan.cells == ()


def test_a_click_on_the_path_cuts_it_there(show_editor, qtbot):
    editor = show_editor(TASK, FLAT, path(FLAT, "aaabbb"))
    click(editor, qtbot, 2, 0)
    assert cells(editor) == [(0, 0), (1, 0), (2, 0)]
    assert steps(editor) == 1


def test_a_cell_off_the_head_s_lines_is_refused_with_the_axes(editor, qtbot):
    with qtbot.waitSignal(editor.message) as blocker:
        click(editor, qtbot, 3, 4)
    assert blocker.args == ["(3, 4) differs from the head on axes 0, 1: go along one axis."]
    assert steps(editor) == 0


def test_a_click_on_a_wall_is_refused(show_editor, qtbot):
    editor = show_editor(TASK, WALLED)
    with qtbot.waitSignal(editor.message) as blocker:
        click(editor, qtbot, 0, 1)
    assert blocker.args == ["(0, 1) is a wall."]


def test_between_the_panels_a_click_means_nothing(started, qtbot):
    gap = (spot(started, 3, 0, 0) + spot(started, 0, 0, 1)) / 2
    qtbot.mouseClick(started.view, LEFT, NONE, gap)
    assert len(cells(started)) == 1


# Keys ----------------------------------------------------------------------------------------------------------------


def test_digits_step_along_axes_and_shift_goes_back(started, qtbot):
    qtbot.keyClick(started.view, Qt.Key.Key_1)
    qtbot.keyClick(started.view, Qt.Key.Key_2)
    qtbot.keyClick(started.view, Qt.Key.Key_3, SHIFT)
    assert cells(started) == [(1, 0, 1), (2, 0, 1), (2, 1, 1), (2, 1, 0)]


def test_the_tenth_axis_has_the_key_0(show_editor, qtbot):
    editor = show_editor(TASK, TASK.instances()[12])
    qtbot.keyClick(editor.view, Qt.Key.Key_0)
    assert cells(editor)[-1] == (0, 0, 0, 0, 0, 0, 1, 0, 0, 1)


def test_digits_step_while_the_slice_has_the_keyboard(started, qtbot):
    started.space.setFocus()
    qtbot.keyClick(started.space, Qt.Key.Key_1)
    assert cells(started)[-1] == (2, 0, 1)
    assert started.space.view_actions["isometric"].shortcut().toString() == "Alt+1"


@pytest.mark.parametrize(
    ("key", "held", "words"),
    [
        (Qt.Key.Key_2, NONE, "+ axis 1: (1, 1, 1) is a wall."),
        (Qt.Key.Key_2, SHIFT, "− axis 1: axis 1 runs from 0 to 3."),
    ],
)
def test_an_illegal_step_is_refused_with_the_reason(started, qtbot, key, held, words):
    with qtbot.waitSignal(started.message) as blocker:
        qtbot.keyClick(started.view, key, held)
    assert blocker.args == [words]
    assert steps(started) == 0


def test_a_step_onto_the_path_is_refused_with_its_index(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_1)
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.keyClick(editor.view, Qt.Key.Key_1, SHIFT)
    assert blocker.args == ["− axis 0: (0, 0) is on the path already, at step 0."]


def test_control_with_a_digit_runs_until_something_is_in_the_way(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_1, CONTROL)
    qtbot.keyClick(editor.view, Qt.Key.Key_2, CONTROL)
    qtbot.keyClick(editor.view, Qt.Key.Key_1, CONTROL | SHIFT)
    assert cells(editor)[-1] == (0, 7)
    assert len(cells(editor)) == 22
    assert steps(editor) == 3


def test_backspace_takes_the_last_cell_away_but_never_the_start(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_1)
    for _ in range(3):
        qtbot.keyClick(editor.view, Qt.Key.Key_Backspace)
    assert cells(editor) == [(0, 0)]


# Sweep and backbite --------------------------------------------------------------------------------------------------


def test_a_sweep_of_two_axes_fills_the_plane_as_one_step(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_Return)
    assert len(cells(editor)) == 64
    assert steps(editor) == 1
    assert TASK.verify(FLAT, editor.document.answer).passed


def test_the_sweep_tool_fills_with_a_click_along_the_chosen_axes(started, qtbot):
    started.panel.widgets["First"].setCurrentIndex(2)
    started.panel.widgets["Then"].setCurrentIndex(0)
    started.panel.widgets["Last"].setCurrentIndex(3)
    qtbot.keyClick(started.view, Qt.Key.Key_S)
    click(started, qtbot, 0, 0, 0)
    assert started.commands.sweep_axes == (2, 0)
    assert {cell[1] for cell in cells(started)} == {0}
    assert cells(started)[1:3] == [(1, 0, 2), (1, 0, 3)]


def test_a_backbite_turns_the_rest_round_and_keeps_all_cells(show_editor, qtbot):
    editor = show_editor(TASK, FLAT, path(FLAT, "aabbAAB"))
    before = set(cells(editor))
    qtbot.keyClick(editor.view, Qt.Key.Key_B)
    click(editor, qtbot, 0, 0)
    assert cells(editor) == [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]
    assert set(cells(editor)) == before
    assert steps(editor) == 1


def test_a_cell_that_cannot_be_bitten_is_refused(show_editor, qtbot):
    editor = show_editor(TASK, FLAT, path(FLAT, "aabbAAB"))
    qtbot.keyClick(editor.view, Qt.Key.Key_B)
    with qtbot.waitSignal(editor.message) as blocker:
        click(editor, qtbot, 2, 2)
    assert "(2, 2) is not an earlier path cell beside the head" in blocker.args[0]


def test_backbite_by_key_takes_the_head_with_the_most_room(show_editor, qtbot):
    editor = show_editor(TASK, FLAT, path(FLAT, "aabbAAB"))
    qtbot.keyClick(editor.view, Qt.Key.Key_B, SHIFT)
    assert cells(editor)[-1] == (1, 0)


# What is told --------------------------------------------------------------------------------------------------------


def test_length_score_and_what_is_still_possible_are_told_at_once(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_1)
    assert editor.panel.widgets["Cells of the path"].figure.text() == "2 of 64 cells"
    assert editor.panel.widgets["Score now"].figure.text() == "0.016"
    assert "64 cells" in editor.panel.widgets["Best score"].words.text()
    assert "Food (1, 1): 4 open sides" in editor.panel.widgets["Food"].text()
    assert "head (1, 0)" in editor.status()


def test_pockets_and_dead_ends_are_told(show_editor):
    editor = show_editor(TASK, FLAT, path(FLAT, "abbbbbbbaaaB"))
    assert len(editor.path.prospects.pockets) == 7
    assert "7 cells cut off" in editor.panel.widgets["Problems"].text()
    assert {editor.path.field.cell(n) for n in editor.path.prospects.dead_ends} == {(0, 1), (0, 7)}


def test_food_that_is_cut_off_is_told(show_editor):
    field = SnakeField((4, 4), (0, 0), (), ((0, 3),))
    instance = Instance.generated("hyper_snake", 0, field.parameters())
    editor = show_editor(TASK, instance, answer_of(field, numbers_of(field, "abbb")))
    assert "Food (0, 3): 2 open sides" in editor.panel.widgets["Food"].text()
    editor.commands.step(0)
    assert "Food (0, 3) is cut off" in editor.panel.widgets["Food"].text()
    assert editor.path.prospects.best_score < 0.5


def test_a_number_cuts_the_path_and_does_not_make_it_longer(show_editor, qtbot):
    editor = show_editor(TASK, FLAT, path(FLAT, "aaabbb"))
    editor.panel.widgets["Length"].setValue(3)
    assert len(cells(editor)) == 3
    with qtbot.waitSignal(editor.message):
        editor.panel.widgets["Length"].setValue(60)
    assert len(cells(editor)) == 3
    assert editor.panel.widgets["Length"].value() == 3


def test_an_imported_path_with_a_fault_is_shown_and_can_be_cut_there(show_editor, qtbot):
    answer = TASK.parse({"path": [{"pos": p} for p in ([0, 0], [1, 0], [2, 1], [2, 2])]})
    editor = show_editor(TASK, FLAT, answer)
    assert "Step 2 breaks a rule" in editor.status()
    assert "step 2" in set(editor.view.scene.ids())
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.keyClick(editor.view, Qt.Key.Key_1)
    assert "cut the path before it" in blocker.args[0]
    qtbot.keyClick(editor.view, Qt.Key.Key_C)
    assert cells(editor) == [(0, 0), (1, 0)]


def test_a_path_that_does_not_begin_at_the_start_can_be_begun_anew(show_editor, qtbot):
    editor = show_editor(TASK, FLAT, TASK.parse({"path": []}))
    assert "does not begin" in editor.status()
    qtbot.keyClick(editor.view, Qt.Key.Key_C)
    assert cells(editor) == [(0, 0)]


def test_cells_are_described_where_the_pointer_is(started):
    words = {name: started.path.describe(_pick(name)) for name in ("cell 1,0,1", "cell 1,1,1", "cell 2,0,1", "food 0")}
    assert words["cell 1,0,1"] == ("Cell (1, 0, 1)", "step 0 of the path")
    assert words["cell 1,1,1"][1] == "wall"
    assert words["cell 2,0,1"][1] == "free, next by + axis 0"
    assert words["food 0"] == ("Cell (1, 2, 1)", "food, free")


def _pick(name):
    from spatial_workbench.widgets.scene_views.view import Pick

    return Pick(name, name, (0.0, 0.0, 0.0))


# The slice -----------------------------------------------------------------------------------------------------------


def test_the_slice_shows_three_axes_and_follows_the_head(show_editor, qtbot):
    editor = show_editor(TASK, LARGE)
    qtbot.keyClick(editor.view, Qt.Key.Key_7)
    assert editor.slice_control.slice.fixed[6] == 1
    assert [slider.isVisible() for slider in editor.slice_control.sliders] == [False] * 3 + [True] * 4


def test_another_axis_of_the_slice_is_chosen_and_never_twice(show_editor, qtbot):
    editor = show_editor(TASK, LARGE)
    editor.slice_control.combos[0].setCurrentIndex(5)
    editor.slice_control.combos[1].setCurrentIndex(5)
    assert sorted({combo.currentIndex() for combo in editor.slice_control.combos}) == sorted(
        combo.currentIndex() for combo in editor.slice_control.combos
    )
    qtbot.waitUntil(lambda: editor.space.scene.axes[1] == "axis 5")


def test_a_slider_moves_the_slice_and_stops_following(show_editor, qtbot):
    editor = show_editor(TASK, LARGE)
    editor.slice_control.sliders[4].setValue(2)
    assert not editor.slice_control.follows.isChecked()
    qtbot.waitUntil(lambda: "cell 0,0,0,0,2,0,0" in set(editor.space.scene.ids()))


def test_a_click_on_a_next_cell_in_the_slice_is_a_step(started, qtbot):
    started.draw_later(reset_view=True)
    started.space.flush()
    next_cell = started.space.scene.item("next")
    x, y = started.space.project(next_cell.centers[next_cell.ids.index("cell 2,0,1")][None])[0]
    qtbot.mouseClick(started.space, LEFT, NONE, QPoint(round(x), round(y)))
    assert cells(started)[-1] == (2, 0, 1)


# Work in the background ----------------------------------------------------------------------------------------------


def test_going_on_finds_a_longer_path_as_one_step(started, qtbot):
    qtbot.keyClick(started.view, Qt.Key.Key_E)
    assert started.runner.labels == ["Looking for a longer path"]
    assert steps(started) == 1
    assert TASK.verify(SOLID, started.document.answer).passed


def test_a_path_that_was_changed_meanwhile_is_kept(started, qtbot):
    class Later:
        def run(self, label, function, *arguments, done, failed=None, quiet=False):
            self.finish = lambda: done(function(*arguments, progress=silent))

    started.commands.runner = Later()
    started.commands.extend()
    started.commands.step(0)
    started.commands.runner.finish()
    assert cells(started) == [(1, 0, 1), (2, 0, 1)]


# The quick functions -------------------------------------------------------------------------------------------------


def test_the_bound_on_what_is_still_possible_is_never_passed():
    field = SnakeField.of(SOLID.parameters)
    whole = Walk.of(field, TASK.solve(SOLID).cells)
    bests = [prospects_of(whole.cut(n)).best_length for n in range(1, 64)]
    assert bests == sorted(bests, reverse=True)
    assert bests[-1] == len(whole.path) == 63


def test_the_longest_path_has_nothing_to_gain():
    field = SnakeField.of(SOLID.parameters)
    path = list(Walk.of(field, TASK.solve(SOLID).cells).path)
    assert extend(field, path) == path


def test_an_axis_has_the_same_colour_in_the_plane_in_space_and_in_the_corner(show_editor):
    editor = show_editor(TASK, LARGE, path(LARGE, "b"))
    in_plane = editor.view.scene.item("steps").colors
    in_space = editor.space.scene
    assert list(in_space.item("steps").colors) == list(in_plane) == [axis_color(1)]
    assert in_space.axis_colors[editor.slice_control.slice.axes.index(1)] == axis_color(1)


# Classes of aids -----------------------------------------------------------------------------------------------------

HANDS = frozenset({Aid.VIEWING, Aid.EDITING})


def test_without_judging_a_path_goes_through_walls_and_itself(show_editor, qtbot):
    editor = show_editor(TASK, SOLID, aids=HANDS)
    qtbot.keyClick(editor.view, Qt.Key.Key_2)
    qtbot.keyClick(editor.view, Qt.Key.Key_2, SHIFT)
    assert cells(editor) == [(1, 0, 1), (1, 1, 1), (1, 0, 1)]


def test_without_judging_no_next_cells_are_marked(show_editor):
    editor = show_editor(TASK, SOLID, aids=HANDS)
    editor.draw_later(reset_view=True)
    assert not editor.plan.shows_next
    assert "next" not in [getattr(item, "name", "") for item in editor.space.scene.items]


def test_nothing_is_said_to_a_person_who_has_neither_ruler_nor_judge(show_editor):
    editor = show_editor(TASK, FLAT, path(FLAT, "aaabbb"), aids=HANDS)
    assert editor.status() == ""
    assert not editor.view.names_hovered


def test_a_ruler_finds_the_length_and_not_the_score(show_editor):
    editor = show_editor(TASK, FLAT, path(FLAT, "aaabbb"), aids=HANDS | {Aid.MEASURING})
    assert editor.status() == "7 cells · head (3, 3)"
    assert "open side" not in editor.panel.widgets["Food"].text()


def test_a_free_path_ends_at_the_edge_of_the_field():
    walk = FreeWalk.of(SnakeField.of(SOLID.parameters), [(1, 0, 1)])
    assert len(walk.run(2).path) == 4
    assert walk.refusal(3) == "axis 1 runs from 0 to 3"


def test_a_fault_is_drawn_red_only_where_it_is_judged(show_editor):
    answer = TASK.parse({"path": [{"pos": p} for p in ([0, 0], [1, 0], [2, 1], [1, 0])]})
    editor = show_editor(TASK, FLAT, answer, aids=HANDS)
    assert "wrong" not in [getattr(item, "name", "") for item in editor.view.scene.items]
    assert editor.view.scene.item("step 2").color == "text"
