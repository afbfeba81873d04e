"""The verifiers of a task as the laboratory asks them: ours, the cross-check, and other people's.

A verifier that raises or takes too long is a finding like any other, so that asking one never raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.core import Cancelled, Instance, Task, Verdict
from spatial_workbench.engine.core.errors import sentence_of
from spatial_workbench.engine.store.facts import CROSSCHECK


@dataclass(frozen=True)
class Trouble:
    """A verifier that gave no verdict.

    Attributes:
        verifier: Its name.
        kind: "exception", "time-out", "not the same twice" or "not the same in another process".
        message: What happened, in one sentence.
    """

    verifier: str
    kind: str
    message: str


Ruled = Verdict | Trouble
"""What asking a verifier gives."""


@dataclass(frozen=True)
class AnyVerifier:
    """A verifier of a task.

    Attributes:
        name: "default", the name of another verifier of the task, "crosscheck", or the name that somebody gave theirs.
        version: Changes with everything that may change its verdicts.
        run: Judges the text of an answer to an instance; may raise anything.
        tolerance: By how much its score may differ from the default's; None: the usual tolerance of verifiers with
            rules of their own.
    """

    name: str
    version: str
    run: Callable[[Instance, str], Verdict]
    tolerance: float | None = None

    def ask(self, instance: Instance, answer: str) -> Ruled:
        """The verdict on the text of an answer, or what went wrong.

        Raises:
            Cancelled: Whoever waits for it no longer does.
        """
        try:
            return self.run(instance, answer)
        except Cancelled:
            raise
        except TimeoutError as error:
            return Trouble(self.name, "time-out", str(error) or "It took too long.")
        except Exception as error:
            return Trouble(self.name, "exception", sentence_of(error))


class _Reading:
    """Reads answers to a task, and keeps the last one, because all verifiers are asked about it."""

    def __init__(self, task: Task[Any]) -> None:
        self._task = task
        self._text = ""
        self._answer: Any = ""

    def read(self, text: str) -> Any:
        """The answer in a text; the text itself where it cannot be read, so that each verifier says why."""
        if text != self._text:
            try:
                self._answer = self._task.parse(text)
            except Exception:
                self._answer = text
            self._text = text
        return self._answer


def verifiers_of(task: Task[Any], others: Sequence[AnyVerifier] = ()) -> tuple[AnyVerifier, ...]:
    """All verifiers of a task, the default first, then its others, the cross-check, and `others`."""
    reading = _Reading(task)
    ours = [_ours(task, name, reading) for name in sorted(task.verifiers(), key=lambda name: name != "default")]
    crosscheck = AnyVerifier(
        CROSSCHECK,
        task.verifiers()["default"].version,
        lambda instance, answer: task.crosscheck(instance, reading.read(answer)),
        tolerance=task.score_tolerance,
    )
    return (*ours, crosscheck, *others)


def _ours(task: Task[Any], name: str, reading: _Reading) -> AnyVerifier:
    return AnyVerifier(
        name,
        task.verifiers()[name].version,
        lambda instance, answer: task.verify(instance, reading.read(answer), name),
    )
