"""What the editor has beside the cube: the net, what an agent sees, painting a real cube, the translation drill."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QDialog

from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.cube.facelets import SOLVED, apply_move, apply_moves
from spatial_workbench.engine.cube.geometry import LABELS, PLACES, STICKER_NORMALS
from spatial_workbench.engine.cube.strings import colours_of_faces, solver_of_colours
from spatial_workbench.widgets.cube_net import CubeNet
from spatial_workbench.widgets.editors.cube.drill import DrillDialog
from spatial_workbench.widgets.editors.cube.gestures import turn_of_drag, ways_of
from spatial_workbench.widgets.editors.cube.graphs import RewardGraphs
from spatial_workbench.widgets.editors.cube.observation import ObservationPane
from spatial_workbench.widgets.editors.cube.painting import PaintingDialog
from tests.editors.driving import HANDS, SynchronousRunner, steps
from tests.widgets.test_viewport3d import drag

STATE = colours_of_faces(apply_moves(SOLVED, ["R", "U", "F'", "L2"]))
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def painting(qtbot):
    dialog = PaintingDialog(SynchronousRunner())
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def middle(net, number):
    return net.place_of(number).center().toPoint()


def test_every_sticker_of_the_net_can_be_pressed(qtbot):
    net = CubeNet()
    qtbot.addWidget(net)
    net.resize(300, 400)
    assert [net.sticker_at(QPointF(middle(net, i))) for i in range(54)] == list(range(54))


def test_a_net_that_is_not_paintable_ignores_presses(qtbot):
    net = CubeNet()
    qtbot.addWidget(net)
    pressed = []
    net.sticker_pressed.connect(pressed.append)
    qtbot.mouseClick(net, LEFT, pos=middle(net, 0))
    assert pressed == []


def test_a_stroke_paints_stickers_in_the_colour_of_the_brush(painting, qtbot):
    painting.choose_colour("G")
    qtbot.mousePress(painting.net, LEFT, pos=middle(painting.net, 0))
    painting.net.sticker_pressed.emit(1)
    assert painting.state[:2] == "GG"


def test_a_key_chooses_the_colour_and_ctrl_z_takes_a_stroke_back(painting, qtbot):
    qtbot.keyClick(painting, Qt.Key.Key_Y)
    painting.paint(0)
    assert painting.state[0] == "Y"
    qtbot.keyClick(painting, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert painting.state[0] == "?"


def test_centres_cannot_be_painted(painting):
    painting.choose_colour("G")
    painting.paint(4)
    assert painting.state[4] == "O"
    assert "Centres cannot be painted" in painting._note.text()


def test_what_is_missing_or_wrong_is_told_after_every_stroke(painting):
    assert "48 stickers are not painted yet" in painting._note.text()
    painting.set_state(STATE)
    assert "possible" in painting._note.text()
    painting.choose_colour(STATE[1])
    painting.paint(0 if STATE[0] != STATE[1] else 2)
    assert "E_COUNT" in painting._note.text()
    assert not painting._solve.isEnabled()


def test_the_stickers_of_a_twisted_corner_are_ringed(painting):
    state = list(STATE)
    u9, r1, f3 = (LABELS.index(name) for name in ("U9", "R1", "F3"))
    state[u9], state[r1], state[f3] = state[r1], state[f3], state[u9]
    painting.set_state("".join(state))
    assert "E_TWIST" in painting._note.text()


def test_the_depth_of_a_painted_cube_is_worked_out(painting, qtbot):
    painting.set_state(STATE)
    qtbot.mouseClick(painting._depth, LEFT)
    assert painting._note.text().startswith("Depth 4.")


def test_a_painted_cube_is_handed_on_to_be_solved(painting, qtbot):
    painting.set_state(STATE)
    with qtbot.waitSignal(painting.state_chosen) as chosen:
        qtbot.mouseClick(painting._solve, LEFT)
    assert chosen.args == [STATE]


@pytest.mark.parametrize("setting", ["full_symbolic", "full_visual", "face_view", "vertex_view"])
def test_each_setting_shows_what_its_agents_see(qtbot, setting):
    pane = ObservationPane(setting)
    qtbot.addWidget(pane)
    pane.show_state(STATE)
    assert pane.can_move == (setting in ("face_view", "vertex_view"))
    assert (STATE[:9] in pane._text.text()) == (setting == "full_symbolic")


def test_arrow_keys_move_the_camera(qtbot):
    pane = ObservationPane("face_view")
    qtbot.addWidget(pane)
    pane.show_state(STATE)
    with qtbot.waitSignal(pane.view_moved):
        qtbot.keyClick(pane, Qt.Key.Key_Left)
    assert pane.view.id == "L/U"


def test_a_camera_at_the_top_says_that_it_stays(qtbot):
    pane = ObservationPane("vertex_view")
    qtbot.addWidget(pane)
    with qtbot.waitSignal(pane.message) as blocker:
        pane.move_view("up")
    assert "already at the top" in blocker.args[0]


def test_the_graphs_follow_the_moves(qtbot):
    graphs = RewardGraphs()
    qtbot.addWidget(graphs)
    graphs.show_moves(colours_of_faces(apply_moves(SOLVED, ["R"])), ["R'"])
    assert [values[-1] for values in graphs._values] == [54, 6, 7]
    graphs.grab()


def test_the_drill_tells_only_what_the_solver_would_tell(qtbot):
    drill = DrillDialog(STATE)
    qtbot.addWidget(drill)
    assert not drill.check()
    assert "E_LENGTH" in drill._note.text()
    for k, face in enumerate("URFDLB"):
        drill.fields[face].setText(solver_of_colours(STATE)[9 * k : 9 * k + 9])
    assert drill.check()


def test_the_drill_accepts_another_legal_cube_and_says_so(qtbot):
    drill = DrillDialog(STATE)
    qtbot.addWidget(drill)
    for face in "URFDLB":
        drill.fields[face].setText(face * 9)
    assert not drill.check()
    assert "different cube" in drill._note.text()


def test_four_turns_of_a_face_in_the_drill_are_none(qtbot):
    drill = DrillDialog(STATE)
    qtbot.addWidget(drill)
    drill.fields["B"].setText("UUFBBDLLR")
    for _ in range(4):
        drill.turn("B")
    assert drill.fields["B"].text() == "UUFBBDLLR"


# In the editor -------------------------------------------------------------------------------------------------------


@pytest.fixture
def editor(show_editor):
    task = task_of("cube_full_symbolic")
    return show_editor(task, task.instances()[12], size=(1100, 760))


@pytest.fixture
def partial(show_editor):
    task = task_of("cube_vertex_view")
    return show_editor(task, task.instances()[12], size=(1100, 760))


@pytest.mark.parametrize(
    ("sticker", "way", "move"),
    [
        ("F3", (1, 0, 0), "U'"),
        ("F3", (-1, 0, 0), "U"),
        ("F3", (0, 1, 0), "R"),
        ("F1", (0, 1, 0), "L'"),
        ("F7", (1, 0, 0), "D"),
        ("U9", (1, 0, 0), "F"),
        ("F5", (1, 0, 0), None),
        ("F2", (0, 1, 0), None),
    ],
)
def test_a_drag_of_a_sticker_is_the_turn_that_carries_it(sticker, way, move):
    assert turn_of_drag(LABELS.index(sticker), way) == move


@pytest.mark.parametrize("sticker", range(54))
def test_every_turn_by_drag_carries_its_sticker_along(sticker):
    marked = "".join("X" if i == sticker else "." for i in range(54))
    for way in ways_of(sticker):
        move = turn_of_drag(sticker, way)
        if move is not None:
            now = apply_move(marked, move).index("X")
            went = np.array(PLACES[now]) + STICKER_NORMALS[now] - np.array(PLACES[sticker]) - STICKER_NORMALS[sticker]
            assert went @ np.array(way) > 0


def test_dragging_a_layer_turns_it_as_one_step(editor, qtbot):
    f3, f1 = (editor.view.scene.item("stickers").ids.index(f"sticker {name}") for name in ("F3", "F1"))
    places = editor.view.project(editor.view.scene.item("stickers").centers[[f3, f1]])
    start, goal = (QPoint(round(x), round(y)) for x, y in places)
    drag(qtbot, editor.view, LEFT, start, goal)
    assert editor.document.answer.moves == ("U",)
    assert steps(editor) == 1


def test_partial_views_are_played_with_the_agents_view_alone(partial):
    assert partial.stack.currentWidget() is partial.observation
    assert not partial.panel.widgets["Net"].isVisible()
    assert "stickers" not in partial.status()


def test_practice_shows_the_whole_cube(partial):
    partial.show_whole(True)
    assert partial.stack.currentWidget() is partial.view
    assert partial.panel.widgets["Net"].isVisible()


def test_keys_turn_the_cube_under_partial_observation_too(partial, qtbot):
    qtbot.keyClick(partial.observation, Qt.Key.Key_R)
    assert partial.document.answer.moves == ("R",)


def test_a_hint_tells_the_next_move_of_a_shortest_solution(editor):
    editor.advice.hint()
    assert "Next:" in editor.panel.widgets["What is known about the solution"].text()
    assert "shortest solution" in editor.panel.widgets["What is known about the solution"].text()


def test_the_distance_is_told(editor):
    editor.advice.show_distance()
    assert editor.panel.widgets["What is known about the solution"].text().startswith("3 moves are needed")


def test_the_net_and_the_graphs_follow_the_moves(editor, qtbot):
    editor.moves.turn("R")
    assert editor.panel.widgets["Net"]._state == editor.moves.run.state
    assert len(editor.panel.widgets["Rewards"]._values[0]) == 2
    assert "1 move " in editor.panel.widgets["By hand"].text()


def test_the_clock_warns_two_minutes_before_the_time_of_an_agent_is_over(editor, qtbot):
    editor.show_seconds(28 * 60 - 1)
    with qtbot.waitSignal(editor.message) as blocker:
        editor.show_seconds(28 * 60)
    assert "28:00 of 30:00" in editor.panel.widgets["By hand"].text()
    assert "Two of the 30 minutes" in blocker.args[0]


def test_a_painted_cube_asks_for_a_tab_of_its_own(editor, qtbot):
    editor.advice.paint()
    dialog = editor.findChild(PaintingDialog)
    dialog.set_state(STATE)
    with qtbot.waitSignal(editor.open_requested) as asked:
        qtbot.mouseClick(dialog._solve, LEFT)
    assert asked.args == [f"{editor.task.id}@0?state=%22{STATE}%22"]
    assert not dialog.isVisible()


def test_painting_and_the_drill_open_from_the_editor(editor, qtbot):
    editor.advice.paint()
    editor.advice.drill()
    dialogs = [child for child in editor.findChildren(QDialog) if child.isVisible()]
    assert {type(dialog) for dialog in dialogs} == {PaintingDialog, DrillDialog}
    for dialog in dialogs:
        dialog.close()


# Without aids --------------------------------------------------------------------------------------------------------


@pytest.fixture
def by_hand(show_editor):
    task = task_of("cube_full_symbolic")
    return show_editor(task, task.instances()[12], task.solve(task.instances()[12]), aids=HANDS)


def test_without_judging_nobody_learns_that_the_cube_is_solved(by_hand, qtbot):
    solved = by_hand.document.answer.moves
    qtbot.keyClick(by_hand.view, Qt.Key.Key_R)
    assert by_hand.document.answer.moves == (*solved, "R")
    assert by_hand.status() == ""


def test_without_judging_the_cube_turns_on_after_it_was_solved(by_hand):
    before = by_hand.moves.run.state
    by_hand.moves.turn("R")
    assert by_hand.moves.run.state == apply_move(before, "R")


def test_without_judging_there_are_no_graphs_and_without_measuring_no_counts(by_hand):
    assert {"Net", "Moves"} <= by_hand.panel.widgets.keys()
    assert not {"Rewards", "By hand"} & by_hand.panel.widgets.keys()


def test_a_partial_view_shows_the_whole_cube_only_to_those_who_may_solve_with_help(show_editor):
    task = task_of("cube_vertex_view")
    editor = show_editor(task, task.instances()[12], aids=HANDS)
    assert "Show the whole cube" not in editor.panel.widgets
    assert not editor.panel.widgets["Net"].isVisible()
    assert not editor.side.isVisible()


def test_what_is_typed_stays_when_the_panel_is_refreshed(editor, qtbot):
    field = editor.panel.widgets["Moves"].field
    qtbot.keyClicks(field, "R U")
    editor.refresh()
    assert field.text() == "R U"
