"""What the connections of a machine bear, averaged over a moment, and which of them breaks next (docs/machines.md).

What a connection bears follows from the laws of Newton and Euler for everything beyond it: the force and torque that
accelerate it as it is accelerated, less what acts on it from elsewhere. All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BlockType, constants
from spatial_workbench.engine.physics.bodies import BodyState, MachineBody, PartBody, point_of
from spatial_workbench.engine.physics.connections import Connection
from spatial_workbench.engine.physics.frames import crossing, matrices
from spatial_workbench.engine.physics.motion import Indices, Motion
from spatial_workbench.engine.physics.parts import inertia_of

Arrays = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Overload:
    """A connection that bears too much: its number, force in N, torque in N m, and the load as a multiple of its
    limit.
    """

    connection: int
    force: float
    torque: float
    load: float


class Loads:
    """The loads of all connections of a machine, averaged over some steps.

    Args:
        count: How many connections there are.
        steps: Over how many steps loads are averaged.
    """

    def __init__(self, count: int, steps: int) -> None:
        self._steps = steps
        from spatial_workbench.engine.physics.load_kernels import average

        self._average = average
        self._measured = np.zeros((steps - 1, count, 6))
        self._waiting = np.full(count, steps - 1, np.int64)
        """How many steps of each connection are missing before its first average."""
        self._limits = np.full((count, 2), np.inf)
        self.peaks = np.zeros(count)
        """The largest load of each so far, as a multiple of its limit."""

    def watch(self, connections: Sequence[int], forces: Sequence[float], torques: Sequence[float]) -> None:
        """Begins anew with some connections, which bear so much; redundancy included."""
        rows = list(connections)
        self._waiting[rows] = self._steps - 1
        self._limits[rows] = np.array([forces, torques]).T

    def forget(self, connection: int) -> None:
        """No longer asks about a connection, which broke."""
        self._limits[connection] = np.inf

    def add(self, connections: Indices, loads: Floats) -> Overload | None:
        """Adds the forces and torques (steps, k, 6) of some connections; returns the worst overload, if any."""
        worst, force, torque, share = self._average(
            self._measured, connections, loads, self._waiting, self._limits, self.peaks
        )
        return None if worst < 0 else Overload(worst, force, torque, share)


class Bearing:
    """Computes what the connections of a machine's trees of blocks bear in a step.

    Rows of blocks are in the order of the bodies' trees: what is beyond a connection is in rows that follow each other.

    Attributes:
        connections: (e,) the connections that it tells of.
        rests: (steps, b, 6) the force and the torque about the origin of the world that each body lacked: 0 but for
            rounding, and for the friction of contacts with rolling friction, which the engine does not tell: that is
            given to the blocks that roll.
    """

    def __init__(
        self,
        bodies: Sequence[MachineBody],
        motion: Motion,
        connections: Sequence[Connection],
        kinds: Sequence[BlockType],
        state: BodyState,
    ) -> None:
        from spatial_workbench.engine.physics.load_kernels import bear

        self._bear = bear
        self._gravity = -float(constants()["physics"]["gravity"])
        self._motion = motion
        order = [block for body in bodies for block in body.plan.blocks]
        row_of = np.full(len(kinds), -1)
        row_of[order] = np.arange(len(order))
        part_of = np.zeros(len(order), int)
        part_of[row_of[motion.blocks]] = motion.part_of
        links = [link for body in bodies for link in body.plan.links]
        self.connections: Indices = np.array([link.connection for link in links], int)
        self._held_by = [connections[link.connection] for link in links]
        first = row_of[np.array([link.block for link in links], int)]
        end = first + _sizes(bodies)[first]
        part = part_of[first]
        points = self._points(part, kinds, state)
        roots = row_of[np.array([part.part.blocks[0] for part in motion.parts], int)]
        moments = np.zeros((len(order), 13))
        moving = [kinds[block] for block in motion.blocks]
        moments[row_of[motion.blocks]] = _moments(moving, motion.centers, motion.block_turns)
        whole, beyond = _masses(moments, part_of, roots, first, end, points)
        pivots = np.array([part.pivot for part in motion.parts]).reshape(-1, 3)
        self._parts = motion.axes, motion.above, pivots, self._slides(connections), whole, roots
        self._edges = first, end, part, points, beyond, *self._joints(part, points)
        sizes = np.array([len(body.plan.blocks) for body in bodies], int)
        ends = np.cumsum(sizes)
        self._rows = row_of, np.repeat(np.arange(len(bodies)), sizes), ends - sizes, ends
        self.rests = np.zeros((0, len(bodies), 6))

    def _points(self, part: Indices, kinds: Sequence[BlockType], state: BodyState) -> Floats:
        """Where the two blocks of each connection meet, (e, 3) in the frame of the part beyond."""
        turned = matrices(state.rotations)
        now = self._motion.now
        points = np.array([point_of(connection, kinds, state, turned) for connection in self._held_by])
        arms = points.reshape(-1, 3) - now.origins[part]
        return np.ascontiguousarray((np.swapaxes(now.turned[part], 1, 2) @ arms[:, :, None])[:, :, 0])

    def _slides(self, connections: Sequence[Connection]) -> Indices:
        """(p,) 1 for each part whose joint slides."""
        joints = [part.part.joint for part in self._motion.parts]
        slides = [joint and connections[joint.connection].joint.kind == "prismatic" for joint in joints]
        return np.array([1 if does else 0 for does in slides], int)

    def _joints(self, part: Indices, points: Floats) -> tuple[Indices, Floats]:
        """What of its load each joint bears itself: not what its motor, its friction or its spring holds."""
        kinds = ["fixed" if connection.is_join else connection.joint.kind for connection in self._held_by]
        joints = [row for row, kind in enumerate(kinds) if kind != "fixed"]
        held = [_held(kinds[row], self._motion.parts[part[row]], points[row]) for row in joints]
        return np.array(joints, int), np.array(held).reshape(-1, 6, 6)

    def loads(self, values: Floats, links: Arrays, acting: Arrays, rate: int) -> Floats:
        """The forces and torques (steps, e, 6) that the connections bore: on what is beyond, at the point where the two
        blocks meet, along the axes of the part beyond.

        Args:
            values: (steps + 1, p, 13) how the parts moved, as from `Motion.take_values`.
            links, acting: As in `engine.physics.load_kernels.bear`.
            rate: Steps a second.
        """
        loads, self.rests = self._bear(
            self._parts, self._edges, self._rows, links, values, acting, self._gravity, float(rate)
        )
        return loads


def _masses(
    moments: Floats, part_of: Indices, roots: Indices, first: Indices, end: Indices, points: Floats
) -> tuple[Floats, Floats]:
    """What accelerating whole parts takes (p, 6, 12), and their blocks beyond each connection (e, 6, 12)."""
    whole = np.zeros((len(roots), 6, 12))
    beyond = np.zeros((len(first), 6, 12))
    is_root = np.zeros(len(moments), bool)
    is_root[roots] = True
    for part in range(len(roots)):
        own = np.flatnonzero(part_of == part)
        sums = np.concatenate([np.zeros((1, 13)), np.cumsum(moments[own], axis=0)])
        whole[part] = _inertia(sums[-1:], np.zeros((1, 3)))[0]
        edges = np.flatnonzero((part_of[first] == part) & ~is_root[first])
        spans = np.searchsorted(own, [first[edges], end[edges]])
        beyond[edges] = _inertia(sums[spans[1]] - sums[spans[0]], points[edges])
    return whole, beyond


def _held(kind: str, part: PartBody, point: Floats) -> Floats:
    """The matrix (6, 6) from the force and torque at a point of a joint to what of it the joint bears."""
    arm = crossing(part.pivot - point)
    to_pivot = np.eye(6)
    to_pivot[3:, :3] = -arm
    back = np.eye(6)
    back[3:, :3] = arm
    free = np.outer(part.axis, part.axis) if kind != "spherical" else np.eye(3)
    kept = np.eye(6)
    where = slice(0, 3) if kind == "prismatic" else slice(3, 6)
    kept[where, where] -= free
    return np.asarray(back @ kept @ to_pivot)


def _sizes(bodies: Sequence[MachineBody]) -> Indices:
    """How many blocks hang on each block, itself included, in the order of the bodies' trees."""
    sizes: list[int] = []
    for body in bodies:
        row_of = {block: row for row, block in enumerate(body.plan.blocks)}
        own = [1] * len(row_of)
        for link in reversed(body.plan.links):
            own[row_of[link.above]] += own[row_of[link.block]]
        sizes += own
    return np.array(sizes, int)


