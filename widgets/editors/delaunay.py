"""The editor of delaunay: click points, draw edges, flip edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from PySide6.QtWidgets import QLineEdit

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Item, Points, Polygon, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.delaunay import Delaunay, Triangles, as_triangles, covered_share, points_of
from spatial_workbench.engine.tasks.delaunay.drawing import draw_circle, draw_edge, draw_gaps
from spatial_workbench.engine.tasks.delaunay.editing import (
    closed_by,
    flipped,
    is_inside,
    legalised,
    nearest_triangle,
    objection,
    obstacle,
    points_inside,
)
from spatial_workbench.engine.tasks.delaunay.geometry import Edge, Triangle, edge_owners, hull, illegal_edges
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Row,
    Section,
    Setting,
    Switch,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.gestures import CONTROL, Drag, distance_px, segment_distance_px
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

POINT_PX, EDGE_PX = 14.0, 7.0
"""How near to a point or an edge a press has to be to hit it."""
HINT = "Click three points, or drag from point to point.  Click an edge to flip it."
Grip = tuple[int] | Edge | Triangle
"""What a press hits: a point, an edge or a triangle, as the numbers of its points."""


class DelaunayEditor(Editor[Triangles]):
    """Draws triangles between numbered points. Edges that close no triangle yet are kept in `loose`, not the answer."""

    task: Delaunay

    def prepare(self) -> None:
        self.points = points_of(self.instance)
        self.xy = np.array(self.points, dtype=float) / 1000
        self.loose: set[Edge] = set()
        self.picked: tuple[int, ...] = ()
        self._proposes = Setting(False, self.redraw)
        self._shows_tests = Setting(False, self.redraw)
        self._shows_published = Setting(False, self.redraw)
        self._hatched: tuple[tuple[Triangle, ...], list[Item]] | None = None

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.set_tool(TriangleTool(self))
        return view

    def list_controls(self) -> Iterable[Declared]:
        remove = "Delete the selected triangle"
        flip = "Flip edges until none fails, as one step"
        yield Section(
            "Triangles",
            CustomPart("Points", self._make_points_field),
            Buttons(
                Action("Delete triangle", self.remove, "Delete", "delete", remove, verb=Verb.DELETE),
                Action("Clear loose edges", self.clear_begun, "Escape", "close", "Discard what has been begun"),
            ),
        )
        tests = self._shows_tests
        published = self._shows_published
        proposes = self._proposes
        proposal = "Show a triangle for an empty place; a click adds it"
        fails = "Mark inner edges that fail the local test"
        rows: list[Row] = [
            Switch("Propose triangles", proposes.get, proposes.put, proposal, Aid.SOLVING),
            Switch("Test edges as I go", tests.get, tests.put, fails, Aid.SOLVING),
            Buttons(Action("Flip all failing edges", self.legalise, "L", "rotate", flip, Aid.SOLVING)),
        ]
        if self.task.published_key(self.instance) != set(self.task.solve(self.instance).triangles):
            rows.append(Switch("Show the published key", published.get, published.put, _CONFLICT_TIP, Aid.SOLVING))
        yield Section("Aids", *rows)
        yield Keys(
            Action("Next triangle", lambda: self._step(1), "], Right"),
            Action("Previous triangle", lambda: self._step(-1), "[, Left"),
        )

    def _make_points_field(self) -> QLineEdit:
        self.points_field = QLineEdit()
        self.points_field.setPlaceholderText("Points, such as 0 1 5")
        self.points_field.setToolTip(
            "Type the numbers of two points for an edge, or of three for a triangle; press Return"
        )
        self.points_field.setAccessibleName("Points")
        self.points_field.returnPressed.connect(self._take_typed)
        return self.points_field

    def _take_typed(self) -> None:
        """Draws the edge, flips it if it is an inner one, or adds the triangle of the typed points."""
        typed = self.points_field.text().replace(",", " ").split()
        chosen = sorted({int(word) for word in typed if word.isdecimal() and int(word) < len(self.points)})
        if len(chosen) != len(typed) or len(chosen) not in (2, 3):
            self.message.emit(f"Type two or three different numbers from 0 to {len(self.points) - 1}.")
            return
        self.points_field.clear()
        if len(chosen) == 3:
            self.add([(chosen[0], chosen[1], chosen[2])])
        elif len(edge_owners(self.triangles).get(edge := _edge(*chosen), ())) == 2:
            self.flip(edge)
        else:
            self.join(edge)

    # The answer --------------------------------------------------------------------------------------------------

    @property
    def triangles(self) -> tuple[Triangle, ...]:
        """The triangles so far."""
        return as_triangles(self.document.answer)

    def add(self, triangles: list[Triangle], label: str = "Add triangle") -> bool:
        """Adds triangles, or says why the first of them cannot be added."""
        grown = self.triangles
        for triangle in triangles:
            if reason := self.objection(grown, triangle):
                self.refuse(triangle, reason)
                return False
            grown = (*grown, triangle)
        if triangles:
            self._edit_triangles(label, grown)
        return bool(triangles)

    def objection(self, triangles: Sequence[Triangle], new: Triangle) -> str:
        """Why a triangle cannot be added to others; overlaps are named only if the answer may be judged."""
        return (objection if self.allows(Aid.JUDGING) else obstacle)(self.points, triangles, new)

    def refuse(self, corners: Sequence[int], reason: str) -> None:
        """Says at the pointer why a triangle or an edge is not possible, until the pointer moves."""
        ghost: Item = draw_edge(self.xy, _edge(*corners)) if len(corners) == 2 else self._ghost_of(corners)
        self.view.set_ghost([ghost], reason)
        self.message.emit(f"{reason}.")

    def _ghost_of(self, corners: Sequence[int]) -> Polygon:
        return Polygon(id="proposal", points=self.xy[list(corners)], color="accent", opacity=0.4)

    def remove(self) -> None:
        """Deletes the selected triangles."""
        if chosen := self._chosen:
            self.view.set_selection(())
            self._edit_triangles("Delete triangle", tuple(t for k, t in enumerate(self.triangles) if k not in chosen))

    def flip(self, edge: Edge) -> None:
        """Replaces an inner edge by the other diagonal of its two triangles."""
        new = flipped(self.points, self.triangles, edge)
        if new is None:
            self.refuse(edge, "This edge cannot be flipped: its two triangles do not form a convex quadrilateral")
        else:
            self._edit_triangles("Flip edge", new)

    def legalise(self) -> None:
        """Flips failing edges until none is left."""
        self._edit_triangles("Flip failing edges", legalised(self.points, self.triangles))

    def join(self, edge: Edge) -> None:
        """Draws an edge, and adds the triangles that it closes."""
        edges = {*edge_owners(self.triangles), *self.loose, edge}
        present = {tuple(sorted(triangle)) for triangle in self.triangles}
        closed = [t for t in closed_by(self.points, edge, edges) if t not in present]
        fitting = [t for t in closed if not self.objection(self.triangles, t)]
        if edge not in edge_owners(self.triangles):
            self.loose.add(edge)
        if fitting:
            self.add(fitting)
        self.redraw()

    def pick_point(self, point: int) -> None:
        """Picks a point; the third one makes a triangle."""
        self.picked = tuple(dict.fromkeys((*self.picked, point)))
        if len(self.picked) == 3:
            a, b, c = sorted(self.picked)
            self.picked = ()
            self.add([(a, b, c)])
        self.redraw()

    def show_third(self, point: int | None) -> bool:
        """If two points are picked, shows the triangle with a third, or why it is not possible; returns whether."""
        if len(self.picked) != 2 or point is None or point in self.picked:
            return False
        a, b, c = sorted((*self.picked, point))
        self.view.set_ghost([self._ghost_of((a, b, c))], self.objection(self.triangles, (a, b, c)))
        return True

    def clear_begun(self) -> None:
        """Discards loose edges and picked points."""
        self.picked = ()
        self.loose.clear()
        self.view.set_ghost([])
        self.redraw()

    # What is under the pointer -----------------------------------------------------------------------------------

    def point_at(self, event: PointerEvent) -> int | None:
        """The point near the pointer."""
        distances = distance_px(self.view, event, self.xy)
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= POINT_PX else None

    def inner_edge_at(self, event: PointerEvent) -> Edge | None:
        """The edge between two triangles that is near the pointer."""
        inner = [edge for edge, owners in edge_owners(self.triangles).items() if len(owners) == 2]
        if not inner:
            return None
        is_near = segment_distance_px(self.view, event, self.xy[np.array(inner)]) <= EDGE_PX
        return inner[int(np.argmax(is_near))] if is_near.any() else None

    def triangle_at(self, event: PointerEvent) -> int | None:
        """The number of the triangle under the pointer."""
        x, y = event.point * 1000
        return next((k for k, t in enumerate(self.triangles) if is_inside(self.points, t, (x, y))), None)

    def suggestion_at(self, event: PointerEvent) -> Triangle | None:
        """The triangle suggested for an empty place, whether or not it can be added; this is a solving aid."""
        if not self._proposes.value or self.triangle_at(event) is not None:
            return None
        x, y = event.point * 1000
        return nearest_triangle(self.points, (float(x), float(y)))

    def proposal_at(self, event: PointerEvent) -> Triangle | None:
        """The triangle that a click at an empty place would add."""
        suggestion = self.suggestion_at(event)
        return suggestion if suggestion and not self.objection(self.triangles, suggestion) else None

    def grip_at(self, event: PointerEvent) -> Grip | None:
        """The point, the inner edge or the empty triangle at the pointer."""
        point = self.point_at(event)
        return (point,) if point is not None else self.inner_edge_at(event) or self.suggestion_at(event)

    def click(self, grip: Grip) -> None:
        """Picks a point, flips an edge, or adds a triangle."""
        if len(grip) == 1:
            self.pick_point(*grip)
        elif len(grip) == 2:
            self.flip(grip)
        else:
            self.add([grip])

    def show_hovered(self, event: PointerEvent) -> None:
        """Shows what a click would do, and the circumcircles of the triangles under the pointer."""
        point = self.point_at(event)
        if self.show_third(point):
            return
        edge = self.inner_edge_at(event)
        under = self.triangle_at(event)
        if edge is not None:
            self.show_circles(edge_owners(self.triangles)[edge], edge)
        elif under is not None:
            self.show_circles([under])
        else:
            self.show_proposal(self.proposal_at(event) if point is None else None)

    def show_proposal(self, triangle: Triangle | None) -> None:
        """Shows a triangle before it is added."""
        self.view.set_ghost([self._ghost_of(triangle)] if triangle else [])

    def show_circles(self, triangles: list[int], edge: Edge | None = None) -> None:
        """Shows the circumcircles of triangles, the points in them ringed, and the edge that a click would flip."""
        circled = triangles if self.allows(Aid.MEASURING) else []
        circles = [
            item for k in circled for item in draw_circle(self.points, self.triangles[k], f"circle of {k}", "accent")
        ]
        flips = [draw_edge(self.xy, edge, "accent", 3)] if edge else []
        self.view.set_ghost([*circles, *self._rings(triangles), *flips])

    def _rings(self, triangles: list[int]) -> list[Item]:
        """Rings around the points inside the circumcircles of triangles."""
        inside = sorted({i for k in triangles for i in points_inside(self.points, self.triangles[k])})
        if not inside or not self.judges:
            return []
        ids = [f"inside {i}" for i in inside]
        return [Points(name="inside", ids=ids, positions=self.xy[inside], colors="failed", size_px=15)]

    def show_edge(self, edge: Edge | None) -> None:
        """Shows an edge before it is drawn."""
        self.view.set_ghost([draw_edge(self.xy, edge, "accent", 3)] if edge else [])

    # Drawing -----------------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        """The triangulation, with what has been begun and the tests that are switched on."""
        scene = super().make_scene()
        items = (*self._gaps(), *scene.items, *self._begun(), *self._tests(), *self._published())
        return replace(scene, items=items)

    def _gaps(self) -> list[Item]:
        if self._hatched is None or self._hatched[0] != self.triangles:
            self._hatched = self.triangles, draw_gaps(self.points, self.triangles)
        return self._hatched[1]

    def redraw(self, reset_view: bool = False) -> None:
        """First drops loose edges that have become sides of triangles."""
        self.loose -= set(edge_owners(self.triangles))
        super().redraw(reset_view)

    def status(self) -> str:
        needed = 2 * len(self.points) - 2 - len(hull(self.points))
        begun = f" · point {', '.join(map(str, self.picked))} and …" if self.picked else ""
        loose = f" · {len(self.loose)} loose edges" if self.loose else ""
        if not self.allows(Aid.MEASURING):
            return f"{counted(len(self.triangles), 'triangle')}{loose}{begun}"
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
        if not self._shows_tests.value:
            return []
        items: list[Item] = []
        for edge, _, k in illegal_edges(self.points, self.triangles):
            items.append(replace(draw_edge(self.xy, edge, "warning"), id=f"test {edge[0]}-{edge[1]}"))
            items += draw_circle(self.points, self.triangles[k], f"test circle {edge[0]}-{edge[1]}")
        return items

    def _published(self) -> list[Item]:
        if not self._shows_published.value:
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

    @property
    def _chosen(self) -> list[int]:
        """The numbers of the selected triangles."""
        return [int(name.split()[1]) for name in self.view.selection if name.startswith("triangle ")]

    def _step(self, step: int) -> None:
        if self.triangles:
            following = (self._chosen[0] + step) % len(self.triangles) if self._chosen else 0
            self.view.set_selection([f"triangle {following}"])

    def _edit_triangles(self, label: str, triangles: tuple[Triangle, ...]) -> None:
        self.edit(label, Triangles(triangles=triangles))


class TriangulationWorkpiece(Protocol):
    """A triangulation that is drawn point by point."""

    view: SceneView

    def point_at(self, event: PointerEvent) -> int | None:
        """The point near the pointer."""

    def grip_at(self, event: PointerEvent) -> Grip | None:
        """The point, the inner edge or the empty triangle at the pointer."""

    def show_hovered(self, event: PointerEvent) -> None:
        """Shows what a click would do."""

    def show_edge(self, edge: Edge | None) -> None:
        """Shows an edge before it is drawn."""

    def join(self, edge: Edge) -> None:
        """Draws an edge."""

    def click(self, grip: Grip) -> None:
        """Picks a point, flips an edge, or adds a triangle."""


class TriangleTool(Drag[Grip]):
    """Drags from point to point draw edges; clicks pick points, flip edges, and add suggested triangles."""

    def __init__(self, work: TriangulationWorkpiece) -> None:
        super().__init__()
        self._work = work

    def take(self, event: PointerEvent) -> Grip | None:
        return None if event.has(CONTROL) else self._work.grip_at(event)

    def hover(self, event: PointerEvent) -> None:
        self._work.show_hovered(event)

    def show(self, grip: Grip, event: PointerEvent) -> None:
        if self.was_moved and len(grip) == 1:
            goal = self._work.point_at(event)
            self._work.show_edge(_edge(*grip, goal) if goal is not None and goal not in grip else None)

    def finish(self, grip: Grip, event: PointerEvent) -> None:
        goal = self._work.point_at(event)
        if self.take(event) == grip or grip == (goal,):
            self._work.click(grip)
        elif len(grip) == 1 and goal is not None:
            self._work.join(_edge(*grip, goal))

    def clear(self) -> None:
        self._work.view.set_ghost([])


_CONFLICT_TIP = (
    "The published key was computed before the points were rounded, and differs here from the right answer for the "
    "points as they are shown. Its wrong triangles are hatched."
)


def _edge(i: int, j: int) -> Edge:
    return (i, j) if i < j else (j, i)
