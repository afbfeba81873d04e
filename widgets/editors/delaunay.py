"""The editor of delaunay: click points, draw edges, flip edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt

from engine.core import Aid, Scene
from engine.core.scene import Item, Points, Polygon, Polyline
from engine.core.words import counted
from engine.tasks.delaunay import Triangles, as_triangles, covered_share, points_of
from engine.tasks.delaunay.drawing import draw_circle, draw_edge, draw_gaps
from engine.tasks.delaunay.editing import (
    closed_by,
    flipped,
    is_inside,
    legalised,
    nearest_triangle,
    objection,
    points_inside,
)
from engine.tasks.delaunay.geometry import Edge, Triangle, edge_owners, hull, illegal_edges
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.view import PointerEvent, SceneView, Tool

POINT_PX, EDGE_PX = 14.0, 7.0
"""How near a press has to be to mean a point, or an edge."""
HINT = "Click three points, or drag from point to point.  Click an edge to flip it, an empty place for its triangle."


class DelaunayEditor(Editor):
    """Triangles of numbered points. Edges that do not close a triangle yet are kept here, not in the answer."""

    def prepare(self) -> None:
        self.points = points_of(self.instance)
        self.xy = np.array(self.points, dtype=float) / 1000
        self.loose: set[Edge] = set()
        self.picked: tuple[int, ...] = ()
        self._shows_tests = False
        self._shows_published = False
        self._hatched: tuple[tuple[Triangle, ...], list[Item]] | None = None

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        """A canvas."""
        view = Canvas2D()
        view.box_select = False
        return view

    def build_tools(self, tools: ToolPanel) -> None:
        """What helps, and what takes away."""
        tools.add_section("Triangles")
        remove = self.add_action(
            "Remove triangle", self.remove, "Delete", "delete", "The selected one, or under the pointer"
        )
        forget = self.add_action("Forget loose edges", self.forget, "Escape", "close", "Drop what is begun")
        tools.add_tools([remove, forget], exclusive=False)
        tools.add_section("Help yourself")
        tools.add_check(
            "Test edges as I go", False, self._show_tests, "Mark inner edges that fail the local test", Aid.JUDGING
        )
        legalise = self.add_action(
            "Flip all failing edges", self.legalise, "L", "rotate", "As one step that can be undone", Aid.SOLVING
        )
        tools.add_tools([legalise], exclusive=False)
        if self.task.published_key(self.instance) != set(self.task.solve(self.instance).triangles):
            tools.add_check("Show the published key", False, self._show_published, _CONFLICT_TIP, Aid.SOLVING)
        self.add_action("Next triangle", lambda: self._step(1), "], Right")
        self.add_action("Previous triangle", lambda: self._step(-1), "[, Left")
        self.view.set_tool(TriangleTool(self))

    # The answer --------------------------------------------------------------------------------------------------

    @property
    def triangles(self) -> tuple[Triangle, ...]:
        """The triangles so far."""
        return as_triangles(self.document.answer)

    def add(self, triangles: list[Triangle], label: str = "Add triangle") -> bool:
        """Adds triangles, or says why the first of them cannot be added."""
        kept = self.triangles
        for triangle in triangles:
            reason = objection(self.points, kept, triangle)
            if reason:
                self.refuse(triangle, reason)
                return False
            kept = (*kept, triangle)
        if triangles:
            self._put(label, kept)
        return bool(triangles)

    def refuse(self, corners: Sequence[int], reason: str) -> None:
        """Says at the pointer why a triangle or an edge cannot be; it stays until the pointer moves."""
        ghost: Item = draw_edge(self.xy, _edge(*corners)) if len(corners) == 2 else self._ghost_of(corners)
        self.view.set_ghost([ghost], reason)
        self.message.emit(f"{reason}.")

    def _ghost_of(self, corners: Sequence[int]) -> Polygon:
        return Polygon(id="proposal", points=self.xy[list(corners)], color="accent", opacity=0.4)

    def remove(self) -> None:
        """Takes the selected triangle away."""
        chosen = [int(name.split()[1]) for name in self.view.selection if name.startswith("triangle ")]
        if chosen:
            self.view.set_selection(())
            self._put("Remove triangle", tuple(t for k, t in enumerate(self.triangles) if k not in chosen))

    def flip(self, edge: Edge) -> None:
        """Replaces an inner edge by the other diagonal."""
        new = flipped(self.points, self.triangles, edge)
        if new is None:
            self.refuse(edge, "This edge cannot be flipped: its two triangles make no convex quadrilateral")
        else:
            self._put("Flip edge", new)

    def legalise(self) -> None:
        """Flips failing edges until none is left."""
        self._put("Flip failing edges", legalised(self.points, self.triangles))

    def join(self, edge: Edge) -> None:
        """Draws an edge; triangles that it closes are added."""
        edges = {*edge_owners(self.triangles), *self.loose, edge}
        there = {tuple(sorted(triangle)) for triangle in self.triangles}
        closed = [t for t in closed_by(self.points, edge, edges) if t not in there]
        fitting = [t for t in closed if not objection(self.points, self.triangles, t)]
        if edge not in edge_owners(self.triangles):
            self.loose.add(edge)
        if fitting:
            self.add(fitting)
        self.redraw()

    def pick_point(self, point: int) -> None:
        """The third point that is clicked makes a triangle."""
        self.picked = tuple(dict.fromkeys((*self.picked, point)))
        if len(self.picked) == 3:
            a, b, c = sorted(self.picked)
            self.picked = ()
            self.add([(a, b, c)])
        self.redraw()

    def show_third(self, point: int | None) -> bool:
        """With two points picked, shows the triangle that a third would make, and why it cannot be; says whether."""
        if len(self.picked) != 2 or point is None or point in self.picked:
            return False
        a, b, c = sorted((*self.picked, point))
        self.view.set_ghost([self._ghost_of((a, b, c))], objection(self.points, self.triangles, (a, b, c)))
        return True

    def refusal_at(self, event: PointerEvent) -> tuple[Triangle, str] | None:
        """The triangle that is meant by an empty place but cannot be, and why."""
        x, y = event.point * 1000
        found = nearest_triangle(self.points, (float(x), float(y)))
        reason = objection(self.points, self.triangles, found) if found else ""
        return (found, reason) if found and reason and self.triangle_at(event) is None else None

    def forget(self) -> None:
        """Drops what is begun."""
        self.picked = ()
        self.loose.clear()
        self.view.set_ghost([])
        self.redraw()

    # Finding -----------------------------------------------------------------------------------------------------

    def point_at(self, event: PointerEvent) -> int | None:
        """The point near the pointer."""
        pixels = self.view.project(self.xy)
        distance = np.hypot(*(pixels - [event.pos.x(), event.pos.y()]).T)
        nearest = int(np.argmin(distance))
        return nearest if distance[nearest] <= POINT_PX else None

    def inner_edge_at(self, event: PointerEvent) -> Edge | None:
        """The edge between two triangles that is near the pointer."""
        place = np.array([event.pos.x(), event.pos.y()])
        for edge, owners in edge_owners(self.triangles).items():
            if len(owners) == 2 and _distance(place, *self.view.project(self.xy[list(edge)])) <= EDGE_PX:
                return edge
        return None

    def triangle_at(self, event: PointerEvent) -> int | None:
        """The number of the triangle under the pointer."""
        x, y = event.point * 1000
        return next((k for k, t in enumerate(self.triangles) if is_inside(self.points, t, (x, y))), None)

    def proposal_at(self, event: PointerEvent) -> Triangle | None:
        """The triangle that a click at an empty place would add."""
        if self.triangle_at(event) is not None:
            return None
        x, y = event.point * 1000
        found = nearest_triangle(self.points, (float(x), float(y)))
        return found if found and not objection(self.points, self.triangles, found) else None

    def show_proposal(self, triangle: Triangle | None) -> None:
        """Shows a triangle before it is added."""
        self.view.set_ghost([self._ghost_of(triangle)] if triangle else [])

    def show_circles(self, triangles: list[int], edge: Edge | None = None) -> None:
        """Shows the circumcircles of triangles, the points in them ringed, and the edge that a click would flip."""
        shown = [draw_circle(self.points, self.triangles[k], f"circle of {k}", "accent") for k in triangles]
        inside = sorted({i for k in triangles for i in points_inside(self.points, self.triangles[k])})
        rings = Points(
            name="inside", ids=[f"inside {i}" for i in inside], positions=self.xy[inside], colors="failed", size_px=15
        )
        flips = [draw_edge(self.xy, edge, "accent", 3)] if edge else []
        self.view.set_ghost([*shown, *([rings] if inside else []), *flips])

    def show_edge(self, edge: Edge | None) -> None:
        """Shows an edge before it is drawn."""
        self.view.set_ghost([draw_edge(self.xy, edge, "accent", 3)] if edge else [])

    # Drawing -----------------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        """The triangulation with what is begun, and with the tests that are asked for."""
        scene = super().make_scene()
        items = (*self._gaps(), *scene.items, *self._begun(), *self._tests(), *self._published())
        return replace(scene, items=items)

    def _gaps(self) -> list[Item]:
        if self._hatched is None or self._hatched[0] != self.triangles:
            self._hatched = self.triangles, draw_gaps(self.points, self.triangles)
        return self._hatched[1]

    def redraw(self, reset_view: bool = False) -> None:
        """Loose edges that became sides of triangles are loose no more."""
        self.loose -= set(edge_owners(self.triangles))
        super().redraw(reset_view)

    def status(self) -> str:
        """How far one is."""
        needed = 2 * len(self.points) - 2 - len(hull(self.points))
        begun = f" · point {', '.join(map(str, self.picked))} and …" if self.picked else ""
        loose = f" · {len(self.loose)} loose edges" if self.loose else ""
        share = 100 * covered_share(self.points, self.triangles)
        return f"{len(self.triangles)} of {counted(needed, 'triangle')} · {share:.0f} % of the hull{loose}{begun}"

    def _begun(self) -> list[Item]:
        items: list[Item] = [
            Polyline(id=f"loose {i}-{j}", points=self.xy[[i, j]], color="accent", width_px=2, dashed=True)
            for i, j in sorted(self.loose)
        ]
        if len(self.picked) == 2:
            items.append(Polyline(id="picked", points=self.xy[list(self.picked)], color="accent", width_px=3))
        return items

    def _tests(self) -> list[Item]:
        if not self._shows_tests:
            return []
        items: list[Item] = []
        for edge, _, k in illegal_edges(self.points, self.triangles):
            items.append(replace(draw_edge(self.xy, edge, "warning"), id=f"test {edge[0]}-{edge[1]}"))
            items.append(draw_circle(self.points, self.triangles[k], f"test circle {edge[0]}-{edge[1]}"))
        return items

    def _published(self) -> list[Item]:
        if not self._shows_published:
            return []
        right = set(self.task.solve(self.instance).triangles)
        return [
            Polygon(
                id=f"published {a}-{b}-{c}",
                points=self.xy[[a, b, c]],
                color="warning",
                opacity=0.35,
                outline="warning",
                pattern="hatch",
                pickable=False,
            )
            for a, b, c in sorted(self.task.published_key(self.instance) - right)
        ]

    def _show_tests(self, shown: bool) -> None:
        self._shows_tests = shown
        self.redraw()

    def _show_published(self, shown: bool) -> None:
        self._shows_published = shown
        self.redraw()

    def _step(self, step: int) -> None:
        if self.triangles:
            chosen = [int(name.split()[1]) for name in self.view.selection if name.startswith("triangle ")]
            following = (chosen[0] + step) % len(self.triangles) if chosen else 0
            self.view.set_selection([f"triangle {following}"])

    def _put(self, label: str, triangles: tuple[Triangle, ...]) -> None:
        self.edit(label, Triangles(triangles=triangles))


class TriangleTool(Tool):
    """Points, edges and empty places, as they are pressed."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: DelaunayEditor) -> None:
        self._editor = editor
        self._start: int | None = None

    def press(self, event: PointerEvent) -> bool:
        """Begins at a point, flips an edge, or adds the triangle that is proposed."""
        if event.button != Qt.MouseButton.LeftButton or event.has(Qt.KeyboardModifier.ControlModifier):
            return False
        editor = self._editor
        self._start = editor.point_at(event)
        if self._start is not None:
            return True
        edge, proposal = editor.inner_edge_at(event), editor.proposal_at(event)
        if edge is not None:
            editor.flip(edge)
        elif proposal is not None:
            editor.show_proposal(None)
            editor.add([proposal])
        elif refused := editor.refusal_at(event):
            editor.refuse(*refused)
        else:
            return False
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows the edge that is drawn, or the triangle that a click would add."""
        editor = self._editor
        if self._start is not None:
            goal = editor.point_at(event)
            editor.show_edge(_edge(self._start, goal) if goal not in (None, self._start) else None)
            return True
        if event.buttons or editor.show_third(editor.point_at(event)):
            return False
        edge = editor.inner_edge_at(event)
        under = editor.triangle_at(event)
        if edge is not None:
            editor.show_circles(edge_owners(editor.triangles)[edge], edge)
        elif under is not None:
            editor.show_circles([under])
        else:
            editor.show_proposal(None if editor.point_at(event) is not None else editor.proposal_at(event))
        return False

    def release(self, event: PointerEvent) -> bool:
        """Ends the edge, or counts the point as clicked."""
        start, self._start = self._start, None
        if start is None:
            return False
        goal = self._editor.point_at(event)
        self._editor.view.set_ghost([])
        if goal == start:
            self._editor.pick_point(start)
        elif goal is not None:
            self._editor.join(_edge(start, goal))
        return True

    def leave(self) -> None:
        """Shows no proposal while the pointer is elsewhere."""
        self._editor.view.set_ghost([])

    def stop(self) -> None:
        """Forgets the edge that was begun."""
        self._start = None
        self._editor.view.set_ghost([])


_CONFLICT_TIP = (
    "The published key was made from the points before rounding. Here it differs from the right answer for the "
    "displayed points; its triangles are hatched."
)


def _edge(i: int, j: int) -> Edge:
    return (i, j) if i < j else (j, i)


def _distance(place, start, end) -> float:
    """From a place to a line segment, in pixels."""
    along = end - start
    share = float(np.clip(np.dot(place - start, along) / max(float(np.dot(along, along)), 1e-9), 0, 1))
    return float(np.hypot(*(place - start - share * along)))
