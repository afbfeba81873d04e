"""What the pointer does on the plan: place one, fill a block, spray, move what is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from engine.core.scene import Floats
from widgets.view import PointerEvent, Tool

if TYPE_CHECKING:
    from widgets.editors.hide_and_seek import HideAndSeekEditor

SNAP_PX = 8.0
MAX_REACH_M = 0.2


class PlaceTool(Tool):
    """A click puts a person where the ghost stands."""

    cursor = Qt.CursorShape.CrossCursor
    uses_alt = True

    def __init__(self, editor: HideAndSeekEditor) -> None:
        self._editor = editor

    def press(self, event: PointerEvent) -> bool:
        """Places a person, or says why not."""
        if event.button == Qt.MouseButton.RightButton and event.pick:
            self._editor.remove([event.pick.id])
            return True
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._editor.place(self._aimed(event))
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows the ghost."""
        if event.buttons:
            return False
        self._editor.show_ghost(self._aimed(event)[None])
        return True

    def _aimed(self, event: PointerEvent) -> Floats:
        return self._editor.aimed(event.point, self._editor.centers, _reach_m(event), event.has_alt)

    def leave(self) -> None:
        """Takes the ghost away."""
        self._editor.show_ghost(np.zeros((0, 2)))

    def stop(self) -> None:
        """Takes the ghost away."""
        self.leave()


class BlockTool(Tool):
    """A drag over a rectangle fills it with people, up to the number that is missing."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: HideAndSeekEditor) -> None:
        self._editor = editor
        self._start: Floats | None = None

    def press(self, event: PointerEvent) -> bool:
        """Begins the rectangle."""
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._start = self._editor.snapped(event.point)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows who would stand in it."""
        if self._start is None:
            return False
        self._editor.show_ghost(self._block(event))
        return True

    def release(self, event: PointerEvent) -> bool:
        """Places them, as one step."""
        if self._start is None:
            return False
        block = self._block(event)
        self.stop()
        self._editor.place_block(block)
        return True

    def stop(self) -> None:
        """Forgets what was begun."""
        self._start = None
        self._editor.show_ghost(np.zeros((0, 2)))

    def _block(self, event: PointerEvent) -> Floats:
        assert self._start is not None
        return self._editor.block(self._start, self._editor.snapped(event.point))


class SprayTool(Tool):
    """While the button is held, people are strewn around the pointer where they are safe, up to the number missing."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: HideAndSeekEditor) -> None:
        self._editor = editor
        self._strewn: Floats | None = None

    def press(self, event: PointerEvent) -> bool:
        """Begins to spray."""
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._strewn = np.zeros((0, 2))
        return self.move(event)

    def move(self, event: PointerEvent) -> bool:
        """Adds people around the pointer."""
        if self._strewn is None:
            return False
        self._strewn = self._editor.sprayed(event.point, self._strewn)
        self._editor.show_ghost(self._strewn)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Places them, as one step."""
        if self._strewn is None:
            return False
        strewn = self._strewn
        self.stop()
        self._editor.place_block(strewn)
        return True

    def stop(self) -> None:
        """Forgets what was begun."""
        self._strewn = None
        self._editor.show_ghost(np.zeros((0, 2)))


class SelectTool(Tool):
    """Clicks select, drags move what is selected, a drag from an empty place selects all in a box."""

    uses_alt = True

    def __init__(self, editor: HideAndSeekEditor) -> None:
        self._editor = editor
        self._start: Floats | None = None
        self._person = 0
        self._moved = False

    def press(self, event: PointerEvent) -> bool:
        """Takes hold of a person, and of the selection that it belongs to."""
        pick = event.pick
        if event.button != Qt.MouseButton.LeftButton or pick is None or not pick.id.startswith("person "):
            return False
        adds = event.has(Qt.KeyboardModifier.ControlModifier) or event.has(Qt.KeyboardModifier.ShiftModifier)
        if adds and not event.has_alt:
            return False
        if pick.id not in self._editor.view.selection:
            self._editor.view.set_selection([pick.id])
        self._start, self._moved = event.point.copy(), False
        self._person = int(pick.id.split()[1])
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows where they would go."""
        if self._start is None:
            return False
        self._moved = True
        self._editor.show_move(self._step(event))
        return True

    def release(self, event: PointerEvent) -> bool:
        """Moves them, as one step."""
        if self._start is None:
            return False
        step, moved = self._step(event), self._moved
        self.stop()
        if moved:
            self._editor.move_people(step)
        return True

    def stop(self) -> None:
        """Forgets what was begun."""
        self._start = None
        self._editor.show_ghost(np.zeros((0, 2)))

    def _step(self, event: PointerEvent) -> Floats:
        """How far everybody moves for the one under the pointer to come to its place."""
        return self._editor.aimed_step(self._person, event.point - self._start, _reach_m(event), event.has_alt)


def _reach_m(event: PointerEvent) -> float:
    """How near, in metres, something has to be to be snapped to."""
    return min(MAX_REACH_M, SNAP_PX / event.view.plane.pixels_per_unit)
