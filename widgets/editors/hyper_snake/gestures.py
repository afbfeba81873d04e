"""The gestures: growing along a line, cutting, sweeping and backbiting on the sheet; clicks in the slice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt

from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField
from spatial_workbench.engine.tasks.hyper_snake.layout import SnakeSheet
from spatial_workbench.widgets.editing.gestures import LEFT, Click, Drag
from spatial_workbench.widgets.editors.hyper_snake.commands import SnakeCommands
from spatial_workbench.widgets.editors.hyper_snake.path import GrownPath, cell_in
from spatial_workbench.widgets.editors.hyper_snake.plan import SnakePlan
from spatial_workbench.widgets.scene_views.view import PointerEvent, Tool
from spatial_workbench.widgets.scene_views.view_gestures import CLICK_PX

REACH = 0.6
"""How far from a cell's middle, in cells, the pointer may be to hit it."""


@dataclass(frozen=True)
class SnakeContext:
    """The context that the tools share."""

    path: GrownPath
    plan: SnakePlan
    commands: SnakeCommands


def cell_at(sheet: SnakeSheet, event: PointerEvent) -> int | None:
    """The number of the cell under the pointer; None between the panels."""
    x, y = map(float, event.point)
    number = sheet.nearest(x, y)
    return number if np.abs(sheet.places[number] - (x, y)).max() <= REACH else None


class GrowTool(Drag[QPointF]):
    """A click goes to a cell in line with the head, or cuts the path at one of its cells; a drag goes straight."""

    def __init__(self, context: SnakeContext) -> None:
        super().__init__()
        self._context = context

    def take(self, event: PointerEvent) -> QPointF | None:
        return None if cell_at(self._context.path.sheet, event) is None else event.pos

    def show(self, grip: QPointF, event: PointerEvent) -> None:
        self._plan(self._meant(grip, event), is_pressed=True)

    def hover(self, event: PointerEvent) -> None:
        self._plan(cell_at(self._context.path.sheet, event), is_pressed=False)

    def finish(self, grip: QPointF, event: PointerEvent) -> None:
        number = self._meant(grip, event)
        if number is not None:
            self._context.commands.go_to(number, cuts=not _is_far(grip, event))

    def clear(self) -> None:
        self._context.plan.show_plan(None)

    def _meant(self, grip: QPointF, event: PointerEvent) -> int | None:
        return self._target(event) if _is_far(grip, event) else cell_at(self._context.path.sheet, event)

    def _target(self, event: PointerEvent) -> int | None:
        """The cell in line with the head that is nearest to the pointer."""
        walk = self._context.path.walk
        sheet = self._context.path.sheet
        if walk.head is None:
            return None
        lines = np.array(in_line(walk.field, walk.head))
        x, y = map(float, event.point)
        return int(lines[np.hypot(*(sheet.places[lines] - (x, y)).T).argmin()])

    def _plan(self, number: int | None, is_pressed: bool) -> None:
        walk = self._context.path.walk
        if number is None or number in walk.place:
            self._context.plan.show_plan(None)
            return
        longer, reason = walk.toward(number)
        self._context.plan.show_plan(longer, number if is_pressed and reason else None, reason if is_pressed else "")


class PressTool(Tool):
    """Shows what a press would do while the pointer moves; the press does it at once."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(self, context: SnakeContext) -> None:
        self._context = context

    def leave(self) -> None:
        self._context.plan.show_plan(None)

    def stop(self) -> None:
        self._context.plan.show_plan(None)


class SweepTool(PressTool):
    """A click fills the block along the chosen axes, row by row."""

    def press(self, event: PointerEvent) -> bool:
        if event.button != LEFT:
            return False
        self._context.commands.sweep()
        return True

    def move(self, event: PointerEvent) -> bool:
        self._context.plan.show_plan(self._context.path.walk.swept(self._context.commands.sweep_axes))
        return False


class BiteTool(PressTool):
    """A click on a path cell beside the head reverses everything after it."""

    def press(self, event: PointerEvent) -> bool:
        number = cell_at(self._context.path.sheet, event)
        if event.button != LEFT or number is None:
            return False
        self._context.commands.bite(number)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows which part would be reversed, and the new head."""
        number = cell_at(self._context.path.sheet, event)
        walk = self._context.path.walk
        bitten = None if number is None else walk.bitten(number)
        self._context.plan.show_plan(bitten, turned=walk.place[number] if bitten and number is not None else None)
        return False


class SliceTool(Click[str]):
    """A click in the slice goes to a cell, or cuts the path at one of its cells."""

    def __init__(self, context: SnakeContext) -> None:
        super().__init__()
        self._context = context

    def take(self, event: PointerEvent) -> str | None:
        return event.pick.id if event.pick and event.pick.id.startswith("cell ") else None

    def do(self, hit: str, event: PointerEvent) -> None:
        self._context.commands.go_to(self._context.path.field.number(cell_in(hit)), cuts=True)


def _is_far(start: QPointF, event: PointerEvent) -> bool:
    return (event.pos - start).manhattanLength() >= CLICK_PX


def in_line(field: SnakeField, number: int) -> list[int]:
    """All cells that differ from a cell on a single axis."""
    cell = field.cell(number)
    others = ((k, c) for k in range(field.axes) for c in range(field.size[k]) if c != cell[k])
    return [field.number((*cell[:k], c, *cell[k + 1 :])) for k, c in others]
