"""A machine that a person drives, simulated in a process of its own, a thirtieth of a second at a time.

No call waits: `LiveMachine.advance` requests a frame, and `take_moment` returns the newest one that has arrived. Live
machines are not scored.
"""

from __future__ import annotations

import queue
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.children import ChildProcess, Line, Message, steady_arithmetic
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.tree import Tree, read_tree, write_tree
from spatial_workbench.engine.machines.levels.level import DEFAULT_POLICY, Channel, Level, read_level, write_level
from spatial_workbench.engine.machines.results.trace import FRAMES_PER_S, SETTLE_S
from spatial_workbench.engine.physics.failures import words_of_error
from spatial_workbench.engine.physics.frames import matrices, swapped

if TYPE_CHECKING:
    from spatial_workbench.engine.physics.machine_world import MachineWorld

FRAME_S = 1 / FRAMES_PER_S
FASTEST_M_S = 1000.0


@dataclass(frozen=True, eq=False)
class Moment:
    """A machine at one moment, in the drawing's frame: right-handed, z up.

    Attributes:
        time: Seconds since the machine had settled.
        points: (blocks, 3) building points; NaN for linear blocks.
        rotations: (blocks, 4) quaternions x, y, z, w; NaN for linear blocks.
        balls: (balls, 7) centres and rotations of the level's balls.
        broken: Blocks whose connections broke.
        fault: Why it cannot go on; "" while it can.
    """

    time: float
    points: Floats
    rotations: Floats
    balls: Floats
    broken: frozenset[int] = frozenset()
    fault: str = ""


class LiveMachine:
    """A machine in a process of its own; at most one frame is asked for at a time."""

    def __init__(self, tree: Tree, level: Level) -> None:
        self._replies: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._child = ChildProcess(
            "spatial_workbench.engine.physics.live:serve",
            deliver=self._replies.put,
            environment=steady_arithmetic(),
        )
        self._start = Message({"tree": write_tree(tree), "level": write_level(level)})
        self._is_waiting = False
        self.restart()

    def restart(self) -> None:
        """Returns the machine to its start."""
        self._child.send(self._start)
        self._is_waiting = True

    def advance(self, policy: Mapping[Channel, float], own: Mapping[int, float] | None = None) -> None:
        """Asks for the next frame, unless one is still being computed; `own` are values of single blocks."""
        if not self._is_waiting:
            self._is_waiting = True
            self._child.send(Message({"policy": dict(policy), "own": list((own or {}).items())}))

    def take_moment(self) -> Moment | None:
        """The newest frame that has arrived since the last call; None if there is none."""
        moment = None
        while not self._replies.empty():
            moment = _read(self._replies.get())
            self._is_waiting = False
        return moment

    def close(self) -> None:
        """Ends the process without waiting for it."""
        self._child.kill()


def _read(reply: Message | None) -> Moment:
    if reply is None or "error" in reply.data:
        why = "the physics process ended" if reply is None else str(reply.data["error"])
        nothing = np.zeros((0, 7))
        return Moment(0.0, nothing[:, :3], nothing[:, :4], nothing, fault=why)
    arrays = reply.arrays
    data = reply.data
    places = arrays["points"], arrays["rotations"], arrays["balls"].reshape(-1, 7)
    return Moment(data["time"], *places, frozenset(data["broken"]), data["fault"])


# In the process ------------------------------------------------------------------------------------------------------


def serve(line: Line) -> None:
    """Simulates the machine that was sent last, a frame for every policy."""
    from spatial_workbench.engine.physics.server import load_quietly

    load_quietly()
    world: MachineWorld | None = None
    while True:
        request = line.receive()
        try:
            world = _advanced(world, request.data)
            line.send(_moment_message(world))
        except Exception as error:
            line.send(Message({"error": words_of_error(error)}))


def _advanced(world: MachineWorld | None, data: Mapping[str, Any]) -> MachineWorld:
    if "tree" in data:
        if world is not None:
            world.close()
        return _settled(data)
    if world is None:
        raise ValueError("there is no machine yet")
    world.drive_alone(dict(data["own"]))
    for _ in range(world.rate // FRAMES_PER_S):
        world.step(data["policy"])
    return world


def _settled(data: Mapping[str, Any]) -> MachineWorld:
    """A machine that has come to rest with everything switched off."""
    from spatial_workbench.engine.physics.machine_world import MachineWorld

    tree = read_tree(data["tree"]).tree
    if tree is None:
        raise ValueError("the machine is not a construction tree")
    world = MachineWorld(tree, read_level(data["level"]))
    for _ in range(round(SETTLE_S * world.rate)):
        world.step(dict.fromkeys(DEFAULT_POLICY, 0.0))
    return world


def _moment_message(world: MachineWorld) -> Message:
    state = world.state()
    offsets = np.array([swapped(kind.center) for kind in world.kinds])
    points = state.centers - (matrices(state.rotations) @ offsets[:, :, None])[..., 0]
    own = len(world.balls) - len([ball for ball, _ in world.balls if not ball.name.startswith("block ")])
    poses = [world.engine.getBasePositionAndOrientation(number) for _, number in world.balls[own:]]
    balls = np.array([(*center, *rotation) for center, rotation in poses], float).reshape(-1, 7)
    solid = ~np.isnan(state.centers[:, 0])
    speeds = np.linalg.norm(state.velocities[solid], axis=1)
    is_wild = bool((~(speeds <= FASTEST_M_S)).any())
    fault = "the physics engine lost control of the machine" if is_wild else ""
    data = {"time": float(world.time), "broken": [row.block for row in world.breaks], "fault": fault}
    return Message(data, {"points": points, "rotations": state.rotations, "balls": balls})
