"""Logs of the evaluation framework Inspect, written by its own package, which is optional.

A log is a run: one model, with or without tools, on one task; or a log that was imported, as it was (`kept_logs`). A
sample is an attempt: its id is the address, its epoch the repeat from 1, and it has a score for each verifier, with the
checks as explanation. A question that ended without an attempt is a sample with its error and without a score, unless
it was left out, which counts 0, as in the results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

from spatial_workbench.engine.core import CannotRepresent, InstanceError, Progress, Verdict, resolve
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.cube.agent.records import RunRecord
from spatial_workbench.engine.evaluation.attempt_lines import AttemptLine
from spatial_workbench.engine.evaluation.collect import NAMELESS, contenders
from spatial_workbench.engine.evaluation.dossiers import ExportedDossier, Selection, dossiers, rows_of
from spatial_workbench.engine.evaluation.export.kept_logs import kept_log
from spatial_workbench.engine.evaluation.export.lines import header
from spatial_workbench.engine.evaluation.failure_modes import explanation_as_list
from spatial_workbench.engine.evaluation.inspect_data import LINE, MISSING
from spatial_workbench.engine.store import BatchItem, BatchState, Override, Project

_STOPS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter", "tool_calls": "tool_calls"}


def write_logs(project: Project, selection: Selection, path: Path, progress: Progress) -> Path:
    """Writes the log of a single run to a file, or those of several into a folder; returns the file or folder.

    Raises:
        CannotRepresent: The package is missing, or there is nothing to write.
        OSError, Cancelled: As in `export_runs`.
    """
    if find_spec("inspect_ai") is None:
        raise CannotRepresent(MISSING)
    runs = _runs(project, selection, progress)
    if not runs:
        raise CannotRepresent("There are no attempts to write.")
    if len(runs) == 1:
        path = path if path.suffix == ".eval" else path.with_name(path.name + ".eval")
        files = [path]
    else:
        path = path.with_suffix("") if path.suffix == ".eval" else path
        path.mkdir(exist_ok=True)
        files = [path / f"{number:02}-{_file_name(run)}.eval" for number, run in enumerate(runs, 1)]
    states = {row.number: row.state for row in project.batches.all()}
    for file, (run, chosen) in zip(files, runs.items(), strict=True):
        found = list(dossiers(project, chosen, progress))
        log = _kept(project, run.log, found) if run.log else log_of(found, states, header(project, chosen).as_data)
        with replacing(file) as part:
            _write_log(log, part)
    return path


@dataclass(frozen=True)
class LoggedRun:
    """What makes a log: a model, with or without tools, on one task; or an imported log, by its batch."""

    name: str
    task: str = ""
    tools: bool = False
    log: int | None = None


def _runs(project: Project, selection: Selection, progress: Progress) -> dict[LoggedRun, Selection]:
    """The selection, split into logs."""
    attempts: dict[LoggedRun, list[int]] = {}
    items: dict[LoggedRun, list[BatchItem]] = {}
    batches: dict[LoggedRun, set[int | None]] = {}
    asked = contenders(project, selection.batches)
    kept = {batch for batch in selection.batches if project.inspect_logs.log(batch) is not None}
    for row in rows_of(project, selection.attempts, progress):
        own = LoggedRun(row.actor_name, row.task, bool(row.tools))
        run = LoggedRun(row.actor_name, log=row.batch) if row.batch in kept else own
        attempts.setdefault(run, []).append(row.number)
        batches.setdefault(run, set()).add(row.batch)
    for item in selection.items:
        settings = asked[item.batch][item.model]
        own = LoggedRun(settings.name, item.task, settings.tools)
        run = LoggedRun(settings.name, log=item.batch) if item.batch in kept else own
        items.setdefault(run, []).append(item)
        batches.setdefault(run, set()).add(item.batch)
    return {
        run: Selection(
            attempts.get(run, []), items.get(run, []), [batch for batch in selection.batches if batch in batches[run]]
        )
        for run in batches
    }


def _kept(project: Project, batch: int, run: Sequence[ExportedDossier]) -> Any:
    """The log that a batch was imported from. Raises CannotRepresent."""
    packed = project.inspect_logs.log(batch)
    assert packed is not None
    return kept_log(packed, run, len(run) == len(project.items.of_batch(batch)), _sample)


def log_of(run: Sequence[ExportedDossier], states: Mapping[int, BatchState], about: Mapping[str, Any]) -> Any:
    """The `EvalLog` of one run's dossiers, at least one.

    Args:
        states: The states of the batches by number.
        about: The batches, as in the first line of an export in JSON lines.
    """
    log = import_module("inspect_ai.log")
    first = run[0]
    settings = first.settings
    tasks = sorted({dossier.task for dossier in run})
    batches = sorted({dossier.batch for dossier in run if dossier.batch is not None})
    samples = [_sample(dossier) for dossier in run]
    return log.EvalLog(
        status=_status([states[batch] for batch in batches]),
        eval=log.EvalSpec(
            created=samples[0].completed_at or _utc(datetime.now(UTC)),
            task=tasks[0] if len(tasks) == 1 else "spatial_workbench",
            task_display_name=first.batch_name,
            dataset=log.EvalDataset(
                name="Spatial Workbench",
                samples=len({dossier.address for dossier in run}),
                sample_ids=sorted({dossier.address for dossier in run}),
            ),
            model=first.name,
            model_base_url=settings.base_url if settings else None,
            config=log.EvalConfig(epochs=1 + max(dossier.repeat for dossier in run), fail_on_error=False),
            metadata={
                "batches": batches,
                "settings": settings.model_dump(mode="json") if settings else None,
                "tools": bool(first.tools),
                LINE: about,
            },
        ),
        results=_results(run, samples),
        stats=_stats(samples),
        samples=samples,
    )


def _status(states: Sequence[BatchState]) -> str:
    """Whether the run was completed. A sample with an error does not make the run an error."""
    if BatchState.CANCELLED in states:
        return "cancelled"
    return "started" if {BatchState.RUNNING, BatchState.PAUSED} & set(states) else "success"


def _stats(samples: Sequence[Any]) -> Any:
    log = import_module("inspect_ai.log")
    model = import_module("inspect_ai.model")
    usage: dict[str, Any] = {}
    for sample in samples:
        for name, used in sample.model_usage.items():
            usage[name] = usage.get(name, model.ModelUsage()) + used
    begins = [sample.started_at for sample in samples if sample.started_at]
    ends = [sample.completed_at for sample in samples if sample.completed_at]
    return log.EvalStats(
        started_at=min([*begins, *ends], default=""), completed_at=max(ends, default=""), model_usage=usage
    )


def _write_log(log: Any, path: Path) -> None:
    import_module("inspect_ai.log").write_eval_log(log, str(path), format="eval")


def _results(run: Sequence[ExportedDossier], samples: Sequence[Any]) -> Any:
    log = import_module("inspect_ai.log")
    values: dict[str, list[float]] = {}
    for sample in samples:
        for name, score in sample.scores.items():
            values.setdefault(name, []).append(score.value)
    scores = [
        log.EvalScore(
            name=name,
            scorer=name,
            scored_samples=len(of),
            unscored_samples=len(run) - len(of),
            metrics={"mean": log.EvalMetric(name="mean", value=fmean(of))},
        )
        for name, of in values.items()
    ]
    completed = sum(sample.error is None for sample in samples)
    return log.EvalResults(total_samples=len(run), completed_samples=completed, scores=scores)


def _sample(dossier: ExportedDossier) -> Any:
    row = dossier.row
    messages, prompt = _messages(dossier)
    output = _output(dossier, messages[-1])
    began, ended = _times(dossier)
    return import_module("inspect_ai.log").EvalSample(
        id=dossier.address,
        epoch=dossier.repeat + 1,
        input=prompt,
        target="",
        messages=messages,
        output=output,
        scores=_scores(dossier),
        error=_error(dossier),
        model_usage={dossier.name: output.usage} if output.usage else {},
        started_at=began,
        completed_at=ended,
        total_time=row.seconds if row else None,
        working_time=row.seconds if row else None,
        metadata={
            "attempt": row.number if row else None,
            "batch": dossier.batch,
            "actor": dossier.actor.value,
            "solving_aids": row.solving_aids if row else 0,
            "explored": row.explored if row else False,
            "answer": dossier.stored.answer if dossier.stored else None,
            "passed": dossier.passed,
            "budget": dossier.budget,
            **dossier.parameters,
            "cost_usd": row.cost_usd if row else None,
            "failure_mode": row.label if row else None,
            "finish_reason": row.finish_reason if row else None,
            "how_read": dossier.how_read,
            "mending": dossier.mending,
            "state": dossier.placed.item.state.value if dossier.placed else None,
            LINE: AttemptLine.of(dossier).as_data,
        },
    )


def _times(dossier: ExportedDossier) -> tuple[str | None, str | None]:
    """When the question or the work began and ended, as far as known."""
    ended = dossier.ended_at
    began = dossier.tries[0].started_at if dossier.tries else None
    if began is None and ended is not None and dossier.row and dossier.row.seconds is not None:
        began = ended - timedelta(seconds=dossier.row.seconds)
    return (_utc(began) if began else None), (_utc(ended) if ended else None)


def _error(dossier: ExportedDossier) -> Any:
    if dossier.error is None:
        return None
    detail = dossier.placed.item.message if dossier.placed else None
    message = ": ".join(filter(None, (dossier.error, detail)))
    return import_module("inspect_ai.log").EvalError(message=message, traceback="", traceback_ansi="")


def _messages(dossier: ExportedDossier) -> tuple[list[Any], str]:
    """The turns of the conversation, and the prompt; an agent's run has the steps of its transcript."""
    model = import_module("inspect_ai.model")
    prompt = dossier.prompt if dossier.prompt is not None else _prompt_of(dossier.address)
    messages = [model.ChatMessageUser(content=prompt)]
    if dossier.text is None:
        return messages, prompt
    if dossier.transcript is None:
        content = [model.ContentText(text=dossier.text)]
        if dossier.reasoning:
            content.insert(0, model.ContentReasoning(reasoning=dossier.reasoning))
        return [*messages, model.ChatMessageAssistant(content=content, model=dossier.name)], prompt
    steps = RunRecord.model_validate_json(dossier.transcript.record).steps
    for step in steps:
        messages.append(model.ChatMessageAssistant(content=step.reply, model=dossier.name))
        messages.append(model.ChatMessageUser(content=step.observation))
    return [*messages, model.ChatMessageAssistant(content=dossier.text, model=dossier.name)], prompt


