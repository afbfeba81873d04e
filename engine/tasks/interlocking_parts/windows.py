"""The census of windows: cuts just below the six outer faces of the assembly, and the holes in them. Unscored, but it
finds a missing piece of a bar, which the nine criteria do not see."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.interlocking_parts.assembly import Posed
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.layers import section

DEPTH_MM = 2.0
JOINT_MM = 0.3
UNEQUAL_MM = 1.0

VIEWS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "bottom": ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    "top": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "south": ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "north": ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    "east": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    "west": ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
}
"""Rows: across, up and outward of a look at a face from outside."""


@dataclass(frozen=True)
class Window:
    """A hole in a face: the face, its sides across and up, its middle and four corners in the assembly's frame; mm."""

    face: str
    sides: tuple[float, float]
    middle: tuple[float, float, float]
    corners: tuple[tuple[float, float, float], ...]

    def problem(self, cage: Cage) -> str:
        """What is wrong with it; empty if nothing is."""
        across, up = (round(side, 2) for side in self.sides)
        if not all(cage.gap_least <= side <= cage.gap_most for side in (across, up)):
            return f"is {across:g} x {up:g} mm; its sides should be {cage.gap_least:g} to {cage.gap_most:g}"
        return f"is {across:g} x {up:g} mm, not square" if abs(across - up) > UNEQUAL_MM else ""

    def data(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "face": self.face,
            "sides": list(self.sides),
            "middle": list(self.middle),
            "corners": [list(corner) for corner in self.corners],
        }


@remember_solids(maxsize=16)
def census(parts: tuple[Posed, ...], cage: Cage) -> tuple[Window, ...]:
    """The windows of all faces."""
    if not parts:
        return ()
    low = np.min([part.bounds[0] for part in parts], axis=0)
    high = np.max([part.bounds[1] for part in parts], axis=0)
    return tuple(window for face in VIEWS for window in _windows(parts, cage, face, low, high))


def _windows(parts: Sequence[Posed], cage: Cage, face: str, low: Floats, high: Floats) -> Iterator[Window]:
    view = np.array(VIEWS[face], float)
    depth = max(float(view[2] @ low), float(view[2] @ high)) - DEPTH_MM
    for hole in _holes(_cut(parts, view, depth)):
        u0, v0, u1, v1 = hole
        if _is_for_a_rod(hole, view, cage):
            continue
        ring = np.array([[u0, v0, depth], [u1, v0, depth], [u1, v1, depth], [u0, v1, depth]]) @ view
        corners = tuple((x, y, z) for x, y, z in ring.tolist())
        x, y, z = ring.mean(axis=0).tolist()
        yield Window(face, (u1 - u0, v1 - v0), (x, y, z), corners)


def _cut(parts: Sequence[Posed], view: Floats, depth: float) -> Any:
    """The section of the assembly at a depth, seen from outside (shapely), with its joints closed."""
    from shapely import unary_union

    turned = np.column_stack([view, np.zeros(3)])
    pieces = [section(part.manifold.transform(turned).slice(depth)) for part in parts]
    joined = unary_union(pieces)
    return joined.buffer(JOINT_MM / 2, join_style="mitre").buffer(-JOINT_MM / 2, join_style="mitre")


def _holes(shape: Any) -> Iterator[tuple[float, float, float, float]]:
    """The boxes around the holes."""
    for polygon in getattr(shape, "geoms", [shape]):
        for ring in getattr(polygon, "interiors", ()):
            yield ring.bounds


def _is_for_a_rod(hole: tuple[float, float, float, float], view: Floats, cage: Cage) -> bool:
    """Whether a hole lies along, or at, a rod's axis."""
    u0, v0, u1, v1 = hole
    reach = cage.blocked / 2
    near_u = abs(abs(u0 + u1) / 2 - cage.axis_offset) + (u1 - u0) / 2 <= reach
    near_v = abs(abs(v0 + v1) / 2 - cage.axis_offset) + (v1 - v0) / 2 <= reach
    return near_u and (near_v or view[2, 2] == 0)
