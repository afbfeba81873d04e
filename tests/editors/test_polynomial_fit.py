"""The editor of polynomial_fit, driven by mouse and keyboard."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.polynomial_fit.editing import (
    STROKE_WEIGHT,
    combined,
    ellipse,
    expression_in,
    fit,
    function_of,
    half_plane,
    right_cells,
    rounded_while_right,
    values_at,
)
from spatial_workbench.engine.tasks.polynomial_fit.fitting import plain, separated
from spatial_workbench.widgets.editors.polynomial_fit.controls import monomial, position_of, value_at
from spatial_workbench.widgets.editors.polynomial_fit.drawing import FORMULA
from tests.editors.driving import HANDS
from tests.widgets.test_viewport3d import LEFT, drag

TASK = task_of("polynomial_fit")
CIRCLE = "11 - (x-4)**2 - (y-5)**2"


@pytest.fixture
def open_editor(show_editor):
    return lambda number=0: show_editor(TASK, TASK.instances()[number], size=(700, 700))


@pytest.fixture
def editor(open_editor):
    return open_editor()


def at(editor, x, y):
    px, py = editor.view.project(np.array([[x, y]], float))[0]
    return QPoint(round(px), round(py))


def type_formula(qtbot, editor, text):
    editor.field.text.setFocus()
    qtbot.keyClicks(editor.field.text, text)


def focus(qtbot, control):
    control.window().activateWindow()
    control.setFocus()
    qtbot.waitUntil(control.hasFocus)


def press(editor, text):
    next(action for action in editor.actions() if action.text() == text).trigger()


def test_a_verdict_leaves_the_picture_as_it_is(editor):
    editor.sheet.replace_function("Type", "def f(x,y): return x-3")
    drawn = editor.view.scene
    editor.document.set_verdict(editor.task.verify(editor.instance, editor.document.answer))
    assert editor.view.scene is drawn


def test_a_typed_formula_counts_as_it_is_typed_and_is_one_step(editor, qtbot):
    type_formula(qtbot, editor, CIRCLE)
    assert editor.sheet.function == f"def f(x,y): return {CIRCLE}"
    assert editor.document.undo_stack.count() == 1
    editor.document.undo_stack.undo()
    assert editor.sheet.function == ""
    assert editor.field.text.toPlainText() == ""


def test_a_mistake_is_told_with_its_place_and_the_last_formula_stays(editor, qtbot):
    type_formula(qtbot, editor, "x - y")
    type_formula(qtbot, editor, "^2")
    assert "Use ** for powers at line 1, column 6." in editor.field.error.text()
    (marked,) = editor.field.text.extraSelections()
    assert marked.cursor.selectedText() == "^"
    assert editor.sheet.function == "def f(x,y): return x - y"


def test_what_is_half_typed_survives_a_new_drawing(editor, qtbot):
    type_formula(qtbot, editor, "x - y + (")
    editor.document.set_verdict(TASK.verify(editor.instance, editor.document.answer), editor.document.revision)
    assert editor.field.text.toPlainText() == "x - y + ("
    assert editor.field.error.isVisible()


def test_a_whole_definition_can_be_pasted(editor):
    editor.field.text.setPlainText("def f(x,y):\n  return " + CIRCLE)
    assert editor.document.task.verify(editor.instance, editor.document.answer).checks[5].state == "passed"


def test_least_squares_and_separation_by_key(editor, qtbot):
    qtbot.keyClick(editor.view, "l")
    assert "cells right" in editor.status()
    qtbot.keyClick(editor.view, "e")
    assert editor.status().startswith("64 of 64 cells right · score 1.000 · degree 2 · 6 terms")
    qtbot.keyClick(editor.view, "r")
    assert TASK.verify(editor.instance, editor.document.answer).passed
    assert len(editor.sheet.function) < 170
    assert editor.document.undo_stack.count() == 3


def test_a_degree_that_is_too_low_is_told(open_editor, qtbot):
    editor = open_editor(1)
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.keyClick(editor.view, "e")
    assert blocker.args[0] == "No polynomial of degree 2 separates these cells; try a higher one."


def test_a_slider_previews_while_it_is_dragged_and_is_one_step(editor, qtbot):
    press(editor, "Least squares")
    row = editor.panel.widgets["Coefficients"].rows[0, 0]
    expected = value_at(950, row._top)
    before = editor.sheet.function
    row.slider.setSliderDown(True)
    row.slider.setSliderPosition(900)
    row.slider.setSliderPosition(950)
    assert editor.sheet.function == before
    assert editor.sheet.preview is not None
    row.slider.setSliderDown(False)
    assert editor.sheet.preview is None
    assert editor.sheet.coefficients[0, 0] == pytest.approx(expected)
    assert editor.document.undo_stack.count() == 2


def test_arrow_keys_on_a_slider_are_one_step(editor, qtbot):
    press(editor, "Least squares")
    slider = editor.panel.widgets["Coefficients"].rows[1, 0].slider
    focus(qtbot, slider)
    for _ in range(3):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert editor.document.undo_stack.count() == 2


def test_a_coefficient_can_be_typed(editor, qtbot):
    press(editor, "Least squares")
    field = editor.panel.widgets["Coefficients"].rows[0, 1].field
    focus(qtbot, field)
    field.selectAll()
    qtbot.keyClicks(field, "0.25")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: editor.sheet.coefficients[0, 1] == 0.25)


def test_a_double_click_sets_a_coefficient_to_zero(editor, qtbot):
    press(editor, "Least squares")
    slider = editor.panel.widgets["Coefficients"].rows[1, 1].slider
    qtbot.mouseDClick(slider, LEFT)
    assert editor.sheet.coefficients[1, 1] == 0


def test_painting_fits_to_the_stroke_and_undo_takes_the_stroke_back(editor, qtbot):
    press(editor, "Positive")
    drag(qtbot, editor.view, LEFT, at(editor, 2, 2), at(editor, 5, 2))
    assert editor.sheet.strokes
    assert all(editor.sheet.strokes.values())
    assert editor.sheet.values.marked[2, 3]
    assert editor.document.undo_stack.count() == 1
    editor.document.undo_stack.undo()
    assert editor.sheet.strokes == {}


def test_a_stroke_is_previewed_while_it_is_painted(editor, qtbot):
    press(editor, "Positive")
    qtbot.mousePress(editor.view, LEFT, pos=at(editor, 2, 2))
    assert editor.sheet.function == ""
    assert "cells right" in editor.status()
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert editor.sheet.preview is None
    qtbot.mouseRelease(editor.view, LEFT, pos=at(editor, 2, 2))
    assert editor.sheet.function == ""


def test_shift_paints_the_other_way(editor, qtbot):
    press(editor, "Positive")
    QTest.mouseClick(editor.view, LEFT, Qt.KeyboardModifier.ShiftModifier, at(editor, 0, 0))
    assert editor.sheet.strokes == {(0, 0): False}


def test_keys_move_a_cell_and_paint_it(editor, qtbot):
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(editor.view, key)
    assert editor.pointer.cursor == (3, 3)
    qtbot.keyClick(editor.view, Qt.Key.Key_Return)
    qtbot.keyClick(editor.view, Qt.Key.Key_Minus)
    assert editor.sheet.strokes == {(3, 3): False}
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert editor.sheet.strokes == {}


def test_an_ellipse_is_dragged_from_corner_to_corner_and_snaps_to_half_cells(editor, qtbot):
    press(editor, "Ellipse")
    drag(qtbot, editor.view, LEFT, at(editor, 1.1, 2.1), at(editor, 6.9, 7.4))
    assert editor.sheet.function == "def f(x,y): return 1 - (x-4)**2/9 - (y-4.75)**2/7.5625"
    assert editor.sheet.values.marked[5, 4]
    assert not editor.sheet.values.marked[0, 0]


def test_blocks_are_multiplied_where_that_is_chosen(editor, qtbot):
    editor.panel.widgets["Blocks"].setCurrentIndex(1)
    press(editor, "Half-plane")
    drag(qtbot, editor.view, LEFT, at(editor, 0, 4), at(editor, 6, 4))
    press(editor, "Ellipse")
    drag(qtbot, editor.view, LEFT, at(editor, 1, 1), at(editor, 5, 5))
    assert expression_in(editor.sheet.function) == "(0*(x) + 6*(y-4))*(1 - (x-3)**2/4 - (y-3)**2/4)"
    assert editor.document.undo_stack.count() == 2


def test_a_click_makes_no_block(editor, qtbot):
    press(editor, "Ellipse")
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.mouseClick(editor.view, LEFT, pos=at(editor, 4, 4))
    assert blocker.args[0] == "Drag to give the ellipse a size."
    assert editor.sheet.function == ""


def test_the_next_wrong_cell_is_the_nearest_to_zero(editor, qtbot):
    type_formula(qtbot, editor, CIRCLE)
    verdict = TASK.verify(editor.instance, editor.document.answer)
    editor.view.setFocus()
    for problem in verdict.checks[-1].problems[:2]:
        qtbot.keyClick(editor.view, "n")
        assert editor.view.selection == problem.elements


def test_the_legend_counts_found_missed_and_extra_cells(editor, qtbot):
    assert editor.panel.widgets["Cells"].words() == ["Target 30", "Missed 0", "Extra 0"]
    type_formula(qtbot, editor, "x - 3 + 0*y")
    hit = (editor.sheet.target & (np.arange(8) > 3)).sum()
    assert editor.panel.widgets["Cells"].words() == [f"Found {hit}", f"Missed {30 - hit}", f"Extra {32 - hit}"]


def test_every_cell_can_be_pointed_at_and_tells_its_value(editor, qtbot):
    type_formula(qtbot, editor, "x - 3 + 0*y")
    pick = editor.view.pick(at(editor, 0, 0).toPointF())
    assert editor.words.describe(pick) == ("(0, 0) · needs f ≤ 0", "f = -3")
    qtbot.mouseMove(editor.view, at(editor, 7, 0))
    assert "f = 4 · extra" in editor.words.describe(editor.view.pick(at(editor, 7, 0).toPointF()))[1]
    assert editor.status().startswith("(7, 0): f = 4")


def test_the_view_shows_the_target_or_the_formula_alone(editor, qtbot):
    type_formula(qtbot, editor, CIRCLE)
    editor.panel.widgets["Show"].setCurrentIndex(1)
    assert [item.name for item in editor.view.scene.items] == ["cell", "empty"]
    editor.panel.widgets["Show"].setCurrentIndex(2)
    assert len(editor.view.scene.item("cell").cells) == editor.sheet.values.marked.sum()


def test_a_formula_that_cannot_be_multiplied_out_greys_the_sliders(editor):
    editor.field.text.setPlainText("(x+y)**12 - 1e9")
    assert not editor.panel.widgets["Coefficients"].isEnabled()
    editor.field.text.setPlainText(CIRCLE)
    assert editor.panel.widgets["Coefficients"].isEnabled()


# Pure functions ------------------------------------------------------------------------------------------------------


def test_a_function_and_its_expression_are_read_either_way():
    assert expression_in(function_of(CIRCLE)) == CIRCLE
    assert function_of(function_of(CIRCLE)) == function_of(CIRCLE)


def test_blocks_without_a_size_are_none():
    assert ellipse((1, 1), (1, 5)) is None
    assert half_plane((1, 1), (1, 1)) is None


def test_blocks_are_combined():
    assert combined("x", "y", "add") == "(x) + (y)"
    assert combined("x", "y", "multiply") == "(x)*(y)"
    assert combined("", "y", "multiply") == combined("x", "y", "replace") == "y"


def test_without_the_target_only_strokes_count():
    target = np.zeros((9, 9), bool)
    coefficients = fit(target, 1, {(0, 4): False, (8, 4): True}, with_target=False)
    assert coefficients[1, 0] == pytest.approx(1, abs=0.05)


def test_a_painted_cell_counts_as_much_as_many_others():
    target = np.hypot(*np.mgrid[-6:7, -6:7]) < 4.2
    strokes = {(0, 4): True, (8, 4): False}
    rows = np.array([[1, x, y, x * x, x * y, y * y] for y, x in np.ndindex(target.shape)], float)
    goal = np.where(target, 1.0, -1.0)
    weights = np.ones(target.shape)
    for (x, y), positive in strokes.items():
        goal[y, x] = 1.0 if positive else -1.0
        weights[y, x] = STROKE_WEIGHT
    root = np.sqrt(weights.ravel())
    closest = rows @ np.linalg.lstsq(rows * root[:, None], goal.ravel() * root, rcond=None)[0]
    values = values_at(fit(target, 2, strokes), np.arange(13.0), 13)
    np.testing.assert_allclose(values.ravel(), closest, atol=1e-9)


def test_rounding_loses_no_cell():
    target = np.hypot(*np.mgrid[-6:7, -6:7]) < 4.2
    exact = plain(separated(target, 2))
    short = rounded_while_right(exact, target)
    assert right_cells(short, target) == 169
    assert len(str(short[2, 0])) < len(str(exact[2, 0]))


@pytest.mark.parametrize("value", [0.0, 1.0, -0.01, 0.37, -1.0])
def test_a_slider_s_position_and_value_belong_together(value):
    assert value_at(position_of(value, 1.0), 1.0) == pytest.approx(value, rel=0.01)


def test_monomials_are_written_with_superscripts():
    assert [monomial(0, 0), monomial(1, 0), monomial(2, 10)] == ["1", "u", "u²v¹⁰"]


def test_the_cell_that_keys_paint_is_drawn_where_the_keys_moved_it(editor, qtbot):
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    before = editor.view.scene.item("cursor").points
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    assert np.allclose(editor.view.scene.item("cursor").points - before, [1, 0])


def opened_with(show_editor, aids):
    editor = show_editor(TASK, TASK.instances()[0], size=(700, 700), aids=aids)
    editor.sheet.replace_function("Type", f"def f(x,y): return {CIRCLE}")
    return editor


def test_by_hand_neither_values_nor_faults_are_told(show_editor):
    editor = opened_with(show_editor, HANDS)
    assert editor.status() == ""
    assert not editor.view.names_hovered
    assert "Show" not in editor.panel.widgets


def test_by_hand_the_cells_show_the_target_alone(show_editor):
    editor = opened_with(show_editor, HANDS)
    before = list(editor.view.scene.ids())
    editor.sheet.replace_function("Type", "def f(x,y): return x-1")
    assert list(editor.view.scene.ids()) == before


def test_without_judging_target_and_formula_are_shown_one_at_a_time(show_editor):
    editor = opened_with(show_editor, HANDS | {Aid.MEASURING})
    show = editor.panel.widgets["Show"]
    assert [show.itemText(k) for k in range(show.count())] == ["Target only", "Formula only"]
    show.setCurrentIndex(1)
    assert editor.drawing.shown.value == FORMULA
    assert "degree 2" in editor.status()
    assert "score" not in editor.status()


SLOW = "def f(x,y): return " + " + ".join(["(x-y)**9 - (x-y)**9"] * 8)
"""Terms cancel so far that doubles lose the sign, and every cell has to be computed with Python's own numbers."""


class Waiting:
    """A runner whose work ends when the test says so."""

    def run(self, label, function, *arguments, done, failed):
        self.finish = lambda: done(function(*arguments))
        return self

    def cancel(self):
        self.finish = None


@pytest.mark.slow
def test_a_formula_that_takes_long_is_worked_out_in_the_background(open_editor):
    editor = open_editor(8)
    editor.sheet.runner = Waiting()
    editor.sheet.replace_function("Type formula", SLOW)
    assert editor.sheet.values is None
    editor.sheet.runner.finish()
    assert not editor.sheet.values.marked.any()


def test_a_formula_that_follows_a_slow_one_is_the_one_that_is_shown(open_editor):
    editor = open_editor(8)
    editor.sheet.runner = Waiting()
    editor.sheet.replace_function("Type formula", SLOW)
    editor.sheet.replace_function("Type formula", "def f(x,y): return x-y")
    assert editor.sheet.runner.finish is None
    assert editor.sheet.values is not None
    assert editor.sheet.values.marked[0, 1]
