"""Runs inside the sandbox: executes steps, keeps their names from one to the next, and sends tool calls to the host.

Uses the standard library only. The host trusts nothing in here: a program can forge anything that this file would send.
The Linux sandbox starts this file as a program; the WebAssembly sandbox runs its source first.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import traceback
import types
from collections.abc import Callable, Iterable
from typing import Any

PROGRAM = "<program>"


class ToolError(Exception):
    """A tool refused a call. Named as on the host, whose modules cannot be imported here: programs catch it by name."""


def add_tools(namespace: dict[str, Any], names: Iterable[str], ask: Callable[[dict[str, Any]], Any]) -> None:
    """Adds the tools to the namespace, as functions that ask the host; `ask` takes and returns plain data."""

    def make(name: str) -> Callable[..., Any]:
        def tool(*args: Any, **kwargs: Any) -> Any:
            reply = ask({"call": name, "args": args, "kwargs": kwargs})
            if "error" in reply:
                raise ToolError(reply["error"])
            return reply.get("ok")

        tool.__name__ = tool.__qualname__ = name
        return tool

    namespace["ToolError"] = ToolError
    namespace.update((name, make(name)) for name in names)


def execute(code: str, namespace: dict[str, Any], echo: bool) -> str | None:
    """Runs one step; returns the exception that it raised, as one line with its position, or None."""
    try:
        tree = ast.parse(code, PROGRAM)
        last = tree.body.pop() if echo and tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, PROGRAM, "exec"), namespace)
        if last is not None:
            exec(compile(ast.Interactive([last]), PROGRAM, "single"), namespace)
    except BaseException as error:
        if isinstance(error, SystemExit) and error.code in (None, 0):
            return None
        return describe(error)
    return None


def describe(error: BaseException) -> str:
    """An exception as one line: its type, its message, and the line of the program that raised it."""
    try:
        line = error.lineno if isinstance(error, SyntaxError) else _line_of(error)
        text = traceback.format_exception_only(type(error), error)[-1].strip()[:2000]
    except Exception:
        line = None
        text = type(error).__name__
    return f"{text} (line {line})" if line else text


def _line_of(error: BaseException) -> int | None:
    lines = [number for frame, number in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == PROGRAM]
    return lines[-1] if lines else None


def new_namespace() -> dict[str, Any]:
    """The names of a new program, which takes itself for the main module."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    return module.__dict__


class Pipe:
    """Frames to and from the host: one JSON object per line."""

    def __init__(self, requests: int, replies: int) -> None:
        self._requests = os.fdopen(requests, "rb")
        self._replies = replies

    def receive(self) -> Any:
        """The next frame from the host; ends this process if the host is gone."""
        line = self._requests.readline()
        if not line:
            os._exit(0)
        return json.loads(line)

    def send(self, frame: dict[str, Any]) -> None:
        data = memoryview(json.dumps(frame).encode() + b"\n")
        while data:
            data = data[os.write(self._replies, data) :]

    def ask(self, frame: dict[str, Any]) -> Any:
        self.send(frame)
        return self.receive()


class Stream:
    """A text stream that is sent to the host in pieces."""

    encoding = "utf-8"
    errors = "replace"
    _piece = 8192

    def __init__(self, pipe: Pipe, kind: str) -> None:
        self._pipe = pipe
        self._kind = kind
        self._length = 0
        self._held: list[str] = []

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._held.append(text)
        self._length += len(text)
        if self._length >= self._piece:
            self.flush()
        return len(text)

    def flush(self) -> None:
        text = "".join(self._held)
        self._held = []
        self._length = 0
        for start in range(0, len(text), 1 << 18):
            self._pipe.send({self._kind: text[start : start + (1 << 18)]})

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True


def main() -> None:
    """The program of the Linux sandbox."""
    settings = json.loads(os.environ.pop("SANDBOX"))
    pipe = Pipe(os.dup(0), os.dup(1))
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for name in settings["packages"]:
        __import__(name)
    _lock_in(settings)
    out, err = Stream(pipe, "out"), Stream(pipe, "err")
    sys.stdout = out
    sys.stderr = err
    namespace = new_namespace()
    add_tools(namespace, settings["tools"], pipe.ask)
    pipe.send({"ready": sys.version.split()[0]})
    while True:
        step = pipe.receive()
        exception = execute(step["run"], namespace, step["echo"])
        out.flush()
        err.flush()
        pipe.send({"done": exception})


def _lock_in(settings: dict[str, Any]) -> None:
    """Sets the limits of the process and its filter of system calls, before the first untrusted line runs."""
    import resource

    import seccomp  # type: ignore[import-not-found]

    values = {
        resource.RLIMIT_AS: settings["memory_bytes"],
        resource.RLIMIT_FSIZE: settings["scratch_bytes"],
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_NPROC: settings["processes"],
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in values.items():
        resource.setrlimit(limit, (value, value))
    seccomp.install()
    sys.path[:] = [entry for entry in sys.path if entry != os.path.dirname(os.path.abspath(__file__))]
    del sys.modules["seccomp"]


if __name__ == "__main__" and "SANDBOX" in os.environ:
    main()
