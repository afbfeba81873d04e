"""What processes take of the machine: memory that they share with nobody else's, and time of the processors.

Memory is what the kernel calls `Pss_Anon` and `Pss_Shmem`, and what it has swapped: written by the processes
themselves. What several of them share counts in parts; files that everybody maps, such as the program and its
libraries, do not count.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from spatial_workbench.app.serving.consumption import present_processes

_OWN_MEMORY = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")
_VERDICTS = b"spatial_workbench.engine.children.serve"
_SCREENS = ("Xvnc", "Xtigervnc")
_SANDBOX = "bwrap"
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


class Taker(StrEnum):
    """What a process is for."""

    GATE = "gate"
    WINDOW = "window"
    VERDICTS = "verdict process"
    SCREEN = "Xvnc"
    SANDBOX = "sandbox"
    CROWD = "simulated people"


OF_PEOPLE = (Taker.WINDOW, Taker.VERDICTS, Taker.SCREEN, Taker.SANDBOX)
"""What there is once for each person."""


@dataclass(frozen=True)
class ProcessorTimes:
    """The time that processors have spent until a moment, in seconds.

    Attributes:
        at: The moment, of a clock that never goes back.
        own: What each of our processes took.
        busy: What all programs of the machine took.
    """

    at: float
    own: Mapping[tuple[Taker, int], float]
    busy: float


@dataclass(frozen=True)
class ProcessorShares:
    """How many processors were kept busy between two moments.

    Attributes:
        own: By each kind of our processes.
        others: By all other programs of the machine.
    """

    own: Mapping[Taker, float]
    others: float


def takers(gate: int, crowd: int) -> dict[int, Taker]:
    """Our processes by their numbers, and what each is for.

    gate, crowd: the server, and the process of the simulated people.
    """
    table = present_processes()
    kinds = {process: _kind_of(process) for process in table.family_of([gate])}
    return {**kinds, gate: Taker.GATE, **dict.fromkeys(table.family_of([crowd]), Taker.CROWD)}


def processor_times(processes: Mapping[int, Taker], at: float) -> ProcessorTimes:
    """What processes have taken until now."""
    own = {(kind, process): _seconds_of(process) for process, kind in processes.items()}
    return ProcessorTimes(at, own, _busy_seconds())


def shares_between(before: ProcessorTimes, after: ProcessorTimes) -> ProcessorShares:
    """How many processors were kept busy; of a process that is new or has ended, what is known of it."""
    length = after.at - before.at
    own: dict[Taker, float] = defaultdict(float)
    for key, seconds in after.own.items():
        own[key[0]] += max(0.0, seconds - before.own.get(key, 0.0)) / length
    return ProcessorShares(dict(own), max(0.0, (after.busy - before.busy) / length - sum(own.values())))


def own_memory(processes: Mapping[int, Taker]) -> dict[Taker, int]:
    """The bytes of memory of each kind of our processes."""
    taken: dict[Taker, int] = defaultdict(int)
    for process, kind in processes.items():
        taken[kind] += _memory_of(process)
    return dict(taken)


def free_memory() -> int:
    """The bytes that programs can still take before the machine swaps."""
    return _kilobytes(Path("/proc/meminfo"), ("MemAvailable:",)) << 10


def _kind_of(process: int) -> Taker:
    try:
        name = Path("/proc", str(process), "comm").read_text("utf-8", "replace").strip()
        command = Path("/proc", str(process), "cmdline").read_bytes()
    except OSError:
        return Taker.SANDBOX
    if name in _SCREENS:
        return Taker.SCREEN
    if name == _SANDBOX:
        return Taker.SANDBOX
    return Taker.VERDICTS if _VERDICTS in command else Taker.WINDOW


def _memory_of(process: int) -> int:
    try:
        return _kilobytes(Path("/proc", str(process), "smaps_rollup"), _OWN_MEMORY) << 10
    except OSError:
        return 0


def _kilobytes(path: Path, fields: Iterable[str]) -> int:
    """The sum of some fields of a file of the kernel. Raises OSError."""
    lines = map(str.split, path.read_text("utf-8", "replace").splitlines())
    wanted = set(fields)
    return sum(int(words[1]) for words in lines if words and words[0] in wanted)


def _seconds_of(process: int) -> float:
    """The time of the processors that a process took, with that of its children that have ended."""
    try:
        status = Path("/proc", str(process), "stat").read_bytes()
    except OSError:
        return 0.0
    # The name, in parentheses, may hold anything.
    fields = status.rpartition(b")")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS_A_SECOND


def _busy_seconds() -> float:
    first = Path("/proc/stat").read_text("ascii").splitlines()[0].split()
    user, nice, system, _, _, interrupts, soft, stolen = map(int, first[1:9])
    return (user + nice + system + interrupts + soft + stolen) / _TICKS_A_SECOND
