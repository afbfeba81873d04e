"""The controls in the panel, by section."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.tasks.maze_3d.editing import MazeSlope
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    CustomPart,
    Gauge,
    Keys,
    Number,
    Section,
    Setting,
    Switch,
    Verb,
)
from spatial_workbench.widgets.editors.maze_3d.cells import MazeCells
from spatial_workbench.widgets.editors.maze_3d.commands import MazeCommands
from spatial_workbench.widgets.editors.maze_3d.draft import MazeDraft
from spatial_workbench.widgets.editors.maze_3d.figures import jumps_reading, path_reading, ways_reading
from spatial_workbench.widgets.editors.maze_3d.histogram import Histogram
from spatial_workbench.widgets.editors.maze_3d.pen import MazePen
from spatial_workbench.widgets.theme import SPACE

ARROWS = {"Right": (0, 1), "Left": (0, -1), "Up": (-1, 0), "Down": (1, 0)}
SLOPES = {
    MazeSlope.AUTO: ("Auto", "X", "Choose rare heights that make no shortcut and keep B in reach"),
    MazeSlope.LEVEL: ("Level", "E", "Heights stay equal"),
    MazeSlope.CLIMB: ("Climb", "U", "Each cell is higher by 1"),
    MazeSlope.DESCEND: ("Descend", "D", "Each cell is lower by 1"),
}


def height_section(commands: MazeCommands, cells: MazeCells) -> Section:
    """Heights."""
    brush = "The height of the brush  (digit keys)"
    selected = "The height of the selected cells  (digit keys)"
    bounds = (float(BLANK), 9.0)
    return Section(
        "Height",
        Number("Brush", commands.brush.get, lambda h: commands.brush.put(int(h)), bounds, brush, least="empty"),
        Number(
            "Selected",
            cells.common_height,
            lambda h: commands.set_height(int(h)),
            bounds,
            selected,
            least="empty",
            enabled=lambda: bool(cells.selected),
        ),
    )


def route_section(pen: MazePen) -> Section:
    """The route pen."""
    slopes = [
        Action(text, partial(pen.set_slope, slope), key, "", tip, checked=partial(pen.has_slope, slope))
        for slope, (text, key, tip) in SLOPES.items()
    ]
    jump = "The next two cells of the route are a gap and its landing  (hold J)"
    return Section(
        "Route pen",
        Buttons(*slopes, columns=2, exclusive=True),
        Switch("Jump", pen.jumps.get, pen.jumps.put, jump),
    )


def maze_section(commands: MazeCommands, steps: Setting[bool], reach: Setting[bool]) -> Section:
    """The whole maze."""
    rest = "Fill with heights that open no way off the path"
    repaired = "Change a cell so that only one path remains"
    walks = "Show walks as thin lines, jumps as arcs"
    reached = "Shade all cells that can be reached from A"
    return Section(
        "Maze",
        Buttons(
            Action("Fill the rest", commands.fill_rest, "R", "grid", rest, Aid.SOLVING),
            Action("Keep path only", commands.keep_path, "K", "serpentine", "Empty all other cells"),
            Action("Repair", commands.mend, "M", "check", repaired, Aid.SOLVING),
        ),
        Switch("Show steps", steps.get, steps.put, walks, Aid.JUDGING),
        Switch("Shade what A reaches", reach.get, reach.put, reached, Aid.JUDGING),
    )


def path_section(draft: MazeDraft, histogram: Histogram) -> Section:
    """The path, and how often each height occurs."""
    is_judged = draft.is_judged
    rules = draft.rules
    return Section(
        "Path",
        Gauge("Cells of the path", lambda: path_reading(draft.routes, rules, is_judged), aid=Aid.MEASURING),
        Gauge("Jumps of the path", lambda: jumps_reading(draft.routes, rules, is_judged), aid=Aid.MEASURING),
        Gauge("Ways from A to B", lambda: ways_reading(draft.routes)),
        CustomPart(
            "Cells of each height",
            lambda: _captioned(histogram, rules.most_alike if is_judged else None),
            aid=Aid.MEASURING,
            refresh=lambda _: histogram.show_counts(draft.maze.histogram.tolist()),
        ),
    )


def key_actions(commands: MazeCommands, cells: MazeCells, pen: MazePen) -> Iterable[Keys]:
    """The actions that only have keys."""
    for key, way in ARROWS.items():
        name = key.lower()
        yield Keys(
            Action(f"Cursor {name}", partial(cells.move_cursor, way), key, aid=Aid.VIEWING),
            Action(f"Extend selection {name}", partial(cells.move_cursor, way, True), f"Shift+{key}"),
            Action(f"Draw route {name}", partial(pen.draw_step, way), f"Ctrl+{key}"),
        )
    yield Keys(
        Action("Raise selected", lambda: commands.raise_cells(cells.selected, 1, "raise"), "+, ="),
        Action("Lower selected", lambda: commands.raise_cells(cells.selected, -1, "raise"), "-"),
        Action("Empty selected", lambda: commands.set_height(BLANK), "Delete, Backspace", verb=Verb.DELETE),
        Action("Put A here", lambda: commands.move_marker("A"), "Shift+A"),
        Action("Put B here", lambda: commands.move_marker("B"), "Shift+B"),
        *(Action(f"Select height {h}", partial(cells.select_height, h), f"Ctrl+{h}") for h in range(10)),
    )


def _captioned(histogram: Histogram, limit: int | None) -> QWidget:
    words = "Cells of each height"
    caption = QLabel(said(words if limit is None else f"{words}, at most {limit}"))
    caption.setObjectName("caption")
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 2 * SPACE, 0, 0)
    column.setSpacing(SPACE)
    column.addWidget(caption)
    column.addWidget(histogram)
    return whole
