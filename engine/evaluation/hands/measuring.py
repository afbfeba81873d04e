"""Extents of elements and the distances between them, measured in the drawing as a person could with a ruler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from spatial_workbench.engine.core import AnswerError, Scene
from spatial_workbench.engine.core.scene import Boxes, Floats, Item, Label, Picture, Points, RigidBodies, Voxels

MOST_DISTANCES = 50


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


def anchors(item: Item) -> Iterator[tuple[str, Floats]]:
    """Each element of an item with the point (2,) or (3,) where its label stands."""
    if isinstance(item, Label | Picture | Voxels) or not item.pickable:
        return
    if isinstance(item, Boxes):
        tops = np.asarray(item.centers, float) + np.array([0, 0, 0.5]) * np.asarray(item.sizes, float)
        yield from zip(item.ids, tops, strict=True)
    elif isinstance(item, RigidBodies | Points):
        yield from zip(item.ids, np.asarray(item.positions, float), strict=True)
    else:
        yield item.name, _all_points(item).mean(axis=0)


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
    signs = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3, indexing="ij")).reshape(3, -1).T
    angle = np.radians(0.0 if item.angles_deg is None else float(item.angles_deg[k]))
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    corners: Floats = (signs * size) @ turn.T + np.asarray(item.centers, float)[k]
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
