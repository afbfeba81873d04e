"""The cell under the pointer, and the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from spatial_workbench.engine.tasks.polynomial_fit.editing import Strokes
from spatial_workbench.widgets.editors.polynomial_fit.workpiece import FormulaSheet
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

Cell = tuple[int, int]
"""x and y."""


class CellPointer:
    """Which cell is pointed at; `view` shows the cells.

    paint: paints cells. pointed_changed: called when another cell is pointed at.
    """

    def __init__(
        self,
        sheet: FormulaSheet,
        view: SceneView,
        paint: Callable[[Strokes], None],
        say: Callable[[str], object],
        changed: Callable[[], None],
        pointed_changed: Callable[[], None],
    ) -> None:
        self.cursor: Cell | None = None
        """The cell that keys paint; None until a key moves there."""
        self.pointed: Cell | None = None
        """The cell that the status bar describes."""
        self._sheet = sheet
        self._view = view
        self._paint = paint
        self._say = say
        self._changed = changed
        self._pointed_changed = pointed_changed

    def cell_at(self, event: PointerEvent) -> tuple[int, int] | None:
        """The cell under the pointer."""
        x, y = (round(float(value)) for value in event.point)
        return (x, y) if 0 <= x < self._sheet.size and 0 <= y < self._sheet.size else None

    def point_at(self, event: PointerEvent | None) -> None:
        """Shows the cell under the pointer in the status bar; None: no cell."""
        cell = self.cell_at(event) if event is not None else None
        if cell != self.pointed:
            self.pointed = cell
            self._pointed_changed()

    def move_cursor(self, dx: int, dy: int) -> None:
        """Moves the cursor, whose cell the keys paint."""
        x, y = self.cursor or (self._sheet.size // 2 - dx, self._sheet.size // 2 - dy)
        last = self._sheet.size - 1
        self.cursor = self.pointed = min(max(x + dx, 0), last), min(max(y + dy, 0), last)
        self._changed()

    def numbers(self) -> tuple[int, ...]:
        """The cell of the cursor; nothing before a key has moved it."""
        return self.cursor or ()

    def put(self, numbers: Sequence[int]) -> None:
        """Puts the cursor where it was.

        Raises:
            ValueError: It would leave the grid.
        """
        x, y = numbers
        if not (0 <= x < self._sheet.size and 0 <= y < self._sheet.size):
            raise ValueError("no such cursor")
        self.cursor = self.pointed = (x, y)
        self._changed()

    def next_wrong(self) -> None:
        """Selects the next wrong cell, in the order of how near f is to zero."""
        values = self._sheet.values
        wrong = np.argwhere(values.marked != self._sheet.target) if values is not None else np.empty((0, 2), int)
        if values is None or not len(wrong):
            self._say("No cell is wrong." if values is not None else "There is no formula yet.")
            return
        order = wrong[np.argsort(np.abs(values.values[tuple(wrong.T)]), kind="stable")].tolist()
        names = [f"cell {x},{y},0" for y, x in order]
        chosen = next((names.index(name) + 1 for name in self._view.selection if name in names), 0) % len(names)
        self.pointed = (order[chosen][1], order[chosen][0])
        self._view.set_selection([names[chosen]])
        self._pointed_changed()

    def paint(self, positive: bool) -> None:
        """Paints the cell of the cursor."""
        if self.cursor is not None:
            self._paint({self.cursor: positive})
