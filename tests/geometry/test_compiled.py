"""Compiled loops: bundles bring them compiled for the kinds of arguments that they are called with."""

import subprocess

import numpy as np
import pytest

from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.consent import allow_programs
from spatial_workbench.engine.core.interpreter import python_command, python_environment
from spatial_workbench.engine.cube import patterns
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves
from spatial_workbench.engine.cube.optimal import shortest_solution
from spatial_workbench.engine.geometry import compiled
from spatial_workbench.engine.geometry.compiled import ENTRIES, kind_of
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.references import references


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


def test_loops_that_are_not_compiled_give_the_same_and_say_once_what_would_be_faster(monkeypatch, caplog):
    monkeypatch.setattr(compiled, "is_installed", lambda extra: False)
    monkeypatch.setattr(compiled, "PATIENCE_S", 0.0)
    compiled._tell_of_extra.cache_clear()
    wrapping = compiled.entry("uint64")(lambda value: value * np.uint64(3))
    assert wrapping(np.uint64(2**63)) == wrapping(np.uint64(2**63)) == 2**63
    assert [record.message for record in caplog.records] == [
        "Searching and simulating at full speed needs the extra “fast”: pip install 'spatial-workbench[fast]'"
    ]


@pytest.mark.slow
def test_without_the_extra_tasks_are_solved_and_verified_and_long_searches_refused(tmp_path):
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "import spatial_workbench as sw\n"
        "for name in ('fluid_simulation', 'hyper_snake', 'pack_prisms'):\n"
        "    assert sw.verify(name + ':0', sw.solve(name + ':0')).passed, name\n"
        "sw.generate('cube_full_symbolic', 1, depth=3)\n"
        "try: sw.generate('cube_full_symbolic', 1, depth=9)\n"
        "except ImportError as error: print(error)\n"
    )
    environment = python_environment(XDG_CACHE_HOME=str(tmp_path))
    command = python_command("-W", "error::RuntimeWarning", "-c", program)
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "needs the extra “fast”" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fluid_simulation", "hyper_snake", "interlocking_parts", "pack_prisms"])
def test_loops_are_called_as_bundles_compile_them(calls, name):
    task = task_of(name)
    instance = task.instances()[0]
    with allow_programs():
        task.crosscheck(instance, task.solve(instance))
        task.verify(instance, task.solve(instance))
    assert not calls()


@pytest.mark.slow
@pytest.mark.parametrize("level", ["M1", "T8n", "P2"])
def test_loops_of_machines_are_called_as_bundles_compile_them(calls, level):
    """With springs, grabbers, braces between parts, balls that roll, and breaks."""
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    from spatial_workbench.engine.physics.machine_run import simulate

    simulate(references()[level].tree, level_of(level))
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


LOOP = """
from typing import NamedTuple

from spatial_workbench.engine.geometry.compiled import compiled


class {name}(NamedTuple):
    size: float


@compiled
def doubled(thing):
    return 2 * thing.size


def answer():
    return doubled({name}(4.0))
"""


@pytest.mark.slow
def test_what_another_state_of_the_source_left_in_the_cache_is_passed_over(tmp_path):
    # Numba's cache names the classes of arguments, and fails where one is gone.
    environment = python_environment(XDG_CACHE_HOME=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
    for name in ("Former", "Present"):
        (tmp_path / "loop_of_a_test.py").write_text(LOOP.format(name=name))
        code = (
            f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import loop_of_a_test; print(loop_of_a_test.answer())"
        )
        command = python_command("-c", code)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout.strip() == "8.0", done.stderr
