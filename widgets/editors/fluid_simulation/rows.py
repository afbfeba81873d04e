"""The list of operations as the editor keeps it: those of the answer, and between them those that are switched off.

An answer cannot contain operations that are switched off, so the editor keeps them, with their place in the list.
Switching one on or off is a step of the history like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtGui import QUndoCommand

from spatial_workbench.engine.tasks.fluid_simulation import FluidBox, Operation


class OperationRow(NamedTuple):
    """An operation of the list."""

    box: FluidBox
    is_on: bool = True


class Off(NamedTuple):
    """An operation that is switched off, and how many of the answer's operations stand before it."""

    box: FluidBox
    after: int


def merged(operations: Sequence[Operation], off: Sequence[Off]) -> list[OperationRow]:
    """The whole list: the answer's operations, and in their places those that are switched off."""
    rows: list[OperationRow] = []
    for i, operation in enumerate(operations):
        rows += [OperationRow(box, is_on=False) for box, after in off if after == i]
        rows.append(OperationRow(operation.box))
    return rows + [OperationRow(box, is_on=False) for box, after in off if after >= len(operations)]


def split(rows: Sequence[OperationRow]) -> tuple[tuple[Operation, ...], tuple[Off, ...]]:
    """The operations of the answer, and those that are switched off."""
    operations: list[Operation] = []
    off: list[Off] = []
    for row in rows:
        if row.is_on:
            operations.append(Operation.of(row.box))
        else:
            off.append(Off(row.box, len(operations)))
    return tuple(operations), tuple(off)


class OffChange(QUndoCommand):
    """Replaces the operations that are switched off; undo restores the previous ones."""

    def __init__(self, before: tuple[Off, ...], after: tuple[Off, ...], put: Callable[[tuple[Off, ...]], None]) -> None:
        super().__init__()
        self._before = before
        self._after = after
        self._put = put

    def redo(self) -> None:
        self._put(self._after)

    def undo(self) -> None:
        self._put(self._before)
