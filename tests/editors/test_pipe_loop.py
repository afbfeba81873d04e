"""The editor of pipe_loop, driven by mouse and keyboard."""

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.tasks.pipe_loop import PipeLoop, PipeLoopAnswer, loop_answer
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.pipe_loop import PipeLoopEditor
from spatial_workbench.widgets.editors.pipe_loop.gestures import BumpTool, LayTool, MoveTool, SpikeTool
from tests.editors.driving import HANDS, at, steps
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = PipeLoop()
FREE = TASK.instances()[10]
STAR = TASK.instances()[18]
WALLS = TASK.instances()[11]
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key
CHAIN = [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]
RECTANGLE = [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (3.0, 2.0), (2.0, 2.0), (1.0, 2.0)]


@pytest.fixture
def open_editor(show_editor):
    def opened(instance=FREE, points=(), **options):
        return show_editor(TASK, instance, loop_answer(points), (860, 640), **options)

    return opened


@pytest.fixture
def editor(open_editor):
    return open_editor()


def points(editor):
    return [(round(x, 2), round(y, 2)) for x, y in editor.document.answer.places]


def click(qtbot, editor, place, modifiers=NONE):
    qtbot.mouseClick(editor.view, LEFT, modifiers, at(editor, place))


def move_to(editor, place, button=Qt.MouseButton.NoButton, modifiers=NONE):
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, place), button, modifiers))


def worst_error(editor):
    places = editor.document.answer.places
    ends = [*places[1:], places[0]] if editor.chain.closed else places[1:]
    return max(abs(math.dist(a, b) - 1) for a, b in zip(places, ends, strict=False))


def row(editor, name):
    return next(candidate for candidate in editor.rows if candidate.name == name)


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is PipeLoopEditor


def test_the_places_are_read_once_an_answer_however_many_joints_are_chosen(open_editor, monkeypatch):
    reads = []
    plain = PipeLoopAnswer.places.fget
    monkeypatch.setattr(PipeLoopAnswer, "places", property(lambda answer: reads.append(answer) or plain(answer)))
    editor = open_editor(points=RECTANGLE)
    editor.view.set_selection([f"point {i}" for i in range(6)])
    assert editor.chain.joints.all_chosen == list(range(6))
    assert len(reads) == 1


# Laying --------------------------------------------------------------------------------------------------------------


def test_clicks_lay_pipes_of_one_metre_towards_the_pointer(qtbot, editor):
    click(qtbot, editor, (1, 1), CTRL)
    click(qtbot, editor, (3.5, 1), CTRL)
    click(qtbot, editor, (2.1, 4), CTRL)
    assert points(editor) == [(1, 1), (2, 1), (2, 2)]
    assert steps(editor) == 3


def test_without_snapping_the_pipe_points_at_the_pointer(qtbot, open_editor):
    editor = open_editor(points=CHAIN[:1])
    click(qtbot, editor, (2.2, 2.6))
    assert worst_error(editor) < 1e-5
    assert math.atan2(points(editor)[1][1] - 1, points(editor)[1][0] - 1) == pytest.approx(
        math.atan2(1.6, 1.2), abs=0.02
    )


def test_shift_snaps_to_15_degrees(qtbot, open_editor):
    editor = open_editor(points=CHAIN[:1])
    click(qtbot, editor, (2, 1.5), SHIFT)
    assert points(editor)[1] == (round(1 + math.cos(math.radians(30)), 2), 1.5)


def test_the_pipe_to_come_is_shown_before_the_click(qtbot, open_editor):
    editor = open_editor(points=CHAIN)
    move_to(editor, (3, 2.5))
    assert np.allclose(editor.view.ghost[0].points[1], (3, 2), atol=0.02)


def test_a_pipe_out_of_the_square_is_refused_with_the_reason(qtbot, open_editor):
    editor = open_editor(points=[(0.5, 1.0)])
    move_to(editor, (0.1, 1))
    assert editor.view.ghost_reason == "The pipe would leave the square."
    with qtbot.waitSignal(editor.message):
        click(qtbot, editor, (0.1, 1))
    assert steps(editor) == 0


