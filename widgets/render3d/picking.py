"""The first hit of a line of sight, computed in numpy: boxes by slabs, voxels by walking the grid, faces by triangles.

Lines and points have no thickness in space: they are met if they are within some pixels of the pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from spatial_workbench.engine.core.scene import (
    Boxes,
    Floats,
    HeightField,
    Item,
    Mesh,
    Points,
    Polygon,
    Polyline,
    RigidBodies,
    Voxels,
)
from spatial_workbench.widgets.render3d.bodies import KEPT_MESHES, MeshKey, boxes_of, is_placed, poses_of
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.section import CuttingPlane
from spatial_workbench.widgets.render3d.shapes import as_3d, box_arrays, columns, plane_normal, smooth_field
from spatial_workbench.widgets.render3d.style import voxel_rows

REACH_PX = 6.0
"""How near to a line or a point the pointer has to be."""

PREFERENCE = 0.01
"""Lines and points win over faces nearer by up to this share of the distance, since they often lie in faces."""


@dataclass(frozen=True)
class Hit:
    """A hit: the distance along the line of sight, the element, the point, and the face's outward normal."""

    distance: float
    id: str
    item: str
    position: tuple[float, float, float]
    normal: tuple[float, float, float]


@dataclass(frozen=True)
class Sight:
    """A line of sight, with what is needed to measure pixels beside it."""

    origin: Floats
    direction: Floats
    camera: Camera
    size: tuple[float, float]
    place: tuple[float, float]

    first: float = 0.0
    """Hits nearer than this, or beyond `last`, are cut away by a section."""
    last: float = np.inf

    def cut(self, section: CuttingPlane | None) -> Sight:
        """The part of the line of sight that a section leaves."""
        if section is None:
            return self
        start = section.reach - float(section.normal @ self.origin)
        slope = float(section.normal @ self.direction)
        if abs(slope) < 1e-12:
            return self if start >= 0 else replace(self, last=-np.inf)
        where = start / slope
        return replace(self, last=where) if slope > 0 else replace(self, first=max(self.first, where))

    @classmethod
    def through(cls, camera: Camera, size: tuple[float, float], place: tuple[float, float]) -> Sight:
        """The line of sight through a place of a picture, in pixels."""
        return cls(*camera.ray(*place, size), camera, size, place, first=-np.inf if camera.orthographic else 0.0)


Candidate = tuple[float, int, Floats] | None
"""Distance, element's row, normal."""

_cache: WeakKeyDictionary[Item, Any] = WeakKeyDictionary()


def pick(items: Iterable[Item], sight: Sight, hidden: Collection[str] = ()) -> Hit | None:
    """The nearest element on a line of sight; of equally near elements the last, which is drawn on top."""
    best: Hit | None = None
    best_rank = np.inf
    hidden = frozenset(hidden)
    for item in reversed(list(items)):
        test = _TESTS.get(type(item))
        if test is None or not item.pickable or item.name in hidden:
            continue
        candidate = test(item, sight, hidden)
        if candidate is None or candidate[0] > sight.last:
            continue
        thin = isinstance(item, Polyline | Points)
        rank = candidate[0] * (1 - PREFERENCE) if thin else candidate[0]
        if rank < best_rank:
            best_rank = rank
            best = _hit(item, sight, candidate)
    return best


def _hit(item: Item, sight: Sight, candidate: tuple[float, int, Floats]) -> Hit:
    distance, row, normal = candidate
    position = sight.origin + distance * sight.direction
    return Hit(float(distance), _id_of(item, row), item.name, _triple(position), _triple(normal))


def _id_of(item: Item, row: int) -> str:
    if isinstance(item, Boxes | RigidBodies | Points):
        return item.ids[row]
    return item.id_of(item.cells[row]) if isinstance(item, Voxels) else item.id


