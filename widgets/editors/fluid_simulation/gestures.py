"""The gestures, the same in the world and on the plan: areas, presets, brush strokes, moving, resizing.

Each shows what it would make, and ends with one step of the history or with nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.fluid_simulation import FluidBox
from spatial_workbench.engine.tasks.fluid_simulation.editing import FluidRectangle, preset
from spatial_workbench.engine.tasks.fluid_simulation.shaping import brushed, moved, resized, stroke
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH
from spatial_workbench.widgets.editing.gestures import LEFT, Drag, GripT, distance_px
from spatial_workbench.widgets.editors.fluid_simulation.worksite import Column, Worksite
from spatial_workbench.widgets.scene_views.view import PointerEvent

HANDLE_PX = 11.0


class WorldTool(Drag[GripT]):
    """Base of the tools: finds the column under the pointer at the current level."""

    def __init__(self, site: Worksite) -> None:
        super().__init__()
        self.site = site

    @property
    def digs(self) -> bool:
        """Whether it removes rock: the pointer is then at the top of the level, otherwise at its bottom."""
        return False

    def column_at(self, event: PointerEvent) -> Column | None:
        """The column under the pointer, inside the world or outside."""
        point = event.point if event.view.scene.flat else event.on_plane(self.site.level + self.digs)
        return None if point is None else (int(np.floor(point[0])), int(np.floor(point[1])))

    def start_at(self, event: PointerEvent) -> Column | None:
        """The column under the pointer, if it is in the world."""
        column = self.column_at(event)
        return column if column is not None and self.site.is_column(column) else None

    def clear(self) -> None:
        self.site.show_pending([])


class AreaTool(WorldTool[Column]):
    """Makes a box: first its rectangle of columns, then its height."""

    def __init__(self, site: Worksite, rock: bool) -> None:
        super().__init__(site)
        self.rock = rock
        self._area: FluidRectangle | None = None
        self._anchor: QPointF | None = None
        """Where the pointer was when the rectangle was finished; set while the height follows the pointer."""

    @property
    def digs(self) -> bool:
        return not self.rock

    def take(self, event: PointerEvent) -> Column | None:
        return self.start_at(event)

    def press(self, event: PointerEvent) -> bool:
        if event.button == LEFT and self._area is not None and self._anchor is not None:
            self._make_boxes(event, self._area)
            return True
        return super().press(event)

    def show(self, grip: Column, event: PointerEvent) -> None:
        column = self.column_at(event)
        if column is not None:
            self._area = self.site.rectangle(grip, column)
        self._show_ghost(event)

    def finish(self, grip: Column, event: PointerEvent) -> None:
        if self._area is None:
            return
        if self.takes_height(event):
            self._anchor = event.pos
            self._show_ghost(event)
        else:
            self._make_boxes(event, self._area)

    def hover(self, event: PointerEvent) -> None:
        """Updates the height, if it follows the pointer; otherwise shows where a rectangle would begin."""
        if self._anchor is not None:
            self._show_ghost(event)
            return
        column = self.start_at(event)
        self.site.show_pending(self._made(FluidRectangle(*column, *column), 0)[0] if column else [])

    def double_click(self, event: PointerEvent) -> bool:
        return self.press(event)

    def leave(self) -> None:
        if self._area is None:
            super().leave()

    def stop(self) -> None:
        self._area = self._anchor = None
        super().stop()

    def takes_height(self, event: PointerEvent) -> bool:
        """Whether the height is chosen by the pointer, after the rectangle."""
        return not self.site.box_height.value and not event.view.scene.flat

    def boxes(self, area: FluidRectangle, more: int) -> list[FluidBox]:
        """The operations, with `more` levels beyond the current one: up if positive, down if negative."""
        level = self.site.level
        low, high = sorted((level, min(DEPTH - 1, max(0, level + more))))
        return [area.box(low, high, self.rock)]

    def label(self) -> str:
        """The name of the step in the history."""
        return "Build rock" if self.rock else "Dig"

    def _more(self, event: PointerEvent, area: FluidRectangle) -> int:
        """How many levels beyond the current one the box has."""
        if self._anchor is None:
            more = max(0, int(self.site.box_height.value) - 1)
            return more if self.rock else -more
        x = (area.x0 + area.x1 + 1) / 2
        y = (area.y0 + area.y1 + 1) / 2
        level = self.site.level
        (_, low), (_, high) = event.view.project(np.array([(x, y, level), (x, y, level + 1.0)]))
        pixels = max(4.0, float(low - high))
        return round((self._anchor.y() - event.pos.y()) / pixels)

    def _show_ghost(self, event: PointerEvent) -> None:
        if self._area is not None:
            boxes, reason = self._made(self._area, self._more(event, self._area))
            note = "click to set the height, Esc cancels" if self._anchor is not None else ""
            self.site.show_pending(boxes, reason, note, event)

    def _make_boxes(self, event: PointerEvent, area: FluidRectangle) -> None:
        boxes, reason = self._made(area, self._more(event, area))
        self.stop()
        self.site.place_boxes(self.label(), boxes, reason)

    def _made(self, area: FluidRectangle, more: int) -> tuple[list[FluidBox], str]:
        try:
            return self.boxes(area, more), ""
        except ValueError as error:
            return [area.box(self.site.level, self.site.level, rock=True)], str(error)


class PresetTool(AreaTool):
    """A rectangle that becomes a pit, a walled pool, a roof on a pillar or an island."""

    def __init__(self, site: Worksite, name: str) -> None:
        super().__init__(site, rock=name not in ("pit", "island"))
        self.name = name

    def takes_height(self, event: PointerEvent) -> bool:
        """Never: presets have fixed heights."""
        return False

    def boxes(self, area: FluidRectangle, more: int) -> list[FluidBox]:
        """The preset's operations at the current level."""
        return preset(self.name, area, self.site.level)

    def label(self) -> str:
        return f"Make {self.name}"


