"""Commands of lists of cells: what each does, and what it says about wrong arguments."""

import pytest

from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.tasks.half_subdivision import tree_of
from tests.sweeps import some
from tests.tasks.acting import after

TASK, FIRST = resolve("half_subdivision:0")
TWO = ("list", {"labels": ["010", " 11 "]})


@pytest.mark.parametrize("instance", some(TASK.instances()), ids=str)
def test_the_reference_is_reached_cell_by_cell(instance):
    reference = TASK.solve(instance)
    assert after(TASK, instance, *[("list", {"labels": [label]}) for label in reference.neighbors]) == reference


def test_a_cell_is_listed_once():
    assert after(TASK, FIRST, TWO, ("list", {"labels": ["11", "00", "00"]})).neighbors == ("010", "11", "00")


def test_a_cell_is_unlisted():
    assert after(TASK, FIRST, TWO, ("unlist", {"labels": ["010"]})).neighbors == ("11",)


def test_the_list_is_emptied():
    assert after(TASK, FIRST, TWO, ("clear", {})) == TASK.empty(FIRST)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("list", {"labels": ["012"]}), r"labels\[0\]: a string of 0 and 1 is expected"),
        (("list", {"labels": ["0" * 100_000]}), "a string of 0 and 1 is expected"),
        (("list", {"labels": [10]}), "must be text, not 10"),
        (("list", {"labels": float("nan")}), "labels"),
        (("list", {"labels": ["0"] * 10_000}), "Too many labels"),
        (("unlist", {"labels": ["00"]}), "00 is not listed"),
        (("unlist", {}), "labels is missing"),
    ],
)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(AnswerError, match=words):
        after(TASK, FIRST, TWO, call)


def test_all_cells_are_seen_not_only_those_around_the_target():
    cube = next(instance for instance in TASK.instances() if instance.parameters["dimension"] == 3)
    (cells,) = (item for item in TASK.sight(cube, TASK.empty(cube), ()).items if item.name == "cells")
    assert len(cells.ids) == len(tree_of(cube).leaves)
