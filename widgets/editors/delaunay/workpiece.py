"""The triangles of the answer, and what has been begun: loose edges and picked points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.tasks.delaunay import Triangles, as_triangles, points_of
from spatial_workbench.engine.tasks.delaunay.editing import objection, obstacle
from spatial_workbench.engine.tasks.delaunay.geometry import Edge, Triangle, edge_owners
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import SceneView


class TriangulationWork:
    """The triangulation of a document, and which of its triangles are selected in a view."""

    def __init__(self, document: AnswerDocument[Triangles], view: SceneView, is_judged: bool) -> None:
        self.points = points_of(document.instance)
        self.xy = np.array(self.points, dtype=float) / 1000
        """The points (n, 2), in the unit of the scene."""
        self.loose: set[Edge] = set()
        """Edges that close no triangle yet; they are not in the answer."""
        self.picked: tuple[int, ...] = ()
        """Points that were clicked; the third one makes a triangle."""
        self.selection = NumberedSelection(view, "triangle", lambda: len(self.triangles))
        self._document = document
        self._is_judged = is_judged

    def drop_closed(self) -> None:
        """Drops loose edges that have become sides of triangles."""
        self.loose -= set(edge_owners(self.triangles))

    @property
    def triangles(self) -> tuple[Triangle, ...]:
        """The triangles so far."""
        return as_triangles(self._document.answer)

    def objection(self, triangles: Sequence[Triangle], new: Triangle) -> str:
        """Why a triangle cannot be added to others; overlaps are named only if the answer may be judged."""
        return (objection if self._is_judged else obstacle)(self.points, triangles, new)

    def replace_triangles(self, label: str, triangles: tuple[Triangle, ...]) -> None:
        """Replaces the triangles, as one step of the history."""
        self._document.edit(label, Triangles(triangles=triangles))


def edge_between(i: int, j: int) -> Edge:
    """The edge between two points."""
    return (i, j) if i < j else (j, i)
