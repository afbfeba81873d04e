"""The overlay of the views: frames of the boxes being made and of the chosen box, and its handles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.fluid_simulation import FluidBox
from spatial_workbench.widgets.editors.fluid_simulation.gestures import SelectTool, WorldTool
from spatial_workbench.widgets.editors.fluid_simulation.worksite import Worksite, cell_of
from spatial_workbench.widgets.scene_views.overlays import paint_note, pixel_font
from spatial_workbench.widgets.scene_views.view import Pick, SceneView

LEAST_CELL_PX = 6
"""No lines are painted between cells that are smaller."""
FRAMES = 60
"""The greatest number of boxes whose frames are painted."""

_UNIT = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
_EDGES = [(a, b) for a, b in combinations(range(8), 2) if np.abs(_UNIT[a] - _UNIT[b]).sum() == 1]
NAMES = {
    "dry": "Could hold water but stays dry",
    "capacity": "Could hold water",
    "fallen": "Rock that fell",
    "deep water": "Water",
    "ground": "Ground",
}


class WorldMarks:
    """An overlay of either view."""

    def __init__(self, site: Worksite) -> None:
        self._site = site

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        site = self._site
        pending = self._site.pending
        if view.scene.flat:
            self._cell_lines(painter, view)
            self._title(painter, view)
        elif isinstance(view.tool, WorldTool) and not isinstance(view.tool, SelectTool):
            self._level_ring(painter, view, site.level + view.tool.digs)
        chosen = site.operation_list.chosen_box
        if chosen is not None and not pending.boxes:
            _frames(painter, view, [chosen], view.theme.color("accent"), 2.0)
            if isinstance(view.tool, SelectTool):
                self._handles(painter, view)
        color = view.theme.color("failed" if pending.reason else "accent")
        _frames(painter, view, pending.boxes[:FRAMES], color, 1.6)
        if pending.where is not None and pending.view is view and pending.boxes and not pending.reason:
            words = (pending.words() if site.measures else "", pending.note)
            paint_note(painter, view.rect(), pending.where, words, view.theme)

    def _level_ring(self, painter: QPainter, view: SceneView, z: float) -> None:
        """Paints the border of the world at the height of the pointer."""
        n = self._site.n
        places = view.project(np.array([(0, 0, z), (n, 0, z), (n, n, z), (0, n, z)], dtype=float))
        if not np.isnan(places).any():
            color = view.theme.color("accent")
            color.setAlphaF(0.6)
            painter.setPen(QPen(color, 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolygon(QPolygonF([QPointF(*place) for place in places]))

    def _title(self, painter: QPainter, view: SceneView) -> None:
        """Paints which level the plan shows."""
        painter.setFont(pixel_font(painter, 12, bold=True))
        painter.setPen(view.theme.color("text"))
        box = view.rect().adjusted(0, 8, -12, 0)
        words = said(f"Level {self._site.level} from above")
        painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), words)

    def _handles(self, painter: QPainter, view: SceneView) -> None:
        handles = self._site.handles(view.scene.flat)
        painter.setPen(QPen(view.theme.color("panel"), 1.5))
        painter.setBrush(view.theme.color("accent"))
        for x, y in view.project(np.array(list(handles.values()))).tolist():
            if x == x:
                painter.drawEllipse(QPointF(x, y), 5.5, 5.5)

    def _cell_lines(self, painter: QPainter, view: SceneView) -> None:
        n = self._site.n
        (x0, y0), (x1, y1) = view.project(np.array([(0.0, 0.0), (n, n)])).tolist()
        if abs(x1 - x0) < LEAST_CELL_PX * n:
            return
        color = QColor(view.theme.color("text"))
        color.setAlphaF(0.1)
        painter.setPen(QPen(color, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for i in range(n + 1):
            x, y = x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n
            painter.drawLine(QPointF(x, y0), QPointF(x, y1))
            painter.drawLine(QPointF(x0, y), QPointF(x1, y))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def corners_of(box: FluidBox) -> Floats:
    """The corners of a box of voxels, (8, 3)."""
    low = np.array(box.low, float)
    high = np.array(box.high, float) + 1
    return np.asarray(low + _UNIT * (high - low))


def _frames(painter: QPainter, view: SceneView, boxes: Sequence[FluidBox], color: QColor, width: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for box in boxes:
        pen = QPen(color, width)
        if not box.rock:
            pen.setDashPattern([4.0, 2.5])
        painter.setPen(pen)
        places = view.project(corners_of(box))
        if np.isnan(places).any():
            continue
        for a, b in _EDGES:
            painter.drawLine(QPointF(*places[a]), QPointF(*places[b]))


def describe(site: Worksite, pick: Pick) -> tuple[str, str]:
    """The text of the label beside the pointer for a voxel."""
    cell = cell_of(pick)
    if site.pending.where is not None:
        return "", ""
    if cell is None:
        return pick.id, ""
    index = site.operation_list.row_of(cell)
    number = sum(other.is_on for other in site.operation_list.rows[:index])
    suffix = f" · operation {number}" if index >= 0 else ""
    return NAMES.get(pick.item, pick.item.capitalize()), f"({', '.join(map(str, cell))}){suffix}"
