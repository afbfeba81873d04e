"""Extents of elements and the distances between them, measured in the drawing as a person could with a ruler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from spatial_workbench.engine.core import AnswerError, Scene
from spatial_workbench.engine.core.scene import Boxes, Floats, Item, Label, Picture, Points, RigidBodies, Voxels

MOST_DISTANCES = 50
STUD_SHARE = 0.3
"""How high studs stand on a box at most, as a share of its shortest side."""


_SIGNS = np.array(np.meshgrid(*[(-1, 1)] * 3, indexing="ij")).reshape(3, -1).T
_SIDES = ((2, 1), (1, -1), (0, 1), (1, 1), (0, -1), (2, -1))
"""Axis and way of each side of a box, the top first."""
_MIDDLES = np.array([_SIGNS[:, axis] == way for axis, way in _SIDES]) / 4
"""Averages the corners of each side of a box, (6, 8)."""


def measured(scene: Scene, elements: Sequence[str]) -> str:
    """Lines with the extent of each element, and the distance of the middles of each two.

    Raises:
        AnswerError: The scene has no such element; names it.
    """
    found = {name: points_of(scene, name, place) for place, name in enumerate(dict.fromkeys(elements))}
    unit = f" {scene.unit}" if scene.unit else ""
    lines = [f"{name}: {_extent(points)}{unit}" for name, points in found.items()]
    middles = {name: (points.min(axis=0) + points.max(axis=0)) / 2 for name, points in found.items()}
    for first, second in islice(combinations(middles, 2), MOST_DISTANCES):
        away = float(np.linalg.norm(middles[first] - middles[second]))
        lines.append(f"{first} to {second}: {away:.4g}{unit} between their middles")
    return "\n".join(lines)


def points_of(scene: Scene, element: str, place: int = 0) -> Floats:
    """Points (n, 2 or 3) whose box is the extent of an element.

    Raises:
        AnswerError: The scene has no such element.
    """
    for item in scene.items:
        points = next(_points(item, element), None)
        if points is not None and len(points):
            return points
    raise AnswerError(f"There is no element “{element[:60]}”", ("elements", place))


@dataclass(frozen=True)
class Anchor:
    """Where the label of an element stands.

    Attributes:
        points: (n, 2) or (n, 3), the best one first.
        reach: How far the element itself reaches in front of them.
    """

    element: str
    points: Floats
    reach: float = 0.0


def anchors(item: Item) -> Iterator[Anchor]:
    """The anchor of each element of an item."""
    if isinstance(item, Label | Picture | Voxels) or not item.pickable:
        return
    if isinstance(item, Boxes):
        for k, name in enumerate(item.ids):
            corners = _corners(item, k)
            yield Anchor(name, _MIDDLES @ corners, STUD_SHARE * _shortest(item, k))
    elif isinstance(item, RigidBodies):
        for name, (vertices, _), place in zip(item.ids, item.meshes, np.asarray(item.positions, float), strict=True):
            yield Anchor(name, place[None], _farthest(vertices))
    elif isinstance(item, Points):
        yield from (Anchor(name, point[None]) for name, point in zip(item.ids, np.asarray(item.positions), strict=True))
    else:
        points = _all_points(item)
        middle = points.mean(axis=0)
        yield Anchor(item.name, middle[None], _farthest(points - middle))


def _farthest(points: Floats) -> float:
    return float(np.linalg.norm(points, axis=1).max(initial=0.0))


def _shortest(item: Boxes, k: int) -> float:
    return float(np.broadcast_to(np.asarray(item.sizes, float), np.asarray(item.centers).shape)[k].min())


def _points(item: Item, element: str) -> Iterator[Floats]:
    if isinstance(item, Boxes):
        if element in item.ids:
            yield _corners(item, list(item.ids).index(element))
    elif isinstance(item, RigidBodies):
        if element in item.ids:
            yield _placed(item, list(item.ids).index(element))
    elif isinstance(item, Points):
        if element in item.ids:
            yield np.asarray(item.positions, float)[[list(item.ids).index(element)]]
    elif isinstance(item, Voxels):
        yield from _cell(item, element)
    elif item.name == element and not isinstance(item, Label):
        yield _all_points(item)


def _corners(item: Boxes, k: int) -> Floats:
    size = np.broadcast_to(np.asarray(item.sizes, float), np.asarray(item.centers).shape)[k]
    angle = np.radians(0.0 if item.angles_deg is None else float(item.angles_deg[k]))
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    corners: Floats = (_SIGNS / 2 * size) @ turn.T + np.asarray(item.centers, float)[k]
    return corners


def _placed(item: RigidBodies, k: int) -> Floats:
    from scipy.spatial.transform import Rotation

    vertices, _ = item.meshes[k]
    placed: Floats = Rotation.from_quat(item.rotations[k]).apply(vertices) + np.asarray(item.positions, float)[k]
    return placed


def _cell(item: Voxels, element: str) -> Iterator[Floats]:
    head, _, tail = element.rpartition(" ")
    numbers = tail.split(",")
    if head != item.name or len(numbers) != 3 or not all(part.lstrip("-").isdigit() for part in numbers):
        return
    cell = np.array([int(part) for part in numbers])
    if (np.asarray(item.cells) == cell).all(axis=1).any():
        yield np.asarray(item.origin, float) + item.pitch * np.array([cell, cell + 1], float)


def _all_points(item: Item) -> Floats:
    for name in ("vertices", "points"):
        if hasattr(item, name):
            points: Floats = np.asarray(getattr(item, name), float)
            return points
    heights = np.asarray(item.heights, float)  # type: ignore[union-attr]
    rows, columns = heights.shape
    low = np.asarray(item.origin, float) + np.array([0, 0, heights.min()])  # type: ignore[union-attr]
    high = low + np.array([item.pitch * columns, item.pitch * rows, np.ptp(heights)])  # type: ignore[union-attr]
    return np.array([low, high])


def _extent(points: Floats) -> str:
    names = "xyz"[: points.shape[1]]
    low, high = points.min(axis=0), points.max(axis=0)
    return ", ".join(f"{name} {a:.6g} to {b:.6g}" for name, a, b in zip(names, low, high, strict=True))
