"""The constraints on pipe loops: what each demands, what it measures, and what is wrong.

All comparisons are inclusive and without tolerance unless the constraint names one. See docs/tasks/pipe_loop.md.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from spatial_workbench.engine.core import Check, Problem
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.words import beside, counted
from spatial_workbench.engine.tasks.pipe_loop.shape import QUADRANTS, STRAIGHT_DEG, WALLS, PipeShape


class Constraint(ABC):
    """One demand on the shape of a loop."""

    type: ClassVar[str]
    name: ClassVar[str]
    """The row of the verdict."""

    @abstractmethod
    def demand(self, side: float) -> str:
        """The sentence of the prompt."""

    @abstractmethod
    def measured(self, shape: PipeShape) -> str:
        """The current value beside the required one: "3 walls, at least 3"."""

    @abstractmethod
    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        """What is wrong."""

    def check(self, shape: PipeShape) -> Check:
        """The row of the verdict, with the measured value where it passes."""
        return Check.of(self.name, self.problems(shape), passed=self.measured(shape))


@dataclass(frozen=True)
class MaxCrossings(Constraint):
    """No more than a number of crossings."""

    max: int
    type = "max_crossings"
    name = "at most so many crossings"

    def demand(self, side: float) -> str:
        return f"At most {self.max} pairs of pipes cross." if self.max else "The loop does not cross itself."

    def measured(self, shape: PipeShape) -> str:
        return f"{counted(shape.contacts.crossing_count, 'crossing')}, at most {self.max}"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        if shape.contacts.crossing_count > self.max:
            yield Problem(self.measured(shape), [contact.id for contact in shape.contacts.crossings])


@dataclass(frozen=True)
class ExactCrossings(Constraint):
    """An exact number of crossings, verified by the check of crossings that every loop has."""

    count: int
    type = "exact_crossings"
    name = "just so many crossings"

    def demand(self, side: float) -> str:
        pairs = "pair of pipes crosses" if self.count == 1 else "pairs of pipes cross"
        return f"Exactly {self.count} {pairs} (pipes that follow each other do not count)."

    def measured(self, shape: PipeShape) -> str:
        return f"{counted(shape.contacts.crossing_count, 'crossing')}, {self.count} wanted"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        if shape.contacts.crossing_count != self.count:
            yield Problem(self.measured(shape), [contact.id for contact in shape.contacts.crossings])


@dataclass(frozen=True)
class AngleRange(Constraint):
    """Every interior angle within bounds."""

    min_deg: float
    max_deg: float
    type = "angle_range"
    name = marked("angles")

    def demand(self, side: float) -> str:
        return (
            f"At every vertex the interior angle, between the pipes to the previous and to the next vertex (0 to 180 "
            f"degrees, 180 is straight), is from {self.min_deg:g} to {self.max_deg:g} degrees."
        )

    def measured(self, shape: PipeShape) -> str:
        low, high = shape.angles_deg.min(), shape.angles_deg.max()
        lowest, highest = beside(low, self.min_deg, 1), beside(high, self.max_deg, 1)
        return f"{lowest}° to {highest}°, within {self.min_deg:g}° to {self.max_deg:g}°"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        inside = (shape.angles_deg >= self.min_deg) & (shape.angles_deg <= self.max_deg)
        for i in np.flatnonzero(~inside).tolist():
            angle = shape.angles_deg[i]
            shown = beside(angle, self.min_deg if angle < self.min_deg else self.max_deg, 2)
            message = f"The angle at point {i} is {shown}°, not {self.min_deg:g}° to {self.max_deg:g}°"
            yield Problem(message, [f"point {i}"])


@dataclass(frozen=True)
class CentroidBox(Constraint):
    """The mean of the points in a box."""

    xmin_ratio: float
    xmax_ratio: float
    ymin_ratio: float
    ymax_ratio: float
    type = "centroid_box"
    name = "centre of mass"

    def bounds(self, side: float) -> tuple[float, float, float, float]:
        """x from, x to, y from, y to, in metres."""
        return self.xmin_ratio * side, self.xmax_ratio * side, self.ymin_ratio * side, self.ymax_ratio * side

    def demand(self, side: float) -> str:
        x0, x1, y0, y1 = self.bounds(side)
        return f"The mean of all vertices has x from {x0:g} to {x1:g} and y from {y0:g} to {y1:g}."

    def measured(self, shape: PipeShape) -> str:
        x0, x1, y0, y1 = self.bounds(shape.side)
        x, y = shape.centroid
        return f"({_between(x, x0, x1)}, {_between(y, y0, y1)}), in {x0:g}-{x1:g} by {y0:g}-{y1:g}"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        x0, x1, y0, y1 = self.bounds(shape.side)
        x, y = shape.centroid
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            place = f"({_between(x, x0, x1)}, {_between(y, y0, y1)})"
            yield Problem(f"The centre of mass {place} is not in {x0:g}-{x1:g} by {y0:g}-{y1:g}", ["centroid"])


@dataclass(frozen=True)
class MustTouchBoundary(Constraint):
    """Points on a number of walls."""

    edges_needed: int
    type = "must_touch_boundary"
    name = "walls touched"

    def demand(self, side: float) -> str:
        reach = max(0.001, 0.001 * side)
        return (
            f"Vertices touch at least {self.edges_needed} of the four sides of the square (a vertex touches a side "
            f"within {reach:g} m of it; a vertex at a corner touches two)."
        )

    def measured(self, shape: PipeShape) -> str:
        walls = f" ({', '.join(shape.walls)})" if shape.walls else ""
        return f"{len(shape.walls)}{walls}, at least {self.edges_needed}"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        if len(shape.walls) < self.edges_needed:
            missing = [wall for wall in WALLS if wall not in shape.walls]
            yield Problem(
                f"{counted(len(shape.walls), 'wall is', 'walls are')} touched, "
                f"{self.edges_needed} are needed; not touched: "
                f"{', '.join(missing)}",
                [f"wall {wall}" for wall in missing],
            )


@dataclass(frozen=True)
class MinTurns(Constraint):
    """A number of points that are not straight."""

    min_turns: int
    type = "min_turns"
    name = marked("turns")

    def demand(self, side: float) -> str:
        return f"At least {self.min_turns} vertices have an interior angle below {STRAIGHT_DEG:g} degrees."

    def measured(self, shape: PipeShape) -> str:
        return f"{int((shape.angles_deg < STRAIGHT_DEG).sum())}, at least {self.min_turns}"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        if (shape.angles_deg < STRAIGHT_DEG).sum() < self.min_turns:
            yield Problem(f"Turns: {self.measured(shape)} are needed")


@dataclass(frozen=True)
class MaxStraightRun(Constraint):
    """No long rows of straight points. The published scan does not go on from the last point to the first."""

    max_run: int
    cyclic: bool = False
    type = "max_straight_run"
    name = "straight runs"

    def demand(self, side: float) -> str:
        straight = f"straight (interior angle above {STRAIGHT_DEG:g} degrees)"
        return f"No more than {self.max_run} vertices in a row are {straight}."

    def measured(self, shape: PipeShape) -> str:
        longest = max(map(len, shape.straight_runs(self.cyclic)), default=0)
        return f"longest {longest}, at most {self.max_run}"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        for run in shape.straight_runs(self.cyclic):
            if len(run) > self.max_run:
                message = f"{len(run)} straight points in a row, from point {run[0]}; at most {self.max_run}"
                yield Problem(message, [f"point {i}" for i in run])


@dataclass(frozen=True)
class CoverageQuadrants(Constraint):
    """A point in every quadrant."""

    type = "coverage_quadrants"
    name = marked("quadrants")

    def demand(self, side: float) -> str:
        return f"Each of the four quadrants (divided at x = {side / 2:g} and y = {side / 2:g}) holds a vertex."

    def measured(self, shape: PipeShape) -> str:
        return f"{len(shape.quadrants)} of 4"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        for name in QUADRANTS:
            if name not in shape.quadrants:
                yield Problem(f"The {name} quadrant holds no point", [f"quadrant {name}"])


@dataclass(frozen=True)
class AvoidMargin(Constraint):
    """No point near a wall."""

    margin_ratio: float
    type = "avoid_margin"
    name = marked("margin")

    def demand(self, side: float) -> str:
        margin = self.margin_ratio * side
        return f"Every vertex has x and y from {margin:g} to {side - margin:g} (a margin of {margin:g} m)."

    def measured(self, shape: PipeShape) -> str:
        gap = min(shape.points.min(), (shape.side - shape.points).min())
        margin = self.margin_ratio * shape.side
        return f"{beside(gap, margin, 3)} m, at least {margin:g} m"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        margin = self.margin_ratio * shape.side
        inside = ((shape.points >= margin) & (shape.points <= shape.side - margin)).all(axis=1)
        for i in np.flatnonzero(~inside).tolist():
            x, y = shape.points[i]
            shown = ", ".join(f"{float(_between(value, margin, shape.side - margin)):.12g}" for value in (x, y))
            yield Problem(f"Point {i}, ({shown}), is in the margin of {margin:g} m", [f"point {i}"])


@dataclass(frozen=True)
class MinConvexHullArea(Constraint):
    """A convex hull with a least area."""

    min_area_ratio: float
    type = "min_convex_hull_area"
    name = "hull area"

    def demand(self, side: float) -> str:
        return (
            f"The convex hull of the vertices has an area of at least {self.min_area_ratio * side**2:g} square metres."
        )

    def measured(self, shape: PipeShape) -> str:
        least = self.min_area_ratio * shape.side**2
        return f"{beside(shape.hull_area, least, 2)} m², at least {least:g} m²"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        if not shape.hull_area >= self.min_area_ratio * shape.side**2:
            yield Problem(f"The hull has {self.measured(shape)}", ["hull"])


@dataclass(frozen=True)
class FixedStart(Constraint):
    """The first point near a place."""

    x_ratio: float
    y_ratio: float
    tolerance: float = 0.25
    type = "fixed_start"
    name = marked("start")

    def distance(self, shape: PipeShape) -> float:
        """From point 0 to the place, in metres."""
        x, y = shape.points[0]
        return math.hypot(x - self.x_ratio * shape.side, y - self.y_ratio * shape.side)

    def demand(self, side: float) -> str:
        place = f"({self.x_ratio * side:g}, {self.y_ratio * side:g})"
        return f"The first vertex is within {self.tolerance:g} m of {place}."

    def measured(self, shape: PipeShape) -> str:
        return f"{beside(self.distance(shape), self.tolerance, 3)} m away, at most {self.tolerance:g} m"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        if not self.distance(shape) <= self.tolerance:
            yield Problem(f"Point 0 is {self.measured(shape)}", ["point 0", "start"])


@dataclass(frozen=True)
class MinPointSeparation(Constraint):
    """Points apart from each other."""

    min_dist: float
    type = "min_point_separation"
    name = marked("separation")

    def distances(self, shape: PipeShape) -> Any:
        """Between points i and j >= i + 2; infinite elsewhere. (n, n)"""
        gaps = shape.points[:, None, :] - shape.points[None, :, :]
        distances = np.hypot(gaps[..., 0], gaps[..., 1])
        distances[np.tri(len(distances), k=1, dtype=bool)] = np.inf
        return distances

    def demand(self, side: float) -> str:
        return f"Vertices that do not follow each other in the list are at least {self.min_dist:g} m apart."

    def measured(self, shape: PipeShape) -> str:
        return f"{beside(self.distances(shape).min(), self.min_dist, 3)} m, at least {self.min_dist:g} m"

    def problems(self, shape: PipeShape) -> Iterator[Problem]:
        distances = self.distances(shape)
        for i, j in np.argwhere(~(distances >= self.min_dist)).tolist():
            apart = beside(distances[i, j], self.min_dist, 3)
            message = f"Points {i} and {j} are {apart} m apart, at least {self.min_dist:g} m are wanted"
            yield Problem(message, [f"point {i}", f"point {j}"])


def _between(value: float, low: float, high: float) -> str:
    """A coordinate beside the nearer end of the range that it should be in."""
    return beside(value, low if abs(value - low) < abs(value - high) else high, 3)


TYPES: dict[str, type[Constraint]] = {
    kind.type: kind
    for kind in (
        MaxCrossings,
        ExactCrossings,
        AngleRange,
        CentroidBox,
        MustTouchBoundary,
        MinTurns,
        MaxStraightRun,
        CoverageQuadrants,
        AvoidMargin,
        MinConvexHullArea,
        FixedStart,
        MinPointSeparation,
    )
}


def constraints_of(data: Sequence[Mapping[str, Any]]) -> tuple[Constraint, ...]:
    """The constraints of an instance's parameters: {"type": ..., and its numbers}.

    Raises:
        ValueError: names the type or the number that is wrong.
    """
    return tuple(_constraint(entry) for entry in data)


def _constraint(entry: Mapping[str, Any]) -> Constraint:
    kind = TYPES.get(str(entry.get("type")))
    if kind is None:
        raise ValueError(f"'{entry.get('type')}' is not a constraint: {', '.join(TYPES)}")
    numbers = {name: value for name, value in entry.items() if name != "type"}
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if not known.issuperset(numbers):
        raise ValueError(f"{kind.type} has no {', '.join(sorted(numbers.keys() - known))}")
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in numbers.values()):
        raise ValueError(f"{kind.type}: finite numbers are expected")
    try:
        return kind(**numbers)
    except TypeError:
        raise ValueError(f"{kind.type} needs {', '.join(sorted(known - numbers.keys()))}") from None