def _output(dossier: ExportedDossier, last: Any) -> Any:
    model = import_module("inspect_ai.model")
    row = dossier.row
    if dossier.text is None:
        return model.ModelOutput(model=dossier.name, error=dossier.error, usage=_usage(dossier))
    stop = _STOPS.get((row.finish_reason if row else None) or "stop", "unknown")
    choice = model.ChatCompletionChoice(message=last, stop_reason=stop)
    seconds = row.seconds if row else None
    return model.ModelOutput(model=dossier.name, choices=[choice], usage=_usage(dossier), time=seconds)


def _usage(dossier: ExportedDossier) -> Any:
    """The tokens used, for a failed question those of all its requests; None if they are unknown."""
    row = dossier.row
    if row is None:
        counts: Any = {"output_tokens": sum(request.output_tokens or 0 for request in dossier.tries)}
        is_known = any(request.output_tokens is not None for request in dossier.tries) and _is_lead(dossier)
    else:
        counts = {name: getattr(row, name) or 0 for name in ("input_tokens", "output_tokens")}
        counts |= {"reasoning_tokens": row.reasoning_tokens, "total_cost": row.cost_usd}
        is_known = row.input_tokens is not None or row.output_tokens is not None
    total = sum(counts.get(name, 0) for name in ("input_tokens", "output_tokens"))
    return import_module("inspect_ai.model").ModelUsage(total_tokens=total, **counts) if is_known else None


