"""Asks the physics processes, starts them when they are needed, and restarts those that died."""

from __future__ import annotations

import atexit
import os
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from spatial_workbench.engine.children import ChildProcess, Message, steady_arithmetic
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.tree import Tree, write_tree
from spatial_workbench.engine.machines.levels.level import Level, write_level
from spatial_workbench.engine.machines.results.trace import Trace, read_trace
from spatial_workbench.engine.physics.rocks.rolling import STEP_S, Blast

MOST_PROCESSES = 4
"""How many simulations go on at once at most."""


class PhysicsUnavailable(Exception):
    """The physics engine is not there or does not work on this machine; the message says why."""


class SimulationDied(PhysicsUnavailable):
    """The physics process died twice on the same simulation."""


class PhysicsProcess:
    """One child process that simulates; calls from several threads take turns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
        self._replies: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._version = ""

    def blast(
        self,
        profile: str,
        heights: Floats,
        row: int,
        column: int,
        depth: float,
        tracks: bool = False,
        step_s: float = STEP_S,
    ) -> Blast:
        """What one blast does (see `spatial_workbench.engine.physics.rocks.rolling.RockWorld.blast`).

        Raises:
            PhysicsUnavailable: If the engine cannot be used, or dies twice on the same blast.
        """
        data = {"row": int(row), "column": int(column), "depth": float(depth), "tracks": bool(tracks)}
        reply = self._ask("blast", data | {"profile": profile, "step_s": step_s}, {"heights": heights})
        result = reply.data
        arrays = reply.arrays
        return Blast(arrays["gains"], result["lost"], result["steps"], result["is_still"], arrays.get("tracks"))

    def machine(self, tree: Tree, level: Level, rate: int, progress: Progress = silent) -> Trace:
        """What a machine does in a level (see `spatial_workbench.engine.physics.machine_run.simulate`).

        Raises:
            PhysicsUnavailable: If the engine cannot be used.
            SimulationDied: If the process dies twice on the same machine.
            Cancelled: Raised by `progress`; the process is ended.
        """
        data = {"tree": write_tree(tree), "level": write_level(level), "rate": rate}
        reply = self._ask("machine", data, {}, progress)
        return read_trace(reply.data, reply.arrays)

    def version(self) -> str:
        """The engine's build, which results depend on. Raises PhysicsUnavailable if the engine cannot be used."""
        if not self._version:
            self._version = str(self._ask("version", {}, {}).data["version"])
        return self._version

    def _ask(
        self, service: str, data: Mapping[str, Any], arrays: Mapping[str, Floats], progress: Progress = silent
    ) -> Message:
        request = Message({"service": service} | dict(data), arrays)
        with self._lock:
            for _ in range(2):
                try:
                    reply = self._ask_once(request, progress)
                except BaseException:
                    # The reply to this request may still come, and would be taken for the next one's.
                    self._stop()
                    raise
                if reply is not None and "error" in reply.data:
                    raise PhysicsUnavailable(f"the physics engine failed: {reply.data['error']}")
                if reply is not None:
                    return reply
                self._stop()
        raise SimulationDied("the physics engine died twice on the same simulation")

    def _ask_once(self, request: Message, progress: Progress) -> Message | None:
        """Sends a request and returns the reply; None if the process died."""
        if self._child is None:
            self._replies = queue.SimpleQueue()
            self._child = ChildProcess(
                "spatial_workbench.engine.physics.server:serve",
                deliver=self._replies.put,
                environment=steady_arithmetic(),
            )
        self._child.send(request)
        while (reply := self._replies.get()) is not None and "share" in reply.data:
            progress(reply.data["share"], 1, "simulating")
        return reply

    def _stop(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def close(self) -> None:
        """Ends the child."""
        with self._lock:
            self._stop()


class PhysicsProcesses:
    """Several processes that simulate, for calls from several threads at once; they are as `PhysicsProcess` is.

    A process is started when all that were started before are busy.
    """

    def __init__(self, count: int) -> None:
        self._all = [PhysicsProcess() for _ in range(count)]
        self._idle: queue.LifoQueue[PhysicsProcess] = queue.LifoQueue()
        for process in reversed(self._all):
            self._idle.put(process)

    def blast(
        self,
        profile: str,
        heights: Floats,
        row: int,
        column: int,
        depth: float,
        tracks: bool = False,
        step_s: float = STEP_S,
    ) -> Blast:
        """What one blast does, as `PhysicsProcess.blast` tells it."""
        with self._one() as process:
            return process.blast(profile, heights, row, column, depth, tracks, step_s)

    def machine(self, tree: Tree, level: Level, rate: int, progress: Progress = silent) -> Trace:
        """What a machine does in a level, as `PhysicsProcess.machine` tells it."""
        with self._one() as process:
            return process.machine(tree, level, rate, progress)

    def version(self) -> str:
        """The engine's build, which is that of the first process. Raises PhysicsUnavailable."""
        return self._all[0].version()

    def start(self) -> None:
        """Starts all children, which takes about a second each. Raises PhysicsUnavailable."""
        for process in self._all:
            process.version()

    def close(self) -> None:
        """Ends the children."""
        for process in self._all:
            process.close()

    @contextmanager
    def _one(self) -> Iterator[PhysicsProcess]:
        process = self._idle.get()
        try:
            yield process
        finally:
            self._idle.put(process)


@cache
def physics() -> PhysicsProcesses:
    """The physics processes of this process: one for each processor, but few, since each needs some 100 MB."""
    processes = PhysicsProcesses(min(os.cpu_count() or 1, MOST_PROCESSES))
    atexit.register(processes.close)
    return processes
