"""Runs a trial: the server and the simulated people, each in a process of its own, and measures them meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from spatial_workbench.app.serving.load.copied_study import copy_study
from spatial_workbench.app.serving.load.crowd_report import WORKED, WORKING, CrowdReport
from spatial_workbench.app.serving.load.load_summary import PERSON_BYTES, LoadSummary, summary_of
from spatial_workbench.app.serving.load.taken_share import (
    ProcessorTimes,
    own_memory,
    processor_times,
    shares_between,
    takers,
)
from spatial_workbench.engine.core.interpreter import python_command, python_environment
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.files.serving_state import running_server

START_S = 60
END_S = 60
LEFT_BYTES = 500_000_000
"""Memory for the server, the simulated people, and whatever else the machine does."""


class LoadTrialFailed(RuntimeError):
    """A trial came to nothing; says why."""


def memory_lacking(people: int, free: int) -> str:
    """Why so many people are too many for the memory of the machine; empty if they are not.

    free: the bytes that programs can still take.
    """
    needed = people * PERSON_BYTES + LEFT_BYTES
    if needed <= free:
        return ""
    return (
        f"{counted(people, 'person', 'people')} may need {needed / 1e9:.1f} GB of memory, at "
        f"{PERSON_BYTES // 10**6} MB each; {max(0, free) / 1e9:.1f} GB are free."
    )


def try_load(bundle: Bundle, people: int, seconds: float, tell: Callable[[str], object]) -> LoadSummary:
    """Lets simulated people take part in a copy of the study of a bundle, and returns what was measured.

    seconds: how long they work once all are in an item; an interrupt (Ctrl+C) ends it earlier. tell: called with
    sentences about what happens.

    Raises:
        LoadTrialFailed: The server does not start, or somebody cannot take part.
        KeyboardInterrupt: Before anything was measured.
        NobodyFits, OSError: There is no copy.
    """
    with tempfile.TemporaryDirectory(prefix="load-") as name, ExitStack() as stack:
        folder = Path(name)
        tell("Copying the study …")
        copy_study(bundle, people, folder)
        log = stack.enter_context(open(folder / "server.log", "wb"))
        server = stack.enter_context(_child("hosting", str(folder), str(people), stdout=subprocess.DEVNULL, stderr=log))
        _await_server(server, folder)
        crowd = stack.enter_context(_child("crowd", str(folder), str(seconds), stdout=subprocess.PIPE))
        return _Measuring(server, crowd, people, seconds, tell).run()


@contextmanager
def _child(module: str, *arguments: str, **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a module of this package; it ends by itself once its input is closed.

    It has a session of its own, so that Ctrl+C reaches only whoever has started it.
    """
    command = python_command("-m", f"spatial_workbench.app.serving.load.{module}", *arguments)
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, env=python_environment(), start_new_session=True, **streams
    )
    try:
        yield child
    finally:
        assert child.stdin is not None
        child.stdin.close()
        try:
            with suppress(subprocess.TimeoutExpired):
                child.wait(END_S)
        finally:
            child.kill()
            child.wait()


def _await_server(server: subprocess.Popen[bytes], folder: Path) -> None:
    end = time.monotonic() + START_S
    while running_server(folder) is None:
        if server.poll() is not None or time.monotonic() > end:
            raise LoadTrialFailed("The server of the trial did not start.")
        time.sleep(0.1)


class _Measuring:
    """Follows what the simulated people tell, and measures when they begin and have ended their work."""

    def __init__(
        self,
        server: subprocess.Popen[bytes],
        crowd: subprocess.Popen[bytes],
        people: int,
        seconds: float,
        tell: Callable[[str], object],
    ) -> None:
        self._server = server
        self._crowd = crowd
        self._people = people
        self._seconds = seconds
        self._tell = tell
        self._began: ProcessorTimes | None = None
        self._ended: ProcessorTimes | None = None
        self._memory = own_memory({})

    def run(self) -> LoadSummary:
        """Returns the figures once the people have told what they saw."""
        usual = signal.getsignal(signal.SIGINT)
        assert self._crowd.stdout is not None
        try:
            for line in self._crowd.stdout:
                told = json.loads(line)
                if "failed" in told:
                    raise LoadTrialFailed(told["failed"])
                if "open" in told:
                    self._tell(f"{told['open']} of {counted(self._people, 'window')} opened")
                elif told.get("phase") == WORKING:
                    signal.signal(signal.SIGINT, lambda *_: self._crowd.send_signal(signal.SIGINT))
                    self._began = self._measure()
                    self._tell(f"All are in an item. Measuring for {self._seconds:.0f} s; Ctrl+C ends it earlier …")
                elif told.get("phase") == WORKED:
                    signal.signal(signal.SIGINT, usual)
                    self._ended = self._measure()
                elif "report" in told:
                    return self._summary(CrowdReport.model_validate(told["report"]))
        finally:
            signal.signal(signal.SIGINT, usual)
        raise LoadTrialFailed("The simulated people ended without a word.")

    def _measure(self) -> ProcessorTimes:
        """Measures, and lets the people go on."""
        processes = takers(self._server.pid, self._crowd.pid)
        times = processor_times(processes, time.monotonic())
        self._memory = own_memory(processes)
        assert self._crowd.stdin is not None
        self._crowd.stdin.write(b"\n")
        self._crowd.stdin.flush()
        return times

    def _summary(self, report: CrowdReport) -> LoadSummary:
        assert self._began is not None
        assert self._ended is not None
        shares = shares_between(self._began, self._ended)
        return summary_of(self._people, len(os.sched_getaffinity(0)), report, self._memory, shares)
