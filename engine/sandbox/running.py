"""Chooses the sandbox that works here, by running a program in it that tries to get out; then runs programs in it."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.sandbox import bubblewrap, webassembly
from spatial_workbench.engine.sandbox.contracts import (
    Availability,
    ProgramFailed,
    ProgramResult,
    SandboxLimits,
    SandboxSession,
    SandboxUnavailable,
    StepResult,
    Tools,
)
from spatial_workbench.engine.sandbox.seccomp import Unsupported

Backend = Callable[[Tools, SandboxLimits, Iterable[str]], SandboxSession]

BACKENDS: dict[str, Backend] = {
    "bubblewrap": bubblewrap.BubblewrapSession,
    "webassembly": webassembly.WebAssemblySession,
}
_VERSIONS = {"bubblewrap": bubblewrap.version, "webassembly": webassembly.version}

# Each attempt that succeeds is a hole in the sandbox; the probe prints what it did.
_PROBE = """
import os
try:
    open({canary!r}).read(); print("read a file of the host")
except Exception: pass
try:
    import socket; socket.socket(); print("opened a socket")
except Exception: pass
try:
    if os.fork() == 0: os._exit(0)
    print("started a process")
except Exception: pass
try:
    open("/usr/written", "w"); print("wrote outside the scratch folder")
except Exception: pass
if os.path.exists("/proc/1"): print("saw other processes")
"""


@cache
def availability() -> Availability:
    """The first sandbox that starts and holds on this machine; tested once.

    The first test of the WebAssembly sandbox on a machine takes about a minute, for compiling.
    """
    reasons = []
    for name in _candidates():
        try:
            _try(BACKENDS[name])
        except (SandboxUnavailable, Unsupported, OSError) as error:
            reasons.append(f"{name}: {error}")
        else:
            return Availability(True, name, f"programs run in the {name} sandbox", _VERSIONS[name]())
    return Availability(False, "", "No sandbox works on this machine. " + "; ".join(reasons))


def _candidates() -> list[str]:
    return ["bubblewrap", "webassembly"] if sys.platform.startswith("linux") else ["webassembly"]


def _try(backend: Backend) -> None:
    """Starts a sandbox and runs a program in it that tries what must not be possible.

    Raises:
        SandboxUnavailable: It does not start, or does not hold.
    """
    descriptor, canary = tempfile.mkstemp(prefix="canary-")
    os.close(descriptor)
    try:
        with backend({}, SandboxLimits(seconds=20), ()) as session:
            result = session.run(_PROBE.format(canary=canary))
    finally:
        with contextlib.suppress(OSError):
            Path(canary).unlink()
    if result.output or result.exception or result.stopped:
        broken = ", ".join(result.output.splitlines()) or result.exception or result.stopped
        raise SandboxUnavailable(f"it does not hold: a program {broken}")


def open_session(
    tools: Tools | None = None, *, limits: SandboxLimits | None = None, packages: Iterable[str] = ()
) -> SandboxSession:
    """Starts a program that is run step by step.

    Args:
        tools: Functions of the host that the program may call by name.
        limits: What it may use.
        packages: Packages besides the standard library that it may import, such as "numpy".

    Raises:
        SandboxUnavailable: No sandbox works here.
    """
    sandbox = availability()
    if not sandbox.available:
        raise SandboxUnavailable(sandbox.reason)
    return BACKENDS[sandbox.backend](tools or {}, limits or SandboxLimits(), packages)


def run_program(source: str, *, limits: SandboxLimits | None = None, progress: Progress = silent) -> ProgramResult:
    """Runs a whole Python program, which may use numpy, and returns what it printed.

    Args:
        source: The program.
        limits: What it may use.
        progress: Called about twenty times a second with (seconds so far, limit).

    Raises:
        SandboxUnavailable: No sandbox works here.
        ProgramFailed: It raised, broke a limit, or crashed.
        Cancelled: Raised by `progress`.
    """
    packages = ["numpy"] if "numpy" in source else []
    with open_session(limits=limits, packages=packages) as session:
        result = session.run(source, echo=False, progress=progress)
    _raise_failure(result)
    return ProgramResult(result.output, result.errors, result.seconds)


def _raise_failure(result: StepResult) -> None:
    if result.stopped:
        raise ProgramFailed(f"the program was stopped: {result.stopped}", result.output, result.errors)
    if result.exception:
        raise ProgramFailed(f"the program failed: {result.exception}", result.output, result.errors)
