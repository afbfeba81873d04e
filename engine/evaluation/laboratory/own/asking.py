"""Asks verifiers of somebody else's.

Each gets `{"instance": {"task", "address", "parameters"}, "answer": …, "text": …}`: `answer` is the answer as plain
data, or its text where the task's answers are texts or it cannot be read; `text` is always what was handed in.

A file runs in the sandbox, where it sees nothing of this machine, and stays loaded from one answer to the next. Only if
the user has said so does it run as they do, and only as it was then. A command, and the function of a package, run as
the user does, each in a group of processes that ends after its time. A command that lasts takes one case after the
other.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Self

from spatial_workbench.engine.core import AnswerError, Instance, Verdict, task
from spatial_workbench.engine.core.contract import ReadsText
from spatial_workbench.engine.evaluation.laboratory.own.commands import GroupGuard, LastingCommand, printed_by
from spatial_workbench.engine.evaluation.laboratory.own.kept import OwnKind, OwnVerifier, OwnVerifiers
from spatial_workbench.engine.evaluation.laboratory.own.replies import (
    MOST_BYTES,
    ReplyFault,
    read_reply,
)
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier
from spatial_workbench.engine.sandbox import SandboxLimits, SandboxSession, open_session
from spatial_workbench.engine.store.facts import OWN_PREFIX

_OF_PACKAGE = """
import importlib.metadata, json, sys
case = json.load(sys.stdin)
(point,) = importlib.metadata.entry_points(group="spatial_workbench.verifiers", name=sys.argv[1])
print(json.dumps(point.load()(case["instance"], case["answer"])))
"""
"""The program that asks the function of a package."""
_OF_TRUSTED_FILE = """
import hashlib, json, os, sys, types
path, trusted = sys.argv[1:]
with open(path, "rb") as file:
    source = file.read()
if hashlib.sha256(source).hexdigest() != trusted:
    sys.exit("The file has changed since it was trusted.")
replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.path.insert(0, os.path.dirname(path))
module = sys.modules["grader"] = types.ModuleType("grader")
module.__file__ = path
exec(compile(source, path, "exec"), module.__dict__)
for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps(module.verify(case["instance"], case["answer"])), file=replies, flush=True)
"""
"""The program that asks the function of a trusted file for each line; what the file prints is no reply."""
_PACKAGES = ("numpy",)


class AskedOwn:
    """A verifier of somebody else's that is being asked; it ends with its context.

    Attributes:
        name: Its name in verdicts, with the prefix.
        version: See `OwnVerifier.version`.
    """

    def __init__(self, own: OwnVerifier) -> None:
        self.name = OWN_PREFIX + own.name
        self._source = own.contents()
        self.version = own.version_of(self._source)
        self._own = own
        self._session: SandboxSession | None = None
        self._command: LastingCommand | None = None
        self._guard = GroupGuard()
        self._mark = secrets.token_hex(8)

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
        is_file = self._own.kind is OwnKind.FILE
        reply = self._in_sandbox(case) if is_file and not self._own.trusted else self._printed(case)
        return read_reply(reply, self.name, self.version, instance.address)

    def _printed(self, case: dict[str, Any]) -> bytes:
        """What a process prints that runs as the user does."""
        text, seconds = json.dumps(case).encode(), self._own.seconds
        if self._own.lasting or self._own.trusted:
            self._command = self._command or LastingCommand(self._words, self._guard)
            return self._command.ask(text, seconds)
        return printed_by(self._words, text, seconds, self._guard)

    @property
    def _words(self) -> tuple[str, ...]:
        """The words of the command that is run."""
        own = self._own
        if own.kind is OwnKind.PACKAGE:
            return (sys.executable, "-P", "-c", _OF_PACKAGE, f"{own.task}.{own.name}")
        if own.kind is OwnKind.FILE:
            return (sys.executable, "-P", "-c", _OF_TRUSTED_FILE, own.path, own.trusted)
        return own.command

    def close(self) -> None:
        """Ends what runs of it."""
        if self._session is not None:
            self._session.close()
            self._session = None
        if self._command is not None:
            self._command.close()
            self._command = None
        self._guard.close()

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
        source = self._source.decode("utf-8", "replace")
        session = open_session(limits=SandboxLimits(output_bytes=2 * MOST_BYTES), packages=_PACKAGES)
        begun = session.run(source, seconds=self._own.seconds, echo=False)
        if begun.exception or begun.stopped:
            session.close()
            raise ReplyFault(f"The file cannot be run: {begun.exception or begun.stopped}")
        self._session = session
        return session

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


@contextmanager
def asked_by_name(names: Iterable[str]) -> Iterator[list[AnyVerifier]]:
    """Those of these verifiers that are the user's own, by their names in verdicts, ready to be asked.

    Raises:
        OwnVerifierError: One of them is not there, or its file cannot be read.
    """
    own = [name.removeprefix(OWN_PREFIX) for name in dict.fromkeys(names) if name.startswith(OWN_PREFIX)]
    with ExitStack() as stack:
        yield [stack.enter_context(asked(OwnVerifiers().get(name))).verifier for name in own]


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
