"""The parent's side of a child process."""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import IO, Any

from spatial_workbench.engine.children.messages import BadMessage, Message, receive, send
from spatial_workbench.engine.core.interpreter import python_command, python_environment

_LAST_WORDS_BYTES = 2000
_LAST_WORDS_CHARS = 300
_ENDING_SECONDS = 1.0
"""How long a child that has closed its pipe may take to end by itself."""

# Ctrl-C in the terminal must reach only the parent, which decides what happens to its children.
_OUT_OF_THE_TERMINAL: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    _OUT_OF_THE_TERMINAL = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}


class ChildProcess:
    """A process that runs one function of this program, "package.module:name", which handles the messages sent to it.

    Neither the constructor nor `send` waits for the process. Its messages are delivered in a separate thread; None
    means that it has ended. If this process ends, Linux ends the child at once; elsewhere it ends when its pipe closes.
    """

    def __init__(
        self,
        function: str,
        *arguments: str,
        deliver: Callable[[Message | None], None],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        token = secrets.token_hex()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        command = python_command("-m", "spatial_workbench.engine.children.serve", token, function, *arguments)
        self._process = _starter().submit(_start, command, self._errors, dict(environment or {})).result()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._is_ready = threading.Event()
        self._is_silent = threading.Event()
        self._outbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        reading = self._process, token.encode(), self._is_ready, self._is_silent, deliver
        threading.Thread(target=_read, args=reading, name="child's replies", daemon=True).start()
        writing = self._process.stdin, self._outbox
        threading.Thread(target=_write, args=writing, name="child's requests", daemon=True).start()

    @property
    def pid(self) -> int:
        """Its number, which is also that of the process group of everything that it starts."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it runs and can still reply."""
        # While the reading thread asks for the exit code of a child that has died, `poll` says that it runs.
        return not self._is_silent.is_set() and self._process.poll() is None

    def wait_until_ready(self) -> None:
        """Waits until it reads messages or has died, so that its start does not count towards anybody's time limit."""
        self._is_ready.wait()

    def send(self, message: Message) -> None:
        """Sends a message. If the process has died, nothing happens; `deliver` reports its end."""
        self._outbox.put(message)

    def close(self) -> None:
        """Ends it and everything that it started, and waits for that."""
        self._kill()
        self._bury()

    def kill(self) -> None:
        """Ends it and everything that it started, without waiting for that."""
        self._kill()
        threading.Thread(target=self._bury, name="child's end", daemon=True).start()

    def obituary(self) -> str:
        """How it died, such as "by SIGSEGV", and the last line of its output."""
        # If it sent something that is not a message, it may still be running, and nobody reads from it any more.
        self._kill()
        code = self._process.wait()
        cause = f"with exit code {code}" if code >= 0 else f"by {_signal_name(-code)}"
        if code == -9:
            cause += " (perhaps the machine ran out of memory)"
        said = self._last_words()
        return cause + (f'. It said: "{said}"' if said else "")

    def _last_words(self) -> str:
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - _LAST_WORDS_BYTES))
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line.strip()[:_LAST_WORDS_CHARS] for line in reversed(lines) if line.strip()), "")

    def _kill(self) -> None:
        if self._process.poll() is None:
            self._kill_group()
        # Not earlier: once its pipe is closed, the child may end by itself, and `obituary` would report exit code 0.
        self._outbox.put(None)

    def _kill_group(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _bury(self) -> None:
        self._process.wait()
        self._errors.close()


@cache
def _starter() -> ThreadPoolExecutor:
    """The thread that starts children; it never ends, since Linux ends children with the thread that started them."""
    return ThreadPoolExecutor(1, "child starter")


def _start(command: list[str], errors: IO[bytes], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=python_environment(**environment),
        **_OUT_OF_THE_TERMINAL,
    )


def _write(stream: IO[bytes], outbox: queue.SimpleQueue[Message | None]) -> None:
    """Sends queued messages, in a thread, since a process that is starting or busy does not read."""
    with contextlib.suppress(OSError), stream:
        while (message := outbox.get()) is not None:
            send(stream, message)
            del message


def _read(
    process: subprocess.Popen[bytes],
    token: bytes,
    is_ready: threading.Event,
    is_silent: threading.Event,
    deliver: Callable[[Message | None], None],
) -> None:
    """Delivers the child's messages, which follow its token; anything printed before the token is ignored."""
    assert process.stdout is not None
    with process.stdout as stream:
        while (line := stream.readline()) and line.strip() != token:
            continue
        is_ready.set()
        while _deliver_next(process, stream, is_silent, deliver):
            pass


def _deliver_next(
    process: subprocess.Popen[bytes],
    stream: IO[bytes],
    is_silent: threading.Event,
    deliver: Callable[[Message | None], None],
) -> bool:
    """Waits for a message and delivers it; returns whether there may be another.

    This is a separate function so that the thread does not hold a message while it waits for the next.
    """
    try:
        message = receive(stream)
        if message is None:
            is_silent.set()
            # Its pipe is closed before it has ended; `obituary` would kill it, and tell that as the cause.
            process.wait(_ENDING_SECONDS)
    except (BadMessage, OSError, ValueError, subprocess.TimeoutExpired):
        is_silent.set()
        message = None
    deliver(message)
    return message is not None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
