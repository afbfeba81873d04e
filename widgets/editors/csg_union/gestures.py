"""The gestures: placing vertices, clicking loops, copying faces of the solids, pulling faces out.

Each shows what it would make, and ends in one step of the history or in nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from engine.core.scene import Floats, Points, Polygon, Polyline
from engine.geometry.polyhedron import newell, unit
from engine.geometry.polyhedron.modelling import (
    Body,
    ModellingError,
    extruded,
    find_vertex,
    joined,
    with_face,
    with_vertex,
)
from engine.tasks.csg_union.editing import edges_of, face_at, ghost_face_at, oriented
from engine.tasks.csg_union.gate import face_id
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.csg_union.editor import CsgUnionEditor

LEFT = Qt.MouseButton.LeftButton
SNAP_PX = 11.0
DRAG_PX = 4.0
DISTANCE_KEYS = tuple("0123456789.,-")
FARTHEST_CM = 100.0


class ModelTool(Tool):
    """What the tools have in common: a note beside the pointer, and where points snap to."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: CsgUnionEditor) -> None:
        self.editor = editor
        self.note = ("", "")
        self.pointer: QPointF | None = None

    def leave(self) -> None:
        """Nothing is shown under a pointer that is elsewhere."""
        self.note, self.pointer = ("", ""), None
        self.editor.view.set_ghost(())

    def stop(self) -> None:
        """Drops what was begun."""
        self.leave()

    def double_click(self, event: PointerEvent) -> bool:
        """The second press of a double click is a press like any other."""
        return self.press(event)

    def snapped(self, event: PointerEvent) -> tuple[Floats, str] | None:
        """The place that the pointer means, and what it is: a target near it, else the lattice."""
        points, names = self.editor.snap_points()
        places = event.view.project(points)
        gaps = np.linalg.norm(places - (event.pos.x(), event.pos.y()), axis=1)
        gaps[~np.isfinite(gaps)] = np.inf
        near = np.flatnonzero(gaps <= SNAP_PX)
        if len(near):
            origin, direction = event.ray
            depth = (points[near] - origin) @ direction
            best = near[np.lexsort((depth, np.round(gaps[near] / 4)))[0]]
            return points[best], names[best]
        return self._on_lattice(event)

    def _on_lattice(self, event: PointerEvent) -> tuple[Floats, str] | None:
        pick = event.pick
        if pick is not None and pick.id.startswith("face"):
            return np.round(np.array(pick.position)), "lattice, at a face"
        place = event.on_plane(self.editor.plane_z)
        if place is None or np.abs(place).max() > 100:
            return None
        place = np.round(place)
        place[2] = self.editor.plane_z
        return place, f"lattice at z = {self.editor.plane_z:g}"


def said(place: Floats) -> str:
    """Coordinates for a note."""
    return f"({', '.join(f'{value:.6g}' for value in place + 0.0)})"


class VertexTool(ModelTool):
    """A click places a vertex."""

    def move(self, event: PointerEvent) -> bool:
        """Shows where."""
        found = self.snapped(event)
        self.pointer = event.pos
        if found is None:
            self.leave()
            return False
        place, name = found
        there = find_vertex(self.editor.piece.body, place)
        self.note = (said(place), name)
        reason = f"vertex {there} is there already" if there is not None else ""
        ghost = Points(name="new vertex", ids=["new vertex"], positions=place[None], size_px=11.0)
        self.editor.view.set_ghost((ghost,), reason)
        return False

    def press(self, event: PointerEvent) -> bool:
        """Places the vertex."""
        if event.button != LEFT:
            return False
        found = self.snapped(event)
        if found is not None:
            self.editor.commands.add_vertex(found[0])
        return True


