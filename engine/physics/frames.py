"""From the machine's frame (left-handed, y up) to the engine's and the drawings' (right-handed, z up), and back.

Both ways swap y and z (docs/machines.md). Arrays hold vectors or quaternions x, y, z, w in their last axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import Vector

Quaternion = tuple[float, float, float, float]


def swapped(vector: Sequence[float]) -> Vector:
    """A position, velocity, force or size in the other frame."""
    return float(vector[0]), float(vector[2]), float(vector[1])


def swapped_all(vectors: Floats) -> Floats:
    """Vectors (..., 3) in the other frame."""
    return vectors[..., [0, 2, 1]]


def swapped_rotation(rotation: Sequence[float]) -> Quaternion:
    """A rotation in the other frame."""
    x, y, z, w = (float(value) for value in rotation)
    return -x, -z, -y, w


def swapped_rotations(rotations: Floats) -> Floats:
    """Rotations (..., 4) in the other frame."""
    return rotations[..., [0, 2, 1, 3]] * (-1.0, -1.0, -1.0, 1.0)


def matrices(rotations: Floats) -> Floats:
    """Rotation matrices (n, 3, 3) of quaternions (n, 4)."""
    x, y, z, w = np.moveaxis(np.asarray(rotations, float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def turn(rotation: Sequence[float], vector: Sequence[float]) -> Vector:
    """A vector turned by a quaternion; plain numbers, since this runs thousands of times a second."""
    x, y, z, w = rotation
    a, b, c = vector
    p, q, r = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    return a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p
