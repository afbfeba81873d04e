"""The ruler: the distance between two places of the machine or the ground, in metres, along each axis too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPen

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.poses import PlacedFace
from spatial_workbench.engine.physics.frames import swapped
from spatial_workbench.widgets.editing.gestures import LEFT
from spatial_workbench.widgets.editors.machine.gestures import ENTER, FaceKeys, face_at
from spatial_workbench.widgets.editors.machine.workbench import Workbench
from spatial_workbench.widgets.scene_views.overlays import paint_note
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView, Tool

SNAP_M = 0.4
"""A place this near to the middle of a face is the middle of the face."""
_END_PX = 3.5


class RulerTool(Tool):
    """Two clicks measure: on blocks, where the middle of a face attracts the end, or on the ground.

    A third click begins anew, and Escape forgets the ends. With keys, the arrows step through the faces, and Return
    sets an end at the middle of the face.

    say: shows the words of a finished measure.
    """

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, bench: Workbench, view: SceneView, say: Callable[[str], object]) -> None:
        self._bench = bench
        self._view = view
        self._say = say
        self._keys = FaceKeys()
        self._ends: list[Floats] = []
        self._next: Floats | None = None
        view.add_overlay(self.paint)

    @property
    def ends(self) -> list[Floats]:
        """The ends of what is measured, in the drawing's frame: those that are set, and the one at the pointer."""
        is_open = len(self._ends) < 2 and self._next is not None
        return [*self._ends, self._next] if is_open and self._next is not None else self._ends

    @property
    def words(self) -> str:
        """What is measured, in words; empty while there is one end only."""
        return words_of(*self.ends) if len(self.ends) == 2 else ""

    def press(self, event: PointerEvent) -> bool:
        place = self._place_at(event)
        if event.button != LEFT or place is None:
            return False
        self._set_end(place)
        return True

    def move(self, event: PointerEvent) -> bool:
        if event.buttons:
            return False
        self._next = self._place_at(event)
        return False

    def takes_key(self, event: QKeyEvent) -> bool:
        return self._keys.takes(event) and self._bench.assembly is not None

    def key(self, event: QKeyEvent) -> None:
        if event.key() not in ENTER:
            face = self._keys.step(event.key(), self._bench.all_faces)
            self._next = None if face is None else self._middle_of(face)
        elif self._keys.face is not None:
            self._set_end(self._middle_of(self._keys.face))

    def leave(self) -> None:
        self._next = None

    def stop(self) -> None:
        self._ends = []
        self._next = None
        self._view.update()

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Paints the line with its ends, and what it measures beside it."""
        if not self.ends or view.tool is not self:
            return
        places = view.project(np.array(self.ends))
        if not np.isfinite(places).all():
            return
        points = [QPointF(*place) for place in places.tolist()]
        accent = view.theme.color("accent")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for color, width in ((view.theme.color("viewport_top"), 5.0), (accent, 2.0)):
            painter.setPen(QPen(color, width))
            painter.drawPolyline(points)
        painter.setBrush(accent)
        painter.setPen(QPen(view.theme.color("viewport_top"), 1.5))
        for point in points:
            painter.drawEllipse(point, _END_PX, _END_PX)
        if self.words:
            first, _, rest = self.words.partition(": ")
            area = QRect(0, 0, view.width(), view.height())
            paint_note(painter, area, (points[0] + points[1]) / 2, (first, rest), view.theme)

    def _set_end(self, place: Floats) -> None:
        self._ends = [place] if len(self._ends) == 2 else [*self._ends, place]
        self._next = None
        if len(self._ends) == 2:
            self._say(self.words)
        self._view.update()

    def _place_at(self, event: PointerEvent) -> Floats | None:
        """The place under the pointer: on a block, else on the ground."""
        if event.pick is None:
            return event.on_plane(0.0)
        place = np.array(event.pick.position)
        face = face_at(self._bench, event)
        if face is not None and float(np.linalg.norm(self._middle_of(face) - place)) <= SNAP_M:
            return self._middle_of(face)
        return place

    def _middle_of(self, face: PlacedFace) -> Floats:
        return self._bench.shown(face.position)


def words_of(first: Floats, second: Floats) -> str:
    """The distance between two places of the drawing, and how far it is along each axis of the machine."""
    right, up, forward = np.abs(swapped((second - first).tolist()))
    distance = float(np.linalg.norm(second - first))
    return f"{distance:.2f} m: {right:.2f} m across, {up:.2f} m high, {forward:.2f} m along"
