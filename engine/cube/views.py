"""The viewpoints of partial observations, and how the camera moves between them. The cube itself never moves.

There are 24 face views, given by the face in front and the face on top; the camera rolls over an edge of the cube.
There are 8 vertex views, one for each corner, in an upper and a lower ring; the camera looks along the corner's
diagonal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.cube.geometry import (
    FACE_OF,
    NORMALS,
    PLACES,
    STICKER_NORMALS,
    Vector,
    cross,
    face_grid,
    face_of,
    negative,
)
from spatial_workbench.engine.cube.letters import FaceLetter

Floats = NDArray[np.float64]

DIRECTIONS = ("up", "down", "left", "right")
UNCHANGED = marked("view unchanged: already at the {end}")

PITCH = 2.1
"""Distance between the centres of neighbouring cubelets, whose half-size is 1."""
CAMERA_DISTANCE = 15.0
FIELD_OF_VIEW_DEG = 45.0


class DirectionError(ValueError):
    """A direction in which the camera cannot move; code E_DIRECTION."""

    def __init__(self, direction: str) -> None:
        super().__init__(f"E_DIRECTION: '{direction}' is not one of {', '.join(DIRECTIONS)}")


@dataclass(frozen=True)
class FaceView:
    """A face seen straight on: which is in front, and which is on top."""

    front: FaceLetter
    top: FaceLetter

    @property
    def id(self) -> str:
        """Such as "F/U"."""
        return f"{self.front}/{self.top}"

    @property
    def stickers(self) -> tuple[int, ...]:
        """The nine stickers, row by row as they are seen."""
        return face_grid(NORMALS[self.front], NORMALS[self.top])

    def moved(self, direction: str) -> FaceView:
        """The view after the camera has rolled over an edge.

        Raises:
            DirectionError: The direction is not up, down, left or right.
        """
        front = NORMALS[self.front]
        top = NORMALS[self.top]
        right = cross(top, front)
        goals: dict[str, tuple[Vector, Vector]] = {
            "left": (negative(right), top),
            "right": (right, top),
            "up": (top, negative(front)),
            "down": (negative(top), front),
        }
        if direction not in goals:
            raise DirectionError(direction)
        new_front, new_top = goals[direction]
        return FaceView(face_of(new_front), face_of(new_top))


_RING = ("RF", "LF", "LB", "RB")
_SIDES = {"RF": ("F", "R"), "LF": ("L", "F"), "LB": ("B", "L"), "RB": ("R", "B")}


@dataclass(frozen=True)
class VertexView:
    """Three faces seen along the diagonal of a corner, such as "URF"."""

    id: str

    @property
    def faces(self) -> tuple[FaceLetter, FaceLetter, FaceLetter]:
        """The face at the top or bottom, then the left and the right one, as seen."""
        left, right = _SIDES[self.id[1:]]
        return FaceLetter(self.id[0]), FaceLetter(left), FaceLetter(right)

    def moved(self, direction: str) -> VertexView:
        """The view after the camera has moved; up in the upper ring, and down in the lower one, change nothing.

        Raises:
            DirectionError: The direction is not up, down, left or right.
        """
        cap = self.id[0]
        sides = self.id[1:]
        if direction in ("left", "right"):
            step = 1 if direction == "left" else -1
            return VertexView(cap + _RING[(_RING.index(sides) + step) % 4])
        if direction not in DIRECTIONS:
            raise DirectionError(direction)
        return VertexView(("U" if direction == "up" else "D") + sides)

    @property
    def polygons(self) -> Mapping[int, Floats]:
        """The corners (4, 2) of the 27 visible stickers by number, in units of the picture's size, y down."""
        return _polygons(self)


INITIAL_FACE_VIEW = FaceView(FaceLetter.F, FaceLetter.U)
INITIAL_VERTEX_VIEW = VertexView("URF")
FACE_VIEWS = tuple(
    FaceView(front, top)
    for front in FaceLetter
    for top in FaceLetter
    if NORMALS[top] not in (NORMALS[front], negative(NORMALS[front]))
)
"""All 24 face views."""
VERTEX_VIEWS = tuple(VertexView(cap + sides) for cap in "UD" for sides in _RING)
"""All 8 vertex views."""

View = FaceView | VertexView


def transform(view: View, direction: str) -> tuple[View, str]:
    """The view after a transformation, and the message for the agent: "ok", or that nothing changed.

    Raises:
        DirectionError: The direction is not up, down, left or right.
    """
    after = view.moved(direction)
    if after == view:
        return after, UNCHANGED.format(end="top" if direction == "up" else "bottom")
    return after, "ok"


@cache
def _polygons(view: VertexView) -> Mapping[int, Floats]:
    normals = np.array([NORMALS[face] for face in view.faces], float)
    back = normals.sum(axis=0) / np.sqrt(3)
    right = np.cross([0.0, 1.0, 0.0], back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    visible = (i for i, face in enumerate(FACE_OF) if face in view.faces)
    return MappingProxyType({i: _projected(_outline(i), back, right, up) for i in visible})


def _outline(number: int) -> Floats:
    """The corners of a sticker in space: (4, 3)."""
    normal = np.array(STICKER_NORMALS[number], float)
    first = np.roll(normal, 1)
    second = np.cross(normal, first)
    centre = PITCH * np.array(PLACES[number]) + normal
    return np.array([centre + a * first + b * second for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))])


def _projected(points: Floats, back: Floats, right: Floats, up: Floats) -> Floats:
    half_height = (CAMERA_DISTANCE - points @ back) * np.tan(np.radians(FIELD_OF_VIEW_DEG / 2))
    across = points @ right / half_height
    upwards = points @ up / half_height
    return np.stack([0.5 + across / 2, 0.5 - upwards / 2], axis=1)