def _triple(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _remember(item: Item, make: Callable[[], Any]) -> Any:
    """The result of `make`, computed once for each item, since items never change."""
    if item not in _cache:
        _cache[item] = make()
    return _cache[item]


# Boxes ---------------------------------------------------------------------------------------------------------------


def _boxes(item: Boxes, sight: Sight, hidden: frozenset[str]) -> Candidate:
    if not len(item.ids):
        return None
    centers, halves, cos, sin = _remember(item, partial(_box_data, item))
    offset = sight.origin - centers
    start = np.stack([cos * offset[:, 0] + sin * offset[:, 1], cos * offset[:, 1] - sin * offset[:, 0], offset[:, 2]])
    d = sight.direction
    way = np.stack([cos * d[0] + sin * d[1], cos * d[1] - sin * d[0], np.full(len(centers), d[2])])
    way = np.where(np.abs(way) < 1e-12, 1e-12, way)
    first, last = (-halves - start) / way, (halves - start) / way
    near, far = np.minimum(first, last), np.maximum(first, last)
    enter = near.max(axis=0)
    leave = far.min(axis=0)
    met = (enter <= leave) & (leave > sight.first)
    enter = np.maximum(enter, sight.first)
    met[_rows_named(item, hidden)] = False
    if not met.any():
        return None
    row = int(np.where(met, enter, np.inf).argmin())
    axis = int(near[:, row].argmax())
    local = np.zeros(3)
    local[axis] = -np.sign(way[axis, row])
    c, s = cos[row], sin[row]
    normal = np.array([c * local[0] - s * local[1], s * local[0] + c * local[1], local[2]])
    return float(enter[row]), row, normal


def _box_data(item: Boxes) -> tuple[Floats, Floats, Floats, Floats]:
    centers, sizes, angles = box_arrays(item)
    return centers, sizes.T / 2, np.cos(np.radians(angles)), np.sin(np.radians(angles))


def _rows_named(item: Boxes | RigidBodies | Points, names: frozenset[str]) -> list[int]:
    return [i for i, name in enumerate(item.ids) if name in names] if names else []


# Voxels --------------------------------------------------------------------------------------------------------------


def _voxels(item: Voxels, sight: Sight, hidden: frozenset[str]) -> Candidate:
    if not len(item.cells):
        return None
    low, rows = _remember(item, partial(_voxel_rows, item))
    gone = voxel_rows(item, hidden).tolist()
    origin = (sight.origin - np.asarray(item.origin)) / item.pitch - low
    way = np.where(np.abs(sight.direction) < 1e-12, 1e-12, sight.direction) / item.pitch
    shape = np.array(rows.shape)
    first = -origin / way
    last = (shape - origin) / way
    near, far = np.minimum(first, last), np.maximum(first, last)
    enter = max(float(near.max()), sight.first)
    leave = float(far.min())
    if enter >= leave:
        return None
    crossings = [(np.arange(n + 1) - origin[k]) / way[k] for k, n in enumerate(rows.shape)]
    times = np.concatenate(crossings)
    axes = np.repeat(np.arange(3), shape + 1)
    inside = (times > enter) & (times <= leave + 1e-9)
    order = np.argsort(times[inside], kind="stable")
    times = np.concatenate([[enter], times[inside][order]])
    axes = np.concatenate([[int(near.argmax())], axes[inside][order]])
    middles = (times[:-1] + times[1:]) / 2
    cells = np.floor(origin + middles[:, None] * way).astype(int)
    valid = ((cells >= 0) & (cells < shape)).all(axis=1) & (np.diff(times) > 1e-12)
    row = np.full(len(cells), -1)
    row[valid] = rows[tuple(cells[valid].T)]
    row[np.isin(row, gone)] = -1
    hits = np.flatnonzero(row >= 0)
    if not len(hits):
        return None
    index = int(hits[0])
    normal = np.zeros(3)
    normal[axes[index]] = -np.sign(way[axes[index]])
    return float(times[index]), int(row[index]), normal


def _voxel_rows(item: Voxels) -> tuple[Floats, Floats]:
    cells = np.asarray(item.cells)
    low = cells.min(axis=0)
    rows = np.full(cells.max(axis=0) - low + 1, -1, np.int32)
    rows[tuple((cells - low).T)] = np.arange(len(cells))
    return low.astype(float), rows


# Faces ---------------------------------------------------------------------------------------------------------------


def _triangles(item: Mesh | HeightField, sight: Sight, hidden: frozenset[str]) -> Candidate:
    triangles = _remember(item, partial(_triangle_data, item))
    met = _first_triangle(triangles, sight.origin, sight.direction, sight.first)
    return met and (met[0], 0, met[1])


Triangles = tuple[Floats, Floats, Floats]
"""One corner of each triangle, and the ways from there to the other two, (n, 3) each."""


def _first_triangle(
    triangles: Triangles, origin: Floats, direction: Floats, nearest: float
) -> tuple[float, Floats] | None:
    """The distance of the first triangle on a line that is not nearer than this, and its normal."""
    corner, first, second = triangles
    if not len(corner):
        return None
    across = np.cross(direction, second)
    slope = np.einsum("ij,ij->i", first, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / slope
        offset = origin - corner
        u = np.einsum("ij,ij->i", offset, across) * inverse
        turned = np.cross(offset, first)
        v = turned @ direction * inverse
        distance = np.einsum("ij,ij->i", second, turned) * inverse
        met = (np.abs(slope) > 1e-15) & (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > nearest)
    if not met.any():
        return None
    index = int(np.where(met, distance, np.inf).argmin())
    normal = np.cross(first[index], second[index])
    return float(distance[index]), normal / np.linalg.norm(normal)


def _triangle_data(item: Mesh | HeightField) -> Triangles:
    if isinstance(item, Mesh):
        corners = np.asarray(item.vertices, float)[np.asarray(item.faces).reshape(-1, 3)]
    else:
        corners = _field_triangles(item)
    return _from_one_corner(corners)


def _from_one_corner(corners: Floats) -> Triangles:
    return corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]


def _field_triangles(item: HeightField) -> Floats:
    heights = np.asarray(item.heights, float) / item.pitch
    if item.steps:
        quads = columns(heights)[0]
    else:
        points, faces, _ = smooth_field(heights)
        quads = points[faces]
    corners = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return np.asarray(item.origin) + item.pitch * corners


def _rigid_bodies(item: RigidBodies, sight: Sight, hidden: frozenset[str]) -> Candidate:
    """Tests the triangles of bodies from the nearest box on, until the next box is farther away than what is met."""
    matrices, positions = poses_of(item)
    origins = np.einsum("nji,nj->ni", matrices, sight.origin - positions)
    ways = np.einsum("nji,j->ni", matrices, sight.direction)
    enter = _box_entries(boxes_of(item.meshes), origins, ways, sight.first)
    enter[~is_placed(matrices, positions)] = np.inf
    enter[_rows_named(item, hidden)] = np.inf
    best: Candidate = None
    for row in np.argsort(enter).tolist():
        if enter[row] >= (best[0] if best else np.inf):
            break
        met = _first_triangle(_mesh_triangles(MeshKey(item.meshes[row])), origins[row], ways[row], sight.first)
        if met and (best is None or met[0] < best[0]):
            best = met[0], row, matrices[row] @ met[1]
    return best


def _box_entries(boxes: Floats, origins: Floats, ways: Floats, nearest: float) -> Floats:
    """How far away lines enter boxes (n, 8, 3), each in the box's frame; infinite for boxes that are not met."""
    margin = 1e-9 * (1.0 + np.abs(boxes).max(axis=(1, 2)))[:, None]
    ways = np.where(np.abs(ways) < 1e-12, 1e-12, ways)
    first, last = (boxes[:, 0] - margin - origins) / ways, (boxes[:, -1] + margin - origins) / ways
    enter = np.minimum(first, last).max(axis=1)
    leave = np.maximum(first, last).min(axis=1)
    return np.where((enter <= leave) & (leave > nearest), enter, np.inf)


@lru_cache(maxsize=KEPT_MESHES)
def _mesh_triangles(key: MeshKey) -> Triangles:
    vertices, triangles = key.arrays
    return _from_one_corner(vertices[triangles])


def _polygon(item: Polygon, sight: Sight, hidden: frozenset[str]) -> Candidate:
    points = as_3d(item.points)
    normal = plane_normal(points)
    slope = float(normal @ sight.direction)
    if abs(slope) < 1e-12:
        return None
    distance = float(normal @ (points[0] - sight.origin)) / slope
    axes = [k for k in range(3) if k != int(np.abs(normal).argmax())]
    place = (sight.origin + distance * sight.direction)[axes]
    if distance <= sight.first or not inside_polygon(place, points[:, axes]):
        return None
    return distance, 0, normal if slope < 0 else -normal


def inside_polygon(place: Floats, points: Floats) -> bool:
    """Whether a place (2,) is inside a closed line (n, 2), by counting crossings."""
    x, y = place
    a = points
    b = np.roll(points, -1, axis=0)
    spans = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(spans, b[:, 1] - a[:, 1], 1.0)
    crossing = a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0])
    return bool(np.count_nonzero(spans & (crossing > x)) % 2)


