"""The gestures: placing vertices, clicking loops, copying faces of the solids, pulling faces out.

Each shows what it would make, and ends with one step of the history or with nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spatial_workbench.engine.core.scene import Floats, Item, Points, Polygon, Polyline
from spatial_workbench.engine.geometry.polyhedron import newell, unit
from spatial_workbench.engine.geometry.polyhedron.modelling import ModelledBody, extruded, find_vertex
from spatial_workbench.engine.tasks.csg_union.editing import face_at
from spatial_workbench.widgets.editing.gestures import Drag, Place
from spatial_workbench.widgets.editors.csg_union.commands import Commands
from spatial_workbench.widgets.editors.csg_union.snapping import FARTHEST_CM, SNAP_PX, Snapping
from spatial_workbench.widgets.editors.csg_union.workpiece import Workpiece
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

DISTANCE_KEYS = tuple("0123456789.,-")
NOTHING = ("", "")


class ToolContext:
    """The context that the tools share: the workpiece and its commands, snapping, and a note beside the pointer.

    measures: Whether coordinates and distances are shown.
    """

    def __init__(self, piece: Workpiece, commands: Commands, snapping: Snapping, measures: bool) -> None:
        self.piece = piece
        self.commands = commands
        self.snapping = snapping
        self.measures = measures
        self.note = NOTHING
        """The two lines beside the pointer."""
        self._pointer: QPointF | None = None

    def show_ghost(
        self, event: PointerEvent | None, note: tuple[str, str], ghost: Sequence[Item], reason: str = ""
    ) -> None:
        """Shows a ghost, with a note beside the pointer, or the reason why it cannot be made."""
        self._pointer = event.pos if event is not None else self._pointer
        self.note = note
        self.piece.view.set_ghost(ghost, reason)

    def clear(self, ghost: Sequence[Item] = ()) -> None:
        """Removes the note, and shows only `ghost`: what has been begun."""
        self._pointer = None
        self.note = NOTHING
        self.piece.view.set_ghost(ghost)

    def words_of(self, place: Floats, name: str) -> tuple[str, str]:
        """Two lines for a place: its coordinates, if they may be shown, and its name."""
        return (coordinates_text(place), name) if self.measures else (name, "")

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Paints the note; an overlay of the view."""
        if self.note[0] and self._pointer is not None:
            overlays.paint_note(painter, view.rect(), self._pointer, self.note, view.theme)


def coordinates_text(place: Floats) -> str:
    """Coordinates for a note."""
    return f"({', '.join(f'{value:.6g}' for value in place + 0.0)})"


class ModelTool(Place):
    """Base of the tools that click. The second press of a double click counts as another click."""

    uses_alt = False

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def clear(self) -> None:
        self._context.clear()

    def double_click(self, event: PointerEvent) -> bool:
        return self.press(event)


class VertexTool(ModelTool):
    """A click places a vertex."""

    def follow(self, event: PointerEvent) -> None:
        target = self._context.snapping.place_of(event)
        if target is None:
            self.clear()
            return
        existing = find_vertex(self._context.piece.body, target[0])
        reason = f"Vertex {existing} is already there" if existing is not None else ""
        ghost = Points(name="new vertex", ids=["new vertex"], positions=target[0][None], size_px=11.0)
        self._context.show_ghost(event, self._context.words_of(*target), (ghost,), reason)

    def put(self, event: PointerEvent) -> bool:
        target = self._context.snapping.place_of(event)
        if target is not None:
            self._context.commands.add_vertex(target[0])
        return True


