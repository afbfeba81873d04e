"""Turns OpenSCAD models into STL with the program `openscad`, inside the Linux sandbox.

The program is optional. It can access only its input, one folder for its output, and the system's libraries.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.sandbox import bubblewrap, seccomp
from spatial_workbench.engine.sandbox.contracts import Availability, ProgramFailed, SandboxLimits, SandboxUnavailable

_LOOK_EVERY_SECONDS = 0.05
_ABSENT = "OpenSCAD is not installed; install the package openscad to evaluate OpenSCAD models"


@cache
def openscad_availability() -> Availability:
    """Whether OpenSCAD models can be evaluated here; tested once, with a unit cube."""
    if shutil.which("openscad") is None:
        return Availability(False, "", _ABSENT)
    try:
        compile_openscad("cube(1);", limits=SandboxLimits(seconds=30))
    except (SandboxUnavailable, ProgramFailed, OSError) as error:
        return Availability(False, "", f"OpenSCAD cannot be run in the sandbox: {error}")
    return Availability(True, "openscad", "OpenSCAD runs in the sandbox", _version())


def _version() -> str:
    command = ["openscad", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=bubblewrap.ENVIRONMENT)
    return (done.stderr or done.stdout).strip()


def compile_openscad(source: str, *, limits: SandboxLimits | None = None, progress: Progress = silent) -> bytes:
    """Evaluates an OpenSCAD model.

    Args:
        source: The model, in mm.
        limits: What the program may use.
        progress: Called about twenty times a second with (seconds so far, limit).

    Returns:
        The contents of an STL file.

    Raises:
        SandboxUnavailable: OpenSCAD or the Linux sandbox is missing.
        ProgramFailed: OpenSCAD reported an error or broke a limit.
        Cancelled: Raised by `progress`.
    """
    limits = limits or SandboxLimits()
    program = shutil.which("openscad")
    if program is None or not sys.platform.startswith("linux"):
        raise SandboxUnavailable(_ABSENT if program is None else "OpenSCAD models are evaluated on Linux only")
    with tempfile.TemporaryDirectory(prefix="openscad-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        out = folder / "out"
        out.mkdir()
        out.chmod(0o777)
        (folder / "model.scad").write_text(source, encoding="utf-8", errors="replace")
        (folder / "model.scad").chmod(0o644)
        complaint = _run(program, folder, limits, progress)
        return _result(out / "model.stl", limits, complaint)


def _run(program: str, folder: Path, limits: SandboxLimits, progress: Progress) -> str:
    """Runs the program to its end; returns its output."""
    with tempfile.TemporaryFile() as output, _filter() as descriptor:
        command = bubblewrap.isolation(limits)
        command += [
            "--ro-bind",
            str(folder / "model.scad"),
            "/sandbox/model.scad",
            "--bind",
            str(folder / "out"),
            "/out",
        ]
        command += ["--remount-ro", "/", "--seccomp", str(descriptor), "--setenv", "HOME", "/tmp"]
        caps = f"ulimit -v {limits.memory_bytes // 1024}; ulimit -f {limits.output_bytes // 512}; ulimit -c 0"
        process = subprocess.Popen(
            [*command, "/bin/sh", "-c", f"{caps}; exec {program} -o /out/model.stl /sandbox/model.scad"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=[descriptor],
            env=bubblewrap.ENVIRONMENT,
            start_new_session=True,
            **bubblewrap.identity(folder),
        )
        try:
            _wait(process, limits.seconds, progress)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        return output.read(20_000).decode(errors="replace")


@contextlib.contextmanager
def _filter() -> Iterator[int]:
    """A file descriptor from which bubblewrap reads the filter of system calls."""
    with tempfile.TemporaryFile() as file:
        file.write(seccomp.build(seccomp.TOOL))
        file.seek(0)
        yield file.fileno()


def _wait(process: subprocess.Popen[bytes], seconds: float, progress: Progress) -> None:
    start = time.monotonic()
    while process.poll() is None:
        passed = time.monotonic() - start
        if passed > seconds:
            raise ProgramFailed(f"OpenSCAD took longer than {seconds:g} s")
        progress(passed, seconds, "OpenSCAD is working")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_EVERY_SECONDS)


def _result(path: Path, limits: SandboxLimits, complaint: str) -> bytes:
    """The contents of the file that OpenSCAD wrote; a symbolic link is not followed."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size == 0:
        errors = [line for line in complaint.splitlines() if "ERROR" in line or "Current top level" in line]
        last = complaint.strip().splitlines()[-1:] or ["it wrote nothing"]
        raise ProgramFailed(f"OpenSCAD made no solid: {(errors or last)[0][:300]}", errors=complaint)
    if path.stat().st_size > limits.output_bytes:
        raise ProgramFailed(f"OpenSCAD wrote more than {limits.output_bytes:,} bytes")
    return path.read_bytes()
