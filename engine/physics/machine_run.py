"""Whole simulations of machines: settles them, runs them, and records what happens (docs/machines.md).

Runs inside the physics process; elsewhere ask `engine.physics.client`. Traces are in the machine's frame.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import BOULDER
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.level import Level, policy_at
from spatial_workbench.engine.machines.results.trace import FRAMES_PER_S, SETTLE_S, STEPS_PER_S, Trace
from spatial_workbench.engine.physics.failures import failed_trace, words_of_error
from spatial_workbench.engine.physics.frames import matrices, swapped, swapped_all, swapped_rotations, turned_all
from spatial_workbench.engine.physics.machine_world import MachineWorld
from spatial_workbench.engine.physics.motion import Motion

_AHEAD_STEPS = 4.0
"""How far ahead a landing is computed at most: the engine finds contacts a few centimetres before they are touched."""
FASTEST_M_S = 1000.0
"""A block that is faster was not thrown: the engine lost control of the machine. In m/s."""


def simulate(
    tree: Tree, level: Level, rate: int = STEPS_PER_S, report: Callable[[float], None] = lambda share: None
) -> Trace:
    """Runs a machine in a level, and returns what happened.

    If the engine loses control, or raises anything, the trace ends early and says so: a machine that cannot be
    simulated is worth nothing, but it is no accident of whoever asks.

    Args:
        rate: Steps a second, a multiple of 30.
        report: Called at every frame with the share of the whole that is done; what it raises ends the simulation.
    """
    try:
        world = MachineWorld(tree, level, rate)
    except Exception as error:
        return failed_trace(tree, level, rate, words_of_error(error))
    try:
        recorder = _Recorder(world, level.window_s)
        total = round((SETTLE_S + level.window_s) * rate)
        recorder.record_frame()
        for frame in range(0, total, rate // FRAMES_PER_S):
            recorder.record_steps(min(rate // FRAMES_PER_S, total - frame))
            report(min(1.0, (frame + rate // FRAMES_PER_S) / total))
            if recorder.fault:
                break
        return recorder.trace()
    finally:
        world.close()


class _Recorder:
    """Records what a world does."""

    def __init__(self, world: MachineWorld, window_s: float) -> None:
        self._world = world
        self._programme = world.level.programme
        frames = round((SETTLE_S + window_s) * FRAMES_PER_S) + 1
        blocks = len(world.tree)
        balls = len(world.balls)
        self._centers = np.full((frames, blocks, 3), np.nan)
        self._rotations = np.full((frames, blocks, 4), np.nan)
        self._velocities = np.full((frames, blocks, 3), np.nan)
        self._attached = np.zeros((frames, blocks), bool)
        self._lengths = np.full((frames, blocks), np.nan)
        self._torques = np.full((frames, blocks), np.nan)
        self._balls = np.full((frames, balls, 7), np.nan)
        self._solid = [k for k, kind in enumerate(world.kinds) if not kind.is_linear]
        self._frame = 0
        self._motion: Motion | None = None
        self._waiting: list[list[float]] = []
        """How the parts of `_motion` moved in the last frames, which are not worked out yet."""
        self._paths: list[list[tuple[float, float, float]]] = []
        self._touches: list[list[bool]] = []
        self._landings = np.full((balls, 4), np.nan)
        self.fault = ""

    def record_steps(self, count: int) -> None:
        """Advances the world to the next frame, and records it; what the engine raises becomes the fault."""
        world = self._world
        try:
            for _ in range(count):
                world.step(policy_at(self._programme, world.time))
                self._record_step()
            self.record_frame()
        except Exception as error:
            self.fault = words_of_error(error)

    def _record_step(self) -> None:
        """Records where the balls are, and whether they touch the ground, once the power is on."""
        world = self._world
        if world.steps < round(SETTLE_S * world.rate):
            return
        poses = [world.engine.getBasePositionAndOrientation(number)[0] for _, number in world.balls]
        self._paths.append(poses)
        gaps = [self._gap(number) for _, number in world.balls]
        self._touches.append([gap is not None for gap in gaps])
        for ball, gap in enumerate(gaps):
            if gap is not None and len(self._paths) > 1 and np.isnan(self._landings[ball, 0]):
                self._landings[ball] = self._landing(ball, *gap)

    def _gap(self, number: int) -> tuple[float, tuple[float, float, float]] | None:
        """How far a ball was from the ground that it touches, before the step, and which way is up there."""
        world = self._world
        contacts = (contact for ground in world.ground for contact in world.engine.getContactPoints(number, ground))
        nearest = min(contacts, key=lambda contact: contact[8], default=None)
        return None if nearest is None else (nearest[8], nearest[7])

    def _landing(self, ball: int, gap: float, up: tuple[float, float, float]) -> tuple[float, ...]:
        """When a ball touched the ground, and where its centre was then.

        The engine finds a contact as it begins a step, when the ball is still above the ground, or already below.
        """
        before = self._paths[-2][ball]
        earlier = self._paths[-3][ball] if len(self._paths) > 2 else before
        moved = [a - b for a, b in zip(before, earlier, strict=True)]
        sunk = -sum(a * b for a, b in zip(moved, up, strict=True))
        steps = max(-1.0, min(_AHEAD_STEPS, gap / sunk)) if sunk > 0 else 0.0
        time = (len(self._paths) - 2 + steps) / self._world.rate
        return max(0.0, time), *(a + steps * b for a, b in zip(before, moved, strict=True))

    def record_frame(self) -> None:
        """Records the positions and velocities of all blocks and balls."""
        world = self._world
        row = self._frame
        if world.steps:
            self._record_blocks()
        else:
            # Where they were built, which the engine knows with rounded rotations.
            state = world.state()
            self._centers[row] = state.centers
            self._rotations[row] = state.rotations
            self._velocities[row] = state.velocities
        self._attached[row, list(world.attached)] = True
        for block, line in world.lines.lines.items():
            self._attached[row, block] = not line.is_broken
        for block, torque in world.motor_torques.items():
            self._torques[row, block] = torque
        for column, (_, number) in enumerate(world.balls):
            center, rotation = world.engine.getBasePositionAndOrientation(number)
            self._balls[row, column] = *center, *rotation
        self._frame += 1
        self.fault = self._fault_of(row)

    def _record_blocks(self) -> None:
        world = self._world
        row = self._frame
        if self._motion is not world.motion:
            self._work_out()
            self._motion = world.motion
        self._waiting.append(world.motion.values)
        for block, number in world.boulders.items():
            self._centers[row, block], self._rotations[row, block] = world.engine.getBasePositionAndOrientation(number)
            self._velocities[row, block] = world.engine.getBaseVelocity(number)[0]

    def _work_out(self) -> None:
        """Works out how blocks moved in the frames that were recorded since this was last done, all at once."""
        frames = slice(self._frame - len(self._waiting), self._frame)
        if self._motion is not None and self._waiting:
            moved = self._motion.blocks_at(self._waiting)
            self._centers[frames, self._motion.blocks] = moved.centers
            self._rotations[frames, self._motion.blocks] = moved.rotations
            self._velocities[frames, self._motion.blocks] = moved.velocities
        self._waiting.clear()

    def _fault_of(self, row: int) -> str:
        boulders = list(self._world.boulders)
        speeds = np.linalg.norm(self._velocities[row, boulders], axis=1)
        if self._world.motion.is_slower(FASTEST_M_S) and (speeds <= FASTEST_M_S).all():
            return ""
        self._work_out()
        speeds = np.linalg.norm(self._velocities[row, self._solid], axis=1)
        if (speeds <= FASTEST_M_S).all():
            return ""
        return f"the physics engine lost control of the machine: a block moves faster than {FASTEST_M_S:,.0f} m/s"

    def trace(self) -> Trace:
        """The trace of everything that was recorded."""
        self._work_out()
        self._set_lengths()
        world = self._world
        frames = slice(0, self._frame)
        balls = self._balls[frames]
        balls = np.concatenate([swapped_all(balls[..., :3]), swapped_rotations(balls[..., 3:])], axis=-1)
        paths = np.array(self._paths).reshape(len(self._paths), len(world.balls), 3)
        return Trace(
            positions=swapped_all(self._building_points()[frames]),
            rotations=swapped_rotations(self._rotations[frames]),
            velocities=swapped_all(self._velocities[frames]),
            attached=self._attached[frames],
            lengths=self._lengths[frames],
            torques=self._torques[frames],
            ball_names=tuple(ball.name for ball, _ in world.balls),
            balls=balls,
            paths=swapped_all(paths),
            touches=np.array(self._touches, bool).reshape(paths.shape[:2]),
            breaks=tuple(world.breaks),
            bonds=tuple(world.bonds),
            rate=world.rate,
            fault=self.fault,
            engine=world.engine.version,
            landings=np.concatenate([self._landings[:, :1], swapped_all(self._landings[:, 1:])], axis=1),
            work_j=world.work_j,
        )

    def _set_lengths(self) -> None:
        """The lengths of springs and braces, from where their ends were."""
        for block, line in self._world.lines.lines.items():
            first, second = (
                self._centers[:, end] + turned_all(self._rotations[:, end], offset) for end, offset in line.ends
            )
            self._lengths[:, block] = np.linalg.norm(first - second, axis=1)

    def _building_points(self) -> Floats:
        """The building points of the blocks, and the centres of boulders."""
        offsets = np.array(
            [(0, 0, 0) if kind.number == BOULDER else swapped(kind.center) for kind in self._world.kinds]
        )
        return np.asarray(self._centers - (matrices(self._rotations) @ offsets[:, :, None])[..., 0])
