"""The gestures in the world, the same in space and on the plan: areas, presets, brush strokes, moving, resizing.

Each shows what it would make and ends in one step of the history, or in nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from engine.core.scene import Floats
from engine.tasks.fluid_simulation import Box
from engine.tasks.fluid_simulation.editing import Rectangle, preset
from engine.tasks.fluid_simulation.shaping import brushed, moved, resized, stroke
from engine.tasks.fluid_simulation.world import DEPTH
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.fluid_simulation import FluidEditor

Column = tuple[int, int]

HANDLE_PX = 11.0
DRAG_PX = 4.0
"""A press that moves less than this moves nothing."""

LEFT = Qt.MouseButton.LeftButton


class WorldTool(Tool):
    """What the tools have in common: the column under the pointer, at the level that is worked on."""

    cursor = Qt.CursorShape.CrossCursor
    digs = False
    """Whether it takes rock away: then the pointer is on top of the level, else at its bottom."""

    def __init__(self, editor: FluidEditor) -> None:
        self.editor = editor

    def column_at(self, event: PointerEvent, level: int) -> Column | None:
        """The column under the pointer, in the world or beside it."""
        point = event.point if event.view.scene.flat else event.on_plane(level + self.digs)
        return None if point is None else (int(np.floor(point[0])), int(np.floor(point[1])))

    def start_at(self, event: PointerEvent) -> Column | None:
        """The column under the pointer, if it is in the world."""
        column = self.column_at(event, self.editor.level)
        return column if column is not None and self.editor.is_column(column) else None

    def leave(self) -> None:
        """Nothing is shown under a pointer that is elsewhere."""
        self.editor.show_pending([])

    def stop(self) -> None:
        """Drops what was begun."""
        self.editor.show_pending([])


class AreaTool(WorldTool):
    """A rectangle of columns, and then its height."""

    def __init__(self, editor: FluidEditor, rock: bool) -> None:
        super().__init__(editor)
        self.rock = rock
        self.digs = not rock
        self._start: Column | None = None
        self._area: Rectangle | None = None
        self._anchor: QPointF | None = None
        """Where the pointer was when the rectangle was done; set while the height follows it."""

    def press(self, event: PointerEvent) -> bool:
        """Begins a rectangle, or sets the height."""
        if event.button != LEFT:
            return False
        if self._anchor is not None:
            self._finish(event)
            return True
        self._start = self.start_at(event)
        if self._start is None:
            return False
        self._area = Rectangle(*self._start, *self._start)
        self._show(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Stretches the rectangle, or raises it; before, shows the column it would begin at."""
        if self._area is None:
            self._hover(event)
            return False
        if self._anchor is None and (column := self.column_at(event, self.editor.level)):
            self._area = self.editor.rectangle(self._start, column)
        self._show(event)
        return True

    def release(self, event: PointerEvent) -> bool:
        """The rectangle is done; its height follows if there is none in the field."""
        if self._area is None or self._anchor is not None:
            return False
        if self.takes_height(event):
            self._anchor = event.pos
            self._show(event)
        else:
            self._finish(event)
        return True

    def double_click(self, event: PointerEvent) -> bool:
        """The second click at one place sets the height."""
        return self.press(event)

    def leave(self) -> None:
        """What was begun stays."""
        if self._area is None:
            super().leave()

    def stop(self) -> None:
        """Drops the rectangle."""
        self._start = self._area = self._anchor = None
        super().stop()

    def takes_height(self, event: PointerEvent) -> bool:
        """Whether the height is still to be chosen."""
        return not self.editor.box_height and not event.view.scene.flat

    def boxes(self, area: Rectangle, more: int) -> list[Box]:
        """The operations; `more` levels beyond the first one, up if positive, else down."""
        level = self.editor.level
        low, high = sorted((level, min(DEPTH - 1, max(0, level + more))))
        return [area.box(low, high, self.rock)]

    def label(self) -> str:
        """What the history calls it."""
        return "Build rock" if self.rock else "Dig"

    def _more(self, event: PointerEvent) -> int:
        """How many levels beyond the first one the box has."""
        if self._anchor is None:
            more = max(0, self.editor.box_height - 1)
            return more if self.rock else -more
        x, y = (self._area.x0 + self._area.x1 + 1) / 2, (self._area.y0 + self._area.y1 + 1) / 2
        level = self.editor.level
        (_, low), (_, high) = event.view.project(np.array([(x, y, level), (x, y, level + 1.0)]))
        pixels = max(4.0, float(low - high))
        return round((self._anchor.y() - event.pos.y()) / pixels)

    def _hover(self, event: PointerEvent) -> None:
        column = self.start_at(event)
        self.editor.show_pending(self._made(Rectangle(*column, *column), 0)[0] if column else [])

    def _show(self, event: PointerEvent) -> None:
        made, reason = self._made(self._area, self._more(event))
        note = "click to set the height, Esc drops it" if self._anchor is not None else ""
        self.editor.show_pending(made, reason, note, event)

    def _finish(self, event: PointerEvent) -> None:
        made, reason = self._made(self._area, self._more(event))
        self.stop()
        self.editor.place(self.label(), made, reason)

    def _made(self, area: Rectangle, more: int) -> tuple[list[Box], str]:
        try:
            return self.boxes(area, more), ""
        except ValueError as error:
            return [area.box(self.editor.level, self.editor.level, rock=True)], str(error)


class PresetTool(AreaTool):
    """A rectangle that becomes a pit, a walled pool, a roof on a pillar or an island."""

    def __init__(self, editor: FluidEditor, name: str) -> None:
        super().__init__(editor, rock=name not in ("pit", "island"))
        self.name = name

    def takes_height(self, event: PointerEvent) -> bool:
        """Presets know their heights."""
        return False

    def boxes(self, area: Rectangle, more: int) -> list[Box]:
        """The preset's operations at the level that is worked on."""
        return preset(self.name, area, self.editor.level)

    def label(self) -> str:
        """What the history calls it."""
        return f"Make {self.name}"


