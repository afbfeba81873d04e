"""What a click or a drag would do, and circumcircles under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.core.scene import Item, Points, Polygon
from spatial_workbench.engine.tasks.delaunay.drawing import draw_circle, draw_edge
from spatial_workbench.engine.tasks.delaunay.editing import points_inside
from spatial_workbench.engine.tasks.delaunay.geometry import Edge, Triangle, edge_owners
from spatial_workbench.widgets.editors.delaunay.pointing import TriangulationPointer
from spatial_workbench.widgets.editors.delaunay.workpiece import TriangulationWork, edge_between
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView


class TriangulationGhost:
    """Shows in a view what a gesture would do.

    measures: whether circumcircles are shown. judges: returns whether the points inside them may be marked.
    """

    def __init__(
        self,
        work: TriangulationWork,
        pointer: TriangulationPointer,
        view: SceneView,
        measures: bool,
        judges: Callable[[], bool],
    ) -> None:
        self._work = work
        self._pointer = pointer
        self._view = view
        self._measures = measures
        self._judges = judges

    def clear(self) -> None:
        """Removes the ghost."""
        self._view.set_ghost([])

    def show_refused(self, corners: Sequence[int], reason: str) -> None:
        """Shows at the pointer why a triangle or an edge is not possible, until the pointer moves."""
        ghost: Item = draw_edge(self._work.xy, edge_between(*corners)) if len(corners) == 2 else self.of(corners)
        self._view.set_ghost([ghost], reason)

    def of(self, corners: Sequence[int]) -> Polygon:
        """The ghost of a triangle."""
        return Polygon(id="proposal", points=self._work.xy[list(corners)], color="accent", opacity=0.4)

    def show_third(self, point: int | None) -> bool:
        """If two points are picked, shows the triangle with a third, or why it is not possible; returns whether."""
        if len(self._work.picked) != 2 or point is None or point in self._work.picked:
            return False
        a, b, c = sorted((*self._work.picked, point))
        self._view.set_ghost([self.of((a, b, c))], self._work.objection(self._work.triangles, (a, b, c)))
        return True

    def show_hovered(self, event: PointerEvent) -> None:
        """Shows what a click would do, and the circumcircles of the triangles under the pointer."""
        point = self._pointer.point_at(event)
        if self.show_third(point):
            return
        edge = self._pointer.inner_edge_at(event)
        under = self._pointer.triangle_at(event)
        if edge is not None:
            self.show_circles(edge_owners(self._work.triangles)[edge], edge)
        elif under is not None:
            self.show_circles([under])
        else:
            self.show_proposal(self._pointer.proposal_at(event) if point is None else None)

    def show_proposal(self, triangle: Triangle | None) -> None:
        """Shows a triangle before it is added."""
        self._view.set_ghost([self.of(triangle)] if triangle else [])

    def show_circles(self, triangles: list[int], edge: Edge | None = None) -> None:
        """Shows the circumcircles of triangles, the points in them ringed, and the edge that a click would flip."""
        circled = triangles if self._measures else []
        circles = [
            item
            for k in circled
            for item in draw_circle(self._work.points, self._work.triangles[k], f"circle of {k}", "accent")
        ]
        flips = [draw_edge(self._work.xy, edge, "accent", 3)] if edge else []
        self._view.set_ghost([*circles, *self._rings(triangles), *flips])

    def _rings(self, triangles: list[int]) -> list[Item]:
        """Rings around the points inside the circumcircles of triangles."""
        inside = sorted({i for k in triangles for i in points_inside(self._work.points, self._work.triangles[k])})
        if not inside or not self._judges():
            return []
        ids = [f"inside {i}" for i in inside]
        return [Points(name="inside", ids=ids, positions=self._work.xy[inside], colors="failed", size_px=15)]

    def show_edge(self, edge: Edge | None) -> None:
        """Shows an edge before it is drawn."""
        self._view.set_ghost([draw_edge(self._work.xy, edge, "accent", 3)] if edge else [])
