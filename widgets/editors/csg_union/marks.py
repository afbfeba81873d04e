"""What is painted over the view: open, crowded and wrongly wound edges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.csg_union.editing import Findings
from spatial_workbench.widgets.scene_views.view import SceneView

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
