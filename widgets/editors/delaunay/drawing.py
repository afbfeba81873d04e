"""What is drawn with the triangles: gaps, what has been begun, failing edges, and the published key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.core.scene import Item, Polygon, Polyline
from spatial_workbench.engine.tasks.delaunay import Delaunay
from spatial_workbench.engine.tasks.delaunay.drawing import draw_circle, draw_edge, draw_gaps
from spatial_workbench.engine.tasks.delaunay.geometry import Triangle, illegal_edges
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.delaunay.workpiece import TriangulationWork


class TriangulationDrawing:
    """Draws what has been switched on; `changed` is called when that changes."""

    def __init__(
        self, work: TriangulationWork, task: Delaunay, instance: Instance, changed: Callable[[], None]
    ) -> None:
        self.shows_tests = Setting(False, changed)
        """Whether inner edges that fail the local test are marked."""
        self.shows_published = Setting(False, changed)
        """Whether the triangles of the published key that are wrong are hatched."""
        self._work = work
        self._task = task
        self._instance = instance
        self._hatched: tuple[tuple[Triangle, ...], list[Item]] | None = None

    def behind(self) -> list[Item]:
        """The drawing behind the triangles."""
        return self._gaps()

    def in_front(self) -> list[Item]:
        """The drawing in front of the triangles."""
        return [*self._begun(), *self._tests(), *self._published()]

    def _gaps(self) -> list[Item]:
        if self._hatched is None or self._hatched[0] != self._work.triangles:
            self._hatched = self._work.triangles, draw_gaps(self._work.points, self._work.triangles)
        return self._hatched[1]

    def _begun(self) -> list[Item]:
        items: list[Item] = [
            Polyline(id=f"loose {i}-{j}", points=self._work.xy[[i, j]], color="accent", width_px=2, dashed=True)
            for i, j in sorted(self._work.loose)
        ]
        if len(self._work.picked) == 2:
            items.append(
                Polyline(id="picked", points=self._work.xy[list(self._work.picked)], color="accent", width_px=3)
            )
        return items

    def _tests(self) -> list[Item]:
        if not self.shows_tests.value:
            return []
        items: list[Item] = []
        for edge, _, k in illegal_edges(self._work.points, self._work.triangles):
            items.append(replace(draw_edge(self._work.xy, edge, "warning"), id=f"test {edge[0]}-{edge[1]}"))
            items += draw_circle(self._work.points, self._work.triangles[k], f"test circle {edge[0]}-{edge[1]}")
        return items

    def _published(self) -> list[Item]:
        if not self.shows_published.value:
            return []
        right = set(self._task.solve(self._instance).triangles)
        return [
            Polygon(
                id=f"published {a}-{b}-{c}",
                points=self._work.xy[[a, b, c]],
                color="warning",
                opacity=0.35,
                outline="warning",
                pattern="hatch",
                pickable=False,
            )
            for a, b, c in sorted(self._task.published_key(self._instance) - right)
        ]
