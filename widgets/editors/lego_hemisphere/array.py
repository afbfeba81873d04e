"""An array: copies of the selected bricks in rows and layers, shown as ghosts until they are placed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.lego_hemisphere import Brick
from spatial_workbench.engine.tasks.lego_hemisphere.answer import poses_of
from spatial_workbench.widgets.editors.lego_hemisphere.commands import BrickCommands
from spatial_workbench.widgets.editors.lego_hemisphere.ghost import Ghost
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece


class BrickArray:
    """The numbers of bricks along x, y and z, and their distances; `changed` is called when any of these changes."""

    def __init__(
        self, piece: BrickWorkpiece, commands: BrickCommands, ghost: Ghost, changed: Callable[[], None]
    ) -> None:
        self.is_open = False
        self.count = [2, 1, 1]
        self.pitch_mm = [0.0, 0.0, 0.0]
        self._piece = piece
        self._commands = commands
        self._ghost = ghost
        self._changed = changed
        self._copies: tuple[Brick, ...] = ()

    @property
    def can_be_placed(self) -> bool:
        """Whether there is room for any copy."""
        return bool(self._copies)

    @property
    def note(self) -> str:
        """How many copies will be placed."""
        if not self._piece.selected:
            return "Select the bricks to repeat."
        count = len(self._copies)
        most = (int(np.prod(self.count)) - 1) * len(self._piece.selected)
        return f"{count} of {most} have room" if count < most else f"{count} to be placed"

    def open(self) -> None:
        """Opens the array, with two adjacent bricks along x."""
        self.is_open = True
        self.count = [2, 1, 1]
        self.pitch_mm = list(self._commands.array_pitch_mm())
        self._changed()

    def set_count(self, axis: int, count: float) -> None:
        """Sets the number of bricks along an axis."""
        self.count[axis] = round(count)
        self._changed()

    def pitch(self, axis: int) -> float:
        """The distance of bricks along an axis, in mm."""
        return self.pitch_mm[axis]

    def set_pitch(self, axis: int, pitch_mm: float) -> None:
        """Sets the distance of bricks along an axis."""
        self.pitch_mm[axis] = pitch_mm
        self._changed()

    def preview(self) -> None:
        """Shows the copies, if the array is open."""
        if self.is_open:
            self._copies = self._commands.array_copies(self.count, self.pitch_mm)
            self._ghost.show_unjudged(poses_of(self._copies))

    def place_copies(self) -> None:
        """Places the copies."""
        copies = self._copies
        self.close()
        if copies:
            label = f"Array of {counted(len(copies) + len(self._piece.selected), 'brick')}"
            self._piece.add_bricks(label, copies, select=False)

    def close(self) -> None:
        """Closes the array."""
        self.is_open = False
        self._copies = ()
        self._ghost.clear()
        self._changed()
