"""The editor of two_segments, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.tasks.two_segments import TwoSegments, answer_at
from spatial_workbench.engine.tasks.two_segments.board import SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.editing import END_NAMES, SegmentsTally, affine_frame, nudged, on_grid
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.editors.two_segments import TwoSegmentsEditor
from spatial_workbench.widgets.editors.two_segments.counts import in_words
from spatial_workbench.widgets.editors.two_segments.drawing import BoardMarks
from spatial_workbench.widgets.editors.two_segments.gestures import SegmentsDrawTool, SegmentsMoveTool
from tests.editors.driving import HANDS, at, steps
from tests.widgets.test_viewport3d import LEFT, _move, drag

TASK = TwoSegments()
FREE = TASK.instances()[6]
GRID = TASK.instances()[0]
SLANTED = TASK.instances()[23]
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
START = ((0.25, 2.6), (0.6, 2.2))


@pytest.fixture
def open_editor(show_editor):
    def opened(instance=FREE, places=START, aids=ALL_AIDS):
        return show_editor(TASK, instance, answer_at(SegmentsBoard.of(instance.parameters), places), (700, 640), aids)

    return opened


@pytest.fixture
def editor(open_editor):
    return open_editor()


def end(editor, index):
    return at(editor, editor.placed.point_of(index))


def places(editor):
    return [round(editor.placed.place_of(i), 9) for i in range(4)]


def drag_to(qtbot, editor, start, goal, modifiers=Qt.KeyboardModifier.NoModifier):
    drag(qtbot, editor.view, LEFT, at(editor, start), at(editor, goal), modifiers)


def test_the_registry_finds_the_editor():
    assert editor_for(TASK) is TwoSegmentsEditor


def test_a_dragged_handle_slides_along_the_side_and_is_one_step(qtbot, editor):
    drag_to(qtbot, editor, (0.25, 0), (0.41, 0.02))
    assert places(editor) == [0.4, 2.6, 0.6, 2.2]
    assert steps(editor) == 1
    editor.document.undo_stack.undo()
    assert places(editor) == [0.25, 2.6, 0.6, 2.2]


def test_a_dragged_handle_goes_round_the_corner(qtbot, editor):
    drag_to(qtbot, editor, (0.6, 0), (1.05, 0.3))
    assert places(editor)[2] == 1.3


def test_while_a_handle_is_dragged_the_history_waits(qtbot, editor):
    qtbot.mousePress(editor.view, LEFT, pos=end(editor, 0))
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, (0.4, 0)), LEFT, Qt.KeyboardModifier.NoModifier))
    assert editor.placed.place_of(0) == 0.4
    assert editor.document.answer.segments[0][0] == (0.25, 0.0)
    qtbot.mouseRelease(editor.view, LEFT, pos=at(editor, (0.4, 0)))
    assert editor.document.answer.segments[0][0] == (0.4, 0.0)


def test_escape_drops_what_is_dragged(qtbot, editor):
    qtbot.mousePress(editor.view, LEFT, pos=end(editor, 0))
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, (0.4, 0)), LEFT, Qt.KeyboardModifier.NoModifier))
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    qtbot.mouseRelease(editor.view, LEFT, pos=at(editor, (0.4, 0)))
    assert (editor.placed.place_of(0), steps(editor)) == (0.25, 0)


def test_a_click_on_a_handle_chooses_it_and_changes_nothing(qtbot, editor):
    qtbot.mouseClick(editor.view, LEFT, pos=end(editor, 3))
    assert (editor.placed.chosen, steps(editor)) == (3, 0)
    assert editor.panel.widgets["Ends along the boundary"].rows[3][0].isChecked()


def test_corners_attract_more_than_steps(qtbot, editor):
    drag_to(qtbot, editor, (0.6, 0), (0.985, 0))
    assert places(editor)[2] == 1.0


def test_alt_switches_snapping_off(qtbot, editor):
    goal = at(editor, (0.41, 0))
    drag(qtbot, editor.view, LEFT, end(editor, 0), goal, ALT)
    assert editor.placed.place_of(0) == pytest.approx(editor.view.ray(goal.toPointF())[0][0], abs=0.0006)
    assert editor.placed.place_of(0) != 0.4


def test_the_option_switches_snapping_off(qtbot, editor):
    editor.placed.snapping.put(False)
    drag_to(qtbot, editor, (0.25, 0), (0.41, 0))
    assert 0.405 < editor.placed.place_of(0) < 0.415


def test_on_a_grid_ends_go_to_its_values_from_anywhere(qtbot, open_editor):
    editor = open_editor(GRID, ((0.2, 2.8), (0.8, 2.2)))
    drag_to(qtbot, editor, (0.2, 0), (0.49, 0))
    assert places(editor)[0] == 0.4


def test_a_dragged_rod_stays_parallel(qtbot, editor):
    editor.placed.snapping.put(False)
    drag_to(qtbot, editor, (0.325, 0.5), (0.425, 0.5))
    (ax, ay), (bx, by) = editor.document.answer.segments[0]
    assert ax == pytest.approx(0.35, abs=0.006)
    assert (bx - ax) / (by - ay) == pytest.approx(0.15, abs=0.002)
    assert steps(editor) == 1


def test_a_rod_that_would_leave_the_frame_stays_at_the_last_place(qtbot, editor):
    drag_to(qtbot, editor, (0.325, 0.5), (3.0, 0.5))
    assert all(0 <= x <= 1 for point in editor.placed.segments[0] for x in point)


def test_tab_goes_through_the_handles_and_then_on_and_shift_tab_goes_back(qtbot, editor):
    chosen = []
    for _ in range(5):
        qtbot.keyClick(editor.view, Qt.Key.Key_Tab)
        chosen.append(editor.placed.chosen)
    assert chosen == [0, 1, 2, 3, None]
    editor.placed.choose(2)
    qtbot.keyClick(editor.view, Qt.Key.Key_Backtab, SHIFT)
    assert editor.placed.chosen == 1


def test_arrow_keys_step_by_a_hundredth_and_finely_with_shift(qtbot, editor):
    editor.placed.choose(0)
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    assert places(editor)[0] == 0.26
    qtbot.keyClick(editor.view, Qt.Key.Key_Right, SHIFT)
    assert places(editor)[0] == 0.261
    assert steps(editor) == 1


def test_an_arrow_across_the_side_moves_nothing(qtbot, editor):
    editor.placed.choose(0)
    qtbot.keyClick(editor.view, Qt.Key.Key_Up)
    assert steps(editor) == 0


def test_on_a_grid_an_arrow_goes_to_the_next_value(qtbot, open_editor):
    editor = open_editor(GRID, ((0.2, 2.8), (0.8, 2.2)))
    editor.placed.choose(0)
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    assert places(editor)[0] == 0.4


def test_a_typed_fraction_moves_the_end(qtbot, editor):
    field = editor.panel.widgets["Ends along the boundary"].rows[2][2]
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.125")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert places(editor)[2] == 0.125
    assert steps(editor) == 1


def test_a_number_typed_on_the_board_puts_the_chosen_handle_there(qtbot, editor):
    qtbot.keyClick(editor.view, Qt.Key.Key_Tab)
    qtbot.keyClicks(editor.view, "0.375")
    assert (places(editor)[0], editor.typing.text) == (0.25, "0.375")
    qtbot.keyClick(editor.view, Qt.Key.Key_Return)
    assert (places(editor)[0], steps(editor)) == (0.375, 1)


def test_a_typed_number_that_is_no_place_is_refused_and_escape_drops_one(qtbot, editor):
    editor.placed.choose(1)
    qtbot.keyClicks(editor.view, "7")
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.keyClick(editor.view, Qt.Key.Key_Return)
    assert "between 0 and 1" in blocker.args[0]
    qtbot.keyClicks(editor.view, "0.5")
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert (editor.typing.text, editor.placed.chosen, steps(editor)) == ("", 1, 0)


def test_another_side_moves_the_end_there(qtbot, editor):
    side = editor.panel.widgets["Ends along the boundary"].rows[2][1]
    editor.tools.activateWindow()
    side.setFocus()
    qtbot.waitUntil(side.hasFocus)
    qtbot.keyClick(side, Qt.Key.Key_Down)
    assert places(editor)[2] == 1.6


def test_drawing_replaces_one_segment_and_then_the_other(qtbot, editor):
    editor.view.set_tool(SegmentsDrawTool(editor.placed))
    drag_to(qtbot, editor, (0.5, 0.01), (0.5, 0.99))
    drag_to(qtbot, editor, (0.01, 0.5), (0.99, 0.5))
    assert places(editor) == [0.5, 2.5, 3.5, 1.5]
    assert steps(editor) == 2


def test_a_drawing_has_to_begin_at_the_boundary(qtbot, editor):
    editor.view.set_tool(SegmentsDrawTool(editor.placed))
    drag_to(qtbot, editor, (0.5, 0.4), (0.5, 0.99))
    assert steps(editor) == 0


def test_tool_keys_change_the_tool(qtbot, editor):
    qtbot.keyClick(editor.view, Qt.Key.Key_D)
    assert isinstance(editor.view.tool, SegmentsDrawTool)
    qtbot.keyClick(editor.view, Qt.Key.Key_M)
    assert isinstance(editor.view.tool, SegmentsMoveTool)


def test_of_two_ends_at_one_place_the_chosen_one_is_taken(qtbot, open_editor):
    editor = open_editor(FREE, ((0.25, 2.6), (0.25, 2.2)))
    editor.placed.choose(2)
    drag_to(qtbot, editor, (0.25, 0), (0.5, 0))
    assert places(editor) == [0.25, 2.6, 0.5, 2.2]


def test_the_bar_counts_the_regions_in_words_too(qtbot, editor):
    assert editor.panel.widgets["Counts of shapes"].entries["Q"].figure.text() == "Q 3/2"
    assert editor.panel.widgets["Counts of shapes"].entries["Q"].words.text() == "quadrilaterals: 1 too many"
    assert editor.panel.widgets["Counts of shapes"].entries["T"].words.text() == "triangles: 1 missing"
    assert not editor.panel.widgets["Counts of shapes"].entries["H"].isVisible()


def test_the_bar_follows_the_drag(qtbot, editor):
    qtbot.mousePress(editor.view, LEFT, pos=end(editor, 3))
    QApplication.sendEvent(editor.view, _move(editor.view, at(editor, (1, 0.5)), LEFT, Qt.KeyboardModifier.NoModifier))
    assert editor.panel.widgets["Counts of shapes"].entries["T"].figure.text() == "T 1/1"
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert editor.panel.widgets["Counts of shapes"].entries["T"].figure.text() == "T 0/1"


def test_the_bar_says_why_nothing_counts(open_editor):
    editor = open_editor(FREE, ((0.25, 0.75), (0.6, 2.2)))
    assert editor.panel.widgets["Counts of shapes"].note.text() == "segment 0 runs along the bottom side"


def test_the_right_shapes_are_told(open_editor):
    editor = open_editor(FREE, ((0.25, 2.6), (0.3, 2)))
    assert editor.panel.widgets["Counts of shapes"].note.text() == "These are the wanted shapes."


def test_ends_off_the_boundary_are_shown_where_they_are_and_keep_their_place(qtbot, editor):
    raw = {"segments": [[[0.25, 0.0], [0.4, 1.2]], [[0.6, 0.0], [0.8, 1.0]]]}
    editor.document.replace_data("Type", raw)
    editor.placed.choose(0)
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    assert editor.document.answer.segments[0] == ((0.26, 0.0), (0.4, 1.2))


def test_a_failed_end_is_marked_and_a_region_keeps_its_colour(editor):
    document = editor.document
    document.replace_data("Type", {"segments": [[[0.25, 0.0], [0.4, 1.2]], [[0.6, 0.0], [0.8, 1.0]]]})
    document.set_verdict(TASK.verify(FREE, document.answer), document.revision)
    assert editor.view.style_.roles == {"end 0B": "failed"}
    document.undo_stack.undo()
    document.set_verdict(TASK.verify(FREE, document.answer), document.revision)
    assert editor.view.style_.roles == {}


def test_a_clicked_check_selects_and_keeps_the_board_in_view(editor):
    before = editor.view.plane
    editor.show_elements(["end 1A"])
    assert (editor.placed.chosen, editor.view.plane) == (2, before)


def test_the_published_frame_is_offered_only_where_it_differs(open_editor):
    editor = open_editor(SLANTED)
    editor.panel.widgets["Published verifier's frame"].setChecked(True)
    assert editor.view.scene.item("published frame").dashed
    assert affine_frame(SegmentsBoard.of(FREE.parameters)) is None


@pytest.mark.parametrize(("places", "lenses"), [(((0.25, 2.6), (0.95, 1.05)), 0), (((0.25, 2.6), (0.99, 1.01)), 1)])
def test_a_sliver_is_shown_under_a_lens(open_editor, monkeypatch, places, lenses):
    enlarged = []
    monkeypatch.setattr(BoardMarks, "_lens", lambda marks, painter, view, region: enlarged.append(region.share))
    open_editor(FREE, places).view.grab()
    assert len(set(enlarged)) == lenses


def test_what_is_under_the_pointer_is_described(editor):
    pick = editor.view.pick(at(editor, (0.1, 0.5)).toPointF())
    assert editor._describe(pick) == ("Quadrilateral", "32.5 % of the area")
    assert editor._describe(editor.view.pick(end(editor, 1).toPointF())) == ("End 0B", "0.600 along the top side")


def test_the_status_counts_regions_and_names_the_chosen_end(editor):
    editor.placed.choose(1)
    assert editor.status() == "3 regions · end 0B"


@pytest.mark.parametrize("instance", TASK.instances(), ids=lambda i: str(i.number))
def test_a_newcomer_starts_from_legal_segments_that_do_not_solve_it(instance):
    verdict = TASK.verify(instance, TASK.empty(instance))
    assert [check.name for check in verdict.checks if check.state == "failed"] == ["the wanted shapes"]


def test_counts_are_told_in_sentences():
    assert in_words(SegmentsTally("T", 2, 1)) == "2 triangles, 1 wanted: 1 too many"
    assert in_words(SegmentsTally("P", 1, 1)) == "1 pentagon, 1 wanted: correct"


@pytest.mark.parametrize(
    ("s", "way", "goal"), [(0.5, (1, 0), 0.51), (0.5, (-1, 0), 0.49), (2.5, (1, 0), 2.49), (0.995, (1, 0), 1.0),
                           (1.0, (0, 1), 1.01), (1.0, (1, 0), 1.0), (0.0, (0, 1), 3.99)]
)  # fmt: skip
def test_a_nudge_follows_the_boundary_in_the_arrow_s_direction(s, way, goal):
    assert nudged(SegmentsBoard.of(FREE.parameters), s, way, 0.01) == pytest.approx(goal)


def test_the_nearest_place_on_the_grid_is_taken():
    assert on_grid(SegmentsBoard.of(GRID.parameters), 2.75) == pytest.approx(2.8)
    assert END_NAMES == ("0A", "0B", "1A", "1B")


def test_shapes_are_coloured_and_counted_only_for_those_who_may_measure(open_editor):
    ruler, hands = (open_editor(aids=aids) for aids in (HANDS | {Aid.MEASURING}, HANDS))
    assert (ruler.status(), hands.status()) == ("3 regions", "")
    assert {item.name.split()[0] for item in ruler.view.scene.items} >= {"region", "letter"}
    assert not {item.name.split()[0] for item in hands.view.scene.items} & {"region", "letter", "wrong"}


def test_without_judging_no_counts_slivers_or_wrong_regions_are_shown(open_editor):
    places = ((0.25, 2.6), (0.99, 1.01))
    editor = open_editor(places=places, aids=HANDS | {Aid.MEASURING})
    assert "Counts of shapes" not in editor.panel.widgets
    assert not [item.name for item in editor.view.scene.items if item.name.startswith("wrong")]
    inside = QPoint(600, 480)
    fine = open_editor(places=((0.25, 2.6), (0.95, 1.05)), aids=HANDS | {Aid.MEASURING})
    pictures = [shown.view.grab().toImage().pixelColor(inside) for shown in (editor, fine)]
    assert pictures[0] == pictures[1]