# Lines and points ----------------------------------------------------------------------------------------------------


def _polyline(item: Polyline, sight: Sight, hidden: frozenset[str]) -> Candidate:
    points = as_3d(item.points)
    if len(points) < 2:
        return None
    if item.closed:
        points = np.concatenate([points, points[:1]])
    places, depths = sight.camera.project(points, sight.size)
    share, gap = _nearest_on_segments(np.asarray(sight.place), places)
    gap = np.where(np.isnan(gap), np.inf, gap)
    index = int(gap.argmin())
    if gap[index] > REACH_PX + item.width_px / 2:
        return None
    depth = depths[index] + share[index] * (depths[index + 1] - depths[index])
    return _along(sight, depth), 0, sight.camera.axes[2]


def _points(item: Points, sight: Sight, hidden: frozenset[str]) -> Candidate:
    if not len(item.ids):
        return None
    places, depths = sight.camera.project(as_3d(np.asarray(item.positions)), sight.size)
    gap = np.linalg.norm(places - sight.place, axis=1)
    met = gap <= max(REACH_PX, item.size_px / 2)
    met[_rows_named(item, hidden)] = False
    if not met.any():
        return None
    row = int(np.where(met, depths, np.inf).argmin())
    return _along(sight, float(depths[row])), row, sight.camera.axes[2]


def _along(sight: Sight, depth: float) -> float:
    """The distance along the line of sight at which it is this deep in the picture."""
    toward = -sight.camera.axes[2]
    start = float((sight.origin - sight.camera.position) @ toward)
    return (depth - start) / float(sight.direction @ toward)


def _nearest_on_segments(place: Floats, points: Floats) -> tuple[Floats, Floats]:
    """How far along each segment the nearest point lies (0 to 1), and its distance."""
    start = points[:-1]
    way = np.diff(points, axis=0)
    length = (way**2).sum(axis=1)
    share = np.clip(((place - start) * way).sum(axis=1) / np.where(length > 0, length, 1.0), 0.0, 1.0)
    return share, np.linalg.norm(start + share[:, None] * way - place, axis=1)


_TESTS: dict[type, Callable[[Any, Sight, frozenset[str]], Candidate]] = {
    Boxes: _boxes,
    Voxels: _voxels,
    Mesh: _triangles,
    HeightField: _triangles,
    RigidBodies: _rigid_bodies,
    Polygon: _polygon,
    Polyline: _polyline,
    Points: _points,
}
