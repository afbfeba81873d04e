"""How the rigid parts of a machine move (docs/machines.md).

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
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import crossing, floats, matrices, products, quaternion_of

Indices = NDArray[np.intp]
VALUES = 13
"""How many numbers tell the motion of a part."""


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
        above: (p,) the part on which each hangs; -1 where there is none.
        axes: (p, 3, 3) the axes of the parts in the engine's links, as columns.
    """

    def __init__(self, engine: Engine, bodies: Sequence[MachineBody], state: BodyState) -> None:
        self._engine = engine
        self._bodies = [(body.number, [part.link for part in body.parts[1:]]) for body in bodies]
        self.parts = [part for body in bodies for part in body.parts]
        counts = [len(body.parts) for body in bodies]
        starts = np.cumsum([0, *counts])
        above = np.array([part.part.above for part in self.parts], int)
        self.above: Indices = np.where(above < 0, -1, np.repeat(starts[:-1], counts) + above)
        self.blocks: Indices = np.array([block for part in self.parts for block in part.blocks], int)
        self.part_of: Indices = np.repeat(np.arange(len(self.parts)), [len(part.blocks) for part in self.parts])
        self.centers = np.concatenate([np.zeros((0, 3)), *(part.centers for part in self.parts)])
        self.block_turns = np.concatenate([np.zeros((0, 3, 3)), *(part.turned for part in self.parts)])
        self.row_of = {int(block): row for row, block in enumerate(self.blocks)}
        self.axes = np.ascontiguousarray([part.axes.T for part in self.parts]).reshape(-1, 3, 3)
        self._reaches = np.zeros(len(self.parts))
        np.maximum.at(self._reaches, self.part_of, np.sqrt((self.centers * self.centers).sum(axis=1)))
        self._read: list[float] = []
        self._read_values()
        self._now: PartsMoving | None = None
        self._turns = self._relative_rotations(state)

    @property
    def now(self) -> PartsMoving:
        """How the parts move now."""
        if self._now is None:
            self._now = self._moving(floats(self.values).reshape(-1, VALUES))
        return self._now

    @property
    def values(self) -> list[float]:
        """How the parts move now, one after the other: origin, rotation, velocity and spin of each."""
        return self._read[-VALUES * len(self.parts) :]

    def _moving(self, values: Floats) -> PartsMoving:
        rotations = values[..., 3:7]
        turned = matrices(rotations) @ self.axes
        return PartsMoving(values[..., :3], rotations, turned, values[..., 7:10], values[..., 10:])

    def read(self) -> None:
        """Reads how the parts move after a step."""
        self._read_values()
        self._now = None

    def take_values(self) -> Floats:
        """The steps that were read since this was last asked.

        Returns: (steps + 1, p, 13) origin, rotation, velocity and spin of each part, before each step and after the
            last.
        """
        values = floats(self._read).reshape(-1, len(self.parts), VALUES)
        del self._read[: -VALUES * len(self.parts)]
        return values

    def _read_values(self) -> None:
        engine = self._engine
        values = self._read
        for number, links in self._bodies:
            for vector in (*engine.getBasePositionAndOrientation(number), *engine.getBaseVelocity(number)):
                values += vector
            if links:
                for state in engine.getLinkStates(number, links, 1, 1):
                    for vector in (state[0], state[1], state[6], state[7]):
                        values += vector

    # Blocks ------------------------------------------------------------------------------------------------------

    def _relative_rotations(self, state: BodyState) -> Floats:
        """The quaternions (n, 4) of the blocks in the engine's links; their signs are those of the state."""
        axes = self.axes[self.part_of] @ self.block_turns
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
        blocks = self._blocks_moving(self.now)
        state.centers[self.blocks] = blocks.centers
        state.rotations[self.blocks] = blocks.rotations
        state.velocities[self.blocks] = blocks.velocities
        state.spins[self.blocks] = blocks.spins
        engine = self._engine
        for block, number in boulders.items():
            fill_row(state, block, engine.getBasePositionAndOrientation(number), engine.getBaseVelocity(number))
        return state

    def blocks_at(self, moments: Sequence[Sequence[float]]) -> BodyState:
        """How the blocks of the rows (n,) moved at some moments, which are the first axis; each is told as `values`."""
        return self._blocks_moving(self._moving(np.array(moments).reshape(len(moments), -1, VALUES)))

    def _blocks_moving(self, parts: PartsMoving) -> BodyState:
        part = self.part_of
        arms = (np.take(parts.turned, part, axis=-3) @ self.centers[:, :, None])[..., 0]
        spins = np.take(parts.spins, part, axis=-2)
        return BodyState(
            centers=np.take(parts.origins, part, axis=-2) + arms,
            rotations=products(np.take(parts.rotations, part, axis=-2), self._turns),
            velocities=np.take(parts.velocities, part, axis=-2) + (crossing(spins) @ arms[..., None])[..., 0],
            spins=spins,
        )

    def is_slower(self, speed: float) -> bool:
        """Whether every block is surely slower, in m/s; what is not sure, or no number, is no."""
        moving = np.abs(np.array(self.values).reshape(-1, VALUES)[:, 7:])
        return bool(((moving[:, :3].sum(axis=1) + moving[:, 3:].sum(axis=1) * self._reaches) < speed).all())

    def places(self, parts: Indices, offsets: Floats) -> Floats:
        """Where points (k, 3) are now, given in the frames of some parts (k,)."""
        now = self.now
        return np.asarray(now.origins[parts] + (now.turned[parts] @ offsets[:, :, None])[:, :, 0])

    def local(self, row: int, point: Sequence[float]) -> Floats:
        """A point (3,) in the world, in the frame of the part of a row."""
        part = self.part_of[row]
        return np.asarray((np.array(point) - self.now.origins[part]) @ self.now.turned[part])
