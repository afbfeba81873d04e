"""The tool for text."""

from __future__ import annotations

from PySide6.QtCore import Qt

from spatial_workbench.engine.puzzles.annotation.layers import (
    Text,
)
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.pointer import Touch
from spatial_workbench.widgets.sketch.shapes import is_hit
from spatial_workbench.widgets.sketch.tools.base import REACH_PX, SketchTool, rounded


class TextTool(SketchTool):
    """Writes a line of text."""

    cursor = Qt.CursorShape.IBeamCursor
    hint = "Click where the text begins, or on a text to change it. Enter ends it, Escape drops it."

    def release(self, touch: Touch) -> None:
        if (text := text_at(self.desk, touch)) is not None:
            self.desk.rewrite(text)
        else:
            self.desk.write_at(rounded(touch.point))

    def double_click(self, touch: Touch) -> None:
        """The first click opened the field already."""


def text_at(desk: SketchDesk, touch: Touch) -> Text | None:
    """The uppermost text at a touch."""
    within = REACH_PX / touch.scale
    texts = (shape for shape in reversed(desk.current.shapes) if isinstance(shape, Text))
    return next((text for text in texts if is_hit(text, touch.point, within)), None)
