"""Measurements of hands: a call at 1,000 elements, and a picture of 800 x 600 pixels."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode

if TYPE_CHECKING:
    from tools.bench.main import Measurement

MANY = 1000
RUNS = 20
_FILLED: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "lego_hemisphere:7": (
        ("place", {"x_mm": 0.0, "y_mm": 0.0, "layer": 0}),
        ("array", {"bricks": [0], "columns": 25, "rows": 40}),
    ),
    "pack_prisms:0": (("array", {"size": 0, "corner": [0, 0, 0], "columns": 10, "rows": 10, "layers": 10}),),
    "voxel_projection:0": (("box", {"low": [0, 0, 0], "high": [9, 9, 9]}),),
}
_ONE_MORE: dict[str, tuple[str, dict[str, Any]]] = {
    "lego_hemisphere:7": ("move", {"bricks": [0], "x_mm": 8.0}),
    "pack_prisms:0": ("move", {"boxes": [0], "x": 1}),
    "voxel_projection:0": ("clear", {"cells": [[0, 0, 0]]}),
}


def measurements() -> Iterator[Measurement]:
    """A line for calls of each of some tasks, and one for pictures."""
    from tools.bench.main import Measurement

    for address in _FILLED:
        name = address.partition(":")[0]
        yield Measurement(f"hands: a call at {MANY} elements, {name}", "ms", "< 50", partial(_call_times, address))
    yield Measurement("hands: look, 800 x 600", "ms", "< 200", _look_times)


def _filled(address: str, drawer: Any = None) -> Episode:
    task, instance = resolve(address)
    episode = Episode(task, instance, HandsOptions(calls=20_000, pictures=2000), drawer)
    for name, arguments in _FILLED[address]:
        episode.call(name, arguments)
    return episode


def _call_times(address: str) -> Iterator[float]:
    """The change and what is told of it, back and forth."""
    episode = _filled(address)
    name, arguments = _ONE_MORE[address]
    for _ in range(RUNS):
        start = time.perf_counter()
        call = episode.call(name, arguments)
        yield 1000 * (time.perf_counter() - start)
        assert not call.is_refused, call.result
        episode.call("undo")


def _look_times() -> Iterator[float]:
    """From the call to the PNG; the first picture, which starts the process that draws, does not count."""
    from spatial_workbench.app.studio.drawing import drawer

    task, instance = resolve("lego_hemisphere:0")
    episode = Episode(task, instance, HandsOptions(calls=20_000, pictures=2000), drawer())
    for brick in task.solve(instance).bricks:
        x, y, z = brick.Centroid
        episode.call(
            "place", {"x_mm": x, "y_mm": y, "layer": round((z - 4.8) / 9.6), "turn_deg": brick.RotationDegrees}
        )
    episode.call("look")
    for _ in range(RUNS):
        start = time.perf_counter()
        episode.call("look")
        yield 1000 * (time.perf_counter() - start)
