"""Asks verifiers of somebody else's.

Each gets `{"instance": {"task", "address", "parameters"}, "answer": …, "text": …}`: `answer` is the answer as plain
data, or its text where the task's answers are texts or it cannot be read; `text` is always what was handed in.

A file runs in the sandbox only, where it sees nothing of this machine, and stays loaded from one answer to the next. A
command runs as the user does, in a group of processes that ends after its time. A function of a package runs here.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import threading
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO, Any, Self

from spatial_workbench.engine.core import AnswerError, Instance, Verdict, task
from spatial_workbench.engine.core.contract import ReadsText
from spatial_workbench.engine.evaluation.laboratory.own.kept import GROUP, OwnKind, OwnVerifier
from spatial_workbench.engine.evaluation.laboratory.own.replies import (
    MOST_BYTES,
    PREFIX,
    ReplyFault,
    read_reply,
    verdict_of,
)
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier
from spatial_workbench.engine.sandbox import SandboxLimits, SandboxSession, open_session

_ERRORS_BYTES = 10_000
_PACKAGES = ("numpy",)


class AskedOwn:
    """A verifier of somebody else's that is being asked; it ends with its context.

    Attributes:
        name: Its name in verdicts, with the prefix.
        version: See `OwnVerifier.version`.
    """

    def __init__(self, own: OwnVerifier) -> None:
        self.name = PREFIX + own.name
        self.version = own.version
        self._own = own
        self._session: SandboxSession | None = None
        self._mark = secrets.token_hex(8)
        self._function: Callable[[Any, Any], Any] | None = None

    @property
    def verifier(self) -> AnyVerifier:
        """The same as the laboratory asks it."""
        return AnyVerifier(self.name, self.version, self.judge)

    def judge(self, instance: Instance, text: str) -> Verdict:
        """Its verdict on the text of an answer.

        Raises:
            ReplyFault: It raised, or what it gave is no verdict.
            SandboxUnavailable: It is a file, and no sandbox works on this machine.
            TimeoutError: It took too long, and was ended.
        """
        case = case_of(instance, text)
        if self._own.kind is OwnKind.COMMAND:
            return read_reply(_run(self._own, json.dumps(case).encode()), self.name, self.version, instance.address)
        if self._own.kind is OwnKind.FILE:
            return read_reply(self._in_sandbox(case), self.name, self.version, instance.address)
        return verdict_of(self._loaded()(case["instance"], case["answer"]), self.name, self.version, instance.address)

    def close(self) -> None:
        """Ends what runs of it."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _in_sandbox(self, case: dict[str, Any]) -> str:
        session = self._session or self._opened()
        step = (
            f"_case = __import__('json').loads({json.dumps(case)!r})\n"
            f"print('\\n{self._mark}' + __import__('json').dumps(verify(_case['instance'], _case['answer'])))"
        )
        result = session.run(step, seconds=self._own.seconds, echo=False)
        if result.stopped:
            self.close()
            if result.seconds >= self._own.seconds:
                raise TimeoutError(f"It took longer than {self._own.seconds:g} s.")
            raise ReplyFault(f"The program ended: {result.stopped}")
        if result.exception:
            raise ReplyFault(result.exception)
        return result.output.rpartition(self._mark)[2]

    def _opened(self) -> SandboxSession:
        source = Path(self._own.path).read_text("utf-8", "replace")
        session = open_session(limits=SandboxLimits(output_bytes=2 * MOST_BYTES), packages=_PACKAGES)
        begun = session.run(source, seconds=self._own.seconds, echo=False)
        if begun.exception or begun.stopped:
            session.close()
            raise ReplyFault(f"The file cannot be run: {begun.exception or begun.stopped}")
        self._session = session
        return session

    def _loaded(self) -> Callable[[Any, Any], Any]:
        if self._function is None:
            name = f"{self._own.task}.{self._own.name}"
            self._function = next(point for point in entry_points(group=GROUP) if point.name == name).load()
        return self._function

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def asked(own: OwnVerifier) -> AskedOwn:
    """A verifier ready to be asked.

    Raises:
        OwnVerifierError: Its file cannot be read.
    """
    return AskedOwn(own)


def case_of(instance: Instance, text: str) -> dict[str, Any]:
    """What a verifier gets of an answer to an instance."""
    judged = task(instance.task)
    answer: Any = text
    if not isinstance(judged, ReadsText):
        try:
            answer = judged.parse(text).model_dump(mode="json", by_alias=True)
        except AnswerError:
            answer = text
    about = {"task": instance.task, "address": instance.address, "parameters": dict(instance.parameters)}
    return {"instance": about, "answer": answer, "text": text}


def _run(own: OwnVerifier, case: bytes) -> bytes:
    """What a command prints on its standard output, at most a byte more than is read of a reply."""
    try:
        process = subprocess.Popen(
            list(own.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise ReplyFault(f"{own.command[0]}: {error.strerror}") from None
    late = threading.Event()

    def end_late() -> None:
        late.set()
        _end(process)

    errors: list[bytes] = []
    timer = threading.Timer(own.seconds, end_late)
    reading = threading.Thread(target=_keep_errors, args=(process.stderr, errors), daemon=True)
    for thread in (threading.Thread(target=_feed, args=(process.stdin, case), daemon=True), reading, timer):
        thread.start()
    try:
        printed = _read(process.stdout)
        if len(printed) > MOST_BYTES:
            _end(process)
        process.wait()
    finally:
        timer.cancel()
        _end(process)
    if late.is_set():
        raise TimeoutError(f"It took longer than {own.seconds:g} s.")
    if process.returncode != 0 and len(printed) <= MOST_BYTES:
        reading.join(1.0)
        raise ReplyFault(f"It ended with the exit code {process.returncode}: {_last_line(b''.join(errors))}")
    return printed


def _read(stream: IO[bytes] | None) -> bytes:
    return stream.read(MOST_BYTES + 1) if stream is not None else b""


def _keep_errors(stream: IO[bytes] | None, kept: list[bytes]) -> None:
    """Keeps the beginning of the standard error; whoever writes more finds nobody to read it."""
    if stream is not None:
        kept.append(stream.read(_ERRORS_BYTES))
        stream.close()


def _feed(stream: IO[bytes] | None, case: bytes) -> None:
    try:
        if stream is not None:
            stream.write(case)
            stream.close()
    except OSError:
        # It did not read everything, which is its own affair.
        return


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with those that it has started."""
    if os.name == "posix":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
    elif process.poll() is None:
        process.kill()


def _last_line(errors: bytes) -> str:
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "it printed nothing on its standard error"
