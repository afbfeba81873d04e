"""The kit for placing things: what is selected by number, and the keys that move it."""

import pytest

from spatial_workbench.widgets.editing.nudging import LEVEL, UPRIGHT, Step, nudges
from spatial_workbench.widgets.editing.selection import NumberedSelection, number_of, numbers_of
from spatial_workbench.widgets.editing.things import step_label
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick


@pytest.fixture
def view(qtbot):
    canvas = Canvas2D()
    qtbot.addWidget(canvas, before_close_func=lambda widget: widget.close_view())
    return canvas


def test_an_id_has_a_kind_and_a_number():
    assert (number_of("brick 3", "brick"), number_of("brick 3", "box"), number_of("brick", "brick")) == (3, None, None)
    assert numbers_of(["box 2", "wall 1", "box 0"], "box") == [2, 0]


def test_what_is_selected_is_given_in_the_answers_order_without_what_no_longer_exists(view):
    selection = NumberedSelection(view, "box", lambda: 4)
    view.set_selection(["box 3", "wall 0", "box 1", "box 7"])
    assert selection.numbers == [1, 3]
    assert selection.in_order == [3, 1]
    selection.drop_lost()
    assert view.selection == ("box 1", "box 3")


def test_fewer_things_are_noticed_although_the_view_still_selects_them(view):
    count = [2]
    selection = NumberedSelection(view, "box", lambda: count[0])
    selection.select_all()
    assert selection.numbers == [0, 1]
    count[0] = 1
    assert selection.numbers == [0]


@pytest.mark.parametrize(("chosen", "by", "goal"), [([], 1, 0), ([], -1, 2), ([2], 1, 0), ([0, 1], -1, 2)])
def test_a_step_goes_round(view, chosen, by, goal):
    selection = NumberedSelection(view, "box", lambda: 3)
    selection.select(chosen)
    selection.step(by)
    assert selection.numbers == [goal]


def test_a_right_click_selects_what_is_under_the_pointer_unless_it_is_selected_already(view):
    selection = NumberedSelection(view, "box", lambda: 3)
    selection.select([0, 1])
    selection.take(Pick("box 1", "boxes", (0, 0, 0)))
    assert selection.numbers == [0, 1]
    selection.take(Pick("wall 2", "walls", (0, 0, 0)))
    assert selection.numbers == [0, 1]
    selection.take(Pick("box 2", "boxes", (0, 0, 0)))
    assert selection.numbers == [2]


def test_each_key_moves_by_each_step_with_its_modifiers():
    moves = []
    steps = [Step(8.0, "{way} by 8 mm"), Step(0.1, "{way}, finely", ["Alt+", "Ctrl+Shift+"])]
    actions = list(nudges(lambda way, size: moves.append((way, size)), steps, {**LEVEL, **UPRIGHT}))
    assert [action.text for action in actions[:2]] == ["Move right by 8 mm", "Move right, finely"]
    assert [action.key for action in actions[:2]] == ["Right", "Alt+Right, Ctrl+Shift+Right"]
    assert len({action.text for action in actions}) == 12
    actions[-1].run()
    assert moves == [((0, 0, -1), 0.1)]


def test_a_step_of_the_history_says_how_many_things_it_changes():
    assert step_label("Delete", 1, "{verb} box", "{verb} {count} boxes") == "Delete box"
    assert step_label("Delete", 3, "{verb} box", "{verb} {count} boxes") == "Delete 3 boxes"
