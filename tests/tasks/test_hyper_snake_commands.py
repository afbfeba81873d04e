"""Commands of hyper-snake: what each does to the path, and what it says about wrong arguments."""

from itertools import pairwise

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField
from tests.tasks.acting import after

TASK, FIRST = resolve("hyper_snake:0")
FIELD = SnakeField.of(FIRST.parameters)


def corners(cells):
    """The cells of a path at which it turns, and its end."""
    steps = [tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairwise(cells)]
    turns = [list(cell) for cell, (a, b) in zip(cells[1:], pairwise(steps), strict=False) if a != b]
    return [*turns, list(cells[-1])]


@pytest.mark.parametrize("instance", TASK.instances(), ids=str)
def test_the_reference_solution_is_reached_corner_by_corner(instance):
    reference = TASK.solve(instance)
    route = corners(reference.cells)
    calls = [("draw", {"path": route[k : k + 1000]}) for k in range(0, len(route), 1000)]
    assert after(TASK, instance, *calls) == reference


def test_a_step_leads_along_an_axis():
    x, y = FIELD.start[:2]
    answer = after(TASK, FIRST, ("step", {"axis": 0, "direction": "+", "steps": 2}))
    assert [cell[:2] for cell in answer.cells] == [(x, y), (x + 1, y), (x + 2, y)]


def test_the_path_may_cross_itself_since_nobody_judges():
    answer = after(TASK, FIRST, ("step", {"axis": 0, "direction": "+"}), ("step", {"axis": 0, "direction": "-"}))
    assert answer.cells[0] == answer.cells[2]


def test_cells_are_taken_off_the_end_and_the_first_one_stays():
    answer = after(TASK, FIRST, ("step", {"axis": 0, "direction": "+", "steps": 2}), ("erase", {"cells": 50}))
    assert answer == TASK.empty(FIRST)


def test_a_bite_reverses_the_part_after_the_bitten_cell():
    ways = [(0, "+"), (1, "+"), (0, "-")]
    ring = after(TASK, FIRST, *[("step", {"axis": axis, "direction": sign}) for axis, sign in ways])
    answer = after(TASK, FIRST, ("bite", {"cell": list(FIELD.start)}), answer=ring)
    a, b, c, d = ring.cells
    assert answer.cells == (a, d, c, b)


def test_a_path_that_is_continued_is_legal_and_longer():
    answer = after(TASK, FIRST, ("lengthen", None))
    assert len(answer.cells) > 1
    assert TASK.verify(FIRST, answer).score > 0


def test_a_path_that_breaks_a_rule_is_not_continued():
    there_and_back = [("step", {"axis": 0, "direction": sign}) for sign in "+-"]
    with pytest.raises(AnswerError, match="breaks a rule"):
        after(TASK, FIRST, *there_and_back, ("lengthen", None))


def test_the_state_lists_the_cells_of_the_path():
    assert TASK.state(FIRST, TASK.empty(FIRST)) == {"length": 1, "path": [list(FIELD.start)]}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("step", {"axis": 9, "direction": "+"}), "There is no axis 9; axes go from 0 to"),
        (("step", {"axis": 0, "direction": "+", "steps": 20_000}), "The grid ends after"),
        (("draw", {"path": [[99] * len(FIELD.size)]}), "There is no cell"),
        (("draw", {"path": [[c + 1 for c in FIELD.start]]}), "go along one axis"),
        (("bite", {"cell": list(FIELD.start)}), "is not an earlier path cell"),
        (("bite", {"cell": [0]}), "is not an earlier path cell"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, call)
