"""Compiled loops: bundles bring them compiled for the kinds of arguments that they are called with."""

import numpy as np
import pytest

from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.consent import allow_programs
from spatial_workbench.engine.cube import patterns
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves
from spatial_workbench.engine.cube.optimal import shortest_solution
from spatial_workbench.engine.geometry import compiled
from spatial_workbench.engine.geometry.compiled import ENTRIES, kind_of


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, "int64"),
        (np.int32(3), "int64"),
        (np.uint64(3), "uint64"),
        (True, "bool"),
        (np.zeros((2, 3), np.uint8), "uint8[2]"),
        (np.zeros((2, 3)).T, ""),
        ((np.zeros(2), (1,)), ("float64[1]", ("int64",))),
    ],
)
def test_an_argument_has_a_kind(value, kind):
    assert kind_of(value) == kind


def test_for_arguments_of_other_kinds_the_plain_function_runs():
    guarded = compiled._guarded(lambda x: "compiled", lambda x: "plain", ("float64[1]",))
    assert (guarded(np.zeros(1)), guarded(np.zeros(1, int))) == ("compiled", "plain")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fluid_simulation", "hyper_snake", "interlocking_parts", "pack_prisms"])
def test_loops_are_called_as_bundles_compile_them(calls, name):
    task = task_of(name)
    instance = task.instances()[0]
    with allow_programs():
        task.crosscheck(instance, task.solve(instance))
        task.verify(instance, task.solve(instance))
    assert not calls()


def test_loops_of_the_cube_are_called_as_bundles_compile_them(calls):
    state = apply_moves(SOLVED, ["U", "R", "F", "D", "L", "B", "U", "R"])
    assert len(shortest_solution(state, limit=8)) == 8
    patterns.build(depth=1)
    assert not calls()


@pytest.fixture
def calls():
    """What loops were called with, and is not what they are compiled for."""

    def others():
        return [
            (name, signature)
            for name, (function, kinds) in ENTRIES.items()
            for signature in function.signatures
            if tuple(map(as_kind, signature)) != kinds
        ]

    return others


def as_kind(type_):
    from numba import types

    if isinstance(type_, types.BaseTuple):
        return tuple(map(as_kind, type_))
    if isinstance(type_, types.Array):
        return f"{type_.dtype}[{type_.ndim}]" if type_.layout == "C" else ""
    return str(type_)
