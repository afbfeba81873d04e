"""The shape that the shadow has to fill, and how the published shapes are written down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from shapely import Geometry
else:
    Geometry = Any

Ring = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class TetrahedraTarget:
    """A polygon with holes on the ground, and the raw score that counts as perfect.

    outline: corners in order. holes: their corners. divisor: raw scores are divided by it. description: in words.
    rounded_by: how far the divisor may lie above the raw score that is meant, since it was rounded.
    """

    outline: Ring
    holes: tuple[Ring, ...]
    divisor: float
    description: str
    rounded_by: float = 0.0

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "TetrahedraTarget":
        """The target of an instance's parameters."""
        outline, *holes = (_ring(ring) for ring in (parameters["outline"], *parameters["holes"]))
        # Of generated targets, it is the solver's raw score with four decimals; of published ones, it is exact.
        rounded_by = 5e-5 if "reference" in parameters else 0.0
        return cls(outline, tuple(holes), parameters["divisor"], parameters["description"], rounded_by)

    @cached_property
    def shape(self) -> Geometry:
        """The polygon (shapely)."""
        from shapely import Polygon, prepare

        polygon = Polygon(self.outline, self.holes)
        prepare(polygon)
        return polygon

    @cached_property
    def area(self) -> float:
        """Its area."""
        return float(self.shape.area)

    @property
    def rings(self) -> tuple[Ring, ...]:
        """The outline, then the holes."""
        return self.outline, *self.holes

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """x_min, y_min, x_max, y_max."""
        corners = np.array(self.outline)
        (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return x0, y0, x1, y1


def ring_of(entry: Any) -> list[list[float]]:
    """The corners of a ring as the resources write it: a list of corners, or a regular polygon or a star.

    {"regular": n, "radius": r, "turn_deg": 0, "stretch": [1, 1], "upper_half": false}: first corner at turn_deg
    {"star": n, "outer": r, "inner": r, "turn_deg": 0}: the first outer corner at turn_deg
    """
    if isinstance(entry, list):
        return [[float(x), float(y)] for x, y in entry]
    if "star" in entry:
        radii = np.tile([entry["outer"], entry["inner"]], entry["star"])
    else:
        radii = np.full(entry["regular"], float(entry["radius"]))
    angles = 2 * np.pi * np.arange(len(radii)) / len(radii) + np.radians(entry.get("turn_deg", 0.0))
    corners = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]) * entry.get("stretch", (1.0, 1.0))
    if entry.get("upper_half"):
        corners = corners[: len(corners) // 2 + 1]
    return [[float(x), float(y)] for x, y in np.round(corners, 12) + 0.0]


def _ring(corners: Sequence[Sequence[float]]) -> Ring:
    return tuple((float(x), float(y)) for x, y in corners)