class FaceTool(ModelTool):
    """Clicks go from vertex to vertex; the first one again, or Return, closes the loop."""

    def __init__(self, editor: CsgUnionEditor) -> None:
        super().__init__(editor)
        self.loop: list[Floats] = []

    def move(self, event: PointerEvent) -> bool:
        """Shows the loop as it would be."""
        self.pointer = event.pos
        found = self.snapped(event)
        if found is not None:
            closes = self._closes(found[0])
            self.note = ("close the loop" if closes else said(found[0]), found[1])
            self._show([*self.loop, found[0]])
        return False

    def press(self, event: PointerEvent) -> bool:
        """Takes the vertex, or closes the loop."""
        if event.button != LEFT:
            return False
        found = self.snapped(event)
        if found is None:
            return True
        if self._closes(found[0]):
            self.finish(event.ray[1])
        elif not any(np.allclose(found[0], place) for place in self.loop):
            self.loop.append(found[0])
            self._show(self.loop)
            self.editor.tell_status()
        return True

    def back(self) -> bool:
        """Forgets the last vertex; says whether there was one."""
        had = bool(self.loop)
        self.loop = self.loop[:-1]
        self._show(self.loop)
        self.editor.tell_status()
        return had

    def finish(self, sight: Floats) -> None:
        """Makes the face, with the vertices that are not there yet."""
        loop, self.loop = self.loop, []
        self.editor.view.set_ghost(())
        body: Body = self.editor.piece.body
        corners = []
        for place in loop:
            body, index = with_vertex(body, place)
            corners.append(index)
        try:
            body = with_face(body, oriented(body, corners, sight) if len(corners) > 2 else corners)
        except ModellingError as error:
            self.editor.say(f"No face: {error}.")
        else:
            self.editor.put("Face", body)

    def stop(self) -> None:
        """Drops the loop."""
        self.loop = []
        super().stop()

    def leave(self) -> None:
        """What was begun stays."""
        self.note, self.pointer = ("", ""), None
        self._show(self.loop)

    def _closes(self, place: Floats) -> bool:
        return len(self.loop) > 2 and bool(np.allclose(place, self.loop[0]))

    def _show(self, places: list[Floats]) -> None:
        if not places:
            self.editor.view.set_ghost(())
            return
        points = np.array(places)
        ids = [f"corner {i}" for i in range(len(points))]
        line = Polyline(id="loop", points=points, width_px=3.0, closed=len(places) > 2)
        dots = Points(name="loop corners", ids=ids, positions=points, size_px=10.0)
        self.editor.view.set_ghost((line, dots) if len(places) > 1 else (dots,))


class CopyTool(ModelTool):
    """A click on a solid of the union copies that face of it."""

    def _face(self, event: PointerEvent) -> tuple[int, Body] | None:
        shown = self.editor.shown_solids()
        found = ghost_face_at([solid for _, solid in shown], *event.ray)
        if found is None:
            return None
        number, solid = shown[found[0]]
        vertices, faces = solid.shape
        loop = faces[found[1]]
        return number, Body.of(vertices[list(loop)], [range(len(loop))])

    def move(self, event: PointerEvent) -> bool:
        """Shows the face."""
        self.pointer = event.pos
        found = self._face(event)
        if found is None:
            self.leave()
            return False
        self.note = (f"face of solid {found[0]}", "click to copy it")
        self.editor.view.set_ghost((Polygon(id="copied face", points=found[1].vertices, opacity=0.6),))
        return False

    def press(self, event: PointerEvent) -> bool:
        """Copies the face."""
        if event.button != LEFT:
            return False
        found = self._face(event)
        if found is not None:
            body = self.editor.piece.body
            whole = joined(body, found[1])
            if set(whole.faces[-1]) in map(set, body.faces):
                self.editor.say("This face is there already.")
            else:
                self.editor.put("Copy face", whole)
        return True


