"""The cell that keys work on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.widgets.editing.controls import Action, Numbers
from spatial_workbench.widgets.editing.gestures import Cell
from spatial_workbench.widgets.editing.nudging import LEVEL, UPRIGHT, Step, Way, nudges, way_on_screen
from spatial_workbench.widgets.editors.terrain_levelling.commands import BlastCommands
from spatial_workbench.widgets.editors.terrain_levelling.shown_map import ShownMap
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
LINE_PX = 2.5
DEPTHS = (Step(0.1, marked("{way} by 0.1 m")), Step(0.01, marked("{way} by 0.01 m"), ["Shift+"]))
DEPTH_WORDS = {"PgUp": "Shallower", "PgDown": "Deeper"}


class TerrainCursor:
    """The cursor: keys move it over the map, and blast or select its cell. It is painted once a key has moved it.

    changed: called when it has moved.
    """

    def __init__(
        self, view: Viewport3D, shown: ShownMap, commands: BlastCommands, changed: Callable[[], object]
    ) -> None:
        self.cell: Cell = (0, 0)
        self._is_shown = False
        self._view = view
        self._map = shown
        self._commands = commands
        self._changed = changed

    def paint(self, painter: QPainter, view: SceneView) -> None:
        """Paints an outline on top of the cell, and what a pointer would tell of it; an overlay of the view."""
        if not self._is_shown:
            return
        x, y = self.cell
        top = np.full((len(CORNERS), 1), self._map.shown[y, x])
        places = [QPointF(*place) for place in view.project(np.hstack([CORNERS + self.cell, top])).tolist()]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(view.theme.color("accent"), LINE_PX))
        painter.drawPolygon(QPolygonF(places))
        overlays.paint_note(painter, view.rect(), places[1], self._map.describe(self._id), view.theme)

    @property
    def _id(self) -> str:
        x, y = self.cell
        return f"cell {x},{y}"

    def coordinates(self) -> Cell:
        """The column and the row of the cell."""
        return self.cell

    def type_coordinate(self, place: int, value: float) -> None:
        """Sets the column (0) or the row (1), as it was typed."""
        x, y = self.cell
        self._move_to((round(value), y) if place == 0 else (x, round(value)))

    def move(self, way: Way, _length: float = 1.0) -> None:
        """Moves by a cell, as seen in the view."""
        x, y, _ = way_on_screen(self._view, way)
        self._move_to((self.cell[0] + x, self.cell[1] + y))

    def brush(self, way: Way) -> None:
        """Moves by a cell and blasts it; consecutive keys are one step."""
        self.move(way)
        self._commands.blast(self.cell, merge="brush by keys")

    def select_along(self, way: Way) -> None:
        """Moves by a cell and selects it as well."""
        self.move(way)
        self._view.set_selection(dict.fromkeys([*self._view.selection, self._id]))

    def drill(self) -> None:
        """Blasts the cell."""
        self._commands.blast(self.cell)

    def toggle(self) -> None:
        """Selects the cell, or no longer."""
        chosen = dict.fromkeys(self._view.selection)
        if self._id in chosen:
            del chosen[self._id]
        else:
            chosen[self._id] = None
        self._view.set_selection(chosen)

    def _move_to(self, cell: Cell) -> None:
        rows, columns = self._map.shown.shape
        self.cell = min(max(cell[0], 0), columns - 1), min(max(cell[1], 0), rows - 1)
        self._is_shown = True
        self._view.update()
        self._changed()

    def numbers(self) -> tuple[int, ...]:
        """The column and the row of the cell; nothing before a key has moved the cursor."""
        return self.cell if self._is_shown else ()

    def put(self, numbers: Sequence[int]) -> None:
        """Puts the cursor where it was.

        Raises:
            ValueError: It would leave the map.
        """
        x, y = numbers
        rows, columns = self._map.shown.shape
        if not (0 <= x < columns and 0 <= y < rows):
            raise ValueError("no such cursor")
        self._move_to((x, y))

    def field(self) -> Numbers:
        """The fields in which its column and row can be typed."""
        bounds = (0, max(self._map.shown.shape) - 1)
        tip = "The cell that keys work on: Return blasts it, the arrows move on"
        return Numbers("Cursor", "xy", self.coordinates, self.type_coordinate, bounds, tip, columns=2)

    def keys(self) -> Iterator[Action]:
        """The actions of keys."""
        for key, (_, way) in LEVEL.items():
            side = key.lower()
            yield Action(f"Cursor {side}", partial(self.move, way), key)
            yield Action(f"Brush {side}", partial(self.brush, way), f"Shift+{key}")
            yield Action(f"Select {side}", partial(self.select_along, way), f"Ctrl+Shift+{key}")
        yield Action("Drill at the cursor", self.drill, "Return, Enter")
        yield Action("Select or deselect the cell", self.toggle, "Space")
        ways = {key: (DEPTH_WORDS[key], way) for key, (_, way) in UPRIGHT.items()}
        yield from nudges(self._change_depth, DEPTHS, ways)

    def _change_depth(self, way: Way, length_m: float) -> None:
        self._commands.change_depth(-way[2] * length_m)