def test_near_the_closing_place_the_chain_closes(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE[:5])
    click(qtbot, editor, (1.05, 2.05))
    assert points(editor) == RECTANGLE
    assert editor.chain.closed


def test_return_lays_a_pipe_at_the_heading(qtbot, open_editor):
    editor = open_editor(points=CHAIN)
    editor.chain.heading_deg.put(90)
    qtbot.keyClick(editor.view, Key.Key_Return)
    assert points(editor)[-1] == (3, 2)


def test_backspace_takes_the_last_pipe_back(qtbot, open_editor):
    editor = open_editor(points=CHAIN)
    qtbot.keyClick(editor.view, Key.Key_Backspace)
    assert points(editor) == CHAIN[:2]


# Moving --------------------------------------------------------------------------------------------------------------


def test_a_dragged_joint_takes_the_loop_along_in_one_step(qtbot, open_editor):
    editor = open_editor(STAR, TASK.solve(STAR).places)
    qtbot.keyClick(editor.view, Key.Key_M)
    drag(qtbot, editor.view, LEFT, at(editor, (3.5, 3.5)), at(editor, (3.9, 3.2)))
    assert math.dist(editor.document.answer.places[0], (3.9, 3.2)) < 0.05
    assert worst_error(editor) < 0.02
    assert steps(editor) == 1
    editor.document.undo_stack.undo()
    assert editor.document.answer.places[0] == (3.5, 3.5)


def test_while_a_joint_is_dragged_the_history_waits_and_the_checks_follow(qtbot, open_editor):
    editor = open_editor(STAR, TASK.solve(STAR).places)
    editor.view.set_tool(MoveTool(editor.chain))
    qtbot.mousePress(editor.view, LEFT, pos=at(editor, (3.5, 3.5)))
    move_to(editor, (4.2, 3.0), LEFT)
    assert row(editor, "start").met is False
    assert steps(editor) == 0
    qtbot.keyClick(editor.view, Key.Key_Escape)
    assert row(editor, "start").met is True


def test_a_dragged_pipe_moves_parallel(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE)
    editor.view.set_tool(MoveTool(editor.chain))
    drag(qtbot, editor.view, LEFT, at(editor, (1.5, 1)), at(editor, (1.5, 0.8)))
    assert worst_error(editor) < 0.02
    assert points(editor)[0][1] < 0.95
    assert steps(editor) == 1


def test_a_locked_joint_stays(qtbot, open_editor):
    editor = open_editor(points=[*CHAIN, (4.0, 1.0)])
    editor.chain.joints.choose(1)
    qtbot.keyClick(editor.view, Key.Key_K)
    editor.view.set_tool(MoveTool(editor.chain))
    drag(qtbot, editor.view, LEFT, at(editor, (3, 1)), at(editor, (2.7, 1.7)))
    assert points(editor)[:2] == CHAIN[:2]


def test_the_end_of_an_open_chain_turns_about_the_joint_before_it(qtbot, open_editor):
    editor = open_editor(points=CHAIN)
    editor.view.set_tool(MoveTool(editor.chain))
    drag(qtbot, editor.view, LEFT, at(editor, (3, 1)), at(editor, (2, 3)))
    assert points(editor) == [(1, 1), (2, 1), (2, 2)]


def test_a_box_chooses_joints(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE)
    editor.view.set_tool(MoveTool(editor.chain))
    drag(qtbot, editor.view, LEFT, at(editor, (1.5, 0.5)), at(editor, (3.5, 1.5)))
    assert sorted(editor.chain.joints.all_chosen) == [1, 2]


def test_bracket_keys_chooses_joints_and_arrows_move_them(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE)
    qtbot.keyClick(editor.view, Key.Key_BracketRight)
    assert editor.chain.joints.chosen == 0
    qtbot.keyClick(editor.view, Key.Key_Down)
    qtbot.keyClick(editor.view, Key.Key_Down)
    assert points(editor)[0][1] == pytest.approx(0.9, abs=0.02)
    assert worst_error(editor) < 0.02
    assert steps(editor) == 1


