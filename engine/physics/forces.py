"""Forces that the engine does not know: springs, braces and wind (docs/machines.md).

All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist, pi

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import SPRING, BlockType, Vector
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import Link, Tree
from spatial_workbench.engine.physics.bodies import BodyState
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import matrices, swapped, turn
from spatial_workbench.engine.physics.motion import Motion
from spatial_workbench.engine.physics.outside import Outside
from spatial_workbench.engine.physics.places import Places

_WIND = 0.02


@dataclass(eq=False)
class ForceLine:
    """A linear block: its ends are blocks and offsets from their centres; `length` is its last known length, m."""

    entry: Link
    ends: tuple[tuple[int, Vector], tuple[int, Vector]]
    rest_m: float
    length: float
    limit: float
    is_active: bool = True
    """Braces push and pull only where their ends can move relative to each other."""

    is_broken: bool = False
    peak: float = 0.0


class Lines:
    """The springs and braces of a machine."""

    def __init__(self, engine: Engine, tree: Tree, state: BodyState, rate: int) -> None:
        self._engine = engine
        self._rate = rate
        self.work_j = 0.0
        """What the springs did so far."""
        self.own: dict[int, float] = {}
        """Values of springs that do not obey their channel, by block."""
        self.lines = {entry.id: _line(tree, entry, state) for entry in tree if isinstance(entry, Link)}

    def place(self, motion: Motion, clusters: Mapping[int, tuple[int, int]]) -> None:
        """Finds the ends of the lines on bodies that are new.

        Args:
            clusters: Which blocks are rigidly connected: those with the same value. Braces between them exert no force.
        """
        for line in self.lines.values():
            if line.entry.type != SPRING:
                (first, _), (second, _) = line.ends
                line.is_active = clusters.get(first, first) != clusters.get(second, second)
        self._motion = motion
        rows = [motion.row_of[block] for line in self.lines.values() for block, _ in line.ends]
        offsets = np.array([offset for line in self.lines.values() for _, offset in line.ends]).reshape(-1, 3)
        where = np.array(rows, int)
        turned = motion.block_turns[where]
        self._parts = motion.part_of[where]
        self._offsets = motion.centers[where] + (turned @ offsets[:, :, None])[:, :, 0]

    def pull(self, places: Places, contract: float, outside: Outside) -> list[tuple[ForceLine, float]]:
        """Applies the forces for the next step; returns the lines that broke, each with its force in N."""
        broken: list[tuple[ForceLine, float]] = []
        if not any(line.is_active and not line.is_broken for line in self.lines.values()):
            return broken
        points = self._motion.places(self._parts, self._offsets).reshape(-1, 2, 3).tolist()
        for line, (first, second) in zip(self.lines.values(), points, strict=True):
            if not line.is_active or line.is_broken:
                continue
            force = self._pull_line(line, first, second, contract)
            if force and line.length:
                self._apply(line, force, first, second, places, outside)
            line.peak = max(line.peak, abs(force) / line.limit)
            if abs(force) > line.limit:
                line.is_broken = True
                broken.append((line, abs(force)))
        return broken

    def _pull_line(self, line: ForceLine, first: Sequence[float], second: Sequence[float], contract: float) -> float:
        """The force in N with which the ends are pulled together; it is negative where it pushes them apart."""
        length = dist(first, second)
        speed = (length - line.length) * self._rate
        line.length = length
        if line.entry.type != SPRING:
            return _rod_force(line, speed)
        force = _spring_force(line, speed) * self.own.get(line.entry.id, contract)
        self.work_j += max(0.0, -force * speed) / self._rate
        return force

    def _apply(
        self,
        line: ForceLine,
        force: float,
        first: Sequence[float],
        second: Sequence[float],
        places: Places,
        outside: Outside,
    ) -> None:
        pull = [force * (q - p) / line.length for p, q in zip(first, second, strict=True)]
        push = [-value for value in pull]
        for (block, _), point, value in zip(line.ends, (first, second), (pull, push), strict=True):
            self._engine.applyExternalForce(*places[block], value, point, self._engine.WORLD_FRAME)
            outside.add(block, value, point)


def _line(tree: Tree, entry: Link, state: BodyState) -> ForceLine:
    special = kind_of(entry).special
    limit = special["break_tension"] if entry.type == SPRING else special["rod_break_force"]
    ends = tuple(
        (block, _from_center(kind_of(tree[block]), face))
        for block, face in ((entry.parent_a, entry.face_a), (entry.parent_b, entry.face_b))
    )
    first, second = (anchor(state, block, offset) for block, offset in ends)
    length = float(np.linalg.norm(first - second))
    return ForceLine(entry, (ends[0], ends[1]), length, length, limit)


def _from_center(kind: BlockType, face: int) -> Vector:
    x, y, z = np.array(swapped(kind.faces[face].position)) - swapped(kind.center)
    return float(x), float(y), float(z)


def anchor(state: BodyState, block: int, offset: Vector) -> Floats:
    """The position (3,) in m of a point of a block, given its offset from the centre in the block's frame."""
    return np.asarray(state.centers[block] + turn(state.rotations[block], offset))


def _spring_force(line: ForceLine, speed: float) -> float:
    special = kind_of(line.entry).special
    if line.length < special["min_length"]:
        return 0.0
    force: float = special["stiffness"] * (line.length - special["rest_length"]) + special["damping"] * speed
    return max(0.0, force)


def _rod_force(line: ForceLine, speed: float) -> float:
    special = kind_of(line.entry).special
    force: float = special["rod_stiffness"] * (line.length - line.rest_m) + special["rod_damping"] * speed
    return force


class Wind:
    """A wind that blows everywhere: 0.02 x area x speed x velocity, in N, of the air past a block or a ball."""

    def __init__(self, engine: Engine, wind: Vector, kinds: Sequence[BlockType]) -> None:
        self._engine = engine
        self._wind = np.array(wind)
        sizes = np.array([swapped(kind.size) for kind in kinds])
        self._sides = sizes[:, [1, 2, 0]] * sizes[:, [2, 0, 1]]

    def blow(self, state: BodyState, places: Places, outside: Outside) -> None:
        """Applies the force on every block of the machine's bodies for the next step."""
        relative = self._wind - state.velocities
        local = np.abs(np.swapaxes(matrices(state.rotations), 1, 2) @ relative[:, :, None])[:, :, 0]
        # The area of a box seen along a direction, times the speed.
        flow = (local * self._sides).sum(axis=1)
        forces = _WIND * flow[:, None] * relative
        blocks = np.array(list(places), int)
        outside.add_all(blocks, forces[blocks], state.centers[blocks])
        points = state.centers.tolist()
        values = forces.tolist()
        for block, place in places.items():
            self._engine.applyExternalForce(*place, values[block], points[block], self._engine.WORLD_FRAME)

    def blow_ball(self, body: int, radius: float) -> None:
        """Applies the force on a ball for the next step."""
        center, _ = self._engine.getBasePositionAndOrientation(body)
        relative = self._wind - self._engine.getBaseVelocity(body)[0]
        force = _WIND * pi * radius**2 * np.linalg.norm(relative) * relative
        self._engine.applyExternalForce(body, -1, force.tolist(), center, self._engine.WORLD_FRAME)