class ExtrudeTool(ModelTool):
    """A drag from a face pulls it along its normal, out or in, by whole centimetres or to a level of the solids.

    Once a face is taken, by a click or a drag, a distance can be typed; Return pulls the face by it.
    """

    def __init__(self, editor: CsgUnionEditor) -> None:
        super().__init__(editor)
        self._face: int | None = None
        self._is_held = False
        self._typed = ""
        self._start = QPointF()
        self._distance = 0.0

    def press(self, event: PointerEvent) -> bool:
        """Takes the face under the pointer, whatever is drawn in front of it."""
        found = face_at(self.editor.piece.body, *event.ray)
        if event.button != LEFT or found is None:
            return False
        self.stop()
        self._face, self._pick = found
        self._start, self._is_held = event.pos, True
        self.editor.view.set_selection([face_id(self._face)])
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows how far."""
        if self._face is None:
            return False
        self.pointer = event.pos
        if self._is_held and not self._typed:
            self._distance = self._along(event)
        self._show()
        return self._is_held

    def _show(self) -> None:
        """Shows the face where it would be."""
        if self._typed:
            self.note = (f"{self._typed} cm", "Return pulls the face, Esc leaves it")
        else:
            self.note = (f"{self._distance:g} cm", "drag out or in, or type a distance")
        self.editor.view.set_ghost(())
        if self._distance:
            body = extruded(self.editor.piece.body, [self._face], self._distance)
            top = body.vertices[list(body.faces[self._face])]
            base = body.vertices[list(self.editor.piece.body.faces[self._face])]
            lines = [
                Polyline(id=f"pull {i}", points=np.stack([base[i], corner]), width_px=2.0)
                for i, corner in enumerate(base + (top.mean(axis=0) - base.mean(axis=0)))
            ]
            self.editor.view.set_ghost((Polygon(id="pulled face", points=top, opacity=0.6), *lines))

    def release(self, event: PointerEvent) -> bool:
        """Puts the face where it is; after a click, or while a distance is typed, it waits for Return."""
        held, self._is_held = self._is_held, False
        if held and self._distance and not self._typed:
            self._finish()
        return held

    def takes_key(self, event: QKeyEvent) -> bool:
        """Digits, point and sign, and what ends or mends them, once a face is taken."""
        mends = event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return self._face is not None and (event.text() in DISTANCE_KEYS or (mends and bool(self._typed)))

    def key(self, event: QKeyEvent) -> None:
        """Adds to the distance, or pulls the face by it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish()
            return
        self._typed = self._typed[:-1] if event.key() == Qt.Key.Key_Backspace else self._typed + event.text()
        self._distance = _number(self._typed)
        self._show()

    def _finish(self) -> None:
        face, distance = self._face, self._distance
        self.stop()
        if face is not None and distance:
            self.editor.commands.extrude([face], distance)

    def stop(self) -> None:
        """Leaves the face where it was."""
        self._face, self._is_held, self._typed, self._distance = None, False, "", 0.0
        super().stop()

    def leave(self) -> None:
        """What was typed stays."""
        if not self._typed:
            super().leave()

    def _along(self, event: PointerEvent) -> float:
        """How far the pointer moved along the face's normal, snapped."""
        body = self.editor.piece.body
        normal = unit(newell(body.vertices[list(body.faces[self._face])]))
        ends = event.view.project(np.stack([self._pick, self._pick + normal]))
        way = ends[1] - ends[0]
        step = event.pos - self._start
        if np.hypot(step.x(), step.y()) < DRAG_PX or way @ way < 1:
            return 0.0
        distance = float((step.x() * way[0] + step.y() * way[1]) / (way @ way))
        levels = (self.editor.snap_points()[0] - self._pick) @ normal
        near = levels[np.abs(levels - distance) * float(np.hypot(*way)) <= SNAP_PX]
        if len(near):
            return float(np.round(near[np.abs(near - distance).argmin()], 9))
        return float(round(distance))


def _number(text: str) -> float:
    """The number that was typed so far, at most a metre; 0 where it is none yet."""
    try:
        return max(-FARTHEST_CM, min(FARTHEST_CM, float(text.replace(",", "."))))
    except ValueError:
        return 0.0


def own_targets(body: Body) -> tuple[Floats, list[str]]:
    """Vertices of the body and middles of its edges, to snap to."""
    if not len(body.vertices):
        return np.zeros((0, 3)), []
    names = [f"vertex {k}" for k in range(len(body.vertices))]
    edges = edges_of(body.faces)
    middles = body.vertices[np.array(edges)].mean(axis=1) if edges else np.zeros((0, 3))
    return np.concatenate([body.vertices, middles]), [*names, *(f"middle of edge {a}-{b}" for a, b in edges)]