def _moments(kinds: Sequence[BlockType], centers: Floats, turned: Floats) -> Floats:
    """Mass, first moments and second moments (n, 1 + 3 + 9) of blocks about the origin of their part."""
    masses = np.array([kind.mass for kind in kinds])
    inertias = np.array([inertia_of(kind) for kind in kinds])
    spread = inertias.sum(axis=1, keepdims=True) / 2 - inertias
    own = turned @ (spread[:, :, None] * np.swapaxes(turned, 1, 2))
    second = own + masses[:, None, None] * centers[:, :, None] * centers[:, None, :]
    return np.concatenate([masses[:, None], masses[:, None] * centers, second.reshape(-1, 9)], axis=1)


def _inertia(moments: Floats, points: Floats) -> Floats:
    """The matrices (n, 6, 12) from acceleration to the force and torque that it takes.

    The 12 numbers are the acceleration of the part's origin, less gravity, and the matrix `turning` of `load_kernels`;
    force and torque are about points (n, 3), all in the frame of the part. With moments m, h and S, the force is
    m a + N h, and the torque e_ijk (h_j a_k + S_jl N_kl).
    """
    mass, first, second = moments[:, 0], moments[:, 1:4], moments[:, 4:].reshape(-1, 3, 3)
    matrix = np.zeros((len(moments), 6, 12))
    about = first - mass[:, None] * points
    tensor = second - points[:, :, None] * first[:, None, :]
    for i in range(3):
        matrix[:, i, i] = mass
        matrix[:, i, 3 + 3 * i : 6 + 3 * i] = first
    matrix[:, 3:, :3] = crossing(about)
    # Column l of the tensor gives the crossing with the column l of N.
    across = crossing(np.swapaxes(tensor, 1, 2))
    matrix[:, 3:, 3:] = np.moveaxis(across, 1, 3).reshape(-1, 3, 9)
    return matrix
