"""The process that does the long work: it waits for jobs, runs one after the other, and never draws.

Nothing here may import Qt or VTK.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from engine.core import Cancelled
from engine.core.errors import sentence_of

PROGRESS_PERIOD_S = 0.05
"""Progress is told at most so often; each message costs the window a little time."""


def serve(connection: Connection, cancelled: Any) -> None:
    """Runs jobs until the pipe is closed or None arrives.

    Jobs are (number, function, arguments); answers are ("progress", number, done, total, text),
    ("result", number, value), ("error", number, sentence, traceback) and ("cancelled", number). `cancelled` is a shared
    number: jobs up to and including it are not wanted any more.
    """
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        if job is None:
            return
        number, function, arguments = job
        connection.send(_run(number, function, arguments, _Ticker(connection, cancelled, number)))


def _run(number: int, function: Callable[..., Any], arguments: tuple[Any, ...], progress: _Ticker) -> tuple[Any, ...]:
    try:
        progress(0, 1)
        return ("result", number, function(*arguments, progress=progress))
    except Cancelled:
        return ("cancelled", number)
    except Exception as error:
        return ("error", number, sentence_of(error), traceback.format_exc())


class _Ticker:
    """The Progress of a job: tells the window now and then, and notices when nobody waits any more."""

    def __init__(self, connection: Connection, cancelled: Any, number: int) -> None:
        self._connection = connection
        self._cancelled = cancelled
        self._number = number
        self._told = time.monotonic()

    def __call__(self, done: float, total: float, text: str = "") -> None:
        if self._cancelled.value >= self._number:
            raise Cancelled
        now = time.monotonic()
        if now - self._told >= PROGRESS_PERIOD_S:
            self._told = now
            self._connection.send(("progress", self._number, done, total, text))
