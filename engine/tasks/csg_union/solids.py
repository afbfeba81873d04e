"""The solids of a union: convex primitives with sizes, a turn and a place (SCBench, task q03).

Lengths in cm, right-handed, z up. Turns are in degrees about the fixed x, y and z axis, in this order; then the solid
is moved. Polygonal solids have their first vertex on their local +X.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron import WELD, Face, planar_faces, planar_regions
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.geometry.welding import weld

if TYPE_CHECKING:
    from manifold3d import Manifold

Point = tuple[float, float, float]

SIZES: dict[str, tuple[str, ...]] = {
    "box": ("x", "y", "z"),
    "prism": ("n", "r", "h"),
    "cone": ("n", "r", "h"),
    "wedge": ("x", "y", "z"),
    "tetrahedron": (),
    "sphere24": ("r",),
}
"""The kinds of solids, and the names of their sizes."""
RINGS, MERIDIANS = 12, 24
"""Rings of vertices of a sphere24, and vertices of a ring."""


@dataclass(frozen=True)
class Solid:
    """A convex primitive. `points` are the corners of a tetrahedron; other kinds follow from their sizes."""

    kind: str
    size: tuple[float, ...] = ()
    at: Point = (0.0, 0.0, 0.0)
    turn_deg: Point = (0.0, 0.0, 0.0)
    points: tuple[Point, ...] = field(default=())

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Solid:
        """A solid from plain data: {"kind", "size", "at", "turn", "points"}; all but the kind may be left out."""
        return cls(
            row["kind"],
            tuple(float(v) for v in row.get("size", ())),
            _point(row.get("at", (0, 0, 0))),
            _point(row.get("turn", (0, 0, 0))),
            tuple(map(_point, row.get("points", ()))),
        )

    @cached_property
    def local(self) -> Floats:
        """The corners before rotation and translation, (n, 3)."""
        return _CORNERS[self.kind](self)

    @cached_property
    def corners(self) -> Floats:
        """The corners in their place, (n, 3)."""
        return np.asarray(self.local @ rotation(self.turn_deg).T + np.array(self.at))

    @cached_property
    def shape(self) -> tuple[Floats, tuple[Face, ...]]:
        """Corners and planar faces."""
        from manifold3d import Manifold

        return faces_of(Manifold.hull_points(self.corners))


def _point(values: Iterable[float]) -> Point:
    x, y, z = (float(v) for v in values)
    return x, y, z


def rotation(turn_deg: Point) -> Floats:
    """The matrix of turns about the fixed x, y and z axis, in this order; exact for quarter turns."""
    matrix = np.eye(3)
    for axis, angle in enumerate(turn_deg):
        cos, sin = _cos_sin(angle)
        a, b = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3)
        step[a, a] = cos
        step[a, b] = -sin
        step[b, a] = sin
        step[b, b] = cos
        matrix = step @ matrix
    return matrix


def _cos_sin(angle_deg: float) -> tuple[float, float]:
    quarter = angle_deg / 90
    if quarter == round(quarter):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarter) % 4]
    return float(np.cos(np.radians(angle_deg))), float(np.sin(np.radians(angle_deg)))


def ring(n: int, radius: float, z: float) -> Floats:
    """A regular polygon around the z axis, first vertex on +X, (n, 3)."""
    turns = np.array([_cos_sin(360 * i / n) for i in range(n)])
    return np.column_stack([radius * turns, np.full(n, z)])


def _box(solid: Solid) -> Floats:
    half = np.array(solid.size) / 2
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half


def _prism(solid: Solid) -> Floats:
    n, radius, height = solid.size
    return np.concatenate([ring(int(n), radius, -height / 2), ring(int(n), radius, height / 2)])


def _cone(solid: Solid) -> Floats:
    n, radius, height = solid.size
    return np.concatenate([ring(int(n), radius, 0.0), [[0.0, 0.0, height]]])


def _wedge(solid: Solid) -> Floats:
    x, y, z = solid.size
    base = [(-x / 2, -y / 2, 0), (x / 2, -y / 2, 0), (x / 2, y / 2, 0), (-x / 2, y / 2, 0)]
    return np.array([*base, (-x / 2, -y / 2, z), (-x / 2, y / 2, z)], float)


def _tetrahedron(solid: Solid) -> Floats:
    return np.array(solid.points)


def _sphere24(solid: Solid) -> Floats:
    (radius,) = solid.size
    polar = np.radians((np.arange(RINGS) + 0.5) * 180 / RINGS)
    return np.concatenate([ring(MERIDIANS, radius * np.sin(angle), radius * np.cos(angle)) for angle in polar])


_CORNERS = {
    "box": _box,
    "prism": _prism,
    "cone": _cone,
    "wedge": _wedge,
    "tetrahedron": _tetrahedron,
    "sphere24": _sphere24,
}


@remember_solids(maxsize=256)
def manifold_of(solid: Solid) -> Manifold:
    """The solid for manifold3d."""
    from manifold3d import Manifold

    return Manifold.hull_points(solid.corners)


@remember_solids(maxsize=64)
def union_of(solids: tuple[Solid, ...]) -> Manifold:
    """The union for manifold3d."""
    from manifold3d import Manifold, OpType

    union = Manifold.batch_boolean([manifold_of(solid) for solid in solids], OpType.Add)
    # Worked out at once: manifold3d makes other triangles of a solid that is still to be worked out.
    union.volume()
    return union


def mesh_of(manifold: Manifold) -> tuple[Floats, Any]:
    """Welded vertices (n, 3) and triangles (m, 3) of a solid."""
    mesh = manifold.to_mesh64()
    vertices = np.asarray(mesh.vert_properties[:, :3], float)
    return weld(vertices, np.asarray(mesh.tri_verts, np.int64), WELD)


def faces_of(manifold: Manifold) -> tuple[Floats, tuple[Face, ...]]:
    """Vertices and the fewest planar faces of a solid."""
    return planar_faces(*mesh_of(manifold))


def plane_count(manifold: Manifold) -> int:
    """How many planar pieces the surface has; a piece with holes counts once."""
    return len(planar_regions(*mesh_of(manifold)))