def test_typed_coordinates_move_the_chosen_joint(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE)
    editor.chain.joints.choose(1)
    field = editor.panel.widgets["Position"].fields[1]
    editor.tools.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, "0.8")
    qtbot.keyClick(field, Key.Key_Return)
    assert points(editor)[1][1] == pytest.approx(0.8, abs=0.03)


# Bumps, spikes, stretches --------------------------------------------------------------------------------------------


def test_a_click_pushes_a_bump_out_and_shift_pulls_it_in(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE)
    qtbot.keyClick(editor.view, Key.Key_B)
    click(qtbot, editor, (2.5, 2.05))
    assert points(editor) == [*RECTANGLE[:4], (3, 3), (2, 3), *RECTANGLE[4:]]
    click(qtbot, editor, (2.5, 3), SHIFT)
    assert points(editor) == RECTANGLE


def test_a_spike_has_the_chosen_legs(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE)
    qtbot.keyClick(editor.view, Key.Key_S)
    assert isinstance(editor.view.tool, SpikeTool)
    click(qtbot, editor, (1.5, 2.05))
    assert len(points(editor)) == 9
    assert worst_error(editor) < 1e-5


def test_more_pipes_than_there_are_is_refused(qtbot, open_editor):
    editor = open_editor(TASK.instances()[1], [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)])
    editor.view.set_tool(BumpTool(editor.chain))
    move_to(editor, (1.5, 1.02))
    assert editor.view.ghost_reason == "That takes 2 more than the 6 pipes."
    click(qtbot, editor, (1.5, 1.02))
    assert steps(editor) == 0


def test_return_pushes_out_the_pipe_after_the_chosen_joint(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE[::-1])
    editor.view.set_tool(BumpTool(editor.chain))
    editor.chain.joints.choose(0)
    qtbot.keyClick(editor.view, Key.Key_Return)
    assert points(editor)[1:3] == [(1, 3), (2, 3)]
    editor.chain.joints.choose(1)
    qtbot.keyClick(editor.view, Key.Key_Return, SHIFT)
    assert points(editor) == RECTANGLE[::-1]


def test_a_stretch_is_mirrored_and_turned(qtbot, open_editor):
    bumpy = [*RECTANGLE[:4], (3.0, 3.0), (2.0, 3.0), *RECTANGLE[4:]]
    editor = open_editor(points=bumpy)
    editor.chain.joints.choose(3)
    editor.chain.joints.choose(6, add=True)
    qtbot.keyClick(editor.view, Key.Key_M, SHIFT)
    assert points(editor)[4:6] == [(3, 1), (2, 1)]
    editor.document.undo_stack.undo()
    qtbot.keyClick(editor.view, Key.Key_T)
    assert points(editor)[4:6] == [(3, 1), (2, 1)]
    assert worst_error(editor) < 1e-5


# The whole chain -----------------------------------------------------------------------------------------------------


def test_close_adds_the_last_two_pipes_or_tells_the_gap(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE[:5])
    qtbot.keyClick(editor.view, Key.Key_C)
    assert points(editor) == RECTANGLE
    wide = open_editor(points=[*CHAIN, (4.0, 1.0)])
    with qtbot.waitSignal(wide.message) as blocker:
        qtbot.keyClick(wide.view, Key.Key_C)
    assert blocker.args == ["The gap is 3.00 m; two pipes reach 2 m."]


def test_a_ring_relaxes_until_every_check_passes_in_one_step(qtbot, editor):
    qtbot.keyClick(editor.view, Key.Key_G, SHIFT)
    assert len(points(editor)) == 24
    qtbot.keyClick(editor.view, Key.Key_R)
    assert editor.chain.is_relaxing
    qtbot.waitUntil(lambda: not editor.chain.is_relaxing)
    assert TASK.verify(FREE, editor.document.answer).passed
    assert steps(editor) == 2


def test_relaxing_can_be_stopped_and_dropped(qtbot, open_editor):
    editor = open_editor(points=[(1.0, 1.0), (3.0, 1.0), (2.0, 2.5)])
    qtbot.keyClick(editor.view, Key.Key_R)
    qtbot.keyClick(editor.view, Key.Key_R)
    assert not editor.chain.is_relaxing
    qtbot.keyClick(editor.view, Key.Key_R)
    qtbot.keyClick(editor.view, Key.Key_Escape)
    assert (editor.chain.is_relaxing, points(editor)[0]) == (False, points(editor)[0])


