"""The board of two_segments: a convex quadrilateral whose boundary is measured by a parameter s.

s = k + t is the point at the fraction t of side k; side k runs from corner k to corner k + 1, so corner k is s = k.
Inside the task s is counted in ticks, whole multiples of 10^-decimals, so that comparing two ends is exact.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.words import counted

SIDES = ("the bottom side", "the right side", "the top side", "the left side")
"""Names of side 0 to 3."""

SHAPES = {3: "T", 4: "Q", 5: "P", 6: "H"}
"""Letters of the shapes by number of corners."""

WORDS = {"T": marked("triangle"), "Q": marked("quadrilateral"), "P": marked("pentagon"), "H": marked("hexagon")}

Point = tuple[float, float]

ROUNDING = 1e-12
"""Allowance added to tolerances, because coordinates are binary numbers."""

ROUNDED = 12
"""Decimals to which distances are compared; of sides at equal distances, the first is taken."""


class Near(NamedTuple):
    """The side of the frame that a point belongs to."""

    side: int
    t: float
    """Fraction along the side; outside [0, 1] for points beyond its corners."""
    distance: float
    """Distance from the side, in the frame's unit."""


@dataclass(frozen=True)
class SegmentsBoard:
    """A frame with its target, its grid and its tolerance.

    Attributes:
        corners: four corners, counter-clockwise.
        target: how many regions of each shape are wanted; keys T, Q, P, H, zero where none.
        grid: the values that every coordinate may have, or None.
        decimals: how many decimals boundary parameters are rounded to.
    """

    corners: tuple[Point, Point, Point, Point]
    target: Mapping[str, int]
    grid: tuple[float, ...] | None
    decimals: int

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "SegmentsBoard":
        """The board that an instance's parameters describe."""
        corners = tuple((float(x), float(y)) for x, y in parameters["corners"])
        grid = parameters["grid"]
        return cls(
            corners=corners,  # type: ignore[arg-type]
            target=read_target(parameters["target"]),
            grid=None if grid is None else tuple(grid),
            decimals=parameters["decimals"],
        )

    @property
    def ticks(self) -> int:
        """Ticks in a side."""
        return int(10**self.decimals)

    @property
    def tolerance(self) -> float:
        """By how much an end may be off, as a fraction of a side."""
        return 0.5 / self.ticks

    @cached_property
    def area(self) -> float:
        """Area of the frame."""
        return polygon_area(self.corners)

    def point(self, s: float) -> Point:
        """The point at boundary parameter s (any real number; 4 is once around)."""
        s %= 4.0
        side = min(int(s), 3)
        x0, y0 = self.corners[side]
        x1, y1 = self.corners[(side + 1) % 4]
        t = s - side
        return (1 - t) * x0 + t * x1, (1 - t) * y0 + t * y1

    def written(self, s: float) -> Point:
        """The point at s as answers write it, with 9 decimals."""
        x, y = self.point(s)
        return round(x, 9) + 0.0, round(y, 9) + 0.0

    def at_tick(self, tick: int) -> Point:
        """The point at a whole number of ticks."""
        return self.point(tick / self.ticks)

    def length(self, side: int) -> float:
        """Length of a side."""
        return math.dist(self.corners[side], self.corners[(side + 1) % 4])

    def nearest(self, point: Point) -> Near:
        """The side whose strip of tolerance holds the point; if there are several, the one whose line is nearest.

        Where no strip holds it, the side with the nearest point of all.
        """
        holding = [near for near in (self._beside(point, k) for k in range(4)) if self.on_boundary(near)]
        if holding:
            return min(holding, key=lambda near: (round(near.distance, ROUNDED), near.side))
        return min((self._clamped(point, k) for k in range(4)), key=lambda near: near.distance)

    def nearest_s(self, point: Point) -> float:
        """The boundary parameter, 0 <= s < 4, of the boundary's point that is nearest to a point."""
        near = min((self._clamped(point, k) for k in range(4)), key=lambda near: near.distance)
        return (near.side + min(1.0, max(0.0, near.t))) % 4.0

    def allowed(self, side: int) -> float:
        """How far from a side an end may be."""
        return self.tolerance * self.length(side)

    def on_boundary(self, near: Near) -> bool:
        """Whether a point with this nearest side counts as lying on the boundary."""
        return self._within(near.t) and near.distance <= self.allowed(near.side) + ROUNDING

    def snap(self, near: Near) -> int:
        """The tick of a point on the boundary: t rounded to the decimals; t = 1 is the next corner."""
        t = min(1.0, max(0.0, round(near.t, self.decimals)))
        return (near.side * self.ticks + round(t * self.ticks)) % (4 * self.ticks)

    def contains(self, point: Point) -> bool:
        """Whether a point is inside the frame or on it."""
        x, y = point
        return all(_cross(self.corners[k], self.corners[(k + 1) % 4], (x, y)) >= 0 for k in range(4))

    def on_grid(self, value: float) -> bool:
        """Whether a coordinate is one of the grid's values, within the tolerance; always, if there is no grid."""
        return self.grid is None or any(abs(value - g) <= self.tolerance + ROUNDING for g in self.grid)

    def sides_of(self, tick: int) -> frozenset[int]:
        """The sides that a tick is on: two for a corner."""
        side, along = divmod(tick, self.ticks)
        return frozenset({side, (side - 1) % 4}) if along == 0 else frozenset({side})

    def _within(self, t: float) -> bool:
        return -self.tolerance - ROUNDING <= t <= 1 + self.tolerance + ROUNDING

    def _beside(self, point: Point, side: int) -> Near:
        """The side's line: fraction along it and distance from it."""
        x0, y0 = self.corners[side]
        x1, y1 = self.corners[(side + 1) % 4]
        dx = x1 - x0
        dy = y1 - y0
        length = self.length(side)
        along = ((point[0] - x0) * dx + (point[1] - y0) * dy) / length**2
        return Near(side, along, abs(dx * (point[1] - y0) - dy * (point[0] - x0)) / length)

    def _clamped(self, point: Point, side: int) -> Near:
        """The side itself: like `_beside`, but the distance is that from the side's nearest point."""
        t = self._beside(point, side).t
        foot = self.point(side + min(1.0, max(0.0, t))) if t == t else self.corners[side]
        return Near(side, t, math.dist(point, foot))


