"""Marks over the view for open, crowded and wrongly wound edges, and words for elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.csg_union.editing import Findings
from spatial_workbench.widgets.editing.selection import numbers_of
from spatial_workbench.widgets.editors.csg_union.gestures import coordinates_text
from spatial_workbench.widgets.editors.csg_union.workpiece import Workpiece
from spatial_workbench.widgets.scene_views.view import Pick, SceneView

MAGENTA = "#D633B8"
MOST = 2000
"""Kinds with more edges than this are not painted; the bar above the view counts them."""


class EdgeMarks:
    """An overlay that marks edges."""

    def __init__(self, findings: Callable[[], Findings]) -> None:
        self._findings = findings

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        findings = self._findings()
        solid = Qt.PenStyle.SolidLine
        for edges, color, style in (
            (findings.open_edges, view.theme.color("failed"), solid),
            (findings.crowded_edges, QColor(MAGENTA), solid),
            (findings.turned_edges, view.theme.color("warning"), Qt.PenStyle.DashLine),
        ):
            if 0 < len(edges) <= MOST:
                places = view.project(findings.body.vertices)
                painter.setPen(QPen(color, 3.0, style, Qt.PenCapStyle.RoundCap))
                seen = [(a, b) for a, b in edges if _is_seen(places[[a, b]])]
                painter.drawLines([QLineF(QPointF(*places[a]), QPointF(*places[b])) for a, b in seen])


def _is_seen(places: Floats) -> bool:
    return bool(np.isfinite(places).all() and np.abs(places).max() < 1e5)


class BodyWords:
    """Words for the body and its elements.

    is_judged: whether they tell what breaks a rule.
    has_note: returns whether a tool already shows a note beside the pointer.
    """

    def __init__(self, piece: Workpiece, is_judged: bool, has_note: Callable[[], bool]) -> None:
        self._piece = piece
        self._is_judged = is_judged
        self._has_note = has_note

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for an element."""
        if self._has_note():
            return "", ""
        vertices, faces = self._piece.body
        for i in numbers_of([pick.id], "face"):
            if i < len(faces):
                away = self._piece.findings.far_from_flat.get(i) if self._is_judged else None
                bend = f" · {away:.3g} cm off its plane" if away else ""
                return f"Face {i}", f"{counted(len(faces[i]), 'corner')}{bend}"
        for k in numbers_of([pick.id], "vertex"):
            if k < len(vertices):
                return f"Vertex {k}", coordinates_text(vertices[k])
        return pick.id.capitalize(), ""

    def counts(self) -> Iterable[str]:
        """How many vertices, faces and shells there are."""
        vertices, faces = self._piece.body
        shells = len(self._piece.findings.shells)
        yield counted(len(vertices), "vertex", "vertices")
        yield counted(len(faces), "face")
        yield counted(shells, "shell") if shells > 1 else ""
