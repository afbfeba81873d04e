"""One process per batch or judging: a lock that the system releases however its holder ends."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock


def batch_lock(project: Path, batch: int) -> BaseFileLock:
    """The lock of a batch's process, not yet acquired. It is on this machine, even if the project is elsewhere."""
    return _lock(file_name(project, batch))


def judging_lock(project: Path, judging: str) -> BaseFileLock:
    """The lock of the process that judges steps, not yet acquired; see `batch_lock`."""
    return _lock(f"judging-{_hash(str(project.resolve()))}-{_hash(judging)}")


def _lock(name: str) -> BaseFileLock:
    from filelock import FileLock
    from platformdirs import user_state_path

    folder = user_state_path("spatial-workbench", appauthor=False, ensure_exists=True)
    return FileLock(folder / f"{name}.lock")


def file_name(project: Path, batch: int) -> str:
    """A name for files about a batch that is unique among the batches of all projects."""
    return f"batch-{_hash(str(project.resolve()))}-{batch}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_running(project: Path, batch: int) -> bool:
    """Whether a process on this machine works on the batch."""
    from filelock import Timeout

    lock = batch_lock(project, batch)
    try:
        with lock.acquire(timeout=0):
            return False
    except Timeout:
        return True
