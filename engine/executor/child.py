"""The child's side: runs jobs, one after the other."""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from spatial_workbench.engine.children import Line, Message
from spatial_workbench.engine.children.serve import forget_output
from spatial_workbench.engine.core.errors import sentence_of
from spatial_workbench.engine.executor.contracts import ExecutorJob, JobOutcome, check_function, decode_job

_MEGABYTE = 1 << 20


def serve(line: Line, *allowed: str) -> None:
    """Runs the jobs that arrive, with functions of the allowed packages; replies are JSON in a message's content."""
    while True:
        job = decode_job(line.receive().content.decode())
        forget_output()
        line.send(Message({}, content=run(job, allowed).encode()))


def run(job: ExecutorJob, allowed: tuple[str, ...]) -> str:
    """Runs a job under its memory limit.

    Returns:
        Its outcome (done, failed or out of memory), with its value or a message, as JSON text.
    """
    try:
        function = _find(job.function, allowed)
        with _memory_limit(job.memory_limit_mb):
            return json.dumps({"outcome": JobOutcome.DONE, "value": function(**job.arguments)})
    except MemoryError:
        outcome = JobOutcome.OUT_OF_MEMORY
        message = f"It used more than its limit of {job.memory_limit_mb} MB of memory"
    except BaseException as error:
        # SystemExit too: a job must not end the process that the next one needs.
        outcome = JobOutcome.FAILED
        message = sentence_of(error)
    return json.dumps({"outcome": outcome, "message": message})


def _find(name: str, allowed: tuple[str, ...]) -> Callable[..., Any]:
    check_function(name, allowed)
    module, _, attribute = name.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    # A function that the module has merely imported from elsewhere is not allowed.
    if not f"{function.__module__}.".startswith(allowed):
        raise ValueError(f"'{name}' comes from {function.__module__}")
    return function


@contextlib.contextmanager
def _memory_limit(megabytes: int) -> Iterator[None]:
    """Limits what the process can allocate in total, inside the `with` block.

    The limit is on data, not on address space: WebAssembly reserves 4 GB of the latter without using it.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = megabytes * _MEGABYTE
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
