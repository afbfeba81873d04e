"""The list of operations being edited, with those that are switched off, the chosen one, and all changes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from spatial_workbench.engine.tasks.fluid_simulation import Earthworks, FluidBox
from spatial_workbench.engine.tasks.fluid_simulation.editing import clamped
from spatial_workbench.engine.tasks.fluid_simulation.shaping import moved, operation_at
from spatial_workbench.engine.tasks.fluid_simulation.world import Corner
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editors.fluid_simulation.rows import Off, OffChange, OperationRow, merged, split


class OperationList(QObject):
    """The rows of a document's earthworks. Every change is one step of the history.

    Signals:
        changed(): the rows changed, or another one was chosen.
    """

    changed = Signal()

    def __init__(self, document: AnswerDocument[Earthworks], n: int) -> None:
        super().__init__()
        self._document = document
        self._n = n
        self._off: tuple[Off, ...] = ()
        self.chosen = -1
        """The chosen row; -1 for none."""
        document.answer_changed.connect(self._answer_changed)

    @property
    def rows(self) -> list[OperationRow]:
        """All operations, including those that are switched off."""
        return merged(self._document.answer.earthworks, self._off)

    @property
    def chosen_box(self) -> FluidBox | None:
        """The box of the chosen operation."""
        return self.rows[self.chosen].box if self.chosen >= 0 else None

    @property
    def faults(self) -> dict[int, str]:
        """Why operations are skipped, by row."""
        faults = ((i, row.box.fault(self._n)) for i, row in enumerate(self.rows))
        return {i: fault for i, fault in faults if fault}

    def choose_row(self, row: int) -> None:
        """Chooses a row; -1 for none."""
        if row != self.chosen:
            self.chosen = row
            self.changed.emit()

    def row_of(self, cell: Corner) -> int:
        """The row of the last active operation that contains a cell; -1 if none does."""
        rows = [i for i, row in enumerate(self.rows) if row.is_on]
        index = operation_at([self.rows[i].box for i in rows], cell)
        return -1 if index is None else rows[index]

    def add_boxes(self, label: str, boxes: Sequence[FluidBox]) -> None:
        """Adds operations at the end, and chooses the last one."""
        if boxes:
            rows = [*self.rows, *map(OperationRow, boxes)]
            self._edit_rows(label, rows, len(rows) - 1)

    def replace_box(self, row: int, label: str, box: FluidBox, merge: str = "") -> None:
        """Replaces the box of an operation, clamped to the world."""
        rows = self.rows
        if 0 <= row < len(rows):
            rows[row] = rows[row]._replace(box=clamped(box, self._n))
            self._edit_rows(label, rows, row, merge)

    def extent(self) -> list[int] | None:
        """The bounds of the chosen operation: from and to in x, y and z; None if none is chosen."""
        box = self.chosen_box
        return None if box is None else [v for pair in zip(box.low, box.high, strict=True) for v in pair]

    def set_bound(self, place: int, value: float) -> None:
        """Sets a bound of the chosen operation, by its index in `extent`."""
        box = self.chosen_box
        bounds = self.extent()
        if box is not None and bounds is not None:
            bounds[place] = int(value)
            x0, x1, y0, y1, z0, z1 = bounds
            self.replace_box(
                self.chosen, "Set numbers", FluidBox((x0, y0, z0), (x1, y1, z1), box.rock), f"type {self.chosen}"
            )

    def material(self) -> int:
        """Whether the chosen operation makes air (0) or rock (1)."""
        return int(self.chosen_box is not None and self.chosen_box.rock)

    def set_material(self, material: int) -> None:
        """Sets the material of the chosen operation: air (0) or rock (1)."""
        if (box := self.chosen_box) is not None:
            self.replace_box(self.chosen, "Set material", box._replace(rock=bool(material)))

    def nudge(self, shift: Corner) -> None:
        """Moves the chosen operation by whole voxels."""
        box = self.chosen_box
        if box is not None:
            self.replace_box(self.chosen, "Move operation", moved(box, shift, self._n), f"nudge {self.chosen}")

    def delete(self) -> None:
        """Deletes the chosen operation, and chooses its neighbour."""
        rows = self.rows
        if self.chosen >= 0:
            del rows[self.chosen]
            self._edit_rows("Delete operation", rows, min(self.chosen, len(rows) - 1))

    def duplicate(self) -> None:
        """Adds a copy after the chosen operation, one voxel aside if there is room."""
        box = self.chosen_box
        if box is not None:
            rows = self.rows
            rows.insert(self.chosen + 1, OperationRow(moved(box, (1, 1, 0), self._n)))
            self._edit_rows("Duplicate operation", rows, self.chosen + 1)

    def shift(self, by: int) -> None:
        """Moves the chosen operation up (-1) or down (1) in the list."""
        goal = self.chosen + by
        if self.chosen >= 0 and 0 <= goal < len(self.rows):
            rows = self.rows
            rows.insert(goal, rows.pop(self.chosen))
            self._edit_rows("Reorder operations", rows, goal)

    def reorder(self, order: Sequence[int]) -> None:
        """Puts the rows into another order."""
        rows = self.rows
        chosen = order.index(self.chosen) if self.chosen in order else -1
        self._edit_rows("Reorder operations", [rows[i] for i in order], chosen)

    def switch(self, row: int, is_on: bool) -> None:
        """Removes an operation from the answer, or restores it; its place in the list is kept."""
        rows = self.rows
        rows[row] = rows[row]._replace(is_on=is_on)
        self._edit_rows(f"Switch operation {'on' if is_on else 'off'}", rows, row)

    def _edit_rows(self, label: str, rows: Sequence[OperationRow], chosen: int, merge: str = "") -> None:
        operations, off = split(rows)
        answer = Earthworks(reasoning=self._document.answer.reasoning, earthworks=operations)
        self.chosen = chosen
        if off == self._off:
            self._document.edit(label, answer, merge)
        else:
            stack = self._document.undo_stack
            stack.beginMacro(label)
            stack.push(OffChange(self._off, off, self._set_off))
            self._document.edit(label, answer)
            stack.endMacro()
        self.changed.emit()

    def _set_off(self, off: tuple[Off, ...]) -> None:
        self._off = off
        self._answer_changed()

    def _answer_changed(self) -> None:
        self.chosen = min(self.chosen, len(self.rows) - 1)
        self.changed.emit()
