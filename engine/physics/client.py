"""Asks the physics process, starts it when it is needed, and starts it again when it died."""

from __future__ import annotations

import atexit
import secrets
import subprocess
import threading
from functools import cache
from typing import Any

from engine.core.interpreter import python_command, python_environment
from engine.core.scene import Floats
from engine.physics.messages import BadMessage, receive, send
from engine.physics.rock import STEP_S, Blast

Reply = tuple[dict[str, Any], dict[str, Floats]]


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
        place = {"row": int(row), "column": int(column), "depth": float(depth), "tracks": bool(tracks)}
        told, arrays = self._ask({"profile": profile, "step_s": step_s} | place, {"heights": heights})
        return Blast(arrays["gains"], told["lost"], told["steps"], told["is_still"], arrays.get("tracks"))

    def version(self) -> str:
        """The engine's build."""
        return str(self._ask({"profile": "default", "step_s": STEP_S}, {})[0]["version"])

    def _ask(self, data: dict[str, Any], arrays: dict[str, Floats]) -> Reply:
        with self._lock:
            for _ in range(2):
                try:
                    reply = self._try(data, arrays)
                except BaseException:
                    # The reply to this request may still come, and would be taken for the next one's.
                    self._stop()
                    raise
                if reply is not None and "error" in reply[0]:
                    raise PhysicsUnavailable(f"the physics engine failed: {reply[0]['error']}")
                if reply is not None:
                    return reply
                self._stop()
        raise PhysicsUnavailable("the physics engine died twice on the same blast")

    def _try(self, data: dict[str, Any], arrays: dict[str, Floats]) -> Reply | None:
        """The reply; None where the process died."""
        if self._process is None or self._process.poll() is not None:
            self._process = _started()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            send(self._process.stdin, data, arrays)
            return receive(self._process.stdout)
        except (OSError, BadMessage):
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


def _started() -> subprocess.Popen[bytes]:
    """A new process that has said its token, or ended."""
    token = secrets.token_hex()
    process = subprocess.Popen(
        python_command("-m", "engine.physics.server", token),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=python_environment(),
    )
    assert process.stdout is not None
    while (line := process.stdout.readline()) and line.strip() != token.encode():
        continue
    return process


@cache
def physics() -> PhysicsProcess:
    """The physics process of this process."""
    process = PhysicsProcess()
    atexit.register(process.close)
    return process
