"""The curves of a simulation: heights, distances, speeds, springs and motors over time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import SPRING
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.trace import FRAMES_PER_S, Trace


@dataclass(frozen=True, eq=False)
class Curve:
    """A named line of points: x (n,), y (n,)."""

    name: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class Plot:
    """A kind of plot: its title, the words of its axes, and how its curves are made."""

    title: str
    across: str
    up: str
    curves: Callable[[Level, Tree, Trace], list[Curve]]


def followed(level: Level, trace: Trace) -> tuple[str, Floats]:
    """What the level is about, and its places (frames, 3) in the machine's frame."""
    if level.task == "movement" or not trace.balls.shape[1]:
        return marked("machine"), trace.positions[:, 0]
    return trace.ball_names[0], trace.balls[:, 0, :3]


def _over_time(axis: int) -> Callable[[Level, Tree, Trace], list[Curve]]:
    def curves(level: Level, tree: Tree, trace: Trace) -> list[Curve]:
        name, places = followed(level, trace)
        return [Curve(name, trace.times, places[:, axis])]

    return curves


def _flight(level: Level, tree: Tree, trace: Trace) -> list[Curve]:
    name, places = followed(level, trace)
    return [Curve(name, places[:, 2], places[:, 1])]


def _speed(level: Level, tree: Tree, trace: Trace) -> list[Curve]:
    name, places = followed(level, trace)
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) * FRAMES_PER_S
    return [Curve(name, trace.times[1:], speeds)]


def _springs(level: Level, tree: Tree, trace: Trace) -> list[Curve]:
    springs = [entry.id for entry in tree if entry.type == SPRING]
    return [Curve(f"spring {k}", trace.times, trace.lengths[:, k]) for k in springs]


def _motors(level: Level, tree: Tree, trace: Trace) -> list[Curve]:
    driven = [k for k in range(len(tree)) if not np.isnan(trace.torques[:, k]).all()]
    return [Curve(f"{kind_of(tree[k]).name} {k}", trace.times, trace.torques[:, k]) for k in driven]


PLOTS = (
    Plot("Height over distance", "forward, m", "height, m", _flight),
    Plot("Height", "time, s", "height, m", _over_time(1)),
    Plot("Distance", "time, s", "forward, m", _over_time(2)),
    Plot("Speed", "time, s", "speed, m/s", _speed),
    Plot("Springs", "time, s", "length, m", _springs),
    Plot("Motors", "time, s", "torque, N m", _motors),
)
