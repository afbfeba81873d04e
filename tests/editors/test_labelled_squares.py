"""The editors of the three tasks about labelled squares, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import Openness
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.labelled_squares.drawing import SIDE, side_midpoints
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors.enumerate_edges import UNANSWERED
from tests.editors.driving import HANDS, at
from tests.widgets.test_viewport3d import LEFT, _move, drag

NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def open_editor(show_editor):
    def opened(task_id, number, aids=ALL_AIDS):
        task = task_of(task_id)
        return show_editor(task, task.instances()[number], size=(900, 700), aids=aids)

    return opened


def middle(editor, square):
    return at(editor, editor.places[square] + SIDE / 2)


def click(qtbot, editor, pos):
    qtbot.mouseClick(editor.view, LEFT, pos=pos)


def keys(qtbot, editor, *pressed):
    for key in pressed:
        qtbot.keyClick(editor.view, key)


# Classify behaviour ----------------------------------------------------------------------------------------------


@pytest.fixture
def classify(open_editor):
    return open_editor("classify_behaviour", 0)


def test_number_keys_label_the_square_and_go_on(classify, qtbot):
    keys(qtbot, classify, "1", "2", "3", "2")
    answer = classify.document.answer
    assert answer == classify.task.solve(classify.instance)
    assert classify.document.undo_stack.count() == 4


def test_a_click_chooses_the_square_that_keys_label(classify, qtbot):
    click(qtbot, classify, middle(classify, 2))
    keys(qtbot, classify, "3")
    assert classify.labels == ["", "", "ambiguous", ""]


def test_a_drag_over_squares_gives_them_the_same_label_in_one_step(classify, qtbot):
    keys(qtbot, classify, "2")
    drag(qtbot, classify.view, LEFT, middle(classify, 1), middle(classify, 2))
    assert classify.labels[1:3] == ["three domains meeting"] * 2
    classify.document.undo_stack.undo()
    assert classify.labels[1:3] == ["", ""]


def test_a_label_can_be_taken_away(classify, qtbot):
    keys(qtbot, classify, "1", Qt.Key.Key_Left, Qt.Key.Key_Delete)
    assert classify.document.answer.labels == ()


def test_arrows_go_from_square_to_square(classify, qtbot):
    keys(qtbot, classify, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert classify.current == 2


def test_what_is_possible_is_drawn_and_the_next_one_too(classify, qtbot):
    classify.choose(2)
    classify.panel.widgets["Show what is possible"].setChecked(True)
    first = [item.points.tolist() for item in classify.view.scene.items if "possible" in item.name]
    keys(qtbot, classify, "t")
    second = [item.points.tolist() for item in classify.view.scene.items if "possible" in item.name]
    assert first != second


def test_a_sketch_is_one_stroke_and_never_part_of_the_answer(classify, qtbot):
    keys(qtbot, classify, "s")
    drag(qtbot, classify.view, LEFT, middle(classify, 0), middle(classify, 1))
    assert len(classify.strokes) == 1
    assert classify.document.undo_stack.count() == 0
    keys(qtbot, classify, "w")
    assert classify.strokes == []


def test_escape_drops_the_stroke_that_is_being_drawn(classify, qtbot):
    keys(qtbot, classify, "s")
    qtbot.mousePress(classify.view, LEFT, pos=middle(classify, 0))
    keys(qtbot, classify, Qt.Key.Key_Escape)
    assert classify.strokes == []


def test_a_second_press_of_the_sketch_key_changes_nothing(classify, qtbot):
    before = classify.view.tool
    keys(qtbot, classify, "s", "s")
    drag(qtbot, classify.view, LEFT, middle(classify, 0), middle(classify, 1))
    assert classify.view.tool is before


def test_labels_are_counted_only_for_those_who_may_measure(open_editor):
    assert open_editor("classify_behaviour", 0).status().startswith("square 0 · 0 of 4 labelled")
    assert "labelled" not in open_editor("classify_behaviour", 0, HANDS).status()


# Enumerate edges -------------------------------------------------------------------------------------------------


@pytest.fixture
def edges(open_editor):
    return open_editor("enumerate_edges", 0)


def side(editor, square, index):
    return at(editor, side_midpoints(editor.places[square])[editor.board.edge_order[index]])


def test_a_drag_from_side_to_side_joins_them(edges, qtbot):
    drag(qtbot, edges.view, LEFT, side(edges, 1, 3), side(edges, 1, 2))
    assert edges.pairs == [[], [(2, 3)], [], []]
    assert edges.document.undo_stack.count() == 1


def test_a_click_on_a_join_takes_it_away(edges, qtbot):
    edges.toggle(3, 1, 3)
    click(qtbot, edges, middle(edges, 3))
    assert edges.pairs[3] == []


def test_two_digits_join_and_the_same_two_part(edges, qtbot):
    edges.choose(2)
    keys(qtbot, edges, "2", "1")
    assert edges.pairs[2] == [(1, 2)]
    keys(qtbot, edges, "1", "2")
    assert edges.pairs[2] == []


def test_an_uncut_side_is_objected_to_before_the_release_while_wrong_ones_are_told(edges):
    edges.show_ghost(0, 0, 1)
    assert edges.view.ghost_reason == ""
    edges.document.open_to(Openness.WRONG)
    edges.show_ghost(0, 0, 1)
    assert edges.view.ghost_reason == "Side 0 is not cut: both corners are class 1"


def test_which_sides_are_cut_is_told_only_where_rules_may_be_applied(open_editor):
    editor = open_editor("enumerate_edges", 0, HANDS)
    editor.show_ghost(0, 0, 1)
    assert editor.view.ghost_reason == ""
    assert {item.color for item in editor.view.scene.items if " side " in item.name} == {"text"}


def test_squares_left_empty_on_purpose_are_told_from_unfinished_ones(edges, qtbot):
    keys(qtbot, edges, "n")
    words = {item.id: item.text for item in edges.view.scene.items if item.name.endswith(" none")}
    assert (words["square 0 none"], words["square 1 none"]) == ("none", "–")
    assert edges.current == 1


def test_unanswered_squares_are_grey_until_they_are_answered(edges, qtbot):
    assert {edges.view.scene.item(f"square {k}").color for k in range(len(edges.places))} == {UNANSWERED}
    keys(qtbot, edges, Qt.Key.Key_N)
    assert edges.view.scene.item("square 0").color != UNANSWERED
    assert edges.view.scene.item("square 1").color == UNANSWERED


def test_right_at_the_end_of_a_row_goes_on_in_the_next(edges, qtbot):
    for _ in edges.places[1:]:
        keys(qtbot, edges, Qt.Key.Key_Right)
    assert edges.current == len(edges.places) - 1
    keys(qtbot, edges, Qt.Key.Key_Left)
    assert edges.current == len(edges.places) - 2


def test_delete_clears_the_square(edges, qtbot):
    edges.toggle(1, 2, 3)
    edges.choose(1)
    keys(qtbot, edges, Qt.Key.Key_Delete)
    assert edges.pairs[1] == []


# Topology enumeration --------------------------------------------------------------------------------------------


@pytest.fixture
def topology(open_editor):
    return open_editor("topology_enumeration", 2)


def tile(editor, word):
    index = ["".join(map(str, pattern)) for pattern in editor.patterns.all].index(word)
    return at(editor, editor.drawing.palette_place(index) + SIDE / 2)


def test_the_first_hint_speaks_of_nothing_that_counts_as_help(topology):
    assert "pattern" not in topology.view.texts.hint
    assert not [item.name for item in topology.view.scene.items if item.name.startswith("pattern")]


def test_a_click_on_a_tile_lists_the_pattern_and_another_takes_it_off(topology, qtbot):
    topology.panel.widgets["All patterns"].setChecked(True)
    click(qtbot, topology, tile(topology, "0012"))
    assert topology.patterns.configs == ((0, 0, 1, 2),)
    click(qtbot, topology, tile(topology, "0012"))
    assert topology.patterns.configs == ()


def test_corners_are_painted_by_clicks_and_enter_adds(topology, qtbot):
    click(qtbot, topology, at(topology, topology.drawing.corner_place(1)))
    keys(qtbot, topology, Qt.Key.Key_Return)
    assert topology.patterns.configs == ((0, 1, 0, 0),)


def test_corners_are_painted_by_number_keys(topology, qtbot):
    keys(qtbot, topology, Qt.Key.Key_Right, "1", Qt.Key.Key_Right, "2", Qt.Key.Key_Return)
    assert topology.patterns.configs == ((0, 1, 2, 0),)


def test_number_keys_paint_the_corner_under_the_pointer(topology, qtbot):
    for corner, label in ((2, "1"), (1, "2")):
        place = at(topology, topology.drawing.corner_place(corner))
        QApplication.sendEvent(topology.view, _move(topology.view, place, Qt.MouseButton.NoButton, NO_KEY))
        keys(qtbot, topology, label)
    assert topology.patterns.painted == (0, 2, 1, 0)


def test_a_renamed_twin_is_refused_with_the_reason(topology, qtbot):
    topology.patterns.toggle((0, 1, 1, 1))
    topology.patterns.painted = (1, 0, 0, 0)
    with qtbot.waitSignal(topology.message) as blocker:
        topology.patterns.add_painted()
    assert blocker.args == ["0111 is already listed, as entry 1."]
    assert len(topology.patterns.configs) == 1


def test_where_rules_are_not_applied_a_twin_is_listed_and_looks_like_any_entry(open_editor):
    editor = open_editor("topology_enumeration", 2, HANDS)
    editor.patterns.toggle((0, 1, 1, 1))
    editor.patterns.painted = (1, 0, 0, 0)
    editor.patterns.add_painted()
    assert editor.patterns.configs == ((0, 1, 1, 1), (0, 1, 1, 1))
    assert {editor.drawing.entry_role(config, k) for k, config in enumerate(editor.patterns.configs)} == {"line"}


def test_without_solving_aids_there_is_no_palette_and_the_list_stands_in_its_place(open_editor, qtbot):
    editor = open_editor("topology_enumeration", 2, HANDS)
    assert not [item.name for item in editor.view.scene.items if item.name.startswith(("pattern", "palette"))]
    click(qtbot, editor, tile(editor, "0012"))
    assert editor.patterns.configs == ()
    editor.patterns.add_painted()
    click(qtbot, editor, at(editor, editor.drawing.list_place(0) + SIDE / 2))
    assert editor.patterns.editing == 0


def test_that_a_pattern_is_listed_already_is_told_only_to_those_who_may_measure(open_editor, topology):
    hands = open_editor("topology_enumeration", 2, HANDS)
    for editor in (topology, hands):
        editor.patterns.toggle(editor.patterns.painted)
    assert "already listed" in topology.status()
    assert "already listed" not in hands.status()


def test_an_entry_is_changed_on_the_painted_square_or_removed(topology, qtbot):
    topology.patterns.toggle((0, 0, 1, 2))
    click(qtbot, topology, at(topology, topology.drawing.list_place(0) + SIDE / 2))
    topology.patterns.paint(3, 0)
    keys(qtbot, topology, Qt.Key.Key_Return)
    assert topology.patterns.configs == ((0, 0, 1, 0),)
    topology.patterns.edit_entry(0)
    keys(qtbot, topology, Qt.Key.Key_Delete)
    assert topology.patterns.configs == ()


def test_every_change_can_be_undone(topology):
    topology.patterns.toggle((0, 0, 1, 2))
    topology.patterns.toggle((0, 1, 2, 0))
    topology.document.undo_stack.undo()
    assert topology.patterns.configs == ((0, 0, 1, 2),)
