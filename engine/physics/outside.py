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
from spatial_workbench.engine.physics.frames import crossing, swapped
from spatial_workbench.engine.physics.motion import Indices, Motion, PartsMoving
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


@dataclass(frozen=True, eq=False)
class Wrenches:
    """Forces on blocks in some steps.

    Attributes:
        steps, blocks: (k,) when each acts, and on which block.
        values: (k, 6) the force, N, and its torque about the origin of the world, N m.
        rolling: Blocks that bear friction which the engine does not tell: step, block, and how hard it presses, N.
    """

    steps: Indices
    blocks: Indices
    values: Floats
    rolling: Sequence[tuple[int, int, float]]


class Outside:
    """Collects what acts on the blocks of some bodies, step by step.

    The engine tells the link of a contact, which may have many blocks: the nearest one touches, of equally near ones
    the first.

    Args:
        rough: Bodies with rolling friction. The engine does not tell the friction of contacts with them.
    """

    def __init__(
        self, bodies: Sequence[MachineBody], motion: Motion, kinds: Sequence[BlockType], rough: Collection[int]
    ) -> None:
        self._motion = motion
        self._rough = frozenset(rough)
        places = [(body.number, link) for body in bodies for part in body.parts for link, _ in part.groups]
        self._links = {place: number for number, place in enumerate(places)}
        self._parts = np.repeat(np.arange(len(motion.parts)), [len(part.groups) for part in motion.parts])
        self._blocks = np.full((len(places), MOST_SHAPES), -1)
        self._centers = np.full((len(places), MOST_SHAPES, 3), np.inf)
        self._halves = np.zeros((len(places), MOST_SHAPES, 3))
        self._set_blocks(kinds)
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
        self._forces: list[tuple[float, ...]] = []
        self._winds: list[Floats] = []
        self._touches: list[tuple[float, ...]] = []
        self._rolling: list[int] = []
        self._held: list[tuple[int, Hold, Sequence[float]]] = []

    def add(self, block: int, force: Sequence[float], point: Sequence[float]) -> None:
        """Adds a force in N at a point in the world, for the step to come."""
        self._forces.append((self._step, block, *force, *point))

    def add_all(self, blocks: Indices, forces: Floats, points: Floats) -> None:
        """Adds forces (k, 3) on blocks (k,), at points (k, 3), for the step to come."""
        steps = np.full(len(blocks), self._step)
        self._winds.append(np.column_stack([steps, blocks, forces, points]))

    def end_step(self, contacts: Sequence[Any], held: Sequence[tuple[Hold, Sequence[float]]]) -> None:
        """Adds the engine's contacts and constraints of a step.

        Args:
            held: The constraints with what the engine tells of them: the force on the first block along the axes of the
                world, and the torque along those of its part's link.
        """
        links = self._links
        step = self._step
        for contact in contacts:
            _, body, other, link, other_link, point, other_point, normal, _, push, across, first, along, second = (
                contact
            )
            if not push and not across and not along:
                continue
            rolls = body in self._rough or other in self._rough
            if rolls:
                across = along = 0.0
            for place, at, sign in (((body, link), point, 1.0), ((other, other_link), other_point, -1.0)):
                row = links.get(place)
                if row is not None:
                    if rolls and push:
                        self._rolling.append(len(self._touches))
                    push_on, across_on, along_on = sign * push, sign * across, sign * along
                    self._touches.append((step, row, *at, push_on, across_on, along_on, *normal, *first, *second))
        self._held += [(step, hold, state) for hold, state in held]
        self._step += 1

    def take(self, old: PartsMoving) -> Wrenches:
        """Everything since this was last asked, given how the parts moved when each step began."""
        rows = [np.array(self._forces).reshape(-1, 8), *self._winds]
        rolling: list[tuple[int, int, float]] = []
        if self._touches:
            touches = np.array(self._touches)
            forces = (touches[:, 5:8, None] * touches[:, 8:].reshape(-1, 3, 3)).sum(axis=1)
            steps = touches[:, 0].astype(int)
            blocks = self._nearest(steps, touches[:, 1].astype(int), touches[:, 2:5], old)
            rows.append(np.column_stack([steps, blocks, forces, touches[:, 2:5]]))
            rolling = [(int(steps[row]), int(blocks[row]), abs(self._touches[row][5])) for row in self._rolling]
        acting = np.concatenate(rows)
        torques = (crossing(acting[:, 5:]) @ acting[:, 2:5, None])[:, :, 0]
        values = np.concatenate([acting[:, 2:5], torques], axis=1)
        places = acting[:, :2].astype(int)
        held = [self._wrenches(step, hold, state, old) for step, hold, state in self._held]
        if held:
            places = np.concatenate([places, *(place for place, _ in held)])
            values = np.concatenate([values, *(value for _, value in held)])
        self._begin()
        return Wrenches(places[:, 0], places[:, 1], values, rolling)

    def _nearest(self, steps: Indices, links: Indices, points: Floats, old: PartsMoving) -> Indices:
        """The blocks of some links (k,) that are nearest to points (k, 3)."""
        part = self._parts[links]
        local = ((points - old.origins[steps, part])[:, None] @ old.turned[steps, part])[:, 0]
        gaps = np.maximum(np.abs(local[:, None] - self._centers[links]) - self._halves[links], 0.0)
        return np.asarray(self._blocks[links, (gaps * gaps).sum(axis=2).argmin(axis=1)])

    def _wrenches(self, step: int, hold: Hold, state: Sequence[float], old: PartsMoving) -> tuple[Indices, Floats]:
        """What a constraint exerts on its blocks: their steps and numbers, and the forces with torques."""
        motion = self._motion
        force = np.array(state[:3])
        parts = [motion.part_of[motion.row_of[block]] for block, _ in hold.ends]
        torque = old.turned[step, parts[0]] @ motion.parts[parts[0]].axes @ np.array(state[3:])
        values = []
        for sign, part, (_, offset) in zip((1.0, -1.0), parts, hold.ends, strict=False):
            point = old.origins[step, part] + old.turned[step, part] @ offset
            values.append(sign * np.concatenate([force, torque + crossing(point) @ force]))
        return np.array([(step, block) for block, _ in hold.ends]), np.array(values)