def _is_lead(dossier: ExportedDossier) -> bool:
    return dossier.placed is None or dossier.placed.is_lead


def _scores(dossier: ExportedDossier) -> dict[str, Any]:
    """A score for each verifier. A person's score replaces the default's, which stays in its history."""
    scorer = import_module("inspect_ai.scorer")
    if dossier.stored is None:
        if dossier.score is None:
            return {}
        return {"default": scorer.Score(value=dossier.score, explanation=f"No answer was judged: {dossier.error}")}
    scores = {verdict.verifier: _score(scorer, verdict) for verdict in dossier.stored.newest_verdicts}
    override = dossier.standing_override
    if override is not None:
        scores["default"] = _overridden(scorer, scores.get("default"), override)
    return scores


def _overridden(scorer: Any, score: Any, override: Override) -> Any:
    """A person's score, with the one that it replaces, and who decided, when and why."""
    before = score or scorer.Score(value=0.0)
    provenance = import_module("inspect_ai.log").ProvenanceData(
        timestamp=override.at, author=override.person or NAMELESS, reason=override.reason
    )
    metadata = {**(before.metadata or {}), "passed": override.passed, "is_overridden": True}
    original = scorer.ScoreEdit(value=before.value, explanation=before.explanation, metadata=before.metadata or {})
    edit = scorer.ScoreEdit(value=override.score, explanation=override.reason, metadata=metadata, provenance=provenance)
    return scorer.Score(
        value=override.score,
        explanation=override.reason,
        metadata=metadata,
        history=[original, edit] if score else [edit],
    )


def _score(scorer: Any, verdict: Verdict) -> Any:
    return scorer.Score(
        value=verdict.score,
        explanation=explanation_as_list(verdict),
        metadata={
            "passed": verdict.passed,
            "version": verdict.version,
            "how_read": verdict.how_read,
            "checks": {check.name: check.state.value for check in verdict.checks},
        },
    )


def _prompt_of(address: str) -> str:
    """The prompt; the address if the task is not installed."""
    try:
        task, instance = resolve(address)
    except InstanceError:
        return address
    return task.prompt(instance).whole_text


def _utc(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _file_name(run: LoggedRun) -> str:
    named = f"{run.name or 'nameless'}{'-tools' if run.tools else ''}{run.task and '-'}{run.task}"
    return re.sub(r"[^\w.-]+", "_", named)[:120]
