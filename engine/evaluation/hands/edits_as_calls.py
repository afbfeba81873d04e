"""Attempts as calls of their task's commands: what a person did by gestures, and what a model did with hands.

A person's edits become calls that lead to the same answers, so that both can be read and replayed in the same form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from spatial_workbench.engine.core import Answer, Progress, resolve, silent
from spatial_workbench.engine.core.acting.commands import Call
from spatial_workbench.engine.core.acting.retelling import RetoldEdit, can_retell, retold
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.formats.patch import apply
from spatial_workbench.engine.evaluation.transcripts import PartKind, TranscriptPart, TranscriptStep
from spatial_workbench.engine.store import Edit, Project

NO_CALLS = "No call leads to this answer: it was typed or loaded, and commands would not build it."


class NoCallsKnown(ValueError):
    """An attempt cannot be told as calls; the message says why."""


def steps_of_edits(address: str, edits: Sequence[Edit], progress: Progress = silent) -> tuple[TranscriptStep, ...]:
    """A person's edits as a transcript in which each is a step with its calls.

    Raises:
        NoCallsKnown: They cannot be told as calls; says why.
        InstanceError: The instance is unknown.
        Cancelled: Raised by `progress`.
    """
    return tuple(
        TranscriptStep(tuple(_parts(edit.label, told)), edit.label, (edit.at - edits[0].at).total_seconds())
        for edit, told in zip(edits, _retold(address, edits, progress), strict=True)
    )


def calls_of_attempt(project: Project, number: int) -> list[Call]:
    """The calls that build the answer of a stored attempt from the empty one.

    Raises:
        KeyError: There is no such attempt.
        NoCallsKnown: It cannot be told as calls; says why.
        InstanceError: The instance is unknown.
    """
    transcript = project.attempts.transcript(number)
    if transcript is not None and transcript.kind == HANDS:
        return _calls_of_hands(transcript.record)
    attempt = project.attempts.get(number)
    edits = project.attempts.edits(number)
    if not edits:
        raise NoCallsKnown(f"Attempt {number} has no edits and no calls")
    told = list(_retold(attempt.address, edits))
    if not told[-1].is_exact:
        raise NoCallsKnown(NO_CALLS)
    return [call for edit in told for call in edit.calls]


def _retold(address: str, edits: Sequence[Edit], progress: Progress = silent) -> Iterator[RetoldEdit]:
    task, instance = resolve(address)
    if not can_retell(task):
        raise NoCallsKnown(f"{task.title} does not say which calls lead to its answers")

    def answers() -> Iterator[Answer]:
        data = task.empty(instance).model_dump(mode="json")
        for k, edit in enumerate(edits):
            progress(k, len(edits), edit.label)
            data = _patched(data, edit)
            yield task.parse(data)

    return retold(task, instance, answers())


def _patched(data: Any, edit: Edit) -> Any:
    try:
        return apply(data, edit.patch)
    except ValueError:
        raise NoCallsKnown("The edits cannot be replayed: they did not begin with the empty answer") from None


def _parts(label: str, told: RetoldEdit) -> Iterator[TranscriptPart]:
    for name, arguments in told.calls:
        yield TranscriptPart(PartKind.CALL, json.dumps(arguments, ensure_ascii=False) if arguments else "", name)
    if not told.is_exact:
        yield TranscriptPart(PartKind.RESULT, NO_CALLS, label, is_refused=True)


def _calls_of_hands(record: str) -> list[Call]:
    """The calls of a run with hands that changed the answer."""
    from spatial_workbench.engine.evaluation.hands.records import HandsRecord

    calls = HandsRecord.model_validate_json(record).calls
    return [(call.tool, call.arguments or {}) for call in calls if call.patch]
