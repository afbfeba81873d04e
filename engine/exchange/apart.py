"""Reads untrusted files in a process of their own with a limit on time and memory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Cancelled, CannotRepresent, Progress, silent
from spatial_workbench.engine.executor.contracts import ALLOWED, ExecutorJob, Finished, JobOutcome
from spatial_workbench.engine.executor.local import LocalExecutor
from spatial_workbench.engine.executor.running import run_jobs
from spatial_workbench.engine.geometry.mesh_limits import MAX_MEMORY_MB, MAX_SECONDS

_REFUSED = "refused"
_LIMITS = {
    JobOutcome.TIMED_OUT: f"Reading the file took longer than {MAX_SECONDS:.0f} seconds, so it was stopped",
    JobOutcome.OUT_OF_MEMORY: (
        f"Reading the file took more than {MAX_MEMORY_MB / 1000:g} GB of memory, so it was stopped"
    ),
}

Data = dict[str, Any]


def read_apart(
    function: str,
    data: bytes,
    progress: Progress = silent,
    time_limit_s: float = MAX_SECONDS,
    memory_limit_mb: int = MAX_MEMORY_MB,
    allowed: tuple[str, ...] = ALLOWED,
    **arguments: Any,
) -> str:
    """Calls a function ("package.module:name") on a file's contents in a process of its own, and returns its text.

    The function is called with `path`, a file with the contents, and the arguments (JSON data). It returns its text as
    {"text": ...}, or `refusing(error)`.

    Raises:
        CannotRepresent: The function refuses the contents, or reading them takes too long or too much memory.
        Cancelled: Raised by `progress`.
    """
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder, LocalExecutor(1, allowed) as executor:
        path = Path(folder, "contents")
        path.write_bytes(data)
        job = ExecutorJob("read", function, {"path": str(path)} | arguments, time_limit_s, memory_limit_mb)
        jobs = iter([job])
        (finished,) = run_jobs(executor, lambda: next(jobs, None), lambda done: progress(done, 1, "Reading the file"))
        return _text(finished)


def refusing(error: ValueError) -> Data:
    """What a function that `read_apart` calls returns to refuse a file, with the error's message as the reason."""
    return {_REFUSED: str(error)}


def _text(finished: Finished) -> str:
    if finished.outcome is JobOutcome.CANCELLED:
        raise Cancelled
    if finished.outcome is not JobOutcome.DONE:
        raise CannotRepresent(_LIMITS.get(finished.outcome, f"Reading the file failed: {finished.message}"))
    if _REFUSED in finished.value:
        raise CannotRepresent(finished.value[_REFUSED])
    return str(finished.value["text"])
