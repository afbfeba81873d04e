"""A layer is turned by dragging one of its stickers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from engine.cube.geometry import LABELS, PLACES, STICKER_NORMALS, Vector, cross, face_of, negative
from engine.tasks.cube.drawing import CUBELET_SIZE, TO_SCENE
from widgets.view import PointerEvent, SceneView, Tool

if TYPE_CHECKING:
    from widgets.editors.cube import CubeEditor

DECIDED_PX = 10.0
"""After so many pixels it is clear which way a drag goes."""
ENOUGH = 0.3
"""A release after this share of a quarter turn turns the layer, before it lets it go back."""
_AXES: tuple[Vector, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def turn_of_drag(sticker: int, way: Vector) -> str | None:
    """The quarter turn that carries a sticker along a way in its face; None where only a middle layer does."""
    axis = cross(STICKER_NORMALS[sticker], way)
    layer = int(np.dot(PLACES[sticker], axis))
    if layer == 0:
        return None
    return f"{face_of(axis)}'" if layer > 0 else str(face_of(negative(axis)))


def ways_of(sticker: int) -> list[Vector]:
    """The four ways to go from a sticker within its face."""
    normal = STICKER_NORMALS[sticker]
    along = [axis for axis in _AXES if np.dot(axis, normal) == 0]
    return [*along, *(negative(axis) for axis in along)]


class LayerTool(Tool):
    """Drag a sticker: its layer follows the pointer and snaps to a quarter turn, or back."""

    cursor = Qt.CursorShape.OpenHandCursor

    def __init__(self, editor: CubeEditor) -> None:
        self._editor = editor
        self._sticker: int | None = None
        self._start = QPointF()
        self._move: str | None = None
        self._direction = np.zeros(2)
        """What a whole sticker's width along the way is on the screen, in pixels."""

    def press(self, event: PointerEvent) -> bool:
        """Takes hold of a sticker."""
        name = event.pick.id.removeprefix("sticker ") if event.pick else ""
        if event.button != Qt.MouseButton.LeftButton or name not in LABELS:
            return False
        self._sticker, self._start, self._move = LABELS.index(name), event.pos, None
        return True

    def move(self, event: PointerEvent) -> bool:
        """Turns the layer as far as the pointer went."""
        if self._sticker is None:
            return False
        offset = np.array([event.pos.x() - self._start.x(), event.pos.y() - self._start.y()])
        if self._move is None and np.hypot(*offset) >= DECIDED_PX:
            self._decide(event.view, offset)
        if self._move is not None:
            self._editor.show_turning(self._move, self._share(offset))
        return True

    def release(self, event: PointerEvent) -> bool:
        """Makes the turn if it went far enough, as one step."""
        if self._sticker is None:
            return False
        offset = np.array([event.pos.x() - self._start.x(), event.pos.y() - self._start.y()])
        move, share = self._move, self._share(offset) if self._move else 0.0
        self.stop()
        if move is not None and share >= ENOUGH:
            self._editor.turn(move, shown=True)
        return True

    def stop(self) -> None:
        """Lets the layer go back."""
        if self._sticker is not None:
            self._sticker = None
            self._editor.show_at_rest()

    def _decide(self, view: SceneView, offset: np.ndarray) -> None:
        """Chooses the way that looks most like the drag; a middle layer cannot be turned."""
        assert self._sticker is not None
        ways = ways_of(self._sticker)
        center = np.array(PLACES[self._sticker]) + np.array(STICKER_NORMALS[self._sticker]) * CUBELET_SIZE / 2
        points = np.array([center, *(center + np.array(way) for way in ways)]) @ TO_SCENE.T
        places = view.project(points.astype(float))
        directions = places[1:] - places[0]
        best = int(np.argmax(directions @ offset / np.maximum(np.linalg.norm(directions, axis=1), 1e-9)))
        self._move = turn_of_drag(self._sticker, ways[best])
        self._direction = directions[best]
        if self._move is None:
            self._editor.message.emit("Middle layers cannot be turned: turn the two layers beside it.")
            self._sticker = None

    def _share(self, offset: np.ndarray) -> float:
        """How far a quarter turn has come: the width of one and a half stickers is a whole one."""
        length = max(float(np.hypot(*self._direction)), 1.0)
        along = float(offset @ self._direction) / length
        return min(max(along / (1.5 * length), 0.0), 1.0)
