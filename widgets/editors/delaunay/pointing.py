"""The target under the pointer: a point, an edge, a triangle, or an empty place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.tasks.delaunay.editing import is_inside, nearest_triangle
from spatial_workbench.engine.tasks.delaunay.geometry import Edge, Triangle, edge_owners
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.gestures import distance_px, segment_distance_px
from spatial_workbench.widgets.editors.delaunay.workpiece import TriangulationWork
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

POINT_PX, EDGE_PX = 14.0, 7.0
"""How near to a point or an edge a press has to be to hit it."""
Grip = tuple[int] | Edge | Triangle
"""The target of a press: a point, an edge or a triangle, as the numbers of its points."""
"""The target of a press: a point, an edge or a triangle, as the numbers of its points."""


class TriangulationPointer:
    """Finds what is near the pointer in a view; `changed` is called when proposals are switched on or off."""

    def __init__(self, work: TriangulationWork, view: SceneView, changed: Callable[[], None]) -> None:
        self.proposes = Setting(False, changed)
        """Whether a triangle is suggested for an empty place."""
        self._work = work
        self._view = view

    def point_at(self, event: PointerEvent) -> int | None:
        """The point near the pointer."""
        distances = distance_px(self._view, event, self._work.xy)
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= POINT_PX else None

    def inner_edge_at(self, event: PointerEvent) -> Edge | None:
        """The edge between two triangles that is near the pointer."""
        inner = [edge for edge, owners in edge_owners(self._work.triangles).items() if len(owners) == 2]
        if not inner:
            return None
        is_near = segment_distance_px(self._view, event, self._work.xy[np.array(inner)]) <= EDGE_PX
        return inner[int(np.argmax(is_near))] if is_near.any() else None

    def triangle_at(self, event: PointerEvent) -> int | None:
        """The number of the triangle under the pointer."""
        x, y = event.point * 1000
        return next((k for k, t in enumerate(self._work.triangles) if is_inside(self._work.points, t, (x, y))), None)

    def suggestion_at(self, event: PointerEvent) -> Triangle | None:
        """The triangle suggested for an empty place, whether or not it can be added; this is a solving aid."""
        if not self.proposes.value or self.triangle_at(event) is not None:
            return None
        x, y = event.point * 1000
        return nearest_triangle(self._work.points, (float(x), float(y)))

    def proposal_at(self, event: PointerEvent) -> Triangle | None:
        """The triangle that a click at an empty place would add."""
        suggestion = self.suggestion_at(event)
        return suggestion if suggestion and not self._work.objection(self._work.triangles, suggestion) else None

    def grip_at(self, event: PointerEvent) -> Grip | None:
        """The point, the inner edge or the empty triangle at the pointer."""
        point = self.point_at(event)
        return (point,) if point is not None else self.inner_edge_at(event) or self.suggestion_at(event)
