"""Imports a log of Inspect as attempts: what it holds is written as an export in JSON lines, and that is restored.

A sample of a log that `export` wrote carries its own line. A sample of `inspect eval spatial_workbench/…` has the
verdicts with its score, the record of an agent's run in its store, and every request among its events. What another
scorer says is kept as their score.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import InstanceError, Progress, resolve, silent, task_of_address
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.extras import how_to_get, is_installed
from spatial_workbench.engine.core.reading.limits import well_formed
from spatial_workbench.engine.evaluation.attempt_lines import (
    AttemptLine,
    BatchLine,
    Header,
    ReplyLine,
    TryLine,
    UsageLine,
)
from spatial_workbench.engine.evaluation.collect import NAMELESS
from spatial_workbench.engine.evaluation.importing.json_lines import (
    AlreadyThere,
    CannotRestore,
    RestoreOutcome,
    restore,
)
from spatial_workbench.engine.evaluation.inspect_data import (
    LINE,
    SINCE,
    TRANSCRIPT,
    edits_of,
    packed_log,
    packed_sample,
)
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.models import ModelSettings, Provider
from spatial_workbench.engine.models.contracts import ErrorKind, Response, Try, Usage
from spatial_workbench.engine.store import Actor, BatchState, ItemState, Override, Project, StoredItem, time_text
from spatial_workbench.engine.store.facts import AS_IMPORTED, THEIR_SCORE

_FINISHES = {"max_tokens": "length"}
_STATES = {"success": BatchState.FINISHED, "cancelled": BatchState.CANCELLED}
_AGENT_SETTINGS = ("uses_code", "reward", "max_steps", "minutes", "step_seconds", "options")
_BATCH = 1
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's values for correct, partly correct, incorrect, and no answer."""


def is_log(path: Path) -> bool:
    """Whether the name of a file is that of a log of Inspect."""
    return path.suffix == ".eval"


def restore_log(project: Project, path: Path, again: bool = False, progress: Progress = silent) -> RestoreOutcome:
    """Stores the samples of a log as attempts and questions without an answer. If this raises, nothing is stored.

    Raises:
        AlreadyThere, Cancelled: As in `restore`.
        CannotRestore: Inspect is not installed, or the file is not a log about tasks of ours.
        OSError: The file cannot be read.
    """
    if not is_installed("inspect"):
        raise CannotRestore(how_to_get("inspect"))
    log = _read(path)
    count = project.inspect_logs.count_of(log.eval.eval_id)
    if count and not again:
        raise AlreadyThere(count, max(count, len(log.samples or ())))
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / path.with_suffix(".jsonl").name
        with lines.open("w", encoding="utf-8", newline="\n") as file:
            for line in lines_of_log(log, path.name):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return restore(project, lines, again, progress)


def lines_of_log(log: Any, name: str) -> Iterator[dict[str, Any]]:
    """The contents of a log as the lines of an export; `name` is the name of the log in error messages.

    Raises:
        CannotRestore: No sample is about a task of ours.
    """
    samples = list(log.samples or ())
    carried = [sample.metadata.get(LINE) for sample in samples]
    header = (log.eval.metadata or {}).get(LINE)
    if header is not None and any(carried):
        yield header
        for sample, line in zip(samples, carried, strict=True):
            if line:
                yield _carried_or_as_it_is(_whole(sample), line)
        return
    asked = [sample for sample in samples if _address(sample) is not None]
    if not asked:
        raise CannotRestore(f"“{name}” holds no sample about a task of this workbench.")
    others = [(place, sample) for place, sample in enumerate(samples) if _address(sample) is None]
    kept = {"inspect": packed_log(log, others), "inspect_id": log.eval.eval_id}
    yield _header(log, asked, kept).as_data
    for position, sample in enumerate(asked):
        yield _with_what_is_kept(_line(log, _whole(sample), position), sample).as_data


def _whole(sample: Any) -> Any:
    """A sample with its long texts and pictures in their places."""
    return import_module("inspect_ai.log").resolve_sample_attachments(sample, "full")


def _carried_or_as_it_is(sample: Any, line: Mapping[str, Any]) -> dict[str, Any]:
    """A line that is not sound is told when it is restored."""
    try:
        return _carried(sample, line)
    except ValueError:
        return dict(line)


