"""A closed chain of pipes in a square, and what is measured on it. Metres and degrees; y points up."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.pipe_loop.contacts import Contacts, contacts_of

Floats = NDArray[np.float64]
Point = tuple[float, float]

WALLS = ("left", "right", marked("bottom"), marked("top"))
QUADRANTS = ("lower left", "lower right", "upper left", "upper right")
STRAIGHT_DEG = 175.0
"""An angle above this is straight, one below it is a turn."""


@dataclass(frozen=True, eq=False)
class PipeShape:
    """Points (n, 2), n >= 1, in the square [0, side]^2; pipe i joins points i and i + 1, the last closes the loop."""

    points: Floats
    side: float

    @classmethod
    def of(cls, points: Sequence[Point], side: float) -> "PipeShape":
        """The shape of a list of points."""
        return cls(np.array(points, float).reshape(-1, 2), side)

    @cached_property
    def pipes(self) -> Floats:
        """The vectors of the pipes, (n, 2)."""
        return np.roll(self.points, -1, axis=0) - self.points

    @cached_property
    def lengths(self) -> Floats:
        """The lengths of the pipes, (n,)."""
        lengths: Floats = np.hypot(self.pipes[:, 0], self.pipes[:, 1])
        return lengths

    @cached_property
    def directions(self) -> Floats:
        """The unit vectors of the pipes, (n, 2); zero for a pipe without length."""
        return self.pipes / np.where(self.lengths > 0, self.lengths, 1.0)[:, None]

    @cached_property
    def turns_cos(self) -> Floats:
        """The cosine of the turn at each point: 1 goes straight on, -1 straight back. (n,)"""
        cosines: Floats = (np.roll(self.directions, 1, axis=0) * self.directions).sum(axis=1)
        return cosines

    @cached_property
    def angles_deg(self) -> Floats:
        """The interior angle at each point: 180 is straight; 0 beside a pipe without length. (n,)"""
        angles = np.degrees(np.arccos(np.clip(-self.turns_cos, -1.0, 1.0)))
        no_angle = (self.lengths == 0) | (np.roll(self.lengths, 1) == 0)
        return np.where(no_angle, 0.0, angles)

    @cached_property
    def contacts(self) -> Contacts:
        """Where pipes meet that are not neighbours."""
        return contacts_of(self.points)

    @cached_property
    def centroid(self) -> Point:
        """The mean of the points."""
        x, y = self.points.mean(axis=0).tolist()
        return x, y

    @cached_property
    def hull(self) -> Floats:
        """The corners of the convex hull, counter-clockwise."""
        return convex_hull(self.points)

    @cached_property
    def hull_area(self) -> float:
        """The area of the convex hull, in square metres."""
        x, y = self.hull[:, 0], self.hull[:, 1]
        return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2

    @property
    def wall_reach_m(self) -> float:
        """How close a point must be to a wall to touch it."""
        return max(0.001, 0.001 * self.side)

    @cached_property
    def walls(self) -> tuple[str, ...]:
        """The walls that a point touches."""
        x, y = self.points[:, 0], self.points[:, 1]
        gaps = (x, x - self.side, y, y - self.side)
        return tuple(w for w, gap in zip(WALLS, gaps, strict=True) if (np.abs(gap) <= self.wall_reach_m).any())

    @cached_property
    def quadrants(self) -> tuple[str, ...]:
        """The quadrants with a point in them; a point on a midline is in both."""
        middle = self.side / 2
        left = self.points[:, 0] <= middle
        low = self.points[:, 1] <= middle
        right = self.points[:, 0] >= middle
        high = self.points[:, 1] >= middle
        held = (low & left, low & right, high & left, high & right)
        return tuple(name for name, points in zip(QUADRANTS, held, strict=True) if points.any())

    def straight_runs(self, cyclic: bool) -> list[list[int]]:
        """The runs of consecutive straight points, as their indices; `cyclic` lets a run go on from the last to 0."""
        runs: list[list[int]] = []
        for i in np.flatnonzero(self.angles_deg > STRAIGHT_DEG).tolist():
            if runs and runs[-1][-1] == i - 1:
                runs[-1].append(i)
            else:
                runs.append([i])
        if cyclic and len(runs) > 1 and runs[0][0] == 0 and runs[-1][-1] == len(self.points) - 1:
            runs[0] = runs.pop() + runs[0]
        return runs


def convex_hull(points: Floats) -> Floats:
    """The corners of the convex hull of points (n, 2), counter-clockwise."""
    ordered = sorted({(x, y) for x, y in points.tolist()})
    if len(ordered) < 3:
        return np.array(ordered, float)
    lower = _half_hull(ordered)
    upper = _half_hull(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1], float)


def _half_hull(ordered: Sequence[Point]) -> list[Point]:
    chain: list[Point] = []
    for x, y in ordered:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain
