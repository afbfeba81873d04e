"""Small meshes and surfaces made in numpy: the unit box and stud, voxels' faces, columns, dashes, cones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Boxes, Floats, Ints

STUD_SIDES = 16
STUD_DIAMETER = 0.6
STUD_HEIGHT = 0.2
"""Diameter and height are shares of the distance between two studs (4.8 mm and 1.6 mm of 8 mm)."""

Quads = tuple[Floats, Ints, Floats]
"""points (4 m, 3), faces (m, 4), normals (4 m, 3)."""

SIX_WAYS = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
_DENSE_LIMIT = 1 << 25


def _face_corners() -> NDArray[np.int64]:
    """(6, 4, 3): corners of the unit cell's faces, counter-clockwise from outside, in the order of SIX_WAYS."""
    faces = []
    for step in SIX_WAYS:
        axis = int(np.flatnonzero(step)[0])
        u, v = (axis + 1) % 3, (axis + 2) % 3
        corners = np.zeros((4, 3), int)
        corners[:, axis] = step[axis] > 0
        corners[:, u] = [0, 1, 1, 0]
        corners[:, v] = [0, 0, 1, 1]
        faces.append(corners if step[axis] > 0 else corners[::-1])
    return np.array(faces)


_CORNERS = _face_corners()


def quads(points: Floats, normals: Floats) -> Quads:
    """Quads from their corners (m, 4, 3) and one normal each (m, 3)."""
    count = len(points)
    return points.reshape(-1, 3), np.arange(4 * count).reshape(count, 4), np.repeat(normals, 4, axis=0)


def unit_box() -> Quads:
    """The box from -0.5 to 0.5 in each direction."""
    return quads(np.asarray(_CORNERS - 0.5, float), SIX_WAYS.astype(float))


def unit_stud() -> tuple[Floats, Ints, Floats]:
    """A cylinder of diameter 1 from z = 0 to 1 without a bottom: points, triangles, normals."""
    angle = np.linspace(0, 2 * np.pi, STUD_SIDES, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    low = ring * 0.5
    high = ring * 0.5 + up
    points = np.concatenate([low, high, high, [up]])
    normals = np.concatenate([ring, ring, np.tile(up, (STUD_SIDES + 1, 1))])
    i = np.arange(STUD_SIDES)
    j = (i + 1) % STUD_SIDES
    sides = [np.stack([i, j, j + STUD_SIDES], 1), np.stack([i, j + STUD_SIDES, i + STUD_SIDES], 1)]
    top = np.stack([i + 2 * STUD_SIDES, j + 2 * STUD_SIDES, np.full_like(i, 3 * STUD_SIDES)], 1)
    return points, np.concatenate([*sides, top]), normals


def unit_cone(sides: int = 16) -> tuple[Floats, Ints, Floats]:
    """A cone from its base (radius 0.44) at x = -1 to its tip at the origin: points, triangles, normals."""
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.full(sides, -1.0), 0.44 * np.cos(angle), 0.44 * np.sin(angle)], axis=1)
    slope = np.stack([np.full(sides, 0.40), 0.92 * np.cos(angle), 0.92 * np.sin(angle)], axis=1)
    back = np.tile([-1.0, 0.0, 0.0], (sides + 1, 1))
    points = np.concatenate([ring, np.zeros((sides, 3)), ring, [[-1.0, 0.0, 0.0]]])
    i = np.arange(sides)
    j = (i + 1) % sides
    mantle = np.stack([i, j, i + sides], 1)
    base = np.stack([j + 2 * sides, i + 2 * sides, np.full_like(i, 3 * sides)], 1)
    return points, np.concatenate([mantle, base]), np.concatenate([slope, slope, back])


