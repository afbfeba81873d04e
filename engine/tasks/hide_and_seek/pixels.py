"""What a camera sees: an 800 x 600 picture of the building and the people, by ray casting.

Two cameras: `fitted`, which the published score uses (it keeps the sniper's direction but moves until everything fills
the picture), and `sniper`, the literal view from the sniper's eye.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek.field import CrowdField, person_boxes

WIDTH, HEIGHT = 800, 600
HALF_ANGLE_DEG = 11.25
TARGET = (0.0, 0.0, 2.0)
EMPTY = 0
BUILDING = 1
PERSON = 2
_RAYS_AT_ONCE = 1_000_000

Picture = NDArray[np.int8]
"""(600, 800), rows from the top: 0 nothing, 1 building, 2 a person."""


@dataclass(frozen=True)
class CrowdCamera:
    """A perspective camera: the eye and the direction, unit length; up is +z."""

    eye: Floats
    forward: Floats

    @property
    def axes(self) -> tuple[Floats, Floats]:
        """Unit vectors to the right and up in the picture."""
        right = np.cross(self.forward, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        return right, np.cross(right, self.forward)

    def slopes(self) -> tuple[Floats, Floats]:
        """What each column (800, 3) and each row (600, 3) adds to the direction `forward`."""
        right, up = self.axes
        slope = np.tan(np.radians(HALF_ANGLE_DEG))
        x = ((np.arange(WIDTH) + 0.5) / (WIDTH / 2) - 1) * slope * WIDTH / HEIGHT
        y = (1 - (np.arange(HEIGHT) + 0.5) / (HEIGHT / 2)) * slope
        return x[:, None] * right, y[:, None] * up

    def rays(self, columns: slice, rows: slice) -> Floats:
        """Directions of the rays through the centres of pixels: (rows, columns, 3)."""
        across, upward = self.slopes()
        return np.asarray(self.forward + across[None, columns] + upward[rows, None])

    def project(self, points: Floats) -> Floats:
        """Where points (n, 3) are in the picture: (n, 2), columns and rows from the top left."""
        right, up = self.axes
        offset = points - self.eye
        depth = np.maximum(offset @ self.forward, 1e-9)
        slope = np.tan(np.radians(HALF_ANGLE_DEG))
        x = offset @ right / depth / (slope * WIDTH / HEIGHT)
        y = offset @ up / depth / slope
        return np.stack([(x + 1) * WIDTH / 2, (1 - y) * HEIGHT / 2], axis=1)


def fitted_camera(field: CrowdField, centers: Floats) -> CrowdCamera:
    """The published camera: it looks in the sniper's direction from far enough away to show the whole scene."""
    boxes = np.concatenate([field.building[None], person_boxes(centers)])
    low = boxes[:, 0].min(axis=0)
    high = boxes[:, 1].max(axis=0)
    forward = _direction(field)
    distance = np.linalg.norm(high - low) / 2 / np.sin(np.radians(HALF_ANGLE_DEG))
    return CrowdCamera((low + high) / 2 - forward * distance, forward)


def sniper_camera(field: CrowdField) -> CrowdCamera:
    """The view from the sniper's eye."""
    return CrowdCamera(np.array(field.sniper), _direction(field))


def _direction(field: CrowdField) -> Floats:
    way = np.array(TARGET) - np.array(field.sniper)
    return np.asarray(way / np.linalg.norm(way))


def render(field: CrowdField, centers: Floats, camera: CrowdCamera) -> Picture:
    """The picture of a crowd at (n, 2), by casting a ray through every pixel of each box's outline."""
    people = _depths(camera, person_boxes(centers))
    building = _depths(camera, field.building[None])
    picture = np.where(people < building, PERSON, np.where(building < np.inf, BUILDING, EMPTY))
    return picture.astype(np.int8)


def red_pixels(picture: Picture) -> int:
    """How many pixels show a person."""
    return int((picture == PERSON).sum())