def _carried(sample: Any, line: Mapping[str, Any]) -> dict[str, Any]:
    """The line of a sample, with the bodies of its requests, and with what people edited in Inspect since."""
    parts = AttemptLine.model_validate(line)
    tries = [_with_body(request, event) for request, event in zip(parts.tries, _calls(sample), strict=False)]
    known = {(one.person or NAMELESS, one.score, time_text(one.at)) for one in _overrides(parts)}
    edits = [edit for edit in edits_of(sample) if (edit["person"], edit["score"], _moment(edit["at"])) not in known]
    return {
        **line,
        "tries": [request.as_data for request in (*tries, *parts.tries[len(tries) :])],
        "overrides": [*parts.overrides, *(edits if parts.attempt is not None else ())],
    }


def _with_body(request: TryLine, event: Any) -> TryLine:
    if event.call is None:
        return request
    sent = json.dumps(event.call.request, ensure_ascii=False)
    return request.model_copy(update={"record": {**request.record, "sent": sent}})


def _overrides(line: AttemptLine) -> list[Override]:
    return [Override.model_validate({"attempt": 0} | data) for data in line.overrides]


def _moment(text: str) -> str:
    return time_text(datetime.fromisoformat(text))


def _with_what_is_kept(line: AttemptLine, sample: Any) -> AttemptLine:
    """A line with the sample that it was made of, and with what people added before it was exported."""
    since = sample.metadata.get(SINCE)
    added = (
        AttemptLine.model_validate({**line.model_dump(mode="json"), **since}) if isinstance(since, Mapping) else line
    )
    packed = packed_sample(sample)
    return added if packed is None else added.model_copy(update={"inspect": packed})


def _read(path: Path) -> Any:
    """The log as it is in its file: long texts and pictures stand once, beside each sample."""
    logs = import_module("inspect_ai.log")
    if not path.is_file():
        raise FileNotFoundError(f"There is no file “{path}”.")
    try:
        return logs.read_eval_log(str(path), resolve_attachments=False)
    except Exception as error:
        raise CannotRestore(f"“{path.name}” cannot be read as a log of Inspect: {error}") from None


def _address(sample: Any) -> str | None:
    """The instance that a sample is about; None if there is none of that name."""
    try:
        return resolve(str(sample.metadata.get("address") or sample.id))[1].address
    except InstanceError:
        return None


# The batch -----------------------------------------------------------------------------------------------------------


def _header(log: Any, samples: Sequence[Any], kept: Mapping[str, Any]) -> Header:
    plan = BatchPlan(
        name=f"{log.eval.task_display_name or log.eval.task} ({log.eval.model})",
        contenders=(Contender(settings=_settings(log)),),
        addresses=tuple(dict.fromkeys(filter(None, map(_address, samples)))),
        repeats=max(1, max(sample.epoch for sample in samples)),
        agent=_agent((log.eval.task_args or {}) | (log.eval.solver_args or {}), samples),
    )
    batch = BatchLine(
        number=_BATCH,
        name=plan.name,
        state=_STATES.get(log.status, BatchState.PAUSED),
        note=log.error.message if log.error else "",
        created_at=datetime.fromisoformat(log.eval.created),
        plan=plan,
        **kept,
    )
    return Header.about(batch)


def _settings(log: Any) -> ModelSettings:
    """The settings as far as ours have them; the answers count as recorded ones."""
    config = log.eval.model_generate_config.model_copy(
        update=log.plan.config.model_dump(exclude_none=True, include={"max_tokens", "temperature", "top_p"})
    )
    return ModelSettings(
        name=log.eval.model,
        provider=Provider.RECORDED,
        model=log.eval.model,
        max_output_tokens=config.max_tokens,
        temperature=config.temperature,
        top_p=config.top_p,
    )


def _agent(arguments: Mapping[str, Any], samples: Sequence[Any]) -> AgentPlan | None:
    """How the agent played; None if none did."""
    runs = [sample.store[TRANSCRIPT] for sample in samples if TRANSCRIPT in (sample.store or {})]
    given = {name: arguments[name] for name in _AGENT_SETTINGS if arguments.get(name) is not None}
    if runs and runs[0]["kind"] == HANDS:
        return AgentPlan.model_validate(given | {"kind": HANDS, "options": runs[0]["record"]["options"]})
    records = [run["record"] for run in runs]
    kind = arguments.get("agent") or next((record.get("agent") or record.get("workflow") for record in records), None)
    return AgentPlan.model_validate({"kind": kind} | given) if kind else None


