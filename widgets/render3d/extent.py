"""Where items are: their corner points and centres, and the parts of them that ids refer to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from spatial_workbench.engine.core.scene import (
    Boxes,
    Floats,
    HeightField,
    Item,
    Label,
    Mesh,
    Points,
    RigidBodies,
    Scene,
    Voxels,
)
from spatial_workbench.widgets.render3d.bodies import corners_of
from spatial_workbench.widgets.render3d.camera import Bounds, box_corners
from spatial_workbench.widgets.render3d.shapes import as_3d, box_arrays
from spatial_workbench.widgets.render3d.style import element_count, voxel_rows

Elements: TypeAlias = Boxes | RigidBodies | Points | Voxels
"""Items of many elements."""


def points_of(item: Item) -> Floats:
    """Points (n, 3) whose hull contains the item; cheap to compute."""
    if isinstance(item, Boxes):
        return box_points(item).reshape(-1, 3)
    if isinstance(item, Mesh):
        return np.asarray(item.vertices, float).reshape(-1, 3)
    if isinstance(item, RigidBodies):
        corners = corners_of(item).reshape(-1, 3)
        return corners[np.isfinite(corners).all(axis=1)]
    if isinstance(item, Voxels):
        if not len(item.cells):
            return np.empty((0, 3))
        low = np.min(item.cells, axis=0)
        high = np.max(item.cells, axis=0) + 1
        return np.asarray(item.origin) + item.pitch * box_corners((low, high))
    if isinstance(item, HeightField):
        return _field_corners(item)
    if isinstance(item, Label):
        return as_3d(np.asarray([item.position]))
    return as_3d(np.asarray(item.positions if isinstance(item, Points) else item.points))


def box_points(item: Boxes) -> Floats:
    """The corners of boxes, (n, 8, 3)."""
    centers, sizes, angles = box_arrays(item)
    local = box_corners((np.full(3, -0.5), np.full(3, 0.5)))[None] * sizes[:, None, :]
    cos, sin = np.cos(np.radians(angles))[:, None], np.sin(np.radians(angles))[:, None]
    turned = np.stack([cos * local[..., 0] - sin * local[..., 1], sin * local[..., 0] + cos * local[..., 1]], axis=-1)
    corners: Floats = centers[:, None, :] + np.concatenate([turned, local[..., 2:]], axis=-1)
    return corners


def _field_corners(item: HeightField) -> Floats:
    rows, columns = item.heights.shape
    finite = item.heights[np.isfinite(item.heights)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    if item.steps:
        low = min(low, 0.0)
    corner = np.array([0.0, 0.0, low])
    return np.asarray(item.origin) + box_corners((corner, np.array([columns * item.pitch, rows * item.pitch, high])))


def centers_of(item: Item) -> tuple[list[str], Floats]:
    """The ids of an item's elements and their centres, (n, 3)."""
    if isinstance(item, Boxes):
        return list(item.ids), box_arrays(item)[0]
    if isinstance(item, RigidBodies):
        return list(item.ids), corners_of(item).mean(axis=1)
    if isinstance(item, Points):
        return list(item.ids), as_3d(np.asarray(item.positions))
    if isinstance(item, Voxels):
        cells = np.asarray(item.cells)
        return [item.id_of(cell) for cell in cells], np.asarray(item.origin) + item.pitch * (cells + 0.5)
    points = points_of(item)
    return [item.id], (points.min(axis=0) + points.max(axis=0))[None] / 2 if len(points) else np.zeros((1, 3))


def subset(item: Item, names: frozenset[str] | set[str]) -> Item | None:
    """The part of an item that names (of elements, or of the item) refer to; None if there is none."""
    if item.name in names:
        return item
    if isinstance(item, Voxels):
        rows = voxel_rows(item, frozenset(names))
        return rows_of(item, rows) if len(rows) else None
    if isinstance(item, Boxes | RigidBodies | Points):
        rows = np.array([i for i, name in enumerate(item.ids) if name in names], int)
        return rows_of(item, rows) if len(rows) else None
    return None


def rows_of(item: Elements, rows: np.ndarray) -> Elements:
    """An item with only some of its elements; the item itself if these are all."""
    if np.array_equal(rows, np.arange(element_count(item))):
        return item
    colors = item.colors if isinstance(item.colors, str) else [item.colors[i] for i in rows]
    if isinstance(item, Voxels):
        return replace(item, cells=np.asarray(item.cells)[rows], colors=colors)
    ids = [item.ids[i] for i in rows]
    if isinstance(item, RigidBodies):
        meshes = [item.meshes[i] for i in rows]
        positions = np.asarray(item.positions)[rows]
        rotations = np.asarray(item.rotations)[rows]
        return replace(item, ids=ids, colors=colors, meshes=meshes, positions=positions, rotations=rotations)
    if isinstance(item, Points):
        return replace(item, ids=ids, colors=colors, positions=np.asarray(item.positions)[rows])
    centers, sizes, angles = box_arrays(item)
    return replace(item, ids=ids, colors=colors, centers=centers[rows], sizes=sizes[rows], angles_deg=angles[rows])


def named_parts(items: Iterable[Item], names: Iterable[str]) -> list[Item]:
    """The parts of all items that names refer to."""
    names = frozenset(names)
    return [part for item in items if (part := subset(item, names)) is not None] if names else []


def bounds_of(items: Iterable[Item]) -> Bounds | None:
    """The lowest and the highest corner of items; None if they are empty."""
    boxes = [bounds for item in items if (bounds := _bounds_of_item(item)) is not None]
    if not boxes:
        return None
    points = np.concatenate([np.stack(bounds) for bounds in boxes])
    return points.min(axis=0), points.max(axis=0)


_cache: WeakKeyDictionary[Item, Bounds | None] = WeakKeyDictionary()


def _bounds_of_item(item: Item) -> Bounds | None:
    """Computed once for each item, since items never change."""
    if item not in _cache:
        points = points_of(item)
        _cache[item] = (points.min(axis=0), points.max(axis=0)) if len(points) else None
    return _cache[item]


def shown_bounds(scene: Scene) -> Bounds:
    """The bounds of the part of a scene that the first view shows."""
    if scene.bounds is not None:
        low, high = (np.asarray(corner, float) for corner in scene.bounds)
        return as_3d(low[None])[0], as_3d(high[None])[0]
    bounds = bounds_of(scene.items)
    ground = ground_corners(scene)
    if bounds is None:
        return (ground.min(axis=0), ground.max(axis=0)) if len(ground) else (np.full(3, -1.0), np.full(3, 1.0))
    return bounds


def whole_bounds(scene: Scene) -> Bounds:
    """The bounds of everything that is drawn in any frame, with the ground."""
    items = [*scene.items, *(item for frame in scene.frames for item in frame.items)]
    corners = [np.stack(shown_bounds(scene)), ground_corners(scene)]
    if (bounds := bounds_of(items)) is not None:
        corners.append(np.stack(bounds))
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)


def ground_corners(scene: Scene) -> Floats:
    """The ground's corners, (4, 3), or none."""
    if scene.ground is None:
        return np.empty((0, 3))
    x0, y0, x1, y1 = scene.ground.extent
    return np.array([[x, y, scene.ground.z] for x in (x0, x1) for y in (y0, y1)])