def studs(
    centers: Floats, sizes: Floats, angles_deg: Floats, counts: tuple[int, int]
) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """The studs of boxes: bottom centres (m, 3), sizes (m, 3), and the index of each stud's box (m,)."""
    nx, ny = counts
    grid = np.stack(np.meshgrid((np.arange(nx) + 0.5) / nx - 0.5, (np.arange(ny) + 0.5) / ny - 0.5), -1).reshape(-1, 2)
    local = grid[None] * sizes[:, None, :2]
    angle = np.radians(angles_deg)[:, None]
    cos, sin = np.cos(angle), np.sin(angle)
    x = centers[:, :1] + cos * local[..., 0] - sin * local[..., 1]
    y = centers[:, 1:2] + sin * local[..., 0] + cos * local[..., 1]
    z = np.broadcast_to((centers[:, 2] + sizes[:, 2] / 2)[:, None], x.shape)
    pitch = np.minimum(sizes[:, 0] / nx, sizes[:, 1] / ny)
    each = pitch[:, None] * [STUD_DIAMETER, STUD_DIAMETER, STUD_HEIGHT]
    owner = np.repeat(np.arange(len(centers)), nx * ny)
    return np.stack([x, y, z], axis=-1).reshape(-1, 3), each[owner], owner


def exposed_faces(cells: Ints, drawn: NDArray[np.bool_]) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """The faces of the `drawn` cells towards cells that are not drawn, in units of cells.

    Returns:
        corners (m, 4, 3), normals (m, 3), and the row of `cells` that each belongs to, (m,).
    """
    rows = np.flatnonzero(drawn)
    inside = cells[rows]
    if not len(rows):
        return np.empty((0, 4, 3)), np.empty((0, 3)), rows
    free = ~np.stack(_neighbours(inside), axis=1)
    which, side = np.nonzero(free)
    return (inside[which, None, :] + _CORNERS[side]).astype(float), SIX_WAYS[side].astype(float), rows[which]


def _neighbours(cells: Ints) -> list[NDArray[np.bool_]]:
    """For each of the six directions, whether the neighbour of each cell is a cell too."""
    low = cells.min(axis=0) - 1
    shape = cells.max(axis=0) - low + 2
    local = cells - low
    if np.prod(shape.astype(float)) <= _DENSE_LIMIT:
        filled = np.zeros(shape, bool)
        filled[tuple(local.T)] = True
        return [filled[tuple((local + step).T)] for step in SIX_WAYS]
    strides = np.array([shape[1] * shape[2], shape[2], 1], dtype=object)
    keys = (local * strides).sum(axis=1)
    known = set(keys.tolist())
    return [np.fromiter((k in known for k in keys + int((step * strides).sum())), bool, len(keys)) for step in SIX_WAYS]


def columns(heights: Floats) -> tuple[Floats, Floats]:
    """The tops and sides of columns over a grid of heights (rows, columns); NaN: no column.

    Returns:
        corners (m, 4, 3) and normals (m, 3), in cells along x and y and the heights' own unit along z.
    """
    base = min(0.0, float(np.nanmin(heights))) if np.isfinite(heights).any() else 0.0
    tops = np.nan_to_num(heights, nan=base)
    y, x = np.nonzero(np.isfinite(heights))
    corners = [_wall(x, y, tops[y, x], tops[y, x], _CORNERS[4])]
    normals = [np.tile(SIX_WAYS[4], (len(x), 1))]
    padded = np.pad(tops, 1, constant_values=base)
    for step, shape in zip(SIX_WAYS[:4], _CORNERS[:4], strict=True):
        other = padded[1 + step[1] : 1 + step[1] + tops.shape[0], 1 + step[0] : 1 + step[0] + tops.shape[1]]
        y, x = np.nonzero(tops > other)
        corners.append(_wall(x, y, other[y, x], tops[y, x], shape))
        normals.append(np.tile(step, (len(x), 1)))
    return np.concatenate(corners), np.concatenate(normals).astype(float)


def _wall(x: Ints, y: Ints, low: Floats, high: Floats, shape: Ints) -> Floats:
    corners: Floats = np.stack([x, y, np.zeros_like(x)], axis=1)[:, None, :] + shape[None].astype(float)
    corners[..., 2] = np.where(shape[None, :, 2] == 1, high[:, None], low[:, None])
    return corners