# Samples -------------------------------------------------------------------------------------------------------------


def _line(log: Any, sample: Any, position: int) -> AttemptLine:
    verdicts = [*_verdicts(sample), *_their_verdict(log, sample)]
    tries = _tries(sample)
    run = (sample.store or {}).get(TRANSCRIPT)
    error = sample.error.message if sample.error else None if verdicts else "The answer was not judged."
    replies = _replies(sample, tries, run)
    line = AttemptLine(
        task=sample.metadata.get("task") or task_of_address(str(_address(sample))),
        instance=str(_address(sample)),
        model=log.eval.model,
        text=sample.output.completion,
        reasoning=_reasoning(sample.output) if run is None else _joined(reply.reasoning for reply in replies),
        finish_reason=_finish_of(sample, replies, run),
        usage=_sum_of([UsageLine.model_validate(reply.response["usage"]) for reply in replies]),
        cost_usd=_total([one_try.cost_usd for one_try in tries if one_try.error is None]),
        seconds=round(sum(one_try.seconds for one_try in tries), 3),
        batch=_BATCH,
        item=_item(sample, position, error),
        actor=Actor.MODEL,
        tools=False,
        budget=_settings(log).max_output_tokens,
        prompt=_prompt(sample),
        replies=tuple(replies),
        tries=tuple(map(_try_line, tries)),
    )
    if error is not None:
        return line
    return line.model_copy(
        update={
            "attempt": position + 1,
            "submitted_at": datetime.fromisoformat(sample.completed_at or log.eval.created),
            "answer": well_formed(sample.output.completion),
            "verdicts": tuple(verdicts),
            "overrides": tuple(edits_of(sample)),
            "transcript_kind": run["kind"] if run else None,
            "transcript": run["record"] if run else None,
        }
    )


def _item(sample: Any, position: int, error: str | None) -> StoredItem:
    return StoredItem(
        position=position,
        lead=position,
        model=0,
        repeat=sample.epoch - 1,
        state=ItemState.DONE if error is None else ItemState.ERROR,
        is_answered=error is None,
        error=None if error is None else "inspect",
        message=error,
    )


def _verdicts(sample: Any) -> list[dict[str, Any]]:
    """The verdicts of the first score that has any, each with its time."""
    for score in (sample.scores or {}).values():
        known = score.history[0].metadata if score.history else score.metadata
        if isinstance(known, Mapping) and known.get("verdicts"):
            return [{"at": known["at"]} | verdict for verdict in known["verdicts"]]
    return []


def _their_verdict(log: Any, sample: Any) -> Iterator[dict[str, Any]]:
    """The first score of another scorer that is a share, as it was before edits, as a verdict without checks."""
    for score in (sample.scores or {}).values():
        first = score.history[0] if score.history else score
        share = _share(first.value)
        if share is not None and "verdicts" not in (first.metadata or {}):
            yield {
                "at": sample.completed_at or log.eval.created,
                "instance": _address(sample),
                "verifier": THEIR_SCORE,
                "version": AS_IMPORTED,
                "score": share,
                "passed": share == 1,
            }
            return


def _share(value: Any) -> float | None:
    """A score of Inspect from 0 to 1, which may be a letter; None: it is on another scale."""
    if isinstance(value, str):
        return _LETTERS.get(value)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


# What was asked ------------------------------------------------------------------------------------------------------


def _calls(sample: Any) -> list[Any]:
    return [event for event in sample.events or () if event.event == "model" and not event.pending]


def _tries(sample: Any) -> list[Try]:
    return [_try_of(number, event) for number, event in enumerate(_calls(sample), 1)]


