"""The differences between a task's verifiers that are known, each with an id, a sentence, and an answer that shows it.

Whoever debugs a verifier wants to know whether what was found is new. A difference is recognised by its *signature*:
which verifier gives more, and which checks fail. The pages `docs/tasks/<task>.md` list the same differences under
*Known differences*; the tests compare the two, and have every verifier judge every example.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Instance, State, Verdict, resolve
from spatial_workbench.engine.store.facts import CROSSCHECK

FOLDER = files("spatial_workbench.resources") / "laboratory" / "known"


class DifferenceExample(BaseModel):
    """An answer that shows a known difference.

    Attributes:
        address: Address of the instance.
        given: Text of the answer; empty for the reference solution with `changes`.
        changes: What is different from the reference solution: values by path, such as "parts.2.transform".
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str
    given: str = ""
    changes: dict[str, Any] = Field(default_factory=dict)

    @property
    def answer(self) -> str:
        """The text of the answer."""
        if self.given:
            return self.given
        task, instance = resolve(self.address)
        text = task.format(task.solve(instance))
        if not self.changes:
            return text
        answer = json.loads(text)
        for path, value in self.changes.items():
            *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
            part = answer
            for step in way:
                part = part[step]
            part[last] = value
        return json.dumps(answer)


class DifferenceSignature(BaseModel):
    """How a known difference is recognised; what is left out may be anything.

    Attributes:
        more: Who gives more: a higher score, or a pass where the other does not.
        default_fails, other_fails: The check that fails in that verifier's verdict.
        says: A pattern that is found in a message of a failed check, or in a warning, of either verdict.
        addresses: The only instances where it occurs.
        parameters: A pattern that is found in the parameters of the instance, as canonical JSON.
        answer: A pattern that is found in the text of the answer.
        least: The lower of the two scores is at least this.
        within: The scores differ by at most this.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    more: Literal["default", "other", ""] = ""
    default_fails: str = ""
    other_fails: str = ""
    says: str = ""
    addresses: tuple[str, ...] = ()
    parameters: str = ""
    answer: str = ""
    least: float = 0.0
    within: float = 1.0

    def fits(self, instance: Instance, answer: str, default: Verdict, other: Verdict) -> bool:
        """Whether two verdicts on an answer part in this way."""
        more = "default" if (default.passed, default.score) > (other.passed, other.score) else "other"
        said = [*_messages(default), *_messages(other)]
        return (
            self.more in ("", more)
            and (not self.default_fails or self.default_fails in _failed(default))
            and (not self.other_fails or self.other_fails in _failed(other))
            and (not self.says or any(re.search(self.says, text) for text in said))
            and (not self.addresses or instance.address in self.addresses)
            and (not self.parameters or re.search(self.parameters, instance.parameters_json) is not None)
            and (not self.answer or re.search(self.answer, answer) is not None)
            and min(default.score, other.score) >= self.least
            and abs(default.score - other.score) <= self.within
        )


class KnownDifference(BaseModel):
    """A difference between the default verifier of a task and another one.

    Attributes:
        id: Unique within the task, such as "slivers".
        verifier: The other verifier.
        says: What differs, in a sentence.
        signatures: How it is recognised: one of them fits.
        example: An answer that shows it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    verifier: str
    says: str
    signatures: tuple[DifferenceSignature, ...] = Field(min_length=1)
    example: DifferenceExample

    def is_shown_by(self, instance: Instance, answer: str, default: Verdict, other: Verdict) -> bool:
        """Whether two verdicts on the text of an answer show this difference; they are known to differ."""
        return other.verifier == self.verifier and any(
            signature.fits(instance, answer, default, other) for signature in self.signatures
        )


@cache
def known_differences(task: str) -> tuple[KnownDifference, ...]:
    """The known differences between the verifiers of a task, in the order of its page; none for foreign tasks."""
    path = FOLDER / f"{task}.json"
    if not path.is_file():
        return ()
    return tuple(KnownDifference.model_validate(row) for row in json.loads(path.read_text("utf-8"))["differences"])


def differences_of_rules(task: str) -> tuple[KnownDifference, ...]:
    """Those that are of rules: where a published verifier differs, not where the cross-check cannot tell."""
    return tuple(known for known in known_differences(task) if known.verifier != CROSSCHECK)


def recognised(address: str, answer: str, verdicts: Iterable[Verdict]) -> tuple[KnownDifference, ...]:
    """The known differences that these verdicts on one answer show; the first verdict is the default's.

    Raises:
        InstanceError: There is no instance of that address.
    """
    default, *others = verdicts
    task, instance = resolve(address)
    return tuple(
        known
        for known in known_differences(task.id)
        for other in others
        if default.disagrees_with(other) and known.is_shown_by(instance, answer, default, other)
    )


def _failed(verdict: Verdict) -> set[str]:
    return {check.name for check in verdict.checks if check.state is State.FAILED}


def _messages(verdict: Verdict) -> list[str]:
    problems = [problem.message for check in verdict.checks for problem in check.problems]
    return [*(check.message for check in verdict.checks if check.state is State.FAILED), *problems, *verdict.warnings]
