"""Steps of a sketch's history."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer

if TYPE_CHECKING:
    from spatial_workbench.widgets.sketch.desk import SketchDesk


class LayerChange(QUndoCommand):
    """Replaces a page's layer. Changes of the same gesture become one step."""

    def __init__(self, desk: SketchDesk, label: str, before: PuzzleLayer, after: PuzzleLayer, gesture: int) -> None:
        super().__init__(label)
        self._desk = weakref.ref(desk)
        self._before = before
        self._after = after
        self._gesture = gesture

    def redo(self) -> None:
        self._show_layer(self._after)

    def undo(self) -> None:
        self._show_layer(self._before)

    def id(self) -> int:
        return 0x5CE7C4

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, LayerChange) or other._gesture != self._gesture:
            return False
        self._after = other._after
        return True

    def _show_layer(self, layer: PuzzleLayer) -> None:
        desk = self._desk()
        if desk is not None:
            desk.show_layer(layer)
