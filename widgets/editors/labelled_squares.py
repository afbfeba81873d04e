"""The base of the editors for tasks about labelled squares: one square is current, and keys and clicks act on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats, Item, Polygon
from spatial_workbench.engine.tasks.labelled_squares.corner_lists import LabelledSquares
from spatial_workbench.engine.tasks.labelled_squares.drawing import (
    SIDE,
    corner_points,
    draw_interior,
    places,
    side_midpoints,
    variants,
)
from spatial_workbench.widgets.editing.controls import Action, Buttons, Declared, Keys, Section, Setting, Switch
from spatial_workbench.widgets.editing.editor import AnswerT, Editor
from spatial_workbench.widgets.editing.gestures import Drag
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

MARGIN = 0.25
"""How far outside a square, in sides, the pointer may be to hit it."""
STEPS = {
    "Right": ("Square to the right", (1, 0)),
    "Left": ("Square to the left", (-1, 0)),
    "Up": ("Square above", (0, 1)),
    "Down": ("Square below", (0, -1)),
}


class SquaresEditor(Editor[AnswerT]):
    """Shows squares with labelled corners. Subclasses define what an answer is."""

    squares: LabelledSquares

    def prepare(self) -> None:
        self.current = 0
        self._shows_possible = Setting(False, self.redraw)
        self._variant = 0
        self.strokes: list[list[Floats]] = []

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.add_overlay(self._paint_strokes)
        return view

    @property
    def places(self) -> Floats:
        """Where the squares stand: (n, 2)."""
        return places(len(self.squares.walks))

    def common_controls(self) -> Iterator[Declared]:
        """The controls that all these editors have below their own."""
        possible = "Draw an interior that the corners allow; if there are several, T shows the next"
        shows = self._shows_possible
        yield Section(
            "Aids",
            Switch("Show what is possible", shows.get, shows.put, possible, Aid.SOLVING),
            Buttons(
                Action("Next possible interior", self._next_variant, "T", "rotate", aid=Aid.SOLVING),
                Action("Sketch", self._sketch, "S", "brush", "Draw freehand; sketches are not stored"),
                Action("Clear sketches", self._clear_sketches, "W", "delete"),
            ),
        )
        yield Keys(*(Action(text, partial(self.step, *step), key) for key, (text, step) in STEPS.items()))

    def choose(self, index: int) -> None:
        """Makes a square the current one."""
        self.current = max(0, min(index, len(self.places) - 1))
        self.redraw()

    def cursor_numbers(self) -> tuple[int, ...]:
        """The current square."""
        return (self.current,)

    def put_cursor(self, numbers: Sequence[int]) -> None:
        """Makes a square the current one again.

        Raises:
            ValueError: There is no such square.
        """
        (square,) = numbers
        if not 0 <= square < len(self.places):
            raise ValueError("no such square")
        self.choose(square)

    def step(self, dx: int, dy: int) -> None:
        """Goes to the next square in a direction, if there is one; sideways, from row to row."""
        if dx:
            self.choose(self.current + dx)
            return
        position = self.places[self.current]
        others = self.places - position
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
        """The task's drawing with the current square framed, and a possible interior if that is switched on."""
        scene = super().make_scene()
        return replace(scene, items=(*self.extra_below(), *scene.items, *self.extra_above()))

    def extra_below(self) -> list[Item]:
        """The drawing under the squares: the frame of the current one."""
        corners = corner_points(self.places[self.current])
        middle = corners.mean(axis=0)
        frame = middle + (corners - middle) * 1.62
        return [Polygon(id="current", points=frame, color="accent", opacity=0.12, outline="accent", pickable=False)]

    def extra_above(self) -> list[Item]:
        """The drawing over the squares."""
        if not self._shows_possible.value:
            return []
        walk = self.squares.walks[self.current]
        return list(draw_interior("this", self.places[self.current], walk, self._variant))

    def _next_variant(self) -> None:
        self._variant += 1
        if variants(self.squares.walks[self.current]) == 1:
            self.message.emit("This square allows only one interior.")
        self.redraw()

    def _sketch(self) -> None:
        if not isinstance(self.view.tool, SquareSketchTool):
            self.view.set_tool(SquareSketchTool(self.strokes, partial(self.view.set_tool, self.view.tool)))

    def _clear_sketches(self) -> None:
        self.strokes.clear()
        self.view.update()

    def _paint_strokes(self, painter: QPainter, view: SceneView) -> None:
        painter.setPen(QPen(view.theme.color("warning"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for stroke in self.strokes:
            pixels = view.project(np.array(stroke))
            for (x0, y0), (x1, y1) in pairwise(pixels):
                painter.drawLine(round(x0), round(y0), round(x1), round(y1))


class SquareSketchTool(Drag[list[Floats]]):
    """Draws one freehand stroke, after which the previous tool is active again. Escape discards the stroke.

    Args:
        strokes: The list to which the stroke is added.
        put_away: Called when the stroke has been drawn.
    """

    def __init__(self, strokes: list[list[Floats]], put_away: Callable[[], object]) -> None:
        super().__init__()
        self._strokes = strokes
        self._put_away = put_away

    def take(self, event: PointerEvent) -> list[Floats]:
        self._strokes.append([])
        return self._strokes[-1]

    def show(self, grip: list[Floats], event: PointerEvent) -> None:
        grip.append(event.point)
        event.view.update()

    def finish(self, grip: list[Floats], event: PointerEvent) -> None:
        self._put_away()

    def stop(self) -> None:
        if self.grip is not None:
            self._strokes.pop()
        super().stop()
