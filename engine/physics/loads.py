"""What the connections of a machine bear, averaged over a moment, and which of them breaks next (docs/machines.md).

What a connection bears follows from the laws of Newton and Euler for everything beyond it: the force and torque that
accelerate it as it is accelerated, less what acts on it from elsewhere. All in the engine's frame: right-handed, z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BlockType, constants
from spatial_workbench.engine.physics.bodies import BodyState, MachineBody, PartBody, point_of
from spatial_workbench.engine.physics.connections import Connection
from spatial_workbench.engine.physics.frames import crossing, matrices
from spatial_workbench.engine.physics.motion import Indices, Motion, Steps
from spatial_workbench.engine.physics.outside import Wrenches
from spatial_workbench.engine.physics.parts import inertia_of


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
        self._measured = np.zeros((steps - 1, count, 6))
        self._waiting = np.full(count, steps - 1)
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
        count = len(loads)
        measured = np.zeros((self._steps - 1 + count, *self._measured.shape[1:]))
        measured[: -count or None] = self._measured
        measured[self._steps - 1 :, connections] = loads
        self._measured = measured[count:]
        sums = np.empty((count, *measured.shape[1:]))
        sums[0] = measured[: self._steps].sum(axis=0)
        for k in range(1, count):
            sums[k] = sums[k - 1] + (measured[self._steps + k - 1] - measured[k - 1])
        mean = sums / self._steps
        sizes = np.sqrt((mean * mean).reshape(count, -1, 2, 3).sum(axis=3))
        shares = (sizes / self._limits).max(axis=2)
        shares[np.arange(count)[:, None] < self._waiting] = 0.0
        np.maximum(self._waiting - count, 0, out=self._waiting)
        np.maximum(self.peaks, shares.max(axis=0), out=self.peaks)
        worst = int(shares.argmax())
        if not shares.size or shares.flat[worst] <= 1:
            return None
        force, torque = sizes.reshape(-1, 2)[worst].tolist()
        return Overload(worst % shares.shape[1], force, torque, float(shares.flat[worst]))


class Bearing:
    """Computes what the connections of a machine's trees of blocks bear in a step.

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
        self._motion = motion
        self._gravity = np.array([0.0, 0.0, -constants()["physics"]["gravity"]])
        order = [block for body in bodies for block in body.plan.blocks]
        self._row_of = np.full(len(kinds), -1)
        self._row_of[order] = np.arange(len(order))
        self._count = len(order)
        links = [link for body in bodies for link in body.plan.links]
        self.connections: Indices = np.array([link.connection for link in links], int)
        beyond = self._row_of[[link.block for link in links]]
        self._first = beyond
        self._end = beyond + _sizes(bodies)[beyond] if len(links) else beyond
        part_of = np.zeros(len(order), int)
        part_of[self._row_of[motion.blocks]] = motion.part_of
        self._part_of = part_of[beyond]
        self._roots = np.array([self._row_of[part.part.blocks[0]] for part in motion.parts], int)
        turned = matrices(state.rotations)
        now = motion.now
        points = np.array([point_of(connections[link.connection], kinds, state, turned) for link in links])
        part = self._part_of
        arms = points.reshape(-1, 3) - now.origins[part]
        self._points = (np.swapaxes(now.turned[part], 1, 2) @ arms[:, :, None])[:, :, 0]
        self._set_masses(part_of, kinds)
        self._set_joints(connections)
        sizes = np.array([len(body.plan.blocks) for body in bodies], int)
        self._base_ends = np.cumsum(sizes)
        self._base_starts = self._base_ends - sizes
        self._body_of = np.repeat(np.arange(len(bodies)), sizes)
        self.rests = np.zeros((0, len(bodies), 6))

    def _set_masses(self, part_of: Indices, kinds: Sequence[BlockType]) -> None:
        """What accelerating the blocks of a part beyond each connection takes, and what each whole part takes."""
        motion = self._motion
        moments = np.zeros((self._count, 13))
        rows = self._row_of[motion.blocks]
        moments[rows] = _moments([kinds[block] for block in motion.blocks], motion.centers, motion.block_turns)
        self._beyond = np.zeros((len(self.connections), 6, 12))
        self._whole = np.zeros((len(motion.parts), 6, 12))
        is_root = np.zeros(self._count, bool)
        is_root[self._roots] = True
        for part in range(len(motion.parts)):
            own = np.flatnonzero(part_of == part)
            sums = np.concatenate([np.zeros((1, 13)), np.cumsum(moments[own], axis=0)])
            self._whole[part] = _inertia(sums[-1:], np.zeros((1, 3)))[0]
            edges = np.flatnonzero((self._part_of == part) & ~is_root[self._first])
            spans = np.searchsorted(own, [self._first[edges], self._end[edges]])
            self._beyond[edges] = _inertia(sums[spans[1]] - sums[spans[0]], self._points[edges])

    def _set_joints(self, connections: Sequence[Connection]) -> None:
        """What of its load each joint bears itself: not what its motor, its friction or its spring holds."""
        kinds = [
            connections[index].joint.kind if not connections[index].is_join else "fixed" for index in self.connections
        ]
        self._joints = np.array([row for row, kind in enumerate(kinds) if kind != "fixed"], int)
        self._held = np.array(
            [_held(kinds[row], self._motion.parts[self._part_of[row]], self._points[row]) for row in self._joints]
        ).reshape(-1, 6, 6)

    def loads(self, steps: Steps, acting: Wrenches) -> Floats:
        """The forces and torques (steps, e, 6) that the connections bore: on what is beyond, at the point where the two
        blocks meet, along the axes of the part beyond.
        """
        old = steps.old
        count = len(steps.linear)
        local = np.swapaxes(old.turned, -1, -2)
        causes = np.concatenate(
            [
                (local @ (steps.linear - self._gravity)[..., None])[..., 0],
                (local @ steps.turning @ old.turned).reshape(count, -1, 9),
            ],
            axis=2,
        )
        whole = (self._whole @ causes[..., None]).reshape(count, -1, 2, 3)
        whole = (old.turned[:, :, None] @ whole[..., None])[..., 0]
        whole[:, :, 1] += (crossing(old.origins) @ whole[:, :, 0, :, None])[..., 0]
        needed = np.zeros((count, self._count + 1, 6))
        needed[:, self._roots + 1] = whole.reshape(count, -1, 6)
        np.subtract.at(needed, (acting.steps, self._row_of[acting.blocks] + 1), acting.values)
        needed = np.cumsum(needed, axis=1)
        self.rests = needed[:, self._base_ends] - needed[:, self._base_starts]
        beyond = needed[:, self._end] - needed[:, self._first]
        self._give_rests(beyond, acting.rolling)
        part = self._part_of
        axes = old.turned[:, part]
        points = old.origins[:, part] + (axes @ self._points[:, :, None])[..., 0]
        beyond[..., 3:] -= (crossing(points) @ beyond[..., :3, None])[..., 0]
        turned = beyond.reshape(count, -1, 2, 3) @ axes
        loads = turned.reshape(count, -1, 6) + (self._beyond @ causes[:, part, :, None])[..., 0]
        loads[:, self._joints] = (self._held @ loads[:, self._joints, :, None])[..., 0]
        return np.asarray(loads)

    def _give_rests(self, beyond: Floats, rolling: Sequence[tuple[int, int, float]]) -> None:
        """Gives what the bodies lacked to the blocks that roll, by how hard these press."""
        pressed = np.zeros(self.rests.shape[:2])
        for step, block, push in rolling:
            pressed[step, self._body_of[self._row_of[block]]] += push
        for step, block, push in rolling:
            row = self._row_of[block]
            body = self._body_of[row]
            hangs = (self._first <= row) & (row < self._end)
            beyond[step, hangs] -= push / pressed[step, body] * self.rests[step, body]


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

    The 12 numbers are the acceleration of the part's origin, less gravity, and the matrix `Accelerations.turning`;
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
