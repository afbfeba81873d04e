"""From the machine's frame (left-handed, y up) to the engine's and the drawings' (right-handed, z up), and back.

Both ways swap y and z (docs/machines.md). Arrays hold vectors or quaternions x, y, z, w in their last axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import Vector

Quaternion = tuple[float, float, float, float]


def _crossing() -> Floats:
    table = np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        table[j, i, k] = 1.0
        table[j, k, i] = -1.0
    return table.reshape(3, 9)


def _turning() -> Floats:
    table = np.zeros((4, 4, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        table[j, j, i, i] = table[k, k, i, i] = -2.0
        table[i, j, i, j] = table[i, j, j, i] = 2.0
        table[k, 3, i, j] = -2.0
        table[k, 3, j, i] = 2.0
    return table.reshape(16, 9)


_CROSSING = _crossing()
_UNIT = np.eye(3)
_TURNING = _turning()
"""A rotation matrix is the unit matrix and these multiples of the products of a quaternion's components."""


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


def floats(numbers: Sequence[float]) -> Floats:
    """Many plain numbers as an array (n,), in a third of the time that `np.array` takes."""
    return np.frombuffer(bytearray(pack(f"{len(numbers)}d", *numbers)))


def matrices(rotations: Floats) -> Floats:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4)."""
    squares = rotations[..., :, None] * rotations[..., None, :]
    turned = squares.reshape(*rotations.shape[:-1], 16) @ _TURNING
    return np.asarray(turned.reshape(*rotations.shape[:-1], 3, 3) + _UNIT)


def crossing(vectors: Floats) -> Floats:
    """The matrices (..., 3, 3) that multiply from the left as the cross product with vectors (..., 3) does."""
    return np.asarray((vectors @ _CROSSING).reshape(*vectors.shape, 3))


def turn(rotation: Sequence[float], vector: Sequence[float]) -> Vector:
    """A vector turned by a quaternion; plain numbers, since this runs thousands of times a second."""
    x, y, z, w = rotation
    a, b, c = vector
    p, q, r = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    return a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p


def turned_all(rotations: Floats, vector: Sequence[float]) -> Floats:
    """A vector turned by quaternions (n, 4), as by `turn`."""
    return np.array([turn(rotation, vector) for rotation in rotations.tolist()]).reshape(-1, 3)


def quaternion_of(matrix: Floats) -> Floats:
    """The quaternion (4,) of a rotation matrix (3, 3)."""
    trace = float(np.trace(matrix))
    across = matrix + matrix.T
    turn = [float(matrix[(k + 2) % 3, (k + 1) % 3] - matrix[(k + 1) % 3, (k + 2) % 3]) for k in range(3)]
    # Each row is the quaternion times four times one of its components; the longest is the most exact.
    rows = np.zeros((4, 4))
    rows[:3, :3] = across - np.diag(np.diag(across)) + np.diag(1 + 2 * np.diag(matrix) - trace)
    rows[3, :3] = rows[:3, 3] = turn
    rows[3, 3] = 1 + trace
    quaternion = rows[int(np.diag(rows).argmax())]
    return np.asarray(quaternion / np.sqrt((quaternion * quaternion).sum()))


def products(first: Floats, second: Floats) -> Floats:
    """The quaternions (..., n, 4) that turn by the second, then by the first."""
    across = (crossing(first[..., :3]) @ second[..., :3, None])[..., 0]
    vector = first[..., 3:] * second[..., :3] + second[..., 3:] * first[..., :3] + across
    scalar = first[..., 3:] * second[..., 3:] - (first[..., :3] * second[..., :3]).sum(axis=-1, keepdims=True)
    return np.concatenate([vector, scalar], axis=-1)