class FaceTool(ModelTool):
    """Clicks go from vertex to vertex; the first one again, or Return, closes the loop."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        self.loop: list[Floats] = []

    def follow(self, event: PointerEvent) -> None:
        target = self._context.snapping.place_of(event)
        if target is not None:
            place, name = target
            note = ("close the loop", name) if self._closes(place) else self._context.words_of(place, name)
            self._context.show_ghost(event, note, _drawn_loop([*self.loop, place]))

    def put(self, event: PointerEvent) -> bool:
        target = self._context.snapping.place_of(event)
        if target is None:
            return True
        if self._closes(target[0]):
            self.finish(event.ray[1])
        elif not any(np.allclose(target[0], place) for place in self.loop):
            self._set_loop([*self.loop, target[0]])
        return True

    def remove_last(self) -> bool:
        """Removes the last corner; returns whether there was one."""
        had = bool(self.loop)
        if had:
            self._set_loop(self.loop[:-1])
        return had

    def finish(self, sight: Floats) -> None:
        """Makes the face, and the vertices that it lacks."""
        loop = self.loop
        self.loop = []
        self.clear()
        self._context.commands.add_loop(loop, sight)

    def stop(self) -> None:
        self.loop = []
        super().stop()

    def clear(self) -> None:
        self._context.clear(_drawn_loop(self.loop))

    def _set_loop(self, loop: list[Floats]) -> None:
        self.loop = loop
        self._context.piece.view.set_ghost(_drawn_loop(loop))
        self._context.piece.say("")

    def _closes(self, place: Floats) -> bool:
        return len(self.loop) > 2 and bool(np.allclose(place, self.loop[0]))


def _drawn_loop(places: Sequence[Floats]) -> Sequence[Item]:
    if not places:
        return ()
    points = np.array(places)
    ids = [f"corner {i}" for i in range(len(points))]
    dots = Points(name="loop corners", ids=ids, positions=points, size_px=10.0)
    line = Polyline(id="loop", points=points, width_px=3.0, closed=len(places) > 2)
    return (line, dots) if len(places) > 1 else (dots,)


class CopyTool(ModelTool):
    """A click on a solid of the union copies that face of it.

    face_at: Returns the solid's number and the face that a line of sight meets.
    """

    def __init__(
        self, context: ToolContext, face_at: Callable[[Floats, Floats], tuple[int, ModelledBody] | None]
    ) -> None:
        super().__init__(context)
        self._face_at = face_at

    def follow(self, event: PointerEvent) -> None:
        target = self._face_at(*event.ray)
        if target is None:
            self.clear()
            return
        ghost = Polygon(id="copied face", points=target[1].vertices, opacity=0.6)
        self._context.show_ghost(event, (f"face of solid {target[0]}", "click to copy it"), (ghost,))

    def put(self, event: PointerEvent) -> bool:
        target = self._face_at(*event.ray)
        if target is not None:
            self._context.commands.copy_face(target[1])
        return True


@dataclass(frozen=True, eq=False)
class Pull:
    """A face being pulled: where it was grabbed, and where the pointer was then."""

    face: int
    point: Floats
    start: QPointF


class ExtrudeTool(Drag[Pull]):
    """A drag from a face pulls it along its normal, out or in, by whole centimetres or to a level of the solids.

    After a click on a face, or during a drag, a distance can be typed; Return pulls the face by that distance.
    """

    def __init__(self, context: ToolContext) -> None:
        super().__init__()
        self._context = context
        self._pull: Pull | None = None
        """The face being pulled; kept after a click, so that a distance can be typed."""
        self._typed = ""
        self._distance = 0.0

    def take(self, event: PointerEvent) -> Pull | None:
        """Grabs the face under the pointer, whatever is drawn in front of it."""
        target = face_at(self._context.piece.body, *event.ray)
        if target is None:
            return None
        self.stop()
        self._pull = Pull(*target, event.pos)
        self._context.piece.select([target[0]])
        return self._pull

    def show(self, grip: Pull, event: PointerEvent) -> None:
        if self.was_moved and not self._typed:
            self._distance = self._along(grip, event)
        self._show_pulled(grip, event)

    def hover(self, event: PointerEvent) -> None:
        if self._pull is not None:
            self._show_pulled(self._pull, event)

    def finish(self, grip: Pull, event: PointerEvent) -> None:
        """Pulls the face; after a click, or once a distance is being typed, waits for Return."""
        if self._distance and not self._typed:
            self._apply_pull()
        else:
            self._show_pulled(grip, event)

    def clear(self) -> None:
        if not self._typed:
            self._context.clear()

    def stop(self) -> None:
        self._pull = None
        self._typed = ""
        self._distance = 0.0
        super().stop()

    def takes_key(self, event: QKeyEvent) -> bool:
        """Once a face is grabbed: digits, point and sign, and the keys that correct or end the number."""
        edits = event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return self._pull is not None and (event.text() in DISTANCE_KEYS or (edits and bool(self._typed)))

    def key(self, event: QKeyEvent) -> None:
        """Edits the typed distance, or pulls the face by it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._apply_pull()
        elif self._pull is not None:
            self._typed = self._typed[:-1] if event.key() == Qt.Key.Key_Backspace else self._typed + event.text()
            self._distance = _number(self._typed)
            self._show_pulled(self._pull)

    def _apply_pull(self) -> None:
        pull = self._pull
        distance = self._distance
        self.stop()
        if pull is not None and distance:
            self._context.commands.pull([pull.face], distance)

    def _show_pulled(self, pull: Pull, event: PointerEvent | None = None) -> None:
        """Shows the face where it would be."""
        if self._typed:
            note = (f"{self._typed} cm", "Return pulls the face, Esc cancels")
        else:
            figure = f"{self._distance:g} cm" if self._context.measures else "Pull"
            note = (figure, "drag out or in, or type a distance")
        self._context.show_ghost(
            event, note, _pulled(self._context.piece.body, pull.face, self._distance) if self._distance else ()
        )

    def _along(self, pull: Pull, event: PointerEvent) -> float:
        """How far the pointer moved along the face's normal, snapped."""
        body = self._context.piece.body
        normal = unit(newell(body.vertices[list(body.faces[pull.face])]))
        start, end = event.view.project(np.stack([pull.point, pull.point + normal]))
        way = end - start
        if way @ way < 1:
            return 0.0
        step = event.pos - pull.start
        distance = float((step.x() * way[0] + step.y() * way[1]) / (way @ way))
        levels = (self._context.snapping.targets()[0] - pull.point) @ normal
        near = levels[np.abs(levels - distance) * float(np.hypot(*way)) <= SNAP_PX]
        if len(near):
            return float(np.round(near[np.abs(near - distance).argmin()], 9))
        return float(round(distance))


def _pulled(body: ModelledBody, face: int, distance_cm: float) -> Sequence[Item]:
    """A face where it would be pulled to, and the edges that it would leave behind."""
    if not distance_cm:
        return ()
    after = extruded(body, [face], distance_cm)
    top, base = (whole.vertices[list(whole.faces[face])] for whole in (after, body))
    lines = [
        Polyline(id=f"pull {i}", points=np.stack([base[i], corner]), width_px=2.0)
        for i, corner in enumerate(base + (top.mean(axis=0) - base.mean(axis=0)))
    ]
    return (Polygon(id="pulled face", points=top, opacity=0.6), *lines)


def _number(text: str) -> float:
    """The number typed so far, at most a metre; 0 while it is not a number."""
    try:
        return max(-FARTHEST_CM, min(FARTHEST_CM, float(text.replace(",", "."))))
    except ValueError:
        return 0.0
