"""Where rigid bodies are: their poses, and the boxes around them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats, Ints, RigidBodies
from spatial_workbench.widgets.render3d.camera import box_corners

BodyMesh: TypeAlias = tuple[Floats, Ints]
"""Vertices (v, 3) in the body's own frame, and triangles (m, 3)."""

KEPT_MESHES = 512
"""For how many meshes what was computed is kept."""


class MeshKey:
    """A mesh as a key of a cache: it equals only meshes of the same two arrays."""

    def __init__(self, mesh: BodyMesh) -> None:
        self.vertices, self.triangles = mesh

    def __hash__(self) -> int:
        return hash((id(self.vertices), id(self.triangles)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MeshKey) and self.vertices is other.vertices and self.triangles is other.triangles

    @property
    def arrays(self) -> tuple[Floats, NDArray[np.intp]]:
        """Vertices (v, 3) and triangles (m, 3)."""
        vertices = np.asarray(self.vertices, float).reshape(-1, 3)
        return vertices, np.asarray(self.triangles, np.intp).reshape(-1, 3)


def poses_of(item: RigidBodies) -> tuple[Floats, Floats]:
    """The rotation matrices (n, 3, 3) and the positions (n, 3) of the bodies; NaN where there is none."""
    rotations = np.asarray(item.rotations, float)
    positions = np.asarray(item.positions, float)
    return matrices_of(rotations.reshape(-1, 4)), positions.reshape(-1, 3)


def matrices_of(quaternions: Floats) -> Floats:
    """Rotation matrices (n, 3, 3) of quaternions x, y, z, w (n, 4), of any length but 0."""
    with np.errstate(invalid="ignore"):
        x, y, z, w = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def is_placed(matrices: Floats, positions: Floats) -> NDArray[np.bool_]:
    """Which bodies have a pose, (n,)."""
    numbers = np.concatenate([positions, matrices.reshape(-1, 9)], axis=1)
    return np.asarray(np.isfinite(numbers).all(axis=1))


def boxes_of(meshes: Sequence[BodyMesh]) -> Floats:
    """The corners of the box around each mesh in its body's frame, (n, 8, 3), the lowest first and the highest last.

    They are NaN for empty meshes.
    """
    return np.array([_box_of(MeshKey(mesh)) for mesh in meshes], float).reshape(-1, 8, 3)


@lru_cache(maxsize=KEPT_MESHES)
def _box_of(key: MeshKey) -> Floats:
    vertices, _ = key.arrays
    return box_corners((vertices.min(axis=0), vertices.max(axis=0))) if len(vertices) else np.full((8, 3), np.nan)


def corners_of(item: RigidBodies) -> Floats:
    """The corners of the box around each body, turned with it, (n, 8, 3); NaN where a body has no pose."""
    return moved(boxes_of(item.meshes), *poses_of(item))


def moved(local: Floats, matrices: Floats, positions: Floats) -> Floats:
    """Points (n, k, 3) in their bodies' frames as points of the scene."""
    placed: Floats = local @ matrices.swapaxes(1, 2) + positions[:, None, :]
    return placed