# What is shown -------------------------------------------------------------------------------------------------------


def test_the_rows_tell_every_constraint_before_there_is_a_pipe(open_editor):
    editor = open_editor(WALLS)
    assert [line.name for line in editor.rows] == ["pipes", "walls touched", "turns"]
    assert "at least 3 of the four sides" in editor.panel.widgets["Live checks"].lines[1].words.text()


def test_the_rows_show_live_values(open_editor):
    editor = open_editor(WALLS, TASK.solve(WALLS).places)
    assert row(editor, "walls touched").value.startswith("4 (left, right, bottom, top)")
    assert all(line.met for line in editor.rows)


def test_an_open_chain_is_not_blamed_for_its_gap(open_editor):
    editor = open_editor(points=[*CHAIN, (4.0, 1.0)])
    assert row(editor, "closing pipe").met is None
    assert editor.view.style_.roles == {}


def test_a_clicked_row_shows_what_is_wrong(qtbot, open_editor):
    editor = open_editor(points=[*RECTANGLE[:3], (3.0, 2.5), *RECTANGLE[4:]])
    index = next(k for k, line in enumerate(editor.rows) if line.met is False)
    qtbot.mouseClick(editor.panel.widgets["Live checks"].lines[index], LEFT)
    assert set(editor.view.selection) == set(editor.rows[index].elements)


def test_what_is_under_the_pointer_is_described(open_editor):
    editor = open_editor(points=RECTANGLE)
    assert editor._describe(editor.view.pick(at(editor, (1.5, 1)).toPointF())) == ("Pipe 0", "1.000 m")
    assert editor._describe(editor.view.pick(at(editor, (2, 1)).toPointF())) == ("Joint 1", "(2.000, 1.000) · 180.0°")


def test_the_status_counts_pipes(open_editor):
    assert open_editor().status() == "0 of 24 pipes"
    assert open_editor(points=CHAIN).status() == "2 of 24 pipes · gap 2.00 m"
    assert open_editor(points=RECTANGLE).status() == "6 of 24 pipes · closed"


def test_the_lay_tool_is_there_at_the_start(editor):
    assert isinstance(editor.view.tool, LayTool)


# Classes of aids -----------------------------------------------------------------------------------------------------


def test_who_is_not_judged_may_leave_the_square_and_lay_more_pipes_than_there_are(qtbot, open_editor):
    editor = open_editor(TASK.instances()[0], [(0.5, 0.5), (1.0, 0.5), (0.9, 0.9)], aids=HANDS)
    click(qtbot, editor, (-0.5, 0.9))
    assert points(editor)[3:] == [(-0.1, 0.9)]
    editor.chain.heading_deg.put(180)
    qtbot.keyClick(editor.view, Key.Key_Return)
    assert points(editor)[4:] == [(-1.1, 0.9)]


def test_hands_see_neither_measures_nor_what_is_wrong(open_editor):
    editor = open_editor(WALLS, [*CHAIN, (3.0, 2.5)], aids=HANDS)
    assert (editor.chain.gap_in_words, editor.status(), editor.marked()) == ("", "", {})
    colors = {
        color
        for item in editor.view.scene.items
        for color in np.atleast_1d(item.colors if hasattr(item, "colors") else item.color)
    }
    assert not colors & {"passed", "failed"}


def test_hands_are_not_drawn_to_the_place_that_closes_the_chain(qtbot, open_editor):
    editor = open_editor(points=RECTANGLE[:5], aids=HANDS)
    click(qtbot, editor, (1.05, 2.05))
    assert points(editor)[5:] != RECTANGLE[5:]


def test_who_measures_reads_values_without_lamps(open_editor):
    editor = open_editor(WALLS, [*CHAIN, (3.0, 2.5)], aids=HANDS | {Aid.MEASURING})
    assert [line.name for line in editor.rows if line.met is not None] == []
    assert row(editor, "worst length error").value == "0.500 m"
    assert not editor.panel.widgets["Live checks"].lines[0].lamp.isVisible()
