"""Asks the physics process, starts it when it is needed, and starts it again when it died."""

from __future__ import annotations

import atexit
import subprocess
import sys
import threading
from functools import cache
from typing import Any

from engine.core.scene import Floats
from engine.physics.rock import STEP_S, Blast
from engine.physics.server import receive, send


class PhysicsUnavailable(Exception):
    """The physics engine is not there or does not work on this machine; the message says why."""


class PhysicsProcess:
    """One child process that simulates; calls from several threads take turns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

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
        """What one blast does (see `engine.physics.rock.RockWorld.blast`).

        Raises:
            PhysicsUnavailable: If the engine cannot be used, or dies twice on the same blast.
        """
        done: Blast = self._ask((profile, step_s, (heights, row, column, depth, tracks)))
        return done

    def version(self) -> str:
        """The engine's build."""
        return str(self._ask(("default", STEP_S, ())))

    def _ask(self, request: Any) -> Any:
        with self._lock:
            for _ in range(2):
                try:
                    reply = self._try(request)
                except BaseException:
                    # The reply to this request may still come, and would be taken for the next one's.
                    self._stop()
                    raise
                if isinstance(reply, RuntimeError):
                    raise PhysicsUnavailable(f"the physics engine failed: {reply}")
                if reply is not None:
                    return reply
                self._stop()
        raise PhysicsUnavailable("the physics engine died twice on the same blast")

    def _try(self, request: Any) -> Any:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "engine.physics.server"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            send(self._process.stdin, request)
            return receive(self._process.stdout)
        except (BrokenPipeError, OSError):
            return None

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None

    def close(self) -> None:
        """Ends the child."""
        with self._lock:
            self._stop()


@cache
def physics() -> PhysicsProcess:
    """The physics process of this process."""
    process = PhysicsProcess()
    atexit.register(process.close)
    return process
