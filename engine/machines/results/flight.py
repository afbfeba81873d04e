"""What a ball did: how far and how high it flew, where it landed, which targets it hit (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BOULDER
from spatial_workbench.engine.machines.building.tree import Entry
from spatial_workbench.engine.machines.levels.level import Target
from spatial_workbench.engine.machines.results.trace import Trace

CARRIED_SHARE = 0.25
"""A boulder that lands nearer to the starting block than this share of its throw was carried, not thrown."""


@dataclass(frozen=True, eq=False)
class Flight:
    """A ball's way from t = 0 on; metres and seconds.

    Attributes:
        path: (steps + 1, 3) its centre.
        landing: The step of its first contact with the ground after t = 0; the last one if it has none.
        has_landed: Whether it has one.
        landing_time: When it was, between two steps.
        landing_place: (3,) where its centre was then.
        gap: How far it is from the starting block then.
    """

    name: str
    path: Floats
    landing: int
    has_landed: bool
    landing_time: float
    landing_place: Floats
    gap: float

    @property
    def distance(self) -> float:
        """The largest displacement along z, at least 0."""
        return float(np.max(self.path[:, 2]) - self.path[0, 2])

    @property
    def landing_distance(self) -> float:
        """The displacement along z when it lands; negative where it flew backwards."""
        return float(self.landing_place[2] - self.path[0, 2])

    @property
    def straight_distance(self) -> float:
        """The level displacement in any direction when it lands."""
        return float(np.linalg.norm((self.landing_place - self.path[0])[[0, 2]]))

    @property
    def height(self) -> float:
        """The largest height of its centre before it lands."""
        return float(np.max(self.path[: self.landing + 1, 1]))

    @property
    def rise(self) -> float:
        """How far above its start that is."""
        return self.height - float(self.path[0, 1])

    @property
    def was_carried(self) -> bool:
        """Whether the machine was still with it when it landed."""
        return self.gap < CARRIED_SHARE * self.straight_distance


@dataclass(frozen=True)
class Hits:
    """Which targets a ball hit in their order, and how near it came to the next one, or the last; metres."""

    count: int
    wanted: int
    closest: float
    final: float

    @property
    def is_complete(self) -> bool:
        """Whether all were hit."""
        return self.count == self.wanted

    @property
    def rank(self) -> float:
        """A number that grows with the targets hit, and with nearness to the next one."""
        return self.count if self.is_complete else self.count + 1 / (1 + self.closest) * 0.999


def boulder_names(tree: Sequence[Entry]) -> tuple[str, ...]:
    """What a trace calls the boulders of a machine."""
    return tuple(f"block {entry.id}" for entry in tree if entry.type == BOULDER)


def flight_of(trace: Trace, name: str) -> Flight:
    """The flight of a ball that the trace has."""
    ball = trace.ball_names.index(name)
    path = trace.paths[:, ball]
    touches = trace.touches[1:, ball]
    has_landed = bool(touches.any())
    landing = int(touches.argmax()) + 1 if has_landed else len(path) - 1
    time = landing / trace.rate
    place = path[landing]
    if has_landed and len(trace.landings):
        time = float(trace.landings[ball, 0])
        place = trace.landings[ball, 1:]
    gap = float(np.linalg.norm(place - root_at(trace, time)))
    return Flight(name, path, landing, has_landed, time, place, gap)


def root_at(trace: Trace, time: float) -> Floats:
    """Where the starting block is in the frame nearest to a time."""
    return np.asarray(trace.positions[int(np.abs(trace.times - time).argmin()), 0])


def hits_of(flight: Flight, targets: Sequence[Target]) -> Hits:
    """Which targets a ball hit: rings one after the other, a zone by landing in it."""
    step = 0
    for count, target in enumerate(targets):
        hit = _hit_of(flight, target, step)
        if hit is None:
            return Hits(count, len(targets), *_nearness(flight, target, step))
        step = hit
    return Hits(len(targets), len(targets), 0.0, _nearness(flight, targets[-1], step)[1])


def _hit_of(flight: Flight, target: Target, start: int) -> int | None:
    """The step at which a target is hit, from one on."""
    if target.kind == "zone":
        is_hit = flight.has_landed and flight.landing >= start and _distance(flight.landing_place, target) == 0
        return flight.landing if is_hit else None
    passed = np.flatnonzero(_passes(flight.path, target)[start:])
    return start + int(passed[0]) + 1 if len(passed) else None


def _nearness(flight: Flight, target: Target, start: int) -> tuple[float, float]:
    """How near a ball came to a target, which is a matter of the landing for zones; and how near it is at the end."""
    distances = _distance(flight.path, target)
    closest = _distance(flight.landing_place, target) if target.kind == "zone" else distances[start:].min()
    return float(closest), float(distances[-1])


def _passes(path: Floats, ring: Target) -> np.ndarray:
    """(steps,) whether each step goes through the ring's disc towards z+."""
    before, after = path[:-1], path[1:]
    z = ring.center[2]
    crosses = (before[:, 2] < z) & (after[:, 2] >= z)
    share = np.where(crosses, (z - before[:, 2]) / np.where(crosses, after[:, 2] - before[:, 2], 1), 0)
    point = before + share[:, None] * (after - before)
    off = np.linalg.norm(point[:, :2] - ring.center[:2], axis=1)
    return np.asarray(crosses & (off <= ring.radius))


def _distance(places: Floats, target: Target) -> Floats:
    """The distance of places (..., 3) from a ring's disc, or level from a zone's edge; 0 within."""
    offset = places - np.array(target.center)
    level = [0, 1] if target.kind == "ring" else [0, 2]
    outside = np.maximum(0, np.linalg.norm(offset[..., level], axis=-1) - target.radius)
    return np.asarray(np.hypot(outside, offset[..., 2]) if target.kind == "ring" else outside)
