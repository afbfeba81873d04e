"""The process in which jobs run, one after the other: `python -m engine.evaluation.executor.child TOKEN PACKAGE...`.

Jobs come in on standard input and replies go out on what was standard output, one JSON object a line. Whatever a job
prints goes to standard error. The process ends when its parent does, however that ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from engine.evaluation.executor.contracts import Job, Outcome, check_function, decode_job

_PR_SET_PDEATHSIG = 1
_MEGABYTE = 1 << 20


def main() -> None:
    """Serves until standard input is closed."""
    token, *allowed = sys.argv[1:]
    requests, replies = _take_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    jobs: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, jobs), daemon=True).start()
    _write(replies, token)
    while True:
        job = decode_job(jobs.get())
        _forget_output()
        _write(replies, run(job, tuple(allowed)))


def _take_pipes() -> tuple[int, int]:
    """Descriptors of the requests and the replies, which jobs and what they start cannot reach by accident."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, replies


def _forget_output() -> None:
    """Empties the file of standard error, so that it holds what the job at hand said, and does not grow for ever."""
    os.ftruncate(2, 0)
    os.lseek(2, 0, os.SEEK_SET)


def _die_with_parent() -> None:
    """Linux ends this process with its parent at once, even within a library's long call."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _listen(requests: int, jobs: queue.SimpleQueue[str]) -> None:
    """Hands on the jobs; the end of the pipe is the end of the parent."""
    with os.fdopen(requests, encoding="utf-8") as lines:
        for line in lines:
            jobs.put(line)
    os._exit(0)


def _write(replies: int, text: str) -> None:
    rest = memoryview(f"{text}\n".encode())
    while rest:
        rest = rest[os.write(replies, rest) :]


def run(job: Job, allowed: tuple[str, ...]) -> str:
    """Runs a job under its memory limit.

    Returns:
        Its outcome (done, failed or out of memory), with its value or a message, as JSON text.
    """
    try:
        function = _find(job.function, allowed)
        with _memory_limit(job.memory_limit_mb):
            return json.dumps({"outcome": Outcome.DONE, "value": function(**job.arguments)})
    except MemoryError:
        outcome, message = Outcome.OUT_OF_MEMORY, f"It used more than its limit of {job.memory_limit_mb} MB of memory"
    except BaseException as error:
        # Also SystemExit: a job does not end the process of the next.
        outcome, message = Outcome.FAILED, f"{type(error).__name__}: {error}"
    return json.dumps({"outcome": outcome, "message": message})


def _find(name: str, allowed: tuple[str, ...]) -> Callable[..., Any]:
    check_function(name, allowed)
    module, _, attribute = name.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    # What a module has imported from elsewhere is not its own to offer.
    if not f"{function.__module__}.".startswith(allowed):
        raise ValueError(f"'{name}' comes from {function.__module__}")
    return function


@contextlib.contextmanager
def _memory_limit(megabytes: int) -> Iterator[None]:
    """Within it the process can allocate so much in all.

    It is the data that counts, not the address space: WebAssembly reserves 4 GB of that without using it.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = megabytes * _MEGABYTE
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


if __name__ == "__main__":
    main()