def smooth_field(heights: Floats) -> Quads:
    """A surface through heights (rows, columns) at cells' centres, level over the outer half cells; NaN: a hole."""
    rows, cols = heights.shape
    x = np.concatenate([[0.0], np.arange(cols) + 0.5, [cols]])
    y = np.concatenate([[0.0], np.arange(rows) + 0.5, [rows]])
    z = np.pad(heights, 1, mode="edge")
    gx, gy = np.meshgrid(x, y)
    points = np.stack([gx, gy, z], axis=-1)
    slope_y, slope_x = np.gradient(z, y, x)
    normals = np.stack([-slope_x, -slope_y, np.ones_like(z)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    index = np.arange(z.size).reshape(z.shape)
    faces = np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1).reshape(-1, 4)
    whole = np.isfinite(z.ravel()[faces]).all(axis=1)
    return np.nan_to_num(points.reshape(-1, 3)), faces[whole], np.nan_to_num(normals.reshape(-1, 3))


def as_3d(points: Floats) -> Floats:
    """Points (n, 2) or (n, 3) as (n, 3); flat ones lie at z = 0."""
    points = np.asarray(points, float)
    return np.pad(points, ((0, 0), (0, 1))) if points.ndim == 2 and points.shape[1] == 2 else points.reshape(-1, 3)


def dashes(points: Floats, dash: float) -> tuple[Floats, Ints]:
    """A line through points cut into dashes and equal gaps: points (2 m, 3) and pairs (m, 2)."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    total = float(along[-1])
    starts = np.arange(0.0, total, 2 * dash)
    ends = np.minimum(starts + dash, total)
    cuts = np.unique(np.concatenate([starts, ends, along]))
    middles = (cuts[:-1] + cuts[1:]) / 2
    on = (middles % (2 * dash)) < dash
    places = np.stack([np.interp(cuts, along, points[:, k]) for k in range(3)], axis=1)
    index = np.flatnonzero(on)
    pairs = np.stack([index, index + 1], axis=1)
    return places, pairs


def chain(count: int, closed: bool) -> Ints:
    """Pairs of neighbouring indices of a line through `count` points."""
    index = np.arange(count if closed else count - 1)
    return np.stack([index, (index + 1) % count], axis=1)


def turned_frame(direction: Floats) -> Floats:
    """(3, 3) rotation whose first column is the direction."""
    x = direction / (np.linalg.norm(direction) or 1.0)
    helper = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    y = np.cross(helper, x)
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def box_arrays(item: Boxes) -> tuple[Floats, Floats, Floats]:
    """Centres (n, 3), sizes (n, 3) and angles in degrees (n,) of all boxes."""
    count = len(item.ids)
    centers = np.asarray(item.centers, float).reshape(count, 3)
    sizes = np.broadcast_to(np.asarray(item.sizes, float), (count, 3))
    angles = np.zeros(count) if item.angles_deg is None else np.asarray(item.angles_deg, float)
    return centers, sizes, angles


def plane_normal(points: Floats) -> Floats:
    """The unit normal of a planar polygon (Newell's sum)."""
    normal: Floats = plane_normals([points])[0]
    return normal


def plane_normals(rings: Sequence[Floats]) -> Floats:
    """The unit normals (m, 3) of planar polygons, each (n, 3)."""
    if not rings:
        return np.empty((0, 3))
    sizes = np.array([len(ring) for ring in rings])
    starts = np.cumsum(sizes) - sizes
    after = np.arange(1, sizes.sum() + 1)
    after[starts + sizes - 1] = starts
    points = np.concatenate(rings)
    sums = np.add.reduceat(np.cross(points, points[after]), starts, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths > 0, sums / np.where(lengths > 0, lengths, 1.0), [0.0, 0.0, 1.0])


def triangles_of(points: Floats, normal: Floats) -> Ints:
    """The triangles (m, 3) of a planar polygon (n, 3), turning the same way as the polygon.

    The polygon may have slivers, and corners that touch its own edges.
    """
    if len(points) < 4:
        return np.arange(len(points) // 3 * 3).reshape(-1, 3)
    import manifold3d

    along = int(np.argmax(np.abs(normal)))
    flat = np.delete(points, along, axis=1)
    # Without y, the axes (x, z) are left-handed when seen from the end of the y axis.
    if normal[along] * (-1 if along == 1 else 1) > 0:
        return np.asarray(manifold3d.triangulate([flat]))
    return np.asarray(len(points) - 1 - manifold3d.triangulate([flat[::-1]])[:, ::-1])
