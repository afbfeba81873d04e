"""How the rigid parts of a machine move, and how they are accelerated (docs/machines.md).

All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.physics.block_states import empty_state, fill_row
from spatial_workbench.engine.physics.bodies import BodyState, MachineBody
from spatial_workbench.engine.physics.connections import Connection, LinkPlan
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import crossing, matrices, products, quaternion_of

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class PartsMoving:
    """How p parts move, at one moment or at several, which are then the first axis.

    Attributes:
        origins: (..., p, 3) where their frames begin, m.
        rotations: (..., p, 4) quaternions of the engine's links.
        turned: (..., p, 3, 3) rotations of the parts' own axes.
        velocities: (..., p, 3) of the origins, m/s.
        spins: (..., p, 3) in rad/s.
    """

    origins: Floats
    rotations: Floats
    turned: Floats
    velocities: Floats
    spins: Floats


@dataclass(frozen=True, eq=False)
class Steps:
    """Some steps: how the parts moved when each began, and how they were accelerated in it.

    A point at r from a part's origin is accelerated by `linear` + `turning` @ r.

    Attributes:
        old: The motion at the beginning of each step.
        linear: (steps, p, 3) accelerations of the origins, m/s².
        turning: (steps, p, 3, 3) in 1/s²: of the angular acceleration, and of the rotation itself.
    """

    old: PartsMoving
    linear: Floats
    turning: Floats


class Motion:
    """The motion of all bodies of a machine, read once a step.

    Rows of blocks are in the order of the bodies, in each by links.

    Attributes:
        parts: All parts, body by body.
        blocks: (n,) the block of each row.
        part_of: (n,) the part of each row.
        centers: (n, 3) the centres of the blocks in the frames of their parts.
        block_turns: (n, 3, 3) the rotations of the blocks in the frames of their parts.
        row_of: The row of each block.
    """

    def __init__(
        self, engine: Engine, bodies: Sequence[MachineBody], connections: Sequence[Connection], state: BodyState
    ) -> None:
        self._engine = engine
        self._bodies = [(body.number, [part.link for part in body.parts[1:]]) for body in bodies]
        self.parts = [part for body in bodies for part in body.parts]
        counts = [len(body.parts) for body in bodies]
        starts = np.cumsum([0, *counts])
        above = np.array([part.part.above for part in self.parts], int)
        self._above: Indices = np.where(above < 0, -1, np.repeat(starts[:-1], counts) + above)
        self.blocks: Indices = np.array([block for part in self.parts for block in part.blocks], int)
        self.part_of: Indices = np.repeat(np.arange(len(self.parts)), [len(part.blocks) for part in self.parts])
        self.centers = np.concatenate([np.zeros((0, 3)), *(part.centers for part in self.parts)])
        self.block_turns = np.concatenate([np.zeros((0, 3, 3)), *(part.turned for part in self.parts)])
        self.row_of = {int(block): row for row, block in enumerate(self.blocks)}
        self._axes = np.array([part.axes.T for part in self.parts]).reshape(-1, 3, 3)
        self._pivots = np.array([part.pivot for part in self.parts]).reshape(-1, 3)
        self._slides = np.array([_slides(part.part.joint, connections) for part in self.parts], bool)
        self._levels = _levels(self._above)
        self._read: list[Floats] = [self._read_values()]
        self._now: PartsMoving | None = None
        self._turns = self._relative_rotations(state)

    @property
    def now(self) -> PartsMoving:
        """How the parts move now."""
        if self._now is None:
            self._now = self._moving(self._read[-1])
        return self._now

    def read(self) -> None:
        """Reads how the parts move after a step."""
        self._read.append(self._read_values())
        self._now = None

    def _read_values(self) -> Floats:
        engine = self._engine
        rows = []
        for number, links in self._bodies:
            place, rotation = engine.getBasePositionAndOrientation(number)
            velocity, spin = engine.getBaseVelocity(number)
            rows.append((*place, *rotation, *velocity, *spin))
            if links:
                states = engine.getLinkStates(number, links, 1, 1)
                rows += [(*state[0], *state[1], *state[6], *state[7]) for state in states]
        return np.array(rows).reshape(-1, 13)

    def _moving(self, values: Floats) -> PartsMoving:
        rotations = values[..., 3:7]
        turned = matrices(rotations) @ self._axes
        return PartsMoving(values[..., :3], rotations, turned, values[..., 7:10], values[..., 10:])

    # Blocks ------------------------------------------------------------------------------------------------------

    def _relative_rotations(self, state: BodyState) -> Floats:
        """The quaternions (n, 4) of the blocks in the engine's links; their signs are those of the state."""
        axes = self._axes[self.part_of] @ self.block_turns
        turns = np.array([quaternion_of(matrix) for matrix in axes]).reshape(-1, 4)
        now = products(self.now.rotations[self.part_of], turns)
        signs = np.where((now * state.rotations[self.blocks]).sum(axis=1) < 0, -1.0, 1.0)
        return turns * signs[:, None]

    def state(self, boulders: Mapping[int, int], count: int) -> BodyState:
        """How the blocks of a machine move.

        Args:
            boulders: The bodies of the boulders, by block.
            count: How many blocks the machine has. The rows of braces and springs are NaN.
        """
        state = empty_state(count)
        now = self.now
        part = self.part_of
        arms = (now.turned[part] @ self.centers[:, :, None])[:, :, 0]
        state.centers[self.blocks] = now.origins[part] + arms
        state.rotations[self.blocks] = products(now.rotations[part], self._turns)
        state.velocities[self.blocks] = now.velocities[part] + (crossing(now.spins[part]) @ arms[:, :, None])[:, :, 0]
        state.spins[self.blocks] = now.spins[part]
        engine = self._engine
        for block, number in boulders.items():
            fill_row(state, block, engine.getBasePositionAndOrientation(number), engine.getBaseVelocity(number))
        return state

    def points(self, rows: Indices, offsets: Floats) -> Floats:
        """Where points (k, 3) are now, given in the frames of the parts of some rows (k,)."""
        part = self.part_of[rows]
        return np.asarray(self.now.origins[part] + (self.now.turned[part] @ offsets[:, :, None])[:, :, 0])

    def local(self, row: int, point: Sequence[float]) -> Floats:
        """A point (3,) in the world, in the frame of the part of a row."""
        part = self.part_of[row]
        return np.asarray((np.array(point) - self.now.origins[part]) @ self.now.turned[part])

    # Accelerations -----------------------------------------------------------------------------------------------

    def take_steps(self, rate: int) -> Steps:
        """The steps that were read since this was last asked.

        The engine computes accelerations at the pose with which a step begins, and adds them to the velocities of the
        bases and joints. The same is done here: the new velocities of the joints are carried back to that pose.
        """
        values = self._moving(np.array(self._read))
        del self._read[:-1]
        parts = [values.origins, values.rotations, values.turned, values.velocities, values.spins]
        old, new = (PartsMoving(*(part[rows] for part in parts)) for rows in (slice(0, -1), slice(1, None)))
        angular = rate * (new.spins - old.spins)
        linear = rate * (new.velocities - old.velocities)
        spinning = crossing(old.spins)
        if self._levels is None:
            return Steps(old, linear, spinning @ spinning + crossing(angular))
        joints, levels = self._levels
        above = self._above[joints]
        back = old.turned[:, joints] @ np.swapaxes(new.turned[:, joints], -1, -2)
        relative = old.spins[:, joints] - old.spins[:, above]
        gained = _times(back, new.spins[:, joints] - new.spins[:, above]) - relative
        gained = rate * gained + _times(spinning[:, above], relative)
        for rows in levels:
            angular[:, joints[rows]] = angular[:, above[rows]] + gained[:, rows]
        turning = spinning @ spinning + crossing(angular)
        pivots = _times(old.turned[:, joints], self._pivots[joints])
        arms = old.origins[:, joints] + pivots - old.origins[:, above]
        moved = _times(turning[:, above], arms) - _times(turning[:, joints], pivots)
        if self._slides.any():
            moved += self._slid(old, new, back, rate) * self._slides[joints][:, None]
        for rows in levels:
            linear[:, joints[rows]] = linear[:, above[rows]] + moved[:, rows]
        return Steps(old, linear, turning)

    def _slid(self, old: PartsMoving, new: PartsMoving, back: Floats, rate: int) -> Floats:
        """What sliding adds to the acceleration of each joint's pivot, if the joint slides."""
        assert self._levels is not None
        joints = self._levels[0]
        above = self._above[joints]
        speeds = []
        for moving in (old, new):
            pivots = _times(moving.turned[:, joints], self._pivots[joints])
            arms = moving.origins[:, joints] + pivots - moving.origins[:, above]
            own = moving.velocities[:, joints] + _times(crossing(moving.spins[:, joints]), pivots)
            speeds.append(own - moving.velocities[:, above] - _times(crossing(moving.spins[:, above]), arms))
        gained = rate * (_times(back, speeds[1]) - speeds[0])
        return np.asarray(gained + 2 * _times(crossing(old.spins[:, above]), speeds[0]))


Levels = tuple[Indices, list[Indices]]


def _levels(above: Indices) -> Levels | None:
    """The parts that hang on others, and for each depth which of these hang so deep; None if there are none."""
    joints = np.flatnonzero(above >= 0)
    if not len(joints):
        return None
    depths = np.zeros(len(above), int)
    for part in joints:
        # Parts come after those that they hang on.
        depths[part] = depths[above[part]] + 1
    return joints, [np.flatnonzero(depths[joints] == depth) for depth in range(1, int(depths.max()) + 1)]


def _slides(joint: LinkPlan | None, connections: Sequence[Connection]) -> bool:
    return joint is not None and connections[joint.connection].joint.kind == "prismatic"


def _times(turns: Floats, vectors: Floats) -> Floats:
    """The products of matrices (..., 3, 3) and vectors (..., 3)."""
    return np.asarray((turns @ vectors[..., None])[..., 0])
