"""Commands of Hamiltonian loops: what each does to the links, and what it says about wrong arguments."""

from itertools import pairwise

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from tests.sweeps import some
from tests.tasks.acting import after

TASK, SMALL = resolve("hamiltonian_loop:0")
"""Four by four cells, none of them blocked."""
_, HOLED = resolve("hamiltonian_loop:1")
CORNER = ("draw", {"cells": [[1, 1], [2, 1], [2, 2]]})


def cells(answer):
    return [step.xy for step in answer.steps]


def loop(*path):
    return [("draw", {"cells": [list(cell) for cell in [*path, path[0]]]})]


@pytest.mark.parametrize("instance", some(TASK.instances()), ids=str)
def test_the_reference_loop_is_reached_link_by_link(instance):
    reference = TASK.solve(instance)
    path = cells(reference)
    calls = [("link", {"first": list(a), "second": list(b)}) for a, b in pairwise([*path, path[0]])]
    assert after(TASK, instance, *calls) == reference


def test_a_path_that_is_drawn_at_once_is_the_same_loop():
    reference = TASK.solve(HOLED)
    assert after(TASK, HOLED, *loop(*cells(reference))) == reference


def test_steps_run_as_they_were_drawn():
    assert cells(after(TASK, SMALL, ("draw", {"cells": [[2, 2], [2, 1], [1, 1]]}))) == [(2, 2), (2, 1), (1, 1)]


def test_a_state_lists_paths_and_loops_apart():
    answer = after(TASK, SMALL, CORNER, *loop((3, 3), (4, 3), (4, 4), (3, 4)))
    assert TASK.state(SMALL, answer) == {
        "paths": [((1, 1), (2, 1), (2, 2))],
        "loops": [((3, 3), (4, 3), (4, 4), (3, 4))],
    }


def test_a_link_is_removed():
    answer = after(TASK, SMALL, CORNER, ("unlink", {"first": [2, 2], "second": [2, 1]}))
    assert cells(answer) == [(1, 1), (2, 1)]


def test_all_links_of_a_cell_are_removed():
    assert after(TASK, SMALL, CORNER, ("unlink_cell", {"cell": [2, 1]})) == TASK.empty(SMALL)


def test_a_rectangle_is_filled_back_and_forth():
    answer = after(TASK, SMALL, ("fill", {"first": [1, 1], "last": [3, 2]}))
    assert cells(answer) == [(1, 1), (2, 1), (3, 1), (3, 2), (2, 2), (1, 2)]


def test_two_parallel_links_are_swapped():
    """Two rings of four cells side by side become one ring of eight."""
    rings = [*loop((1, 1), (2, 1), (2, 2), (1, 2)), *loop((3, 1), (4, 1), (4, 2), (3, 2))]
    answer = after(TASK, SMALL, *rings, ("swap", {"cell": [2, 1]}))
    assert [len(ring) for ring in TASK.state(SMALL, answer)["loops"]] == [8]


def test_a_loop_runs_the_other_way_and_begins_elsewhere():
    ring = loop((1, 1), (2, 1), (2, 2), (1, 2))
    assert cells(after(TASK, SMALL, *ring, ("reverse", {}))) == [(1, 1), (1, 2), (2, 2), (2, 1)]
    assert cells(after(TASK, SMALL, *ring, ("start_at", {"cell": [2, 2]}))) == [(2, 2), (1, 2), (1, 1), (2, 1)]


def test_everything_is_cleared():
    assert after(TASK, SMALL, CORNER, ("clear", {})) == TASK.empty(SMALL)


def test_forced_links_are_those_of_the_corners():
    state = TASK.state(SMALL, after(TASK, SMALL, ("accept_forced", {})))
    assert {(1, 2), (1, 1), (2, 1)} <= {cell for path in state["paths"] for cell in path}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("link", {"first": [1, 1], "second": [3, 1]}), "do not share a side"),
        (("link", {"first": [0, 1], "second": [1, 1]}), r"Cell \(0, 1\) is outside the 4 x 4 grid"),
        (("link", {"first": [2, 1], "second": [3, 1]}), "has two links already"),
        (("link", {"first": [1, 1], "second": "right"}), "second"),
        (("link", {"first": [1, float("nan")], "second": [1, 1]}), "must be a whole number"),
        (("unlink", {"first": [3, 3], "second": [3, 4]}), "are not linked"),
        (("fill", {"first": [1, 1], "last": [2, 2]}), "is visited already"),
        (("swap", {"cell": [1, 1]}), "Two parallel links are needed"),
        (("start_at", {"cell": [1, 1]}), "is not on a single closed loop"),
        (("draw", {"cells": [[1, 1]]}), "cells"),
        (("draw", {"cells": [[1, 1]] * 10_000}), "Too many cells"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, SMALL, CORNER, call)


def test_a_blocked_cell_is_named():
    x, y = HOLED.parameters["blocked"][0]
    with pytest.raises(AnswerError, match=rf"Cell \({x}, {y}\) is blocked"):
        after(TASK, HOLED, ("unlink_cell", {"cell": [x, y]}))


def test_several_paths_are_drawn_without_jumps_between_them():
    answer = after(TASK, SMALL, CORNER, *loop((3, 3), (4, 3), (4, 4), (3, 4)))
    names = {item.name for item in TASK.sight(SMALL, answer, ()).items}
    assert {"walk 0", "walk 1"} <= names
    assert not any(name.startswith("step") for name in names)
