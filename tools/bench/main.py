"""Measures speed and memory, as a table of medians. Nothing is asserted, here or in the tests."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from spatial_workbench.app.source import ROOT
from spatial_workbench.engine.core import Instance, Task, tasks
from spatial_workbench.engine.core import task as task_of

REPEATS = 5


@dataclass(frozen=True)
class BenchRow:
    """One line of the table: the median of the runs, and the target."""

    name: str
    value: float
    unit: str
    target: str
    runs: int


@dataclass(frozen=True)
class Measurement:
    """A way to measure one figure; `run` yields the values, in the unit."""

    name: str
    unit: str
    target: str
    run: Callable[[], Iterator[float]]


def measure(only: str, report: Callable[[str], None]) -> list[BenchRow]:
    """Takes all measurements whose name contains `only`; `report` is told what is being measured."""
    rows = []
    for measurement in _measurements():
        if only.lower() not in measurement.name.lower():
            continue
        report(f"measuring {measurement.name} …")
        values = list(measurement.run())
        rows.append(
            BenchRow(measurement.name, statistics.median(values), measurement.unit, measurement.target, len(values))
        )
    return rows


def format_table(rows: Sequence[BenchRow]) -> str:
    """The rows as text."""
    width = max((len(row.name) for row in rows), default=10)
    lines = [f"{'what':{width}}  {'median':>10}  {'unit':6} {'target':>10}  runs"]
    lines += [f"{r.name:{width}}  {r.value:10.2f}  {r.unit:6} {r.target:>10}  {r.runs}" for r in rows]
    return "\n".join(lines)


def _machine_speeds() -> Iterator[Measurement]:
    from tools.bench import machines

    for name, (tree, level, target, before) in machines.SPEEDS.items():
        whole = partial(machines.times_real_time, tree, level)
        yield Measurement(f"machine: {name}, all checks / real time (before: {before})", "x", target, whole)
        bare = partial(machines.times_real_time_bare, tree, level)
        yield Measurement(f"machine: {name}, bare stepping / real time", "x", "", bare)


def _measurements() -> list[Measurement]:
    from tools.bench import (
        bodies,
        cube,
        environments,
        evaluation,
        hands,
        machines,
        projects,
        puzzles,
        serving,
        solids,
        studies,
        window,
        workflows,
    )

    return [
        Measurement("command: tasks", "s", "< 0.5", lambda: _command_times("tasks")),
        Measurement("window: first paint", "s", "< 1.5", lambda: _first_paint()),
        Measurement("lego: full verdict, 1146 bricks, cold", "ms", "< 1000", _lego_cold),
        Measurement("lego: verdict after one edit, 1146 bricks", "ms", "< 100", _lego_after_edit),
        Measurement("evaluation: 1000 recorded answers verified and stored", "s", "< 120", evaluation.recorded_answers),
        *_slowest_verdicts(),
        Measurement("fluid: verdict of the worked lists, slowest", "ms", "< 150", _fluid_slowest),
        Measurement("fluid: verdict of a world full of water", "ms", "< 2000", _fluid_worst),
        Measurement("csg_union: verdict with the 0.05 cm allowance", "ms", "< 2000", solids.union_with_dilation),
        Measurement("tetrahedra_shadow: verdict, 200 pieces", "ms", "< 300", solids.two_hundred_tetrahedra),
        Measurement("hide_and_seek: exact test, 200 people", "ms", "< 50", solids.hidden_crowd),
        Measurement("interlocking_parts: nine criteria, cold", "s", "< 15", solids.cage),
        Measurement("terrain_levelling: simulated / real time", "x", "> 5", solids.rolling_rock),
        *_machine_speeds(),
        Measurement("machine: cars of 7 blocks in two processes", "1/s", "> 10", machines.simulations_a_second),
        Measurement("machine: search with two workers / one", "x", "> 1.6", machines.search_speed_up),
        Measurement("machine: rules of space, 100 blocks", "ms", "< 2", machines.spatial_check),
        Measurement("machine: an edit with its check, 100 blocks", "ms", "< 0.5", machines.edit_check),
        *workflows.measurements(),
        Measurement("cube: moves on many cubes at once", "M/s", "> 1", cube.moves_of_many),
        Measurement("cube: one move", "µs", "< 5", cube.one_move),
        *environments.measurements(),
        *hands.measurements(),
        Measurement("sandbox: a program from the start", "ms", "< 200", solids.sandbox_start),
        Measurement("sandbox: tool calls a second", "1/s", "> 5000", solids.sandbox_calls),
        Measurement("view: placed brick on screen, 1500 bricks", "ms", "< 16", window.placed_brick),
        Measurement("view: still frame, 1500 bricks", "ms", "< 150", window.still_frame),
        Measurement("view: pick, 10000 bricks", "ms", "< 10", window.pick),
        Measurement("view: orbit, 10000 bricks", "fps", "> 15", window.orbit),
        Measurement("view: 100 moving bodies, whole frame", "ms", "< 16", bodies.whole_frame),
        Measurement("view: 100 moving bodies, before VTK draws", "ms", "< 2", bodies.moving_alone),
        Measurement("sketch: pan, page of 4000 x 6000, 300 strokes", "ms", "< 16", lambda: alone("pan", "sketch")),
        Measurement("sketch: zoom from the whole page", "ms", "< 16", lambda: alone("zoom", "sketch")),
        Measurement("sketch: pen to picture, long stroke", "ms", "< 16", lambda: alone("draw", "sketch")),
        Measurement("sketch: end of a stroke across the page", "ms", "< 50", lambda: alone("finish", "sketch")),
        Measurement("runs: opening 100000 attempts", "s", "< 1", lambda: alone("opening", "runs")),
        Measurement("runs: a filter on 100000 attempts", "ms", "< 200", lambda: alone("filtering", "runs")),
        Measurement("runs: longest stall, 100000 attempts", "ms", "< 50", lambda: alone("longest_stall", "runs")),
        *projects.measurements(),
        *puzzles.measurements(),
        Measurement("studies: report on 200 people and 50 items", "s", "< 20", studies.report),
        Measurement("studies: page of 200 people and 50 items", "s", "< 1", lambda: alone("dashboard", "leading")),
        Measurement("studies: longest stall of that page", "ms", "< 50", lambda: alone("longest_stall", "leading")),
        Measurement("site: 1000 attempts, drawings kept", "s", "< 3", lambda: alone("drawn_before", "site")),
        Measurement("site: 1000 attempts, drawn anew", "s", "< 60", lambda: alone("drawn_anew", "site")),
        Measurement("site: largest page before its first picture", "kB", "< 200", lambda: alone("kilobytes", "site")),
        *serving.measurements(),
        Measurement("window: longest stall while verdicts run", "ms", "< 50", lambda: alone("longest_stall")),
        Measurement("window: memory after a lego session", "MB", "< 600", lambda: alone("memory")),
    ]


_VERDICT_TARGETS_MS = {
    "two_segments": 5,
    "pipe_loop": 50,
    "csg_union": 300,
    "tetrahedra_shadow": 300,
    "hide_and_seek": 100,
    "hyper_snake": 10,
}
_MEASURED_BY_THEMSELVES = ("lego_hemisphere", "fluid_simulation", "interlocking_parts", "terrain_levelling")


def _slowest_verdicts() -> Iterator[Measurement]:
    """For each task the slowest verdict among its published instances, solved."""
    for task in tasks():
        if task.id not in _MEASURED_BY_THEMSELVES:
            target = f"< {_VERDICT_TARGETS_MS.get(task.id, 20)}"
            name = f"{task.id}: verdict, slowest of {len(task.instances())}"
            yield Measurement(name, "ms", target, partial(_slowest, task.id, len(task.instances())))


def _slowest(task_id: str, count: int) -> Iterator[float]:
    yield max(_verdicts(task_id, range(count)))


def _timed_ms(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def _command_times(*words: str) -> Iterator[float]:
    command = [sys.executable, "-P", "-m", "spatial_workbench", *words]
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        yield time.perf_counter() - start


def _first_paint() -> Iterator[float]:
    """From the start of the process to the first painted window."""
    for _ in range(REPEATS):
        start = time.time()
        for moment in alone("first_paint"):
            yield moment - start


def alone(measurement: str, module: str = "window") -> Iterator[float]:
    """Takes a measurement of a module in a new process."""
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-m", f"tools.bench.{module}", measurement]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    for line in done.stdout.splitlines():
        yield float(line)


def _lego() -> tuple[Task[Any], Instance, Any]:
    task = task_of("lego_hemisphere")
    instance = task.instances()[7]
    return task, instance, task.solve(instance)


def _lego_cold() -> Iterator[float]:
    """Each in a process of its own, so that no cache is filled; imports do not count."""
    code = (
        "import time, sys; from tools.bench.main import _lego\n"
        "import manifold3d, scipy.spatial\n"
        "task, instance, _ = _lego(); answer = task.parse(sys.stdin.read())\n"
        "task.verify(task.instances()[0], {'bricks': [{'Centroid': [55, 0, 4.8], 'RotationDegrees': 0}]})\n"
        "start = time.perf_counter(); task.verify(instance, answer); print(time.perf_counter() - start)"
    )
    task, _, answer = _lego()
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            input=task.format(answer),
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        yield float(done.stdout) * 1000


def _lego_after_edit() -> Iterator[float]:
    task, instance, answer = _lego()
    task.verify(instance, answer)
    bricks = answer.bricks
    for i in range(0, len(bricks), len(bricks) // 12):
        without = answer.model_copy(update={"bricks": bricks[:i] + bricks[i + 1 :]})
        yield _timed_ms(lambda without=without: task.verify(instance, without))
        yield _timed_ms(lambda: task.verify(instance, answer))


def _verdicts(name: str, numbers: Sequence[int]) -> Iterator[float]:
    task = task_of(name)
    for number in numbers:
        instance = task.instances()[number]
        answer = task.solve(instance)
        task.verify(instance, answer)
        yield _timed_ms(lambda instance=instance, answer=answer: task.verify(instance, answer))


def _fluid_slowest() -> Iterator[float]:
    for _ in range(REPEATS):
        yield from _slowest("fluid_simulation", 11)


def _fluid_worst() -> Iterator[float]:
    """A basin as large as the world with a wall around, filled to the top: 62 x 62 x 7 voxels of water."""
    task = task_of("fluid_simulation")
    instance = task.instances()[6]
    basin = [
        {"xyzMin": [0, 0, 0], "xyzMax": [63, 63, 7], "material": "Rock"},
        {"xyzMin": [1, 1, 1], "xyzMax": [62, 62, 7], "material": "Air"},
    ]
    for _ in range(3):
        yield _timed_ms(lambda: task.verify(instance, {"earthworks": basin}))
