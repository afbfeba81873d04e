"""What the editor shows while a simulation plays: the current figures, and a camera that follows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Track
from spatial_workbench.engine.machines.building.blocks import BOULDER
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.trace import Trace
from spatial_workbench.engine.physics.live import Moment
from spatial_workbench.engine.tasks.machine.moments import Moments
from spatial_workbench.engine.tasks.machine.playback import THE_BALL, THE_MACHINE, tracks_of

MOST_RUNS = 5
"""How many simulations are kept for comparison."""
FOLLOWED = ("Nothing", THE_MACHINE, THE_BALL)


def followed_at_first(level: Level) -> int:
    """What the camera follows unless somebody says otherwise: what the level is about, as an index of FOLLOWED."""
    return FOLLOWED.index(THE_MACHINE if level.task == "movement" else THE_BALL)


def in_order(tracks: Sequence[Track], choice: int) -> tuple[Track, ...]:
    """The tracks with the chosen one first, even if it is not among them; none if nothing is followed."""
    name = FOLLOWED[choice]
    return () if not choice else tuple(sorted(tracks, key=lambda track: track.name != name))


def place_of(moment: Moment, tree: Tree, choice: int) -> Floats | None:
    """The place of what the camera follows in free play."""
    if not choice:
        return None
    boulder = next((k for k, entry in enumerate(tree) if entry.type == BOULDER), None)
    if FOLLOWED[choice] == THE_BALL and boulder is not None:
        return np.asarray(moment.points[boulder])
    if FOLLOWED[choice] == THE_BALL and len(moment.balls):
        return np.asarray(moment.balls[0, :3])
    return np.asarray(moment.points[0])


class MachineReplay:
    """A trace as it is played."""

    def __init__(self, level: Level, trace: Trace) -> None:
        self.words = Moments(level, trace).words
        """The figures of a frame."""
        self._tracks = tracks_of(level, trace)

    def followed(self, choice: int, index: int) -> Floats | None:
        """The place, in a frame, of what the camera follows; None if it follows nothing."""
        first = next(iter(in_order(self._tracks, choice)), None)
        return None if first is None else first.places[index]
