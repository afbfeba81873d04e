"""What is painted over the view: open, crowded and wrongly wound edges, and a note beside the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from engine.geometry.polyhedron import Edge
from widgets import overlays
from widgets.view import SceneView

if TYPE_CHECKING:
    from widgets.editors.csg_union.editor import CsgUnionEditor

MAGENTA = "#D633B8"
MOST = 2000
"""More edges than this are not painted; the numbers in the bar tell of them."""


class Marks:
    """An overlay of the view; it is called at every repaint."""

    def __init__(self, editor: CsgUnionEditor) -> None:
        self._editor = editor

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        findings = self._editor.piece.findings
        self._edges(painter, view, findings.open_edges, view.theme.color("failed"), Qt.PenStyle.SolidLine)
        self._edges(painter, view, findings.crowded_edges, QColor(MAGENTA), Qt.PenStyle.SolidLine)
        self._edges(painter, view, findings.turned_edges, view.theme.color("warning"), Qt.PenStyle.DashLine)
        tool = self._editor.view.tool
        note, place = getattr(tool, "note", ("", "")), getattr(tool, "pointer", None)
        if note[0] and place is not None:
            overlays.paint_note(painter, view.rect(), place, note, view.theme)

    def _edges(
        self, painter: QPainter, view: SceneView, edges: Sequence[Edge], color: QColor, style: Qt.PenStyle
    ) -> None:
        if not edges or len(edges) > MOST:
            return
        places = view.project(self._editor.piece.body.vertices)
        lines = [QLineF(QPointF(*places[a]), QPointF(*places[b])) for a, b in edges if _is_seen(places[[a, b]])]
        painter.setPen(QPen(color, 3.0, style, Qt.PenCapStyle.RoundCap))
        painter.drawLines(lines)


def _is_seen(places: np.ndarray) -> bool:
    return bool(np.isfinite(places).all() and np.abs(places).max() < 1e5)
