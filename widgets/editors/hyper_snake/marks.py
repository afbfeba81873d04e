"""The overlay of the sheet: the head's next cells, the plan under the pointer, pockets and dead ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hyper_snake.drawing import axis_color
from spatial_workbench.widgets.editors.hyper_snake.plan import SnakePlan
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.scene_views.view import SceneView

ROOMY_PX = 24.0
"""The text stands inside cells that are at least this large."""
BUBBLE = (22.0, 15.0)


class SheetMarks:
    """An overlay of the sheet."""

    def __init__(self, plan: SnakePlan) -> None:
        self.plan = plan

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        places = view.project(self.plan.path.sheet.places)
        corner = view.project(np.array([[0.0, 0.0], [1.0, 0.0]]))
        pitch = float(np.abs(corner[1] - corner[0]).max())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.plan.shows_problems:
            self._problems(painter, view, places, pitch)
        self._neighbours(painter, view, places)
        self._plan(painter, view, places, pitch)
        if self.plan.shows_bites:
            self._bites(painter, view, places, pitch)
        if self.plan.shows_next:
            self._next_cells(painter, view, places, pitch)

    def _problems(self, painter: QPainter, view: SceneView, places: Floats, pitch: float) -> None:
        """Paints crosses in cells that the head can no longer reach, and triangles in dead ends."""
        prospects = self.plan.path.prospects
        if prospects.score >= 1:
            return
        arm = max(2.0, pitch * 0.2)
        lines = []
        for x, y in places[list(prospects.pockets)].tolist():
            lines += [QLineF(x - arm, y - arm, x + arm, y + arm), QLineF(x - arm, y + arm, x + arm, y - arm)]
        painter.setPen(QPen(view.theme.color("failed"), 1.6))
        painter.drawLines(lines)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(view.theme.color("warning"))
        # Food keeps its own mark; the panel says how many of its sides are open.
        marked = {*prospects.pockets, *self.plan.path.field.food_numbers}
        for x, y in places[[n for n in prospects.dead_ends if n not in marked]].tolist():
            painter.drawPolygon(QPolygonF([QPointF(x - arm, y + arm), QPointF(x + arm, y + arm), QPointF(x, y - arm)]))

    def _neighbours(self, painter: QPainter, view: SceneView, places: Floats) -> None:
        """Paints lines from the path cell under the pointer to the cells before and after it."""
        number = self.plan.hovered_number(view)
        at = self.plan.path.walk.place.get(number) if number is not None else None
        if at is None:
            return
        path = self.plan.path.walk.path
        painter.setPen(QPen(view.theme.color("text"), 1.6))
        for other in (*path[max(0, at - 1) : at], *path[at + 1 : at + 2]):
            painter.drawLine(QPointF(*places[path[at]].tolist()), QPointF(*places[other].tolist()))
            painter.drawEllipse(QPointF(*places[other].tolist()), 4, 4)

    def _plan(self, painter: QPainter, view: SceneView, places: Floats, pitch: float) -> None:
        numbers = self.plan.cells
        if len(numbers) < 2:
            return
        side = max(4.0, pitch * 0.88)
        color = view.theme.color("accent")
        painter.setPen(QPen(color, 1.6))
        fill = QColor(color)
        fill.setAlphaF(0.3)
        painter.setBrush(fill)
        painter.drawRects([QRectF(x - side / 2, y - side / 2, side, side) for x, y in places[list(numbers)].tolist()])

    def _next_cells(self, painter: QPainter, view: SceneView, places: Floats, pitch: float) -> None:
        """Paints each legal next cell in the colour of its axis, with sign and axis."""
        side = max(6.0, pitch * 0.88)
        moves = self.plan.path.walk.moves.items()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for way, number in moves:
            x, y = places[number]
            painter.setPen(QPen(view.theme.color(axis_color(way // 2)), 2.0))
            painter.drawRect(QRectF(x - side / 2, y - side / 2, side, side))
        taken: list[QRectF] = []
        for way, number in moves:
            place = QPointF(*places[number].tolist())
            taken.append(_room(place, pitch, way, taken))
            self._bubble(painter, view, taken[-1], way)

    def _bubble(self, painter: QPainter, view: SceneView, box: QRectF, way: int) -> None:
        color = view.theme.color(axis_color(way // 2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(box, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(pixel_font(painter, 11, bold=True))
        painter.setPen(QColor("#10131A" if color.lightnessF() > 0.42 else "#FFFFFF"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{'−' if way % 2 else '+'}{way // 2}")

    def _bites(self, painter: QPainter, view: SceneView, places: Floats, pitch: float) -> None:
        """Paints rings around the path cells at which the head can backbite."""
        radius = max(5.0, pitch * 0.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(view.theme.color("accent"), 2.4))
        for x, y in places[self.plan.path.walk.bites()].tolist():
            painter.drawEllipse(QPointF(x, y), radius, radius)


def _room(place: QPointF, pitch: float, way: int, taken: Sequence[QRectF]) -> QRectF:
    """Where a bubble stands: in its cell, or beside a small cell in the direction of the step."""
    wide, high = BUBBLE
    box = QRectF(place.x() - wide / 2, place.y() - high / 2, wide, high)
    if pitch >= ROOMY_PX:
        return box
    sign = -1 if way % 2 else 1
    dx, dy = (0.0, -float(sign)) if way // 2 % 2 else (float(sign), 0.0)
    box.translate(dx * (pitch + wide) / 2, dy * (pitch + high) / 2)
    while any(box.intersects(other) for other in taken):
        box.translate(dx * 4, dy * 4)
    return box
