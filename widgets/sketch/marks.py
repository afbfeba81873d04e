"""What marks a page besides its shapes: its frame, its grid, and boxes around what is selected."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from spatial_workbench.engine.puzzles.annotation.layers import GridOverlay, PuzzleLayer
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.sketch.painting import grid_lines
from spatial_workbench.widgets.sketch.shapes import outline_box


def paint_frame(painter: QPainter, size: tuple[int, int]) -> None:
    """Paints the edge of a page."""
    painter.setPen(_pen(1, "line"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(0, 0, *size)


def paint_grid(painter: QPainter, grid: GridOverlay, size: tuple[int, int]) -> None:
    """Paints the lines of a grid on a page of this size."""
    pen = _pen(1, "accent")
    color = pen.color()
    color.setAlphaF(0.55)
    pen.setColor(color)
    painter.setPen(pen)
    for start, end in grid_lines(grid, size):
        painter.drawLine(start, end)


def paint_selection(painter: QPainter, layer: PuzzleLayer, selection: Iterable[int], scale: float) -> None:
    """Paints a dashed box around each selected shape; `scale` is that of the view."""
    pen = _pen(1.5, "accent")
    pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    margin = 3 / scale
    for i in selection:
        painter.drawRect(outline_box(layer.shapes[i]).adjusted(-margin, -margin, margin, margin))


def _pen(width: float, role: str) -> QPen:
    """A pen with a colour of the theme, whose lines are as thick at any scale."""
    pen = QPen(appearance().theme.color(role), width)
    pen.setCosmetic(True)
    return pen