def _depths(camera: CrowdCamera, boxes: Floats) -> Floats:
    """How far along its ray each pixel meets the nearest of some boxes (n, 2, 3): (600, 800), infinite for none."""
    depth = np.full(HEIGHT * WIDTH, np.inf)
    low, high = _outlines(camera, boxes)
    extent = high - low
    seen = np.flatnonzero((extent > 0).all(axis=1))
    seen = seen[np.argsort(extent[seen, 0], kind="stable")]
    start = 0
    while start < len(seen):
        size = extent[seen[start:]]
        area = np.maximum.accumulate(size[:, 0]) * np.maximum.accumulate(size[:, 1])
        fits = np.searchsorted(area * np.arange(1, len(size) + 1), _RAYS_AT_ONCE, side="right")
        chunk = seen[start : start + max(1, int(fits))]
        _cast(depth, camera, boxes[chunk], low[chunk], high[chunk])
        start += len(chunk)
    return depth.reshape(HEIGHT, WIDTH)


def _cast(depth: Floats, camera: CrowdCamera, boxes: Floats, low: NDArray[np.int64], high: NDArray[np.int64]) -> None:
    """Lowers `depth` where rays meet these boxes; their outlines are filled up to the largest one's size."""
    across, upward = camera.slopes()
    width, height = (high - low).max(axis=0)
    columns = np.minimum(low[:, 0, None] + np.arange(width), WIDTH - 1)
    rows = np.minimum(low[:, 1, None] + np.arange(height), HEIGHT - 1)
    enter = np.full((len(boxes), height, width), -np.inf)
    leave = np.full_like(enter, np.inf)
    for axis in range(3):
        way = camera.forward[axis] + across[columns, axis][:, None, :] + upward[rows, axis][:, :, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            first = (boxes[:, 0, axis] - camera.eye[axis])[:, None, None] / way
            second = (boxes[:, 1, axis] - camera.eye[axis])[:, None, None] / way
        np.maximum(enter, np.minimum(first, second), out=enter)
        np.minimum(leave, np.maximum(first, second), out=leave)
    box, row, column = np.nonzero((enter <= leave) & (enter > 0))
    pixels = rows[box, row] * WIDTH + columns[box, column]
    np.minimum.at(depth, pixels, enter[box, row, column])


def _outlines(camera: CrowdCamera, boxes: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pixels that each box can cover: first and last + 1, (n, 2), columns and rows."""
    which = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    corners = boxes[:, which, np.arange(3)]
    places = camera.project(corners.reshape(-1, 3)).reshape(-1, 8, 2)
    low = np.floor(places.min(axis=1)).astype(int) - 1
    high = np.ceil(places.max(axis=1)).astype(int) + 1
    size = [WIDTH, HEIGHT]
    return np.clip(low, 0, size), np.clip(high, 0, size)


def render_faces(field: CrowdField, centers: Floats, camera: CrowdCamera) -> Picture:
    """The same picture by another method: every face that looks at the camera is filled, nearest first."""
    picture = np.zeros((HEIGHT, WIDTH), np.int8)
    depth = np.full((HEIGHT, WIDTH), np.inf)
    boxes = np.concatenate([field.building[None], person_boxes(centers)])
    for k, box in enumerate(boxes):
        for axis in range(3):
            for end in (0, 1):
                _fill(picture, depth, camera, box, axis, end, PERSON if k else BUILDING)
    return picture


def _fill(picture: Picture, depth: Floats, camera: CrowdCamera, box: Floats, axis: int, end: int, value: int) -> None:
    """Draws one face of a box wherever it is nearer than the picture so far."""
    level = box[end, axis]
    if (camera.eye[axis] - level) * (1 if end else -1) <= 0:
        return
    others = [a for a in range(3) if a != axis]
    corners = np.empty((4, 3))
    corners[:, axis] = level
    corners[:, others[0]] = box[[0, 1, 1, 0], others[0]]
    corners[:, others[1]] = box[[0, 0, 1, 1], others[1]]
    outline = camera.project(corners)
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, [WIDTH, HEIGHT])
    if (low >= high).any():
        return
    columns, rows = slice(low[0], high[0]), slice(low[1], high[1])
    x, y = np.meshgrid(np.arange(columns.start, columns.stop) + 0.5, np.arange(rows.start, rows.stop) + 0.5)
    ahead = np.roll(outline, -1, axis=0)
    sides = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in zip(outline, ahead, strict=True)]
    inside = np.logical_and.reduce([s >= 0 for s in sides]) | np.logical_and.reduce([s <= 0 for s in sides])
    distance = (level - camera.eye[axis]) / camera.rays(columns, rows)[..., axis]
    window = (rows, columns)
    hit = inside & (distance < depth[window])
    depth[window][hit] = distance[hit]
    picture[window][hit] = value
