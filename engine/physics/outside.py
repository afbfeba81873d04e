"""What acts on the blocks of a machine from outside of its joints: contacts, springs, wind (docs/machines.md).

All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BlockType
from spatial_workbench.engine.physics.bodies import MachineBody
from spatial_workbench.engine.physics.frames import floats, swapped
from spatial_workbench.engine.physics.motion import Indices, Motion
from spatial_workbench.engine.physics.parts import MOST_SHAPES


@dataclass(frozen=True)
class Hold:
    """One of the engine's constraints between blocks.

    Attributes:
        number: The engine's number.
        ends: The blocks that it holds, the first of which it was made for, each with the point (3,) in the frame of its
            part. Of something that is no block there is no end.
    """

    number: int
    ends: tuple[tuple[int, Floats], ...]


class Outside:
    """Collects what acts on the blocks of some bodies, step by step.

    The engine tells the link of a contact, which may have many blocks: the nearest one touches, of equally near ones
    the first.

    Args:
        rough: Bodies with rolling friction. The engine does not tell the friction of contacts with them.

    Attributes:
        links: The argument `links` of `engine.physics.load_kernels.bear`.
    """

    def __init__(
        self, bodies: Sequence[MachineBody], motion: Motion, kinds: Sequence[BlockType], rough: Collection[int]
    ) -> None:
        self._motion = motion
        self._rough = frozenset(rough)
        places = [(body.number, link) for body in bodies for part in body.parts for link, _ in part.groups]
        self._links: dict[int, dict[int, int]] = {body.number: {} for body in bodies}
        for number, (body, link) in enumerate(places):
            self._links[body][link] = number
        parts = np.repeat(np.arange(len(motion.parts)), [len(part.groups) for part in motion.parts])
        self._blocks = np.full((len(places), MOST_SHAPES), -1)
        self._centers = np.full((len(places), MOST_SHAPES, 3), np.inf)
        self._halves = np.zeros((len(places), MOST_SHAPES, 3))
        self._set_blocks(kinds)
        self.links = parts, self._blocks, self._centers, self._halves
        self._begin()

    def _set_blocks(self, kinds: Sequence[BlockType]) -> None:
        """The blocks of each link, and their boxes in the frame of their part."""
        number = 0
        for part in self._motion.parts:
            halves = np.abs(part.turned) @ np.array([swapped(kinds[block].size) for block in part.blocks])[:, :, None]
            end = 0
            for _, size in part.groups:
                rows = sorted(range(end, end + size), key=lambda row: part.blocks[row])
                self._blocks[number, :size] = [part.blocks[row] for row in rows]
                self._centers[number, :size] = part.centers[rows]
                self._halves[number, :size] = halves[rows, :, 0] / 2
                number += 1
                end += size

    def _begin(self) -> None:
        self._step = 0
        self._forces: list[float] = []
        self._touches: list[float] = []
        self._held: list[float] = []

    def add(self, block: int, force: Sequence[float], point: Sequence[float]) -> None:
        """Adds a force in N at a point in the world, for the step to come."""
        self._forces += (self._step, block, *force, *point)

    def add_all(self, blocks: Indices, forces: Floats, points: Floats) -> None:
        """Adds forces (k, 3) on blocks (k,), at points (k, 3), for the step to come."""
        steps = np.full(len(blocks), self._step)
        self._forces += np.column_stack([steps, blocks, forces, points]).ravel().tolist()

    def end_step(self, contacts: Sequence[Any], held: Sequence[tuple[Hold, Sequence[float]]]) -> None:
        """Adds the engine's contacts and constraints of a step.

        Args:
            held: The constraints with what the engine tells of them: the force on the first block along the axes of the
                world, and the torque along those of its part's link.
        """
        links = self._links
        rough = self._rough
        touches = self._touches
        step = self._step
        for contact in contacts:
            (
                _,
                body,
                other,
                link,
                other_link,
                point,
                other_point,
                (p, q, r),
                _,
                push,
                across,
                (a, b, c),
                along,
                (
                    d,
                    e,
                    f,
                ),
            ) = contact
            if not push and not across and not along:
                continue
            rolls = 0.0
            if rough and (body in rough or other in rough):
                across = along = 0.0
                rolls = abs(push)
            x = push * p + across * a + along * d
            y = push * q + across * b + along * e
            z = push * r + across * c + along * f
            own = links.get(body)
            if own is not None:
                touches += (step, own[link], *point, x, y, z, rolls)
            own = links.get(other)
            if own is not None:
                touches += (step, own[other_link], *other_point, -x, -y, -z, rolls)
        for hold, state in held:
            self._add_hold(hold, state)
        self._step += 1

    def _add_hold(self, hold: Hold, state: Sequence[float]) -> None:
        motion = self._motion
        parts = [int(motion.part_of[motion.row_of[block]]) for block, _ in hold.ends]
        for sign, part, (block, offset) in zip((1.0, -1.0), parts, hold.ends, strict=False):
            self._held += (self._step, block, part, parts[0], sign, *offset, *state)

    def take(self) -> tuple[Floats, Floats, Floats]:
        """Everything since this was last asked: the argument `acting` of `engine.physics.load_kernels.bear`."""
        acting = (
            floats(self._touches).reshape(-1, 9),
            floats(self._forces).reshape(-1, 8),
            floats(self._held).reshape(-1, 14),
        )
        self._begin()
        return acting
