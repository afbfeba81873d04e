"""What a tool of a sketch is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spatial_workbench.engine.puzzles.annotation.layers import Point, Shape
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.pointer import Touch
from spatial_workbench.widgets.sketch.view import PageView

REACH_PX = 6.0
"""How far from a line, on the screen, a click still hits it."""
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


class SketchTool:
    """A tool that does nothing by itself."""

    cursor = Qt.CursorShape.CrossCursor
    hint = ""
    """The text of the status line while the tool is active."""

    def __init__(self, desk: SketchDesk) -> None:
        self.desk = desk

    def press(self, touch: Touch) -> None:
        """The left button, or the pen, went down."""

    def move(self, touch: Touch) -> None:
        """It moved while it was down."""

    def release(self, touch: Touch) -> None:
        """It went up."""

    def hover(self, touch: Touch) -> None:
        """The pointer moved with no button down."""

    def double_click(self, touch: Touch) -> None:
        """A second press at the same place."""
        self.press(touch)

    def key(self, event: QKeyEvent) -> bool:
        """A key was pressed; returns whether the tool used it."""
        if event.key() == Qt.Key.Key_Escape and self.is_busy:
            self.stop()
            return True
        return False

    @property
    def is_busy(self) -> bool:
        """Whether something has been begun that Escape cancels."""
        return False

    def stop(self) -> None:
        """Cancels what was begun."""

    def paint(self, painter: QPainter, view: PageView) -> None:
        """Paints what is being drawn, in the page's pixels."""

    def add(self, label: str, *shapes: Shape) -> None:
        """Puts shapes on top of the others."""
        layer = self.desk.current
        self.desk.put(label, layer.model_copy(update={"shapes": (*layer.shapes, *shapes)}))


def rounded(point: Sequence[float]) -> Point:
    """A point as it is stored: to a tenth of a pixel, within what a layer can hold."""
    x, y = (min(max(round(value, 1), -100_000.0), 100_000.0) for value in point)
    return x, y
