"""The child's side: `python -m engine.children.serve TOKEN PACKAGE.MODULE:FUNCTION ARGUMENT...`.

The function is called with a `Line` to the parent and the arguments. What it and its libraries print goes to standard
error, whose last lines the parent can read. The process ends when its parent does, however that ends.
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

from engine.children.messages import Message, receive, send

_PR_SET_PDEATHSIG = 1


class Line:
    """The line to the parent."""

    def __init__(self, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._replies = replies
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(requests, self._inbox), daemon=True).start()

    def receive(self) -> Message:
        """Waits for the next message; the process ends where none can come."""
        return self._inbox.get()

    def waiting(self) -> Message | None:
        """The next message if it has come already."""
        try:
            return self._inbox.get_nowait()
        except queue.Empty:
            return None

    def send(self, message: Message) -> None:
        """Says something to the parent."""
        send(self._replies, message)


def main() -> None:
    """Runs the function; its end is the process's."""
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
    """Empties the file of standard error, so that it tells of the work at hand, and does not grow for ever."""
    os.ftruncate(2, 0)
    os.lseek(2, 0, os.SEEK_SET)


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes, which nothing that prints or is started can reach by accident."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, replies


def _die_with_parent() -> None:
    """Linux ends this process with its parent at once, even within a library's long call."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _listen(requests: IO[bytes], inbox: queue.SimpleQueue[Message]) -> None:
    """Takes messages; the end of the pipe is the end of the parent, or its last word."""
    while (message := receive(requests)) is not None:
        inbox.put(message)
        del message
    os._exit(0)


def _end(replies: IO[bytes]) -> None:
    replies.flush()
    # Libraries' threads know no end.
    os._exit(0)


if __name__ == "__main__":
    main()
