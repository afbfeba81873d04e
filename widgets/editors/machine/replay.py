"""What the editor shows while a simulation plays: the current figures, and a camera that follows."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.trace import Trace
from spatial_workbench.engine.physics.frames import swapped_all
from spatial_workbench.engine.tasks.machine.moments import Moments

MOST_RUNS = 5
"""How many simulations are kept for comparison."""
FOLLOWED = ("Nothing", "The machine", "The boulder or ball")


class MachineReplay:
    """A trace as it is played."""

    def __init__(self, level: Level, trace: Trace) -> None:
        self.words = Moments(level, trace).words
        """The figures of a frame."""
        self._root = swapped_all(trace.positions[:, 0])
        self._ball = swapped_all(trace.balls[:, 0, :3]) if trace.balls.shape[1] else None

    def followed(self, choice: int, index: int) -> Floats | None:
        """The place, in a frame, of what the camera follows; None if it follows nothing."""
        if choice == FOLLOWED.index("The machine"):
            return np.asarray(self._root[index])
        if choice == FOLLOWED.index("The boulder or ball") and self._ball is not None:
            return np.asarray(self._ball[index])
        return None
