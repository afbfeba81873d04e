"""Background processes that tests lend to one window after another, since starting a process takes a second."""

from __future__ import annotations

import os
from collections import defaultdict

from spatial_workbench.engine.children import ChildProcess
from spatial_workbench.engine.core.interpreter import search_path

MOST_IDLE = 3
_idle: defaultdict[tuple[str, ...], list[_Lent]] = defaultdict(list)
"""Idle processes, by the paths where they look for modules, and the folders of a person."""


class _Lent:
    """A real process, and the window that it currently works for."""

    def __init__(self, function):
        self.deliver = None
        self.jobs = 0
        self.child = ChildProcess(function, deliver=self._hear)

    def _hear(self, message):
        if message is None or message.data.get("kind") != "progress":
            self.jobs -= 1
        if self.deliver is not None:
            self.deliver(message)


class LentProcess:
    """Stands in for a lane's `ChildProcess`. When it is killed, an idle process is kept for the next window instead."""

    def __init__(self, function, *, deliver):
        # A process that was started with other folders of a person would read the lists of another test.
        key = (*search_path(), *(f"{name}={value}" for name, value in os.environ.items() if name.startswith("XDG_")))
        while _idle[key] and not _idle[key][-1].child.is_alive:
            _idle[key].pop()
        self._lent = _idle[key].pop() if _idle[key] else _Lent(function)
        self._lent.deliver = deliver
        self._idle = _idle[key]
        self.obituary = self._lent.child.obituary

    @property
    def pid(self):
        return self._lent.child.pid

    @property
    def is_alive(self):
        return self._lent.child.is_alive

    def send(self, message):
        self._lent.jobs += "job" in message.data
        self._lent.child.send(message)

    def kill(self):
        self._lent.deliver = None
        if self._lent.jobs == 0 and self.is_alive and len(self._idle) < MOST_IDLE:
            self._idle.append(self._lent)
        else:
            self._lent.child.kill()


def end_all():
    """Ends the idle processes."""
    for lent in [lent for idle in _idle.values() for lent in idle]:
        lent.child.close()
    _idle.clear()
