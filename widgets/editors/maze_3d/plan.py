"""The overlay of the plan: heights as digits, and possible steps as thin lines and arcs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.tasks.maze_3d.drawing import JUMP_SWING, swing_of
from spatial_workbench.engine.tasks.maze_3d.graph import MazeStudy
from spatial_workbench.engine.tasks.maze_3d.maze import Maze
from spatial_workbench.widgets.scene_views.overlays import pixel_font
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.theme import Theme

SMALLEST_DIGIT_PX = 7
DARK = "#1F2430"
PALE = "#FFFFFF"
PALE_UP_TO = 2
"""Cells up to this height are dark, and have pale digits."""


class PlanOverlay:
    """Paints the digits and steps of a maze over its plan."""

    def __init__(self, shows_steps: bool) -> None:
        self._maze: Maze | None = None
        self._routes: MazeStudy | None = None
        self._key: tuple[object, ...] = ()
        self._picture = QPixmap()
        self.shows_steps = shows_steps

    def show_maze(self, maze: Maze, routes: MazeStudy) -> None:
        """Sets what is painted."""
        self._maze = maze
        self._routes = routes

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        if self._maze is None:
            return
        corner, step = _frame(view)
        key = self._maze, self.shows_steps, view.theme, view.size(), view.devicePixelRatioF(), *corner.tolist(), step
        if key != self._key:
            # Painting hundreds of digits takes a while, and every move of the pointer repaints the view.
            self._picture = self._drawn(view, corner, step)
            self._key = key
        painter.drawPixmap(0, 0, self._picture)

    def _drawn(self, view: SceneView, corner: Floats, step: float) -> QPixmap:
        picture = QPixmap(view.size() * view.devicePixelRatioF())
        picture.setDevicePixelRatio(view.devicePixelRatioF())
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.shows_steps and step > SMALLEST_DIGIT_PX:
            self._paint_steps(painter, corner, step)
        if step / 3 > SMALLEST_DIGIT_PX / 2:
            self._paint_digits(painter, corner, step, view.theme)
        painter.end()
        return picture

    def _paint_steps(self, painter: QPainter, corner: Floats, step: float) -> None:
        """Paints walks as lines and jumps as arcs, except those of the path, which the scene draws."""
        assert self._maze is not None
        assert self._routes is not None
        color = QColor(DARK)
        color.setAlphaF(0.5)
        painter.setPen(QPen(color, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ends = self._places(self._beside(self._routes.walks), corner, step)
        painter.drawLines([QLineF(*line) for line in ends.reshape(-1, 4).tolist()])
        arcs = QPainterPath()
        for a, b in self._places(self._beside(self._routes.jumps), corner, step):
            control = (a + b) / 2 + 2 * step * JUMP_SWING * swing_of(a, b)
            arcs.moveTo(QPointF(*a))
            arcs.quadTo(QPointF(*control), QPointF(*b))
        painter.setPen(QPen(color, 1.0, Qt.PenStyle.DashLine))
        painter.drawPath(arcs)

    def _paint_digits(self, painter: QPainter, corner: Floats, step: float, theme: Theme) -> None:
        """Paints digits in the corners of cells, so that routes remain visible, and A and B large, in discs."""
        assert self._maze is not None
        maze = self._maze
        painter.setFont(pixel_font(painter, max(SMALLEST_DIGIT_PX, min(step * 0.34, 18)), bold=False))
        for (r, c), height in np.ndenumerate(maze.heights):
            if height >= 0 and (r, c) not in (maze.start, maze.end):
                x, y = corner + step * np.array([c, r])
                painter.setPen(QColor(PALE if height <= PALE_UP_TO else DARK))
                box = QRectF(x + step * 0.05, y + step * 0.02, step * 0.4, step * 0.44)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(height))
        for name, cell in (("A", maze.start), ("B", maze.end)):
            if cell is not None:
                x, y = corner + step * (np.array(cell[::-1]) + 0.5)
                self._paint_marker(painter, f"{name}", int(maze.heights[cell]), QPointF(x, y), step, theme)

    def _paint_marker(
        self, painter: QPainter, name: str, height: int, middle: QPointF, step: float, theme: Theme
    ) -> None:
        painter.setPen(QPen(theme.color("on_accent"), max(1.0, step * 0.03)))
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(middle, step * 0.36, step * 0.36)
        box = QRectF(middle.x() - step / 2, middle.y() - step / 2, step, step)
        painter.setFont(pixel_font(painter, max(SMALLEST_DIGIT_PX, step * 0.4), bold=True))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
        if step > 34:
            painter.setFont(pixel_font(painter, min(step * 0.22, 13)))
            painter.setPen(QColor(PALE if height <= PALE_UP_TO else DARK))
            corner = QRectF(middle.x() - step * 0.47, middle.y() - step * 0.48, step * 0.26, step * 0.26)
            painter.drawText(corner, Qt.AlignmentFlag.AlignCenter, str(height))

    def _beside(self, edges: Ints) -> Ints:
        """The edges (n, 2) that are not steps of the path."""
        assert self._maze is not None
        assert self._routes is not None
        path = [self._maze.index(cell) for cell in self._routes.path]
        codes = [min(a, b) * self._maze.heights.size + max(a, b) for a, b in pairwise(path)]
        return edges[~np.isin(edges.min(axis=1) * self._maze.heights.size + edges.max(axis=1), codes)]

    def _places(self, edges: Ints, corner: Floats, step: float) -> Floats:
        """The ends of edges in pixels, (n, 2, 2)."""
        assert self._maze is not None
        rows, columns = np.divmod(edges, self._maze.size)
        return corner + step * (np.stack([columns, rows], axis=-1) + 0.5)


def _frame(view: SceneView) -> tuple[Floats, float]:
    """The corner of the first cell, and the size of a cell, in pixels."""
    first, second = view.project(np.array([[0.0, 0.0], [1.0, 0.0]]))
    return first, float(second[0] - first[0])