class BrushTool(WorldTool[set[Column]]):
    """Paints rock or air at one level; a stroke becomes as few boxes as possible."""

    def __init__(self, site: Worksite) -> None:
        super().__init__(site)
        self._last: Column = (0, 0)

    @property
    def digs(self) -> bool:
        return not self.site.paints_rock.value

    def take(self, event: PointerEvent) -> set[Column] | None:
        column = self.start_at(event)
        if column is None:
            return None
        self._last = column
        return set()

    def show(self, grip: set[Column], event: PointerEvent) -> None:
        column = self.column_at(event)
        if column is not None:
            for step in stroke(self._last, column):
                grip |= self._columns(step)
            self._last = column
            self.site.show_pending(self._boxes(grip))

    def finish(self, grip: set[Column], event: PointerEvent) -> None:
        self.site.place_boxes("Paint rock" if self.site.paints_rock.value else "Paint air", self._boxes(grip))

    def hover(self, event: PointerEvent) -> None:
        column = self.start_at(event)
        self.site.show_pending(self._boxes(self._columns(column) if column else set()))

    def _columns(self, middle: Column) -> set[Column]:
        width = int(self.site.brush_width.value)
        area = FluidRectangle.around(*middle, width, width)
        columns = {(x, y) for x in range(area.x0, area.x1 + 1) for y in range(area.y0, area.y1 + 1)}
        return {column for column in columns if self.site.is_column(column)}

    def _boxes(self, columns: set[Column]) -> list[FluidBox]:
        return brushed(columns, self.site.level, bool(self.site.paints_rock.value))


@dataclass(frozen=True)
class Grip:
    """The chosen operation as it was grabbed: by a handle to resize it, or (None) at the height z to move it."""

    box: FluidBox
    event: PointerEvent
    handle: int | None
    z: float = 0.0


class SelectTool(WorldTool[Grip]):
    """Chooses operations, and drags them: by a handle to resize them, elsewhere to move them."""

    cursor = Qt.CursorShape.ArrowCursor

    def take(self, event: PointerEvent) -> Grip | None:
        handle = self.handle_at(event)
        z = 0.0
        if handle is None:
            row, z = self.site.row_at(event)
            self.site.operation_list.choose_row(row)
        box = self.site.operation_list.chosen_box
        return None if box is None else Grip(box, event, handle, z)

    def show(self, grip: Grip, event: PointerEvent) -> None:
        if self.was_moved:
            self.site.show_pending([self._changed_box(grip, event)], event=event)

    def finish(self, grip: Grip, event: PointerEvent) -> None:
        if self.was_moved:
            label = "Move operation" if grip.handle is None else "Resize operation"
            self.site.operation_list.replace_box(self.site.operation_list.chosen, label, self._changed_box(grip, event))

    def hover(self, event: PointerEvent) -> None:
        is_over = self.handle_at(event) is not None
        event.view.setCursor(Qt.CursorShape.SizeAllCursor if is_over else self.cursor)

    def handle_at(self, event: PointerEvent) -> int | None:
        """The handle under the pointer: two for each axis, the lower one first."""
        handles = self.site.handles(event.view.scene.flat)
        if not handles:
            return None
        distances = distance_px(event.view, event, np.array(list(handles.values())))
        nearest = int(np.nanargmin(distances))
        return list(handles)[nearest] if distances[nearest] <= HANDLE_PX else None

    def _changed_box(self, grip: Grip, event: PointerEvent) -> FluidBox:
        if grip.handle is not None:
            return self._resized(grip.box, grip.handle, event)
        before, now = (_on_plane(each, grip.z) for each in (grip.event, event))
        if before is None or now is None:
            return grip.box
        x, y = np.rint(now[:2] - before[:2]).astype(int).tolist()
        return moved(grip.box, (x, y, 0), self.site.n)

    def _resized(self, box: FluidBox, handle: int, event: PointerEvent) -> FluidBox:
        axis, upper = divmod(handle, 2)
        start = np.array(self.site.handles(event.view.scene.flat)[handle])
        if event.view.scene.flat:
            along = float(event.point[axis])
        else:
            along = start[axis] + _along_axis(start, axis, *event.ray)
        face = round(along)
        return resized(box, axis, bool(upper), face - 1 if upper else face, self.site.n)


def _on_plane(event: PointerEvent, z: float) -> Floats | None:
    return event.point if event.view.scene.flat else event.on_plane(z)


def _along_axis(point: Floats, axis: int, origin: Floats, direction: Floats) -> float:
    """How far from a point along an axis the line of sight comes nearest to that axis."""
    way = np.eye(3)[axis]
    across = direction - np.dot(direction, way) * way
    size = float(np.dot(across, across))
    if size < 1e-6:
        return 0.0
    gap = origin - point
    return float(np.dot(gap, way) - np.dot(direction, way) * np.dot(gap, across) / size)
