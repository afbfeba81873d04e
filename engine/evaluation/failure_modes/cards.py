"""Task cards: what a judge is told about a task, in fixed sections.

The title and the form of the answer come from the task itself. What only a person can say (intent, common malformed
answers, what a failing check hints at, tie-breaks) is data: resources/evaluation/cards/<task>.json, or <family>.json
for tasks that share a card. Its checks are those of the verifiers; a test compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Task
from spatial_workbench.engine.core.verdict import READABLE
from spatial_workbench.engine.evaluation.failure_modes.labels import FailureMode
from spatial_workbench.engine.models.structured import strict

_NUMBER = r"-?\d+(?:\.\d+)?"
_SHORT = {
    "evasion": FailureMode.EVASION,
    "trivialized": FailureMode.TRIVIALIZED,
    "near-miss": FailureMode.NEAR_MISS,
    "local-only": FailureMode.LOCAL_ONLY,
    "runaway": FailureMode.RUNAWAY,
}


class Signal(BaseModel):
    """A check of a verifier and what its failure hints at."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    check: str = Field(description="Name of the check; # stands for any number")
    failed: str = Field(description="What it means when it fails")
    labels: tuple[FailureMode, ...] = Field(min_length=1, description="Likely labels, the likelier first")
    verifier: str = Field(default="default", description="Which verifier makes the check")

    def names(self, check: str) -> bool:
        """Whether the signal is about the check of that name."""
        pattern = re.escape(self.check).replace(re.escape("#"), _NUMBER)
        return re.fullmatch(pattern, check) is not None


class TaskCard(BaseModel):
    """What people wrote about a task for the judge."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    intent: str
    malformed: tuple[str, ...] = Field(default=(), description="Usual answers that break the form")
    constraints: tuple[str, ...] = Field(default=(), description="Rules that no check has in its name")
    signals: tuple[Signal, ...] = Field(default=(), description="In the order in which the verifier checks")
    tie_breaks: Mapping[FailureMode, str] = Field(default_factory=dict, description="A cue for each label")

    def signal_of(self, check: str) -> Signal | None:
        """The signal about a check."""
        return next((signal for signal in (UNREADABLE, *self.signals) if signal.names(check)), None)


UNREADABLE = Signal(
    check=READABLE,
    failed="No answer of the right form was found; the message says what is wrong with it. Nothing else was checked.",
    labels=(FailureMode.EVASION, FailureMode.TRIVIALIZED),
)
"""The signal that every task has."""


@cache
def card_of(task: Task[Any]) -> TaskCard:
    """The card of a task; a task without one has only its summary as intent."""
    folder = task.resources().joinpath("evaluation", "cards")
    for name in (task.id, task.family.id):
        file = folder.joinpath(f"{name}.json")
        if file.is_file():
            return TaskCard.model_validate(_spelled_out(json.loads(file.read_text("utf-8"))))
    return TaskCard(intent=task.summary)


def card_text(task: Task[Any]) -> str:
    """The card as it appears in a request."""
    card = card_of(task)
    return "\n\n".join(
        [
            f"# Task card: {task.title} ({task.id})",
            f"## Intent\n{card.intent}",
            f"## Output contract\n{_contract(task, card)}",
            f"## Hard constraints\n{_lines(_constraints(card))}",
            f"## Verifier signals\n{_signal_table(card)}",
            f"## Tie-breaks\n{_lines(f'{label}: {cue}' for label, cue in _cues(card))}",
            f"## To do\n{_CLOSING}",
        ]
    )


_CLOSING = (
    "For each attempt read the prompt, the raw output, the reasoning where there is some, and what the verifier says; "
    "then answer with the JSON object of decisions that the system message describes."
)
_NOT_A_FORM = "No usual malformed answers are known."


def _contract(task: Task[Any], card: TaskCard) -> str:
    if task.answer_format == "text":
        form = "Plain text, no JSON."
    else:
        form = f"One JSON object by this schema: {json.dumps(strict(task.schema()), ensure_ascii=False)}"
    usual = _lines(card.malformed) if card.malformed else _NOT_A_FORM
    return f"{form}\nUsual malformed answers:\n{usual}"


def _constraints(card: TaskCard) -> Iterator[str]:
    """The checks of the default verifier, whose names state requirements, then further constraints."""
    yield from (signal.check for signal in card.signals if signal.verifier == "default")
    yield from card.constraints


def _signal_table(card: TaskCard) -> str:
    rows = [
        f"| {_named(signal)} | {signal.failed} | {'; '.join(signal.labels)} |" for signal in (UNREADABLE, *card.signals)
    ]
    head = ["| check that fails | meaning | likely labels |", "|---|---|---|"]
    note = ["# stands for any number."] if any("#" in signal.check for signal in card.signals) else []
    return "\n".join([*head, *rows, *note])


def _named(signal: Signal) -> str:
    return signal.check if signal.verifier == "default" else f"{signal.check} (verifier “{signal.verifier}”)"


def _cues(card: TaskCard) -> Iterator[tuple[FailureMode, str]]:
    yield from ((label, card.tie_breaks.get(label, label.signs)) for label in FailureMode)


def _lines(lines: Iterator[str] | tuple[str, ...]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _spelled_out(data: dict[str, Any]) -> dict[str, Any]:
    """Replaces the one-word names of labels in card files with the labels."""
    for signal in data.get("signals", ()):
        signal["labels"] = [_SHORT[name] for name in signal["labels"]]
    return data | {"tie_breaks": {_SHORT[name]: cue for name, cue in data.get("tie_breaks", {}).items()}}
