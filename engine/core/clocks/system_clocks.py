"""The clocks of this machine: one that never goes back, and one that also runs while the computer sleeps."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from spatial_workbench.engine.core.clocks.work_clock import Instant

ReadClocks = Callable[[], Instant]
"""A function that reads the clocks; tests pass one whose clocks they set."""
_NS_PER_MS = 1_000_000


def read_clocks() -> Instant:
    """A reading of the clocks of this machine."""
    m = time.monotonic_ns() // _NS_PER_MS
    return Instant(m=m, b=_running_in_suspend(m), wall=time.time_ns() // _NS_PER_MS)


def _running_in_suspend(monotonic_ms: int) -> int:
    """The clock that also runs while the computer sleeps, in ms; the other clock if there is none."""
    if sys.platform == "win32":
        import ctypes

        ticks = ctypes.windll.kernel32.GetTickCount64
        ticks.restype = ctypes.c_ulonglong
        return int(ticks())
    name = "CLOCK_BOOTTIME" if sys.platform.startswith("linux") else "CLOCK_MONOTONIC"
    clock = getattr(time, name, None)
    return monotonic_ms if clock is None else time.clock_gettime_ns(clock) // _NS_PER_MS
