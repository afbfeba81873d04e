"""Measurements of the solid-building tasks, the sandbox and the physics, for `tools.bench.main`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from spatial_workbench.engine.core import task as task_of


def _timed_ms(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def union_with_dilation() -> Iterator[float]:
    """The bounding box of the sphere and the cube: an answer for which the 0.05 cm allowance has to be computed."""
    task = task_of("csg_union")
    instance = task.instances()[16]
    low, high = (-8.0, -8.0, -8.0), (13.0, 8.0, 8.0)
    corners = [[x, y, z] for z in (low[2], high[2]) for x, y in ((low[0], low[1]), (high[0], low[1]), *_far(low, high))]
    loops = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    answer = {"polyhedron": {"vertex": [{"xyz": xyz} for xyz in corners], "faces": [{"vertex": f} for f in loops]}}
    task.verify(task.instances()[0], answer)
    for _ in range(3):
        yield _timed_ms(lambda: task.verify(instance, answer))


def _far(low: tuple[float, ...], high: tuple[float, ...]) -> tuple[tuple[float, float], tuple[float, float]]:
    return (high[0], high[1]), (low[0], high[1])


def two_hundred_tetrahedra() -> Iterator[float]:
    """200 pieces scattered over the largest square, many of them over each other."""
    task = task_of("tetrahedra_shadow")
    rng = np.random.default_rng(1)
    pieces = []
    for _ in range(200):
        x, y, z, *q = (*rng.uniform(-3, 3, 2), rng.uniform(0, 9), *rng.normal(size=4))
        q0, q1, q2, q3 = np.array(q) / np.linalg.norm(q)
        pieces.append({"x": x, "y": y, "z": z, "q0": q0, "q1": q1, "q2": q2, "q3": q3})
    answer = {"tetrahedrons": [{name: float(value) for name, value in piece.items()} for piece in pieces]}
    task.verify(task.instances()[2], answer)
    for _ in range(3):
        yield _timed_ms(lambda: task.verify(task.instances()[2], answer))


def hidden_crowd() -> Iterator[float]:
    """The exact test alone, for 200 people."""
    from spatial_workbench.engine.tasks.hide_and_seek.field import CrowdField

    task = task_of("hide_and_seek")
    instance = task.instances()[5]
    field = CrowdField.of(instance.parameters)
    centers = task.solve(instance).centers
    for _ in range(5):
        yield _timed_ms(lambda: field.visible_people(centers))


def cage() -> Iterator[float]:
    """All nine criteria, each time in a new process; its imports do not count."""
    code = (
        "import sys, time, manifold3d, scipy.spatial; from spatial_workbench.engine.core import task as task_of\n"
        "task = task_of('interlocking_parts'); answer = task.parse(sys.stdin.read()); start = time.perf_counter()\n"
        "for instance in task.instances(): task.verify(instance, answer)\n"
        "print(time.perf_counter() - start)"
    )
    task = task_of("interlocking_parts")
    text = task.format(task.solve(task.instances()[0]))
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], input=text, check=True, capture_output=True, text=True
        )
        yield float(done.stdout)


def sandbox_start() -> Iterator[float]:
    """From nothing to the first printed line."""
    from spatial_workbench.engine.sandbox import availability, run_program

    if availability().available:
        for _ in range(5):
            yield _timed_ms(lambda: run_program("print(1)"))


def sandbox_calls() -> Iterator[float]:
    """Tool calls a second."""
    from spatial_workbench.engine.sandbox import availability, open_session

    if not availability().available:
        return
    with open_session({"add": lambda a, b: a + b}) as session:
        for _ in range(3):
            result = session.run("for i in range(5000): add(i, 1)")
            yield result.calls / result.seconds


def rolling_rock() -> Iterator[float]:
    """How many times faster than real time blasts on the first map are simulated."""
    from spatial_workbench.engine.physics.client import physics
    from spatial_workbench.engine.physics.rocks.rolling import STEP_S
    from spatial_workbench.engine.tasks.terrain_levelling import heights_of

    heights = heights_of(task_of("terrain_levelling").instances()[0])
    rng = np.random.default_rng(1)
    engine = physics()
    engine.version()
    for _ in range(20):
        row, column = (int(v) for v in rng.integers(0, 16, 2))
        lowered = heights.copy()
        lowered[row, column] -= 1.0
        start = time.perf_counter()
        blast = engine.blast("default", lowered, row, column, 1.0)
        yield blast.steps * STEP_S / (time.perf_counter() - start)
