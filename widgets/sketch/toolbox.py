"""The tools of a sketch pad, one of them in hand."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal

from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.tools.base import SketchTool
from spatial_workbench.widgets.sketch.tools.cells import GridTool, SketchFillTool
from spatial_workbench.widgets.sketch.tools.lines import (
    ArrowTool,
    EllipseTool,
    LineTool,
    PolylineTool,
    SketchRectangleTool,
)
from spatial_workbench.widgets.sketch.tools.pen import SketchPenTool
from spatial_workbench.widgets.sketch.tools.picking import EraserTool, SketchPickTool
from spatial_workbench.widgets.sketch.tools.text import TextTool


class ToolEntry(NamedTuple):
    """A tool as the tool bar lists it."""

    name: str
    key: str
    icon_name: str
    kind: type[SketchTool]


TOOLS = (
    ToolEntry("Pick", "V", "select", SketchPickTool),
    ToolEntry("Pen", "P", "pencil", SketchPenTool),
    ToolEntry("Line", "L", "line", LineTool),
    ToolEntry("Arrow", "A", "arrow", ArrowTool),
    ToolEntry("Rectangle", "B", "rectangle", SketchRectangleTool),
    ToolEntry("Ellipse", "E", "ellipse", EllipseTool),
    ToolEntry("Polyline", "Y", "polyline", PolylineTool),
    ToolEntry("Text", "T", "text", TextTool),
    ToolEntry("Grid by three points", "G", "grid", GridTool),
    ToolEntry("Fill cell", "C", "cell", SketchFillTool),
    ToolEntry("Eraser", "X", "eraser", EraserTool),
)


class Toolbox(QObject):
    """All tools by their names, and the one that is in hand.

    Signals:
        taken(str): another tool is in hand.
    """

    taken = Signal(str)

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.tools = {entry.name: entry.kind(desk) for entry in TOOLS}
        self.tool = self.tools["Pen"]
        self._looking = SketchTool(desk)
        self._looking.cursor = Qt.CursorShape.ArrowCursor

    @property
    def hand(self) -> SketchTool:
        """The tool in hand; where nothing can be drawn, one that does nothing."""
        return self.tool if self._desk.can_draw else self._looking

    def take(self, name: str) -> None:
        """Takes another tool; what the last one began is cancelled."""
        self.tool.stop()
        self.tool = self.tools[name]
        if name != "Pick" and self._desk.selection:
            self._desk.select(())
        self.taken.emit(name)

    def stop(self) -> None:
        """Cancels what the tool in hand has begun."""
        self.tool.stop()
