"""The gestures of the polynomial editor: painting where f has to be positive or not, and dragging out blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from engine.core.scene import Item, Polygon, Polyline
from engine.tasks.polynomial_fit.editing import ellipse, half_plane
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.polynomial_fit import PolynomialEditor

Place = tuple[float, float]
_ROUND = np.linspace(0, 2 * np.pi, 65)


class PaintTool(Tool):
    """Paints cells as positive or not; Shift turns it round. One stroke is one step."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: PolynomialEditor, positive: bool) -> None:
        self._editor = editor
        self._positive = positive
        self._stroke: dict[tuple[int, int], bool] | None = None
        self._sign = positive

    def press(self, event: PointerEvent) -> bool:
        """Begins a stroke on the grid."""
        if event.button != Qt.MouseButton.LeftButton or self._editor.cell_at(event) is None:
            return False
        self._sign = self._positive != event.has(Qt.KeyboardModifier.ShiftModifier)
        self._stroke = {}
        self._add(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Takes in the cells that the pointer passes."""
        self._editor.point_at(event)
        if self._stroke is None:
            return False
        self._add(event)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Fits to what was painted."""
        stroke, self._stroke = self._stroke, None
        if stroke is None:
            return False
        self._editor.view.set_ghost([])
        self._editor.preview_stroke(None)
        self._editor.paint(stroke)
        return True

    def leave(self) -> None:
        """Shows no value while the pointer is elsewhere."""
        self._editor.point_at(None)

    def stop(self) -> None:
        """Drops the stroke."""
        if self._stroke is not None:
            self._stroke = None
            self._editor.preview_stroke(None)
        self._editor.view.set_ghost([])

    def _add(self, event: PointerEvent) -> None:
        cell = self._editor.cell_at(event)
        if cell is not None and self._stroke is not None and cell not in self._stroke:
            self._stroke[cell] = self._sign
            self._editor.view.set_ghost([self._editor.dots(self._stroke)])
            self._editor.preview_stroke(self._stroke)


class BlockTool(Tool):
    """Drags from one place to another, snapped to half cells, and adds the block between them."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(
        self,
        editor: PolynomialEditor,
        label: str,
        expression: Callable[[Place, Place], str | None],
        outline: Callable[[Place, Place], list[Item]],
    ) -> None:
        self._editor = editor
        self._label = label
        self._expression = expression
        self._outline = outline
        self._start: Place | None = None

    def press(self, event: PointerEvent) -> bool:
        """Begins at the nearest half cell."""
        if event.button != Qt.MouseButton.LeftButton or event.modifiers & Qt.KeyboardModifier.ControlModifier:
            return False
        self._start = snapped(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows the block."""
        self._editor.point_at(event)
        if self._start is None:
            return False
        self._editor.view.set_ghost(self._outline(self._start, snapped(event)))
        return True

    def release(self, event: PointerEvent) -> bool:
        """Adds the block, unless it has no size."""
        start, self._start = self._start, None
        if start is None:
            return False
        self._editor.view.set_ghost([])
        found = self._expression(start, snapped(event))
        if found is None:
            self._editor.message.emit(f"Drag to give the {self._label.lower()} a size.")
        else:
            self._editor.add_block(self._label, found)
        return True

    def leave(self) -> None:
        """Shows no value while the pointer is elsewhere."""
        self._editor.point_at(None)

    def stop(self) -> None:
        """Drops the block."""
        self._start = None
        self._editor.view.set_ghost([])


class LookTool(Tool):
    """Tells the value under the pointer; all else is the view's."""

    def __init__(self, editor: PolynomialEditor) -> None:
        self._editor = editor

    def move(self, event: PointerEvent) -> bool:
        """Tells the value."""
        self._editor.point_at(event)
        return False

    def leave(self) -> None:
        """Tells nothing."""
        self._editor.point_at(None)


def ellipse_tool(editor: PolynomialEditor) -> BlockTool:
    """Positive inside the ellipse in the box that is dragged."""
    return BlockTool(editor, "Ellipse", ellipse, _ellipse_outline)


def half_plane_tool(editor: PolynomialEditor) -> BlockTool:
    """Positive to the right of the line that is dragged."""
    return BlockTool(editor, "Half-plane", half_plane, _line_outline)


def snapped(event: PointerEvent) -> Place:
    """The nearest half cell to the pointer."""
    x, y = np.round(event.point * 2) / 2
    return float(x), float(y)


def _ellipse_outline(start: Place, end: Place) -> list[Item]:
    middle, half = (np.array(start) + end) / 2, np.abs(np.subtract(end, start)) / 2
    points = middle + half * np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)
    return [Polygon(id="block", points=points, color="accent", opacity=0.3, outline="accent")]


def _line_outline(start: Place, end: Place) -> list[Item]:
    first, along = np.array(start), np.subtract(end, start)
    length = float(np.hypot(*along)) or 1.0
    across = np.array([-along[1], along[0]]) / length
    middle = first + along / 2
    return [
        Polyline(id="block", points=np.array([start, end]), color="accent", width_px=3),
        Polyline(
            id="side",
            points=np.array([middle, middle + across * 0.25 * length]),
            color="accent",
            width_px=2,
            arrow=True,
        ),
    ]
