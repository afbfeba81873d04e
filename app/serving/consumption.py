"""What a session takes of the machine: memory, processes, disk. A session that takes too much is ended.

The kernel limits each process, and for ordinary users the number of processes. No limit of the kernel that needs no
further rights holds for a session as a whole, so it is measured each second; between two looks it may take more.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from spatial_workbench.app.serving.confinement import MEMORY_BYTES, PROCESSES

DISK_BYTES = 1 << 29
FILES = 5_000
_ANONYMOUS = ("RssAnon:", "RssShmem:", "VmSwap:")


@dataclass(frozen=True)
class ProcessTable:
    """The processes of the machine, as they were at one moment.

    Attributes:
        children: The processes that each process has started.
    """

    children: Mapping[int, list[int]] = field(default_factory=dict)

    def family_of(self, roots: Iterable[int]) -> list[int]:
        """Processes, and all that they have started."""
        found = []
        waiting = list(roots)
        while waiting:
            process = waiting.pop()
            found.append(process)
            waiting += self.children.get(process, [])
        return found


def present_processes() -> ProcessTable:
    """The processes that run now."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            status = Path("/proc", process, "stat").read_bytes()
        except OSError:
            continue
        # The name, in parentheses, may hold anything.
        parent = int(status.rpartition(b")")[2].split()[1])
        children[parent].append(int(process))
    return ProcessTable(children)


def excess_of(table: ProcessTable, roots: Iterable[int], folders: Iterable[Path]) -> str:
    """What a session takes too much of, to be continued from "it took"; empty if it takes nothing too much.

    roots: the processes that were started for it. folders: those that it can write to.
    """
    family = table.family_of(roots)
    if len(family) > PROCESSES:
        return f"more than {PROCESSES} processes"
    if sum(map(_memory_of, family)) > MEMORY_BYTES:
        return f"more than {MEMORY_BYTES >> 20} MB of memory"
    return "" if _fits(folders) else f"more than {DISK_BYTES >> 20} MB or {FILES:,} files of the disk"


def _memory_of(process: int) -> int:
    """The bytes of memory that no other program shares; 0 for a process that has ended."""
    try:
        lines = Path("/proc", str(process), "status").read_text("utf-8", "replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(_ANONYMOUS)) << 10


def _fits(folders: Iterable[Path]) -> bool:
    total = 0
    for number, size in enumerate(size for folder in folders for size in _sizes(folder)):
        total += size
        if number >= FILES or total > DISK_BYTES:
            return False
    return True


def _sizes(folder: Path) -> Iterator[int]:
    """The bytes that each file of a folder takes, and of the folders in it."""
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
        except OSError:
            continue
