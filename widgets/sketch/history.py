"""Steps of a sketch's history."""

from __future__ import annotations

import weakref
from typing import Protocol

from PySide6.QtGui import QUndoCommand

from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer


class Holder(Protocol):
    """The widget that shows layers: the sketch pad."""

    def show_layer(self, layer: PuzzleLayer) -> None:
        """Shows a layer on its page, and reports the change."""


class LayerChange(QUndoCommand):
    """Replaces a page's layer. Changes of the same gesture become one step."""

    def __init__(self, holder: Holder, label: str, before: PuzzleLayer, after: PuzzleLayer, gesture: int) -> None:
        super().__init__(label)
        self._holder = weakref.ref(holder)
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
        holder = self._holder()
        if holder is not None:
            holder.show_layer(layer)
