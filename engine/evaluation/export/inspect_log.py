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
from itertools import takewhile
from pathlib import Path
from statistics import fmean
from typing import Any

from spatial_workbench.engine.core import CannotRepresent, InstanceError, Progress, Verdict, resolve
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.extras import how_to_get, is_installed
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.attempt_lines import AttemptLine
from spatial_workbench.engine.evaluation.collect import NAMELESS, contenders
from spatial_workbench.engine.evaluation.dossiers import ExportedDossier, Selection, dossiers, rows_of
from spatial_workbench.engine.evaluation.export.conversations import (
    config_of,
    conversation_of,
    question_and_steps,
    stop_of,
    usage_of,
)
from spatial_workbench.engine.evaluation.export.kept_logs import kept_log
from spatial_workbench.engine.evaluation.export.lines import header
from spatial_workbench.engine.evaluation.failure_modes import explanation_as_list
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.records import HandsEnd
from spatial_workbench.engine.evaluation.inspect_data import LINE
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import BatchItem, BatchState, Override, Project


def write_logs(project: Project, selection: Selection, path: Path, progress: Progress) -> Path:
    """Writes the log of a single run to a file, or those of several into a folder; returns the file or folder.

    Raises:
        CannotRepresent: The package is missing, or there is nothing to write.
        OSError, Cancelled: As in `export_runs`.
    """
    if not is_installed("inspect"):
        raise CannotRepresent(how_to_get("inspect"))
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
    samples = [_sample(dossier, _limit(dossier, about)) for dossier in run]
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
            model_generate_config=_config(settings),
            task_args=_arguments(first, about),
            task_args_passed=_arguments(first, about),
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


def _config(settings: ModelSettings | None) -> Any:
    if settings is None:
        return config_of({})
    effort = settings.effort.value if settings.effort else None
    parameters = settings.model_dump(include={"max_output_tokens", "temperature", "top_p"})
    return config_of({**parameters, "reasoning_effort": effort})


def _arguments(dossier: ExportedDossier, about: Mapping[str, Any]) -> dict[str, Any]:
    """How an agent played, as the arguments of our tasks in Inspect; nothing for single questions."""
    plans = {batch["number"]: batch["plan"] for batch in about["batches"]}
    agent = dict(plans.get(dossier.batch, {}).get("agent") or {})
    return {"agent": agent.pop("kind"), **agent} if agent and dossier.transcript is not None else {}


def _limit(dossier: ExportedDossier, about: Mapping[str, Any]) -> Any:
    """The limit that ended an agent's run; None if none did."""
    played = _arguments(dossier, about)
    if not played or dossier.row is None:
        return None
    options = HandsOptions.model_validate(played["options"]) if played["agent"] == HANDS else HandsOptions()
    minutes = ("time", 60 * played["minutes"])
    kind, limit = {
        "timeout": minutes,
        HandsEnd.TIME: minutes,
        "step_limit": ("turn", played["max_steps"]),
        HandsEnd.TOKENS: ("token", options.tokens),
        HandsEnd.MONEY: ("cost", options.cost_usd),
        HandsEnd.CALLS: ("custom", options.calls),
    }.get(dossier.row.run_end or "", ("", None))
    if limit is None:
        return None
    return import_module("inspect_ai.log").EvalSampleLimit(type=kind, limit=limit, reason=dossier.row.run_end)


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


def _sample(dossier: ExportedDossier, limit: Any = None) -> Any:
    row = dossier.row
    told = conversation_of(dossier)
    messages = told.messages or _messages(dossier)
    output = _output(dossier, messages)
    used = told.usage or output.usage
    began, ended = _times(dossier)
    logs = import_module("inspect_ai.log")
    sample = logs.EvalSample(
        id=dossier.address,
        epoch=dossier.repeat + 1,
        input=list(takewhile(lambda message: message.role != "assistant", messages)),
        target="",
        messages=messages,
        output=output,
        scores=_scores(dossier),
        error=_error(dossier),
        limit=limit,
        events=told.events,
        model_usage={dossier.name: used} if used else {},
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
    # Each request of a conversation repeats those before; Inspect stores what is long once.
    return logs.condense_sample(sample)


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


def _messages(dossier: ExportedDossier) -> list[Any]:
    """The turns as far as they are known without the requests: an agent's run has the steps of its transcript."""
    model = import_module("inspect_ai.model")
    question = [model.ChatMessageUser(content=dossier.prompt or _prompt_of(dossier.address))]
    if dossier.transcript is not None:
        return question_and_steps(dossier) or question
    if dossier.text is None:
        return question
    content = [model.ContentText(text=dossier.text)]
    if dossier.reasoning:
        content.insert(0, model.ContentReasoning(reasoning=dossier.reasoning))
    return [*question, model.ChatMessageAssistant(content=content, model=dossier.name)]


def _output(dossier: ExportedDossier, messages: Sequence[Any]) -> Any:
    """The answer that was judged: the last message, or what an agent handed in."""
    model = import_module("inspect_ai.model")
    row = dossier.row
    if dossier.text is None:
        return model.ModelOutput(model=dossier.name, error=dossier.error, usage=_usage(dossier))
    last = messages[-1] if messages[-1].role == "assistant" and messages[-1].text == dossier.text else None
    answer = last or model.ChatMessageAssistant(content=dossier.text, model=dossier.name)
    stop = stop_of(row.finish_reason if row else None)
    choice = model.ChatCompletionChoice(message=answer, stop_reason=stop)
    return model.ModelOutput(
        model=dossier.name, choices=[choice], usage=_usage(dossier), time=row.seconds if row else None
    )


def _usage(dossier: ExportedDossier) -> Any:
    """The tokens of the answer, for a failed question those of all its requests; None if they are unknown.

    Items that share an answer count once, with the one that was asked.
    """
    row = dossier.row
    if not _is_lead(dossier):
        return None
    if row is None:
        known = [request.output_tokens for request in dossier.tries if request.output_tokens is not None]
        return usage_of({"output_tokens": sum(known)}, None) if known else None
    counts = {name: getattr(row, name) for name in ("input_tokens", "output_tokens", "reasoning_tokens")}
    return usage_of(counts, row.cost_usd)


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
