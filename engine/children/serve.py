"""The child's side: `python -m spatial_workbench.engine.children.serve TOKEN PACKAGE.MODULE:FUNCTION ARGUMENT...`.

The function is called with a `Line` to the parent and the arguments. Everything that it and its libraries print goes to
standard error, whose last lines the parent can read. The process ends when its parent does, for whatever reason.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import queue
import signal
import sys
import threading
from typing import IO

from spatial_workbench.engine.children.messages import Message, receive, send

_PR_SET_PDEATHSIG = 1


class Line:
    """The connection to the parent."""

    def __init__(self, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._replies = replies
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(requests, self._inbox), daemon=True).start()

    def receive(self) -> Message:
        """Waits for the next message; if there can be none, the process ends."""
        return self._inbox.get()

    def waiting(self) -> Message | None:
        """The next message, if it has arrived already."""
        try:
            return self._inbox.get_nowait()
        except queue.Empty:
            return None

    def send(self, message: Message) -> None:
        """Sends a message to the parent."""
        send(self._replies, message)


def main() -> None:
    """Runs the function; when it returns, the process ends."""
    token, function, *arguments = sys.argv[1:]
    requests, replies = _take_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    module, _, name = function.partition(":")
    work = getattr(importlib.import_module(module), name)
    replies.write(f"{token}\n".encode())
    replies.flush()
    work(Line(requests, replies), *arguments)
    _end(replies)


def forget_output() -> None:
    """Empties the file of standard error, so that it is about the current work only and does not grow for ever."""
    os.ftruncate(2, 0)
    os.lseek(2, 0, os.SEEK_SET)


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the parent, moved so that prints and child processes cannot use them by accident."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, replies


def _die_with_parent() -> None:
    """Makes Linux end this process as soon as its parent ends, even during a library's long call."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _listen(requests: IO[bytes], inbox: queue.SimpleQueue[Message]) -> None:
    """Queues messages; ends the process when the pipe ends, because the parent has ended or closed it."""
    while (message := receive(requests)) is not None:
        inbox.put(message)
        del message
    os._exit(0)


def _end(replies: IO[bytes]) -> None:
    replies.flush()
    # Threads of libraries may never end, so the interpreter is not shut down in the usual way.
    os._exit(0)


if __name__ == "__main__":
    main()
