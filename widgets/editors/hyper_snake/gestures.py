"""The gestures on the field: growing along a line, cutting, sweeping, backbiting; and clicks in the slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from engine.tasks.hyper_snake.editing import Walk
from engine.tasks.hyper_snake.field import Field
from widgets.interactive_view import CLICK_PX
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.hyper_snake import HyperSnakeEditor

LEFT = Qt.MouseButton.LeftButton
REACH = 0.6
"""How far from a cell's middle, in cells, the pointer still means it."""


class SheetTool(Tool):
    """A gesture on the sheet."""

    def __init__(self, editor: HyperSnakeEditor) -> None:
        self.editor = editor

    def cell_at(self, event: PointerEvent) -> int | None:
        """The number of the cell under the pointer; None between the panels."""
        sheet = self.editor.sheet
        x, y = map(float, event.point)
        number = sheet.nearest(x, y)
        return number if np.abs(sheet.places[number] - (x, y)).max() <= REACH else None

    def leave(self) -> None:
        """Nothing is pointed at any more."""
        self.editor.show_plan(None)

    def stop(self) -> None:
        """Leaves everything as it was."""
        self.editor.show_plan(None)


class GrowTool(SheetTool):
    """A click goes to a cell in line with the head, or cuts the path at one of its cells; a drag runs straight."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: HyperSnakeEditor) -> None:
        super().__init__(editor)
        self._start: QPointF | None = None

    def press(self, event: PointerEvent) -> bool:
        """Begins a run, or a click."""
        if event.button != LEFT or self.cell_at(event) is None:
            return False
        self._start = event.pos
        self._plan(event)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows where the path would go."""
        self._plan(event)
        return self._start is not None

    def release(self, event: PointerEvent) -> bool:
        """Goes there."""
        if self._start is None:
            return False
        dragged, self._start = self._is_drag(event), None
        self.editor.show_plan(None)
        number = self._target(event) if dragged else self.cell_at(event)
        if number is not None:
            self.editor.go_to(number, cuts=not dragged)
        return True

    def stop(self) -> None:
        """Leaves everything as it was."""
        self._start = None
        super().stop()

    def _is_drag(self, event: PointerEvent) -> bool:
        start = self._start or event.pos
        return (event.pos - start).manhattanLength() >= CLICK_PX

    def _target(self, event: PointerEvent) -> int | None:
        """The cell in line with the head that is nearest to the pointer."""
        walk, sheet = self.editor.walk, self.editor.sheet
        if walk.head is None:
            return None
        lines = np.array(in_line(walk.field, walk.head))
        x, y = map(float, event.point)
        return int(lines[np.hypot(*(sheet.places[lines] - (x, y)).T).argmin()])

    def _plan(self, event: PointerEvent) -> None:
        pressed = self._start is not None
        number = self._target(event) if pressed and self._is_drag(event) else self.cell_at(event)
        if number is None or number in self.editor.walk.place:
            self.editor.show_plan(None)
            return
        found, reason = self.editor.walk.toward(number)
        self.editor.show_plan(found, number if pressed and reason else None, reason if pressed else "")


class SweepTool(SheetTool):
    """A click fills the block along the chosen axes to and fro."""

    cursor = Qt.CursorShape.PointingHandCursor

    def press(self, event: PointerEvent) -> bool:
        """Fills."""
        if event.button != LEFT:
            return False
        self.editor.sweep()
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows what would be filled."""
        self.editor.show_plan(self.editor.walk.swept(self.editor.sweep_axes))
        return False


class BiteTool(SheetTool):
    """A click on a path cell beside the head turns everything after it round."""

    cursor = Qt.CursorShape.PointingHandCursor

    def press(self, event: PointerEvent) -> bool:
        """Bites."""
        number = self.cell_at(event)
        if event.button != LEFT or number is None:
            return False
        self.editor.bite(number)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows which part would be turned round, and the new head."""
        number = self.cell_at(event)
        found = None if number is None else self.editor.walk.bitten(number)
        self.editor.show_plan(found, turned=self.editor.walk.place[number] if found and number is not None else None)
        return False


class SliceTool(Tool):
    """Clicks in the slice: a next cell is entered, a path cell is cut at."""

    def __init__(self, editor: HyperSnakeEditor) -> None:
        self.editor = editor
        self._pressed = ""

    def press(self, event: PointerEvent) -> bool:
        """On a cell."""
        self._pressed = event.pick.id if event.pick and event.button == LEFT else ""
        return self._pressed.startswith("cell ")

    def release(self, event: PointerEvent) -> bool:
        """Goes there."""
        name, self._pressed = self._pressed, ""
        if name.startswith("cell ") and event.pick and event.pick.id == name:
            self.editor.go_to(self.editor.field.number(cell_in(name)), cuts=True)
            return True
        return False


def in_line(field: Field, number: int) -> list[int]:
    """All cells that differ from one on a single axis."""
    cell = field.cell(number)
    others = ((k, c) for k in range(field.axes) for c in range(field.size[k]) if c != cell[k])
    return [field.number((*cell[:k], c, *cell[k + 1 :])) for k, c in others]


def cell_in(name: str) -> tuple[int, ...]:
    """The cell of an id such as "cell 0,1,2"."""
    return tuple(map(int, name.split()[1].split(",")))


def added(before: Walk, after: Walk | None) -> tuple[int, ...]:
    """The cells that one path has after another one, its head first; empty where it does not go on from there."""
    if after is None or not before.path or after.path[: len(before.path)] != before.path:
        return ()
    return after.path[len(before.path) - 1 :]
