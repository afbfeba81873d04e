"""How long this process and its children have computed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

_COUNTED_EVERY_S = 0.02
_PROCESSES = Path("/proc")


class ProcessorClock:
    """Counts seconds of the processor: those of this process, of children that have ended, and of those that run.

    Only Linux says what children take that still run; elsewhere, what a child takes counts when it has ended.
    """

    def __init__(self) -> None:
        self._counted = -_COUNTED_EVERY_S
        self._children = 0.0

    def __call__(self) -> float:
        """The seconds so far. Children are counted at most fifty times a second."""
        now = time.monotonic()
        if now - self._counted >= _COUNTED_EVERY_S:
            self._counted = now
            ended = os.times()
            living = sum(_taken_by(pid) for pid in _children_of(os.getpid()))
            # A child that ends between the two counts would be missed.
            self._children = max(self._children, ended.children_user + ended.children_system + living)
        return time.process_time() + self._children


def _children_of(pid: int) -> Iterator[int]:
    """The children of a process that run, and theirs."""
    for path in (_PROCESSES / str(pid) / "task").glob("*/children"):
        try:
            children = [int(word) for word in path.read_text().split()]
        except OSError:
            continue
        for child in children:
            yield child
            yield from _children_of(child)


def _taken_by(pid: int) -> float:
    """Seconds that a process has taken, with those of its children that have ended; 0 if it has ended itself."""
    try:
        # The name comes in brackets and may hold anything.
        fields = (_PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(field) for field in fields[11:15]) / float(os.sysconf("SC_CLK_TCK"))