def _try_of(number: int, event: Any) -> Try:
    output = event.output
    is_answered = event.error is None
    seconds = event.working_time if event.working_time is not None else _between(event.timestamp, event.completed)
    sent = {"model": event.model, "config": event.config.model_dump(mode="json", exclude_none=True)}
    return Try(
        number=number,
        started_at=event.timestamp,
        waited_s=0.0,
        seconds=round(seconds, 3),
        sent=json.dumps(sent, ensure_ascii=False),
        request_id=next((known.id for known in event.request_ids or () if hasattr(known, "id")), None),
        error=None if is_answered else ErrorKind.SERVER,
        message=event.error or "",
        finish_reason=_finish(output) if is_answered else None,
        text=output.completion,
        reasoning=_reasoning(output),
        usage=_usage(output.usage),
        cost_usd=output.usage.total_cost if output.usage else None,
    )


def _try_line(one_try: Try) -> TryLine:
    return TryLine(
        started_at=one_try.started_at,
        seconds=one_try.seconds,
        error=one_try.error.value if one_try.error else None,
        output_tokens=one_try.usage.output_tokens,
        cost_usd=one_try.cost_usd,
        record=one_try.model_dump(mode="json"),
    )


def _replies(sample: Any, tries: Sequence[Try], run: Mapping[str, Any] | None) -> list[ReplyLine]:
    """The replies of the model: to a single question the one that was judged, in an agent's run one for each step."""
    answered = [(event, one) for event, one in zip(_calls(sample), tries, strict=True) if one.error is None]
    if run is None:
        answered = answered[-1:]
    return [_reply(number, event, one) for number, (event, one) in enumerate(answered)]


def _reply(number: int, event: Any, one_try: Try) -> ReplyLine:
    response = Response(
        text=one_try.text,
        reasoning=one_try.reasoning,
        finish_reason=one_try.finish_reason or "stop",
        structured="native" if event.config.response_schema else "none",
        usage=one_try.usage,
        cost_usd=one_try.cost_usd,
        seconds=one_try.seconds,
        request_id=one_try.request_id,
        model=event.output.model or event.model,
    )
    return ReplyLine(
        number=number,
        text=one_try.text,
        reasoning=one_try.reasoning,
        prompt=_question(event.input),
        response=response.model_dump(mode="json", exclude={"text", "reasoning", "tries"}),
    )


def _question(messages: Sequence[Any]) -> str:
    """What was said since the model's last turn, without the system message."""
    since = takewhile(lambda message: message.role in ("user", "tool"), reversed(messages))
    return "\n".join(reversed([message.text for message in since]))


def _finish(output: Any) -> str | None:
    stop = output.stop_reason if output.choices else None
    return None if stop is None else _FINISHES.get(stop, stop)


def _finish_of(sample: Any, replies: Sequence[ReplyLine], run: Mapping[str, Any] | None) -> str | None:
    """Why the answer ended: a limit of Inspect, or what the endpoint said of the last reply."""
    if sample.limit is not None:
        return f"{sample.limit.type} limit"
    if run is None:
        return _finish(sample.output)
    return replies[-1].response["finish_reason"] if replies else None


def _reasoning(output: Any) -> str | None:
    if not output.choices or isinstance(output.message.content, str):
        return None
    thoughts = [part.reasoning or part.summary for part in output.message.content if part.type == "reasoning"]
    return _joined(thoughts)


def _usage(used: Any) -> Usage:
    """Inspect counts what came from a cache, or went into one, apart from the other input."""
    if used is None:
        return Usage()
    cached = used.input_tokens_cache_read
    return Usage(
        input_tokens=used.input_tokens + (cached or 0) + (used.input_tokens_cache_write or 0),
        cached_tokens=cached,
        output_tokens=used.output_tokens,
        reasoning_tokens=used.reasoning_tokens,
    )


def _sum_of(counts: Sequence[UsageLine]) -> UsageLine:
    return UsageLine(**{name: _total([getattr(count, name) for count in counts]) for name in UsageLine.model_fields})


def _total(values: Sequence[Any]) -> Any:
    """The sum; None if any value is unknown."""
    return None if not values or None in values else sum(values)


def _joined(texts: Iterable[str | None]) -> str | None:
    return "\n".join(filter(None, texts)) or None


def _prompt(sample: Any) -> str:
    if isinstance(sample.input, str):
        return sample.input
    return next((message.text for message in reversed(sample.input) if message.role == "user"), "")


def _between(began: datetime, ended: datetime | None) -> float:
    return 0.0 if ended is None else max(0.0, (ended - began).total_seconds())