def read_target(text: str) -> dict[str, int]:
    """The counts in a text such as "1T 2Q"; shapes that are not named are zero.

    Raises:
        ValueError: something else stands there.
    """
    counts = dict.fromkeys(WORDS, 0)
    for part in text.split():
        number = part[:-1]
        letter = part[-1].upper()
        if letter not in counts or not number.isdigit():
            raise ValueError(f"'{part}' is not a number of shapes such as 2T, 1Q, 1P or 1H")
        counts[letter] += int(number)
    return counts


def write_target(counts: Mapping[str, int]) -> str:
    """The short form of counts, such as "1T 2Q"."""
    return " ".join(f"{counts[letter]}{letter}" for letter in WORDS if counts.get(letter))


def spell(counts: Mapping[str, int]) -> str:
    """Counts in words: "2 triangles and 1 quadrilateral"."""
    letters = [letter for letter in WORDS if counts.get(letter)]
    words = [counted_shape(letter, counts[letter]) for letter in letters]
    if len(words) > 1:
        return _with_last(", ".join(words[:-1]), letters[-1], counts[letters[-1]])
    return words[0] if words else marked("nothing")


def counted_shape(letter: str, count: int) -> str:
    """A number of shapes in words: "2 triangles"."""
    words = {
        "T": counted(count, "triangle"),
        "Q": counted(count, "quadrilateral"),
        "P": counted(count, "pentagon"),
        "H": counted(count, "hexagon"),
    }
    return words[letter]


def _with_last(before: str, letter: str, count: int) -> str:
    """The end of a list. It is written out for each shape, so that a translation recognises it; triangles are first."""
    one, several = {
        "Q": (f"{before} and {count} quadrilateral", f"{before} and {count} quadrilaterals"),
        "P": (f"{before} and {count} pentagon", f"{before} and {count} pentagons"),
        "H": (f"{before} and {count} hexagon", f"{before} and {count} hexagons"),
    }[letter]
    return one if count == 1 else several


def polygon_area(points: Sequence[Point]) -> float:
    """The area of a simple polygon; negative if its corners run clockwise."""
    following = (*points[1:], points[0])
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, following, strict=True)) / 2


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
