"""What the editors of the tasks about labelled squares share: one square is current, keys and clicks work on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from engine.core import Aid, Scene
from engine.core.scene import Floats, Item, Polygon
from engine.tasks.labelled_squares.corner_lists import LabelledSquares
from engine.tasks.labelled_squares.drawing import SIDE, corner_points, draw_interior, places, side_midpoints, variants
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.view import PointerEvent, SceneView, Tool

MARGIN = 0.25
"""How far outside a square, in sides, the pointer still means it."""


class SquaresEditor(Editor):
    """A list of squares with labelled corners. Subclasses say what an answer is."""

    squares: LabelledSquares

    def prepare(self) -> None:
        self.current = 0
        self._shows_possible = False
        self._variant = 0
        self.strokes: list[list[Floats]] = []

    def make_view(self) -> SceneView:
        """A canvas; freehand sketches are painted over it."""
        view = Canvas2D()
        view.box_select = False
        view.add_overlay(self._paint_strokes)
        return view

    @property
    def places(self) -> Floats:
        """Where the squares stand: (n, 2)."""
        return places(len(self.squares.walks))

    def add_common_tools(self, tools: ToolPanel) -> None:
        """What every one of these editors offers below its own tools."""
        tools.add_section("Help yourself")
        tools.add_check(
            "Show what is possible",
            False,
            self._show_possible,
            "Draw an interior that the corners allow; where there are several, T shows the next",
            aid=Aid.SOLVING,
        )
        following = self.add_action("Next possible interior", self._next_variant, "T", "rotate", aid=Aid.SOLVING)
        sketch = self.add_action("Sketch", self._sketch, "S", "brush", "Draw freehand; sketches are not stored")
        wipe = self.add_action("Wipe sketches", self._wipe, "W", "delete")
        tools.add_tools([following, sketch, wipe], exclusive=False)
        steps = {"to the right": (1, 0), "to the left": (-1, 0), "above": (0, 1), "below": (0, -1)}
        for key, (where, (dx, dy)) in zip(("Right", "Left", "Up", "Down"), steps.items(), strict=True):
            self.add_action(f"Square {where}", lambda dx=dx, dy=dy: self.step(dx, dy), key)

    def choose(self, index: int) -> None:
        """Makes a square the current one."""
        self.current = max(0, min(index, len(self.places) - 1))
        self.redraw()

    def step(self, dx: int, dy: int) -> None:
        """Goes to the next square in a direction, if there is one; at a row's end on to the next row."""
        if dx:
            self.choose(self.current + dx)
            return
        here = self.places[self.current]
        others = self.places - here
        ahead = others @ np.array([dx, dy], float)
        across = np.abs(others @ np.array([dy, dx], float))
        cost = np.where(ahead > 1e-9, ahead + 2 * across, np.inf)
        if np.isfinite(cost).any():
            self.choose(int(np.argmin(cost)))

    def square_at(self, event: PointerEvent) -> int | None:
        """The square under the pointer, or close around it."""
        inside = event.point - self.places
        near = ((inside > -MARGIN * SIDE) & (inside < (1 + MARGIN) * SIDE)).all(axis=1)
        return int(np.flatnonzero(near)[0]) if near.any() else None

    def side_at(self, event: PointerEvent, square: int) -> int:
        """The side of a square that is nearest to the pointer."""
        distances = np.linalg.norm(side_midpoints(self.places[square]) - event.point, axis=1)
        return int(np.argmin(distances))

    def make_scene(self) -> Scene:
        """The task's drawing with the current square framed, and a possible interior where that is asked for."""
        scene = super().make_scene()
        return replace(scene, items=(*self.extra_below(), *scene.items, *self.extra_above()))

    def extra_below(self) -> list[Item]:
        """What is drawn under the squares: the frame of the current one."""
        corners = corner_points(self.places[self.current])
        middle = corners.mean(axis=0)
        frame = middle + (corners - middle) * 1.62
        return [Polygon(id="current", points=frame, color="accent", opacity=0.12, outline="accent", pickable=False)]

    def extra_above(self) -> list[Item]:
        """What is drawn over the squares."""
        if not self._shows_possible:
            return []
        walk = self.squares.walks[self.current]
        return list(draw_interior("this", self.places[self.current], walk, self._variant))

    def _show_possible(self, shown: bool) -> None:
        self._shows_possible = shown
        self.redraw()

    def _next_variant(self) -> None:
        self._variant += 1
        if variants(self.squares.walks[self.current]) == 1:
            self.message.emit("This square allows one interior only.")
        self.redraw()

    def _sketch(self) -> None:
        self.view.set_tool(SketchTool(self, self.view.tool))

    def _wipe(self) -> None:
        self.strokes.clear()
        self.view.update()

    def _paint_strokes(self, painter: QPainter, view: SceneView) -> None:
        painter.setPen(QPen(view.theme.color("warning"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for stroke in self.strokes:
            pixels = view.project(np.array(stroke))
            for (x0, y0), (x1, y1) in pairwise(pixels):
                painter.drawLine(round(x0), round(y0), round(x1), round(y1))


class SketchTool(Tool):
    """One freehand stroke; then the tool from before is back."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: SquaresEditor, before: Tool) -> None:
        self._editor = editor
        self._before = before
        self._stroke: list[Floats] | None = None

    def press(self, event: PointerEvent) -> bool:
        """Begins the stroke."""
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._stroke = [event.point]
        self._editor.strokes.append(self._stroke)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Goes on with it."""
        if self._stroke is None:
            return False
        self._stroke.append(event.point)
        self._editor.view.update()
        return True

    def release(self, event: PointerEvent) -> bool:
        """Ends it."""
        if self._stroke is None:
            return False
        self._stroke = None
        self._editor.view.set_tool(self._before)
        return True
