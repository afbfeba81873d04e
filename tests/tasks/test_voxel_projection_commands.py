"""Commands of the voxel projection: what each does to the cells, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import Aid, AnswerError, resolve
from tests.tasks.acting import after

TASK, SMALL = resolve("voxel_projection:0")


def cells(answer):
    return TASK.state(SMALL, answer)["cells"]


def filled(*places):
    return after(TASK, SMALL, ("set", {"cells": [list(place) for place in places]}))


@pytest.mark.parametrize("instance", TASK.instances()[:3], ids=str)
def test_the_reference_solution_is_reached(instance):
    reference = TASK.solve(instance)
    cells = [list(voxel.xyz) for voxel in reference.voxels]
    calls = [("set", {"cells": cells[k : k + 100]}) for k in range(0, len(cells), 100)]
    assert after(TASK, instance, *calls).voxels == reference.voxels


def test_cells_are_filled_once_and_listed_in_order():
    assert cells(filled((1, 0, 0), (0, 0, 1), (1, 0, 0))) == [[0, 0, 1], [1, 0, 0]]


def test_cleared_cells_are_empty():
    answer = after(TASK, SMALL, ("clear", {"cells": [[1, 0, 0], [2, 2, 2]]}), answer=filled((1, 0, 0), (0, 0, 1)))
    assert cells(answer) == [[0, 0, 1]]


def test_a_box_holds_both_of_its_corners():
    answer = after(TASK, SMALL, ("box", {"low": [0, 0, 0], "high": [1, 1, 2]}))
    assert len(cells(answer)) == 2 * 2 * 3


def test_a_box_can_be_emptied():
    answer = after(TASK, SMALL, ("box", {"low": [0, 0, 0], "high": [1, 0, 0]}), answer=None)
    answer = after(TASK, SMALL, ("box", {"low": [1, 0, 0], "high": [1, 0, 0], "on": False}), answer=answer)
    assert cells(answer) == [[0, 0, 0]]


def test_the_grid_is_emptied():
    assert cells(after(TASK, SMALL, ("empty_grid", None), answer=filled((1, 0, 0)))) == []


def test_a_latin_square_fills_all_projections():
    answer = after(TASK, SMALL, ("latin", {"seed": 3}))
    n = SMALL.parameters["n"]
    assert all(
        len({tuple(c for k, c in enumerate(cell) if k != axis) for cell in cells(answer)}) == n * n for axis in range(3)
    )


def test_filling_up_reaches_the_number_and_keeps_what_is_there():
    answer = after(TASK, SMALL, ("fill_up", {"seed": 3}), answer=filled((0, 0, 0)))
    assert len(cells(answer)) == SMALL.parameters["count"]
    assert [0, 0, 0] in cells(answer)


def test_holes_are_marked_only_for_who_may_have_judgements():
    answer = filled((0, 0, 0))
    ids = {aid: {i for item in TASK.sight(SMALL, answer, {aid}).items for i in getattr(item, "ids", ())} for aid in Aid}
    assert any("hole" in name for name in ids[Aid.JUDGING])
    assert not any("hole" in name for name in ids[Aid.EDITING])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("set", {"cells": [[0, 0, 0], [0, 0, 99]]}), r"There is no cell \[0, 0, 99\]; cells go from 0 to"),
        (("set", {"cells": [[-1, 0, 0]]}), "There is no cell"),
        (("clear", {"cells": [[0, 0]]}), "cells"),
        (("box", {"low": [1, 0, 0], "high": [0, 0, 0]}), "lies beyond high"),
    ],
)
def test_wrong_cells_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, SMALL, call)
