"""The unit tetrahedron, and its poses: rows x, y, z, q0, q1, q2, q3 with the scalar part q0 first."""

import numpy as np

from spatial_workbench.engine.core.scene import Floats

CORNERS: Floats = np.array(
    [[0, 0, 0], [1, 0, 0], [1 / 2, np.sqrt(3) / 2, 0], [1 / 2, np.sqrt(3) / 6, np.sqrt(2 / 3)]], dtype=float
)
"""The tetrahedron before it is placed; its origin is a corner, not its centre (SCBench B.4)."""
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
"""The corners of each face, counter-clockwise as seen from outside."""
EDGES = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
CENTER: Floats = CORNERS.mean(axis=0)


def norms_squared(poses: Floats) -> Floats:
    """The squared lengths of the quaternions of poses (n, 7)."""
    squares: Floats = (poses[:, 3:] ** 2).sum(axis=1)
    return squares


def normalised(poses: Floats) -> Floats:
    """The poses (n, 7) with quaternions of length 1."""
    unit = np.array(poses, dtype=float)
    unit[:, 3:] /= np.sqrt(norms_squared(unit))[:, None]
    return unit


def rotations(quaternions: Floats) -> Floats:
    """The rotation matrices (n, 3, 3) of unit quaternions (n, 4), scalar part first."""
    w, x, y, z = np.asarray(quaternions, float).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def vertices_of(poses: Floats) -> Floats:
    """The corners (n, 4, 3) of tetrahedra at poses (n, 7); quaternions are normalised first."""
    unit = normalised(poses)
    placed: Floats = np.einsum("nij,kj->nki", rotations(unit[:, 3:]), CORNERS) + unit[:, None, :3]
    return placed


def multiplied(first: Floats, second: Floats) -> Floats:
    """The quaternions (n, 4) of the rotations `second`, then `first` (each (4,) or (n, 4))."""
    a, b = np.broadcast_arrays(np.atleast_2d(first), np.atleast_2d(second))
    w, v, s, u = a[:, :1], a[:, 1:], b[:, :1], b[:, 1:]
    scalar = w * s - (v * u).sum(axis=1, keepdims=True)
    return np.hstack([scalar, w * u + s * v + np.cross(v, u)])


def about_axis(axis: tuple[float, float, float], angle_deg: float) -> Floats:
    """The unit quaternion (4,) of a rotation about an axis."""
    half = np.radians(angle_deg) / 2
    direction = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.concatenate([[np.cos(half)], np.sin(half) * direction])


def pose_of(points: Floats, tolerance: float = 1e-3) -> Floats | None:
    """The pose (7,) of the unit tetrahedron with these corners (4, 3) in any order; None if they make none."""
    from scipy.spatial.transform import Rotation

    if len(points) != 4:
        return None
    matrix = (points[1:] - points[0]).T @ np.linalg.inv(CORNERS[1:].T)
    if np.linalg.det(matrix) < 0:
        matrix = (points[[2, 1, 3]] - points[0]).T @ np.linalg.inv(CORNERS[1:].T)
    if np.abs(matrix @ matrix.T - np.eye(3)).max() > tolerance:
        return None
    x, y, z, w = Rotation.from_matrix(matrix).as_quat()
    return np.array([*points[0], w, x, y, z])