class BrushTool(WorldTool):
    """Paints rock or air at one level."""

    def __init__(self, editor: FluidEditor) -> None:
        super().__init__(editor)
        self._painted: set[Column] = set()
        self._last: Column | None = None

    @property
    def digs(self) -> bool:  # type: ignore[override]
        """Whether it paints air."""
        return not self.editor.paints_rock

    def press(self, event: PointerEvent) -> bool:
        """Begins a stroke."""
        column = self.start_at(event)
        if event.button != LEFT or column is None:
            return False
        self._painted, self._last = set(), column
        self._paint(column)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Goes on with it, or shows the brush."""
        column = self.column_at(event, self.editor.level)
        if self._last is None:
            shown = self._columns(column) if column and self.editor.is_column(column) else set()
            self.editor.show_pending(self._boxes(shown))
            return False
        if column is not None:
            self._paint(column)
        return True

    def release(self, event: PointerEvent) -> bool:
        """The stroke becomes as few boxes as it takes."""
        if self._last is None:
            return False
        painted = self._boxes(self._painted)
        self.stop()
        self.editor.place("Paint rock" if self.editor.paints_rock else "Paint air", painted)
        return True

    def stop(self) -> None:
        """Drops the stroke."""
        self._painted, self._last = set(), None
        super().stop()

    def _paint(self, column: Column) -> None:
        for step in stroke(self._last, column):
            self._painted |= self._columns(step)
        self._last = column
        self.editor.show_pending(self._boxes(self._painted))

    def _columns(self, middle: Column) -> set[Column]:
        area = Rectangle.around(*middle, self.editor.brush_width, self.editor.brush_width)
        columns = {(x, y) for x in range(area.x0, area.x1 + 1) for y in range(area.y0, area.y1 + 1)}
        return {column for column in columns if self.editor.is_column(column)}

    def _boxes(self, columns: set[Column]) -> list[Box]:
        return brushed(columns, self.editor.level, self.editor.paints_rock)


class SelectTool(WorldTool):
    """Chooses operations, and drags them: by a handle to resize them, else to move them."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, editor: FluidEditor) -> None:
        super().__init__(editor)
        self._press: PointerEvent | None = None
        self._handle: int | None = None
        self._plane_z = 0.0
        self._changed: Box | None = None

    def press(self, event: PointerEvent) -> bool:
        """Takes a handle of the chosen operation, or chooses the operation under the pointer."""
        if event.button != LEFT:
            return False
        self._handle = self.handle_at(event)
        if self._handle is None:
            row, self._plane_z = self.editor.row_at(event)
            self.editor.choose(row)
            if row < 0:
                return False
        self._press = event
        return True

    def move(self, event: PointerEvent) -> bool:
        """Moves or resizes what is held."""
        if self._press is None:
            over = self.handle_at(event) is not None
            event.view.setCursor(Qt.CursorShape.SizeAllCursor if over else self.cursor)
            return False
        if (event.pos - self._press.pos).manhattanLength() < DRAG_PX and self._changed is None:
            return True
        box = self.editor.chosen_box
        self._changed = self._moved(box, event) if self._handle is None else self._resized(box, event)
        self.editor.show_pending([self._changed], event=event)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Keeps it."""
        changed, held = self._changed, self._handle
        if self._press is None:
            return False
        self.stop()
        if changed is not None:
            self.editor.change_chosen("Move operation" if held is None else "Resize operation", changed)
        return True

    def stop(self) -> None:
        """Leaves the operation where it is."""
        self._press = self._changed = self._handle = None
        super().stop()

    def leave(self) -> None:
        """What is held stays."""

    def handle_at(self, event: PointerEvent) -> int | None:
        """The handle under the pointer: two for each axis, the lower one first."""
        handles = self.editor.handles(event.view.scene.flat)
        if not handles:
            return None
        places = event.view.project(np.array(list(handles.values())))
        distances = np.linalg.norm(places - (event.pos.x(), event.pos.y()), axis=1)
        nearest = int(np.nanargmin(distances))
        return list(handles)[nearest] if distances[nearest] <= HANDLE_PX else None

    def _moved(self, box: Box, event: PointerEvent) -> Box:
        before, now = self._on_plane(self._press), self._on_plane(event)
        if before is None or now is None:
            return box
        step = np.rint(now[:2] - before[:2]).astype(int)
        return moved(box, (int(step[0]), int(step[1]), 0), self.editor.n)

    def _on_plane(self, event: PointerEvent) -> Floats | None:
        return event.point if event.view.scene.flat else event.on_plane(self._plane_z)

    def _resized(self, box: Box, event: PointerEvent) -> Box:
        axis, upper = divmod(self._handle, 2)
        start = np.array(self.editor.handles(event.view.scene.flat)[self._handle])
        if event.view.scene.flat:
            along = float(event.point[axis])
        else:
            along = start[axis] + _along_axis(start, axis, *event.ray)
        face = round(along)
        return resized(box, axis, bool(upper), face - 1 if upper else face, self.editor.n)


def _along_axis(point: Floats, axis: int, origin: Floats, direction: Floats) -> float:
    """How far from a point along an axis the place is that is nearest to a line of sight."""
    way = np.eye(3)[axis]
    across = direction - np.dot(direction, way) * way
    size = float(np.dot(across, across))
    if size < 1e-6:
        return 0.0
    gap = origin - point
    return float(np.dot(gap, way) - np.dot(direction, way) * np.dot(gap, across) / size)
