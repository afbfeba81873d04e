"""Boxes, cylinders and spheres as triangle meshes around the origin: vertices (n, 3) and faces (m, 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from engine.core.scene import Floats, Ints

Surface = tuple[Floats, Ints]

_CYLINDER_SIDES = 48
_SPHERE_DETAIL = 3
_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_BOX_FACES = np.array([triangle for a, b, c, d in _SIDES for triangle in ((a, b, c), (a, c, d))])


def box_mesh(size: Sequence[float]) -> Surface:
    """A box along the axes."""
    return _CORNERS * size, _BOX_FACES


@lru_cache
def cylinder_mesh(radius: float, length: float, axis: int) -> Surface:
    """A cylinder along the axis of that number."""
    from trimesh.creation import cylinder

    mesh = cylinder(radius, length, sections=_CYLINDER_SIDES)
    # Rolling the coordinates keeps the surface's outside outside.
    return np.roll(np.asarray(mesh.vertices), axis - 2, axis=1), np.asarray(mesh.faces)


@lru_cache
def sphere_mesh(radius: float) -> Surface:
    """A ball."""
    from trimesh.creation import icosphere

    mesh = icosphere(_SPHERE_DETAIL, radius)
    return np.asarray(mesh.vertices), np.asarray(mesh.faces)


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in surfaces[:-1])])
    faces = [triangles + start for (_, triangles), start in zip(surfaces, starts, strict=True)]
    return np.concatenate([vertices for vertices, _ in surfaces]), np.concatenate(faces)
