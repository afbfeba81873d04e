"""Keys act in the same place in an editor that is opened anew, and stored data that do not fit change nothing."""

import json

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.core import task
from spatial_workbench.widgets.editing.abilities import HasCursor
from spatial_workbench.widgets.editing.standing import MOST_SELECTED, stand_again, standing_of

KEY = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
RIGHT_DOWN = ((KEY.Key_Right, NONE), (KEY.Key_Right, NONE), (KEY.Key_Down, NONE))
PLACES = {
    "shikaku": ((*RIGHT_DOWN, (KEY.Key_Down, SHIFT)), [2, 1, 2, 1, 2, 2, -1]),
    "hamiltonian_loop": ((*RIGHT_DOWN, (KEY.Key_Return, NONE), (KEY.Key_Right, NONE)), [4, 2, 3, 2]),
    "terrain_levelling": (RIGHT_DOWN, None),
    "polynomial_fit": (RIGHT_DOWN, [5, 5]),
    "voxel_projection": ((*RIGHT_DOWN, (KEY.Key_PageUp, NONE)), None),
    "classify_behaviour": (RIGHT_DOWN[:1], [1]),
    "enumerate_edges": (RIGHT_DOWN[:1], [1]),
}
"""By task: keys, and the numbers of the cursor after them where they are the same on every screen."""


@pytest.fixture
def stood(show_editor, qtbot):
    """An editor in which the cursor was moved, and another one of the same answer."""

    def made(task_id):
        chosen = task(task_id)
        moved = show_editor(chosen, chosen.instances()[0])
        for key, held in PLACES[task_id][0]:
            qtbot.keyClick(moved.view, key, held)
        return moved, show_editor(chosen, chosen.instances()[0])

    return made


@pytest.mark.parametrize("task_id", PLACES)
def test_a_cursor_stands_where_it_stood(stood, task_id):
    moved, fresh = stood(task_id)
    kept = json.loads(json.dumps(standing_of(moved)))
    assert kept != standing_of(fresh)
    assert kept["cursor"] == (PLACES[task_id][1] or kept["cursor"])
    stand_again(fresh, kept)
    assert standing_of(fresh) == kept
    assert fresh.document.answer == moved.document.answer


UNFIT = [[number] * count for count in range(1, 9) for number in (-1, 10**6)]
BROKEN = [[], [1, 2.5], ["1"], [True], [0] * 40, 3, None, {"x": 1}]


@pytest.mark.parametrize("task_id", PLACES)
def test_a_cursor_that_cannot_be_is_ignored(show_editor, task_id):
    editor = show_editor(task(task_id), task(task_id).instances()[0])
    before = standing_of(editor)
    for numbers in (*UNFIT, *BROKEN):
        stand_again(editor, {"cursor": numbers})
        assert standing_of(editor) == before, numbers


def test_what_is_selected_is_selected_again(show_editor):
    chosen = task("maze_3d")
    editor, fresh = (show_editor(chosen, chosen.instances()[0]) for _ in range(2))
    editor.view.set_selection(["cell 2,1", "cell 2,2"])
    kept = json.loads(json.dumps(standing_of(editor)))
    stand_again(fresh, kept)
    assert fresh.view.selection == ("cell 2,1", "cell 2,2")
    assert fresh.cells.cursor_cell == (2, 2)


@pytest.mark.parametrize("selected", [["cell a,b"], ["cell 99,0"], ["brick 3"], [3, None], "cell 1,1", [""] * 1000])
def test_a_selection_of_what_is_not_shown_is_ignored(show_editor, selected):
    editor = show_editor(task("maze_3d"), task("maze_3d").instances()[0])
    stand_again(editor, {"selected": selected})
    assert editor.view.selection == ()


@pytest.mark.parametrize("standing", [None, 3, "x", [], {}])
def test_an_editor_of_which_nothing_is_known_opens_as_ever(show_editor, standing):
    editor = show_editor(task("shikaku"), task("shikaku").instances()[0])
    stand_again(editor, standing)
    assert (editor.cursor_cell, editor.view.selection) == ((0, 0), ())


def test_a_large_selection_is_not_kept(show_editor):
    editor = show_editor(task("maze_3d"), task("maze_3d").instances()[5])
    editor.view.set_selection(f"cell {k // 20},{k % 20}" for k in range(MOST_SELECTED + 1))
    assert standing_of(editor) == {}


@pytest.mark.slow
def test_editors_with_a_cursor_of_their_own_have_the_ability(show_editor):
    assert all(isinstance(show_editor(task(name), task(name).instances()[0]), HasCursor) for name in PLACES)
