"""Turned rectangles in the plane: corners, nearest points and penetration depths, many at a time."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def axes(angles_deg: Floats) -> Floats:
    """The unit vectors along the sides of rectangles turned by `angles_deg` (n,): (n, 2 sides, 2).

    Multiples of 90 degrees give exact zeros and ones, so that aligned rectangles meet exactly.
    """
    quarter = np.round(angles_deg / 90.0)
    rest = np.radians(angles_deg - 90.0 * quarter)
    turn = quarter.astype(np.int64) % 4
    whole_cos, whole_sin = np.array([1.0, 0.0, -1.0, 0.0])[turn], np.array([0.0, 1.0, 0.0, -1.0])[turn]
    cos = whole_cos * np.cos(rest) - whole_sin * np.sin(rest)
    sin = whole_sin * np.cos(rest) + whole_cos * np.sin(rest)
    return np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)


def corners(centers: Floats, half_sizes: Floats, sides: Floats) -> Floats:
    """The corners of rectangles, counter-clockwise: (n, 4, 2).

    Takes centers (n, 2), half_sizes (2,) or (n, 2), and sides (n, 2, 2) as given by `axes`.
    """
    signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    half = np.broadcast_to(half_sizes, centers.shape)
    corners: Floats = centers[:, None, :] + np.einsum("kd,nd,nde->nke", signs, half, sides)
    return corners


def distance_to(points: Floats, centers: Floats, half_sizes: Floats, sides: Floats) -> Floats:
    """The distance from points (n, 2) to the rectangles (n), 0 inside."""
    local = np.einsum("nd,ned->ne", points - centers, sides)
    outside = np.maximum(np.abs(local) - half_sizes, 0.0)
    distance: Floats = np.hypot(outside[:, 0], outside[:, 1])
    return distance


def penetration(first: Floats, second: Floats, half_size: Floats, first_sides: Floats, second_sides: Floats) -> Floats:
    """The penetration depth of pairs of equal rectangles, (n,).

    It is the smallest overlap along the sides of both (separating axes); negative if they are apart.
    Takes centers (n, 2) of both, the common half_size (2,), and the sides (n, 2, 2) of both.
    """
    sides = np.concatenate([first_sides, second_sides], axis=1)
    apart = np.abs(np.einsum("nd,nad->na", second - first, sides))
    reach = np.zeros_like(apart)
    for own in (first_sides, second_sides):
        reach += np.einsum("nead,e->na", np.abs(np.einsum("nad,ned->nea", sides, own))[..., None], half_size)
    depth: Floats = (reach - apart).min(axis=1)
    return depth
