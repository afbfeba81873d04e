"""One transcript for all that a model did: single questions with hosted tools, agents, workflows, and hands.

A transcript is made of what is stored: the model's replies as they came, and the record of an agent's run, which adds
what its tools said and showed. While a run goes on, there are only replies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store import Project, StoredReply, Transcript


class PartKind(StrEnum):
    """What a part of a transcript is."""

    TOLD = "told"
    REASONING = "reasoning"
    REPLY = "reply"
    CALL = "call"
    RESULT = "result"
    CODE = "code"
    OUTPUT = "output"
    SEARCH = "search"


@dataclass(frozen=True)
class TranscriptPart:
    """Something that was said, done or shown.

    Attributes:
        name: Such as the name of a tool; empty where the kind says it all.
        pictures: PNG files.
        is_refused: Whether a call did nothing.
    """

    kind: PartKind
    text: str
    name: str = ""
    pictures: tuple[bytes, ...] = ()
    is_refused: bool = False


@dataclass(frozen=True)
class TranscriptStep:
    """A reply of the model with what led to it and what came of it; None where a figure is not known.

    Attributes:
        title: What the step is besides its number, such as the role that was asked.
        seconds: How long the reply took, or for calls without a reply, since the run began.
    """

    parts: tuple[TranscriptPart, ...]
    title: str = ""
    seconds: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


def read_transcript(project: Project, item: int | None, attempt: int | None) -> tuple[TranscriptStep, ...]:
    """The transcript of an item of a batch, of an attempt, or of both; empty if nothing is stored.

    Raises:
        ValueError: The record of the run cannot be read.
    """
    replies = () if item is None else project.runs.replies(item)
    record = None if attempt is None else project.attempts.transcript(attempt)
    return transcript_of(replies, record, project.runs.prompt_text)


def transcript_of(
    replies: Sequence[StoredReply], record: Transcript | None, prompt_text: Callable[[int], str]
) -> tuple[TranscriptStep, ...]:
    """The steps of stored replies and the record of a run. Raises ValueError if the record cannot be read."""
    steps = [_step_of(reply, prompt_text) for reply in replies]
    if record is None:
        return tuple(steps)
    known = _READERS.get(record.kind)
    if known is None:
        return tuple(steps)
    recorded = list(known(record.record))
    if not steps:
        return tuple(recorded)
    return tuple(_joined(steps, recorded))


def has_more_than_a_reply(steps: Sequence[TranscriptStep]) -> bool:
    """Whether there is something to read besides one prompt and one reply."""
    kinds = {part.kind for step in steps for part in step.parts}
    return len(steps) > 1 or bool(kinds - {PartKind.TOLD, PartKind.REASONING, PartKind.REPLY})


def calls_done(steps: Sequence[TranscriptStep]) -> list[dict[str, Any]]:
    """The calls of tools that were not refused, each as {"tool": name, "arguments": {...}}."""
    calls = []
    for step in steps:
        for part, following in zip(step.parts, (*step.parts[1:], None), strict=True):
            is_refused = following is not None and following.kind is PartKind.RESULT and following.is_refused
            if part.kind is PartKind.CALL and not is_refused:
                calls.append({"tool": part.name, "arguments": _read_arguments(part.text)})
    return calls


def _read_arguments(text: str) -> Any:
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return text


def _joined(steps: Sequence[TranscriptStep], recorded: Sequence[TranscriptStep]) -> Iterator[TranscriptStep]:
    """Replies with what the record adds to each; the record has the better account of what was told in between."""
    for k, step in enumerate(steps):
        added = recorded[k] if k < len(recorded) else TranscriptStep(())
        asked = [part for part in step.parts if k == 0 or added.title or part.kind is not PartKind.TOLD]
        done = [part for part in added.parts if part.kind not in (PartKind.TOLD, PartKind.REPLY)]
        hosted = [part for part in asked if part.kind is not PartKind.CALL or not done]
        yield TranscriptStep(
            (*hosted, *done), added.title, step.seconds, step.tokens_in, step.tokens_out, step.cost_usd
        )


def _step_of(reply: StoredReply, prompt_text: Callable[[int], str]) -> TranscriptStep:
    record = _data(reply.record)
    parts = [] if reply.prompt is None else _texts(PartKind.TOLD, prompt_text(reply.prompt))
    parts += _texts(PartKind.REASONING, reply.reasoning or "")
    for call in record.get("tool_calls") or ():
        parts += _hosted(call)
    parts += _texts(PartKind.REPLY, reply.text)
    usage = record.get("usage") or {}
    return TranscriptStep(
        tuple(parts),
        seconds=record.get("seconds"),
        tokens_in=usage.get("input_tokens"),
        tokens_out=usage.get("output_tokens"),
        cost_usd=record.get("cost_usd"),
    )


def _hosted(call: Mapping[str, Any]) -> list[TranscriptPart]:
    """A call of a tool: what was asked, and what came of it."""
    name = str(call.get("tool", ""))
    kind = PartKind.SEARCH if "search" in name else PartKind.CODE if "code" in name else PartKind.CALL
    asked = TranscriptPart(kind, str(call.get("input", "")), name)
    return [asked, *(TranscriptPart(PartKind.OUTPUT, text, name) for text in [str(call.get("output", ""))] if text)]


def _texts(kind: PartKind, text: str) -> list[TranscriptPart]:
    return [TranscriptPart(kind, text)] if text.strip() else []


def _data(text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


# Records -------------------------------------------------------------------------------------------------------------


def _of_hands(record: str) -> Iterator[TranscriptStep]:
    from spatial_workbench.engine.evaluation.hands.records import HandsRecord

    run = HandsRecord.model_validate_json(record)
    for k, step in enumerate(run.steps):
        parts = _texts(PartKind.TOLD, run.first_message) if k == 0 else []
        parts += _texts(PartKind.REPLY, step.reply)
        for call in step.calls:
            parts.append(TranscriptPart(PartKind.CALL, _arguments(call.arguments), call.tool))
            parts.append(TranscriptPart(PartKind.RESULT, call.result, call.tool, call.pictures, call.is_refused))
        if not step.calls or run.options.acts_by == "programs":
            parts += _texts(PartKind.OUTPUT, step.told)
        yield TranscriptStep(tuple(parts), "", step.seconds, step.tokens_in, step.tokens_out, step.cost_usd)


def _of_cube(record: str) -> Iterator[TranscriptStep]:
    from spatial_workbench.engine.cube.agent import RunRecord

    for step in RunRecord.model_validate_json(record).steps:
        parts = _texts(PartKind.REPLY, step.reply)
        parts += _texts(PartKind.CODE, step.code)
        for call in step.calls:
            parts.append(TranscriptPart(PartKind.CALL, call.argument, call.tool))
            parts.append(TranscriptPart(PartKind.RESULT, call.result, call.tool, is_refused=not call.accepted))
        parts.append(TranscriptPart(PartKind.OUTPUT, step.observation, pictures=step.pictures))
        yield TranscriptStep(tuple(parts), "", step.seconds, step.tokens_in, step.tokens_out, step.cost_usd)


def _of_workflow(record: str) -> Iterator[TranscriptStep]:
    from spatial_workbench.engine.machines.designing.workflow_records import WorkflowRecord

    run = WorkflowRecord.model_validate_json(record)
    made: dict[int, list[Any]] = {}
    for machine in run.machines:
        made.setdefault(machine.call, []).append(machine)
    for k, call in enumerate(run.calls):
        parts = _texts(PartKind.TOLD, call.prompt) + _texts(PartKind.REPLY, call.answer)
        if call.error:
            parts.append(TranscriptPart(PartKind.RESULT, call.error, is_refused=True))
        for machine in made.get(k, ()):
            parts.append(TranscriptPart(PartKind.RESULT, _machine_words(machine), f"machine {machine.id}"))
        yield TranscriptStep(tuple(parts), call.role.value)


def _machine_words(machine: Any) -> str:
    score = "not simulated" if machine.score is None else f"score {machine.score:.4g}"
    lines = [f"{counted(len(machine.tree), 'block')}, {score}", *machine.faults]
    return "\n".join([*lines, *filter(None, [machine.fault, machine.feedback])])


def _arguments(arguments: Any) -> str:
    if arguments in (None, {}):
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


_READERS: Mapping[str, Callable[[str], Iterator[TranscriptStep]]] = {
    HANDS: _of_hands,
    "cube": _of_cube,
    "machine": _of_workflow,
}
