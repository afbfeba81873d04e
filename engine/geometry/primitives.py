"""Boxes, cylinders and spheres as triangle meshes around the origin: vertices (n, 3) and faces (m, 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints

Surface = tuple[Floats, Ints]

SIDES = 48
_RINGS = 24
_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_BOX_FACES = np.array([triangle for a, b, c, d in _QUADS for triangle in ((a, b, c), (a, c, d))])


def box_mesh(size: Sequence[float]) -> Surface:
    """A box along the axes."""
    return _CORNERS * size, _BOX_FACES


@lru_cache
def cylinder_mesh(radius: float, length: float, axis: int) -> Surface:
    """A cylinder along the axis of that number."""
    return _turned([(0.0, -length / 2), (radius, -length / 2), (radius, length / 2), (0.0, length / 2)], axis)


@lru_cache
def sphere_mesh(radius: float) -> Surface:
    """A ball."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, _RINGS + 1)
    outline = np.column_stack([np.cos(angles), np.sin(angles)]) * radius
    outline[[0, -1], 0] = 0.0
    return _turned(outline.tolist(), 2)


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in surfaces[:-1])])
    faces = [triangles + start for (_, triangles), start in zip(surfaces, starts, strict=True)]
    return np.concatenate([vertices for vertices, _ in surfaces]), np.concatenate(faces)


def _turned(outline: Sequence[Sequence[float]], axis: int) -> Surface:
    """The surface that an outline of (distance, height), from bottom to top and closed at its ends, sweeps."""
    angles = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)
    rings = [
        np.column_stack([distance * np.cos(angles), distance * np.sin(angles), np.full(SIDES, height)])
        for distance, height in outline[1:-1]
    ]
    poles = np.array([(0.0, 0.0, outline[0][1]), (0.0, 0.0, outline[-1][1])])
    vertices = np.concatenate([poles[:1], *rings, poles[1:]])
    here = np.arange(SIDES)
    beside = (here + 1) % SIDES
    last = 1 + SIDES * (len(rings) - 1)
    bottom = np.column_stack([np.zeros_like(here), 1 + beside, 1 + here])
    top = np.column_stack([np.full_like(here, len(vertices) - 1), last + here, last + beside])
    sides = [
        np.concatenate(
            [
                np.column_stack([start + here, start + beside, start + SIDES + beside]),
                np.column_stack([start + here, start + SIDES + beside, start + SIDES + here]),
            ]
        )
        for start in range(1, last, SIDES)
    ]
    # Rolling the coordinates keeps the surface's outside outside.
    return np.roll(vertices, axis - 2, axis=1), np.concatenate([bottom, *sides, top])
