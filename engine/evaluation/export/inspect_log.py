"""Logs of the evaluation framework Inspect, written by its own package, which is optional.

A log is a run: one model, with or without tools. A sample is an attempt: its id the address, its epoch the repeat
from 1, a score for each verifier, with the checks as explanation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

from engine.core import CannotRepresent, InstanceError, Progress, Verdict, resolve
from engine.cube.agent.records import RunRecord
from engine.evaluation.export.dossiers import Dossier, dossiers, plain, rows_of
from engine.evaluation.export.files import replacing
from engine.evaluation.failure_modes import explanation
from engine.store import Project

MISSING = (
    "Inspect logs are written by the package inspect-ai, which is not installed. "
    'To install it: pip install "spatial-workbench[inspect]"'
)
_STOPS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter", "tool_calls": "tool_calls"}
_OVERRIDE = "override"


def write_logs(project: Project, numbers: Sequence[int], path: Path, progress: Progress) -> Path:
    """Writes a log of one run to a file, or the logs of several into a folder; gives the file or the folder.

    Raises:
        CannotRepresent: the package is missing, or there is nothing to write.
        OSError, Cancelled: as the writers of other formats.
    """
    if find_spec("inspect_ai") is None:
        raise CannotRepresent(MISSING)
    runs: dict[tuple[str, bool], list[int]] = {}
    for row in rows_of(project, numbers, progress):
        runs.setdefault((row.actor_name, bool(row.tools)), []).append(row.number)
    if not runs:
        raise CannotRepresent("There are no attempts to write.")
    if len(runs) == 1:
        path = path if path.suffix == ".eval" else path.with_name(path.name + ".eval")
        files = [path]
    else:
        path = path.with_suffix("") if path.suffix == ".eval" else path
        path.mkdir(exist_ok=True)
        files = [path / f"{number:02}-{_file_name(*run)}.eval" for number, run in enumerate(runs, 1)]
    for file, chosen in zip(files, runs.values(), strict=True):
        with replacing(file) as part:
            _write(log_of(list(dossiers(project, chosen, progress))), part)
    return path


def log_of(found: Sequence[Dossier]) -> Any:
    """The `EvalLog` of one run's attempts, of which there is one at least."""
    log = import_module("inspect_ai.log")
    first = found[0]
    settings = first.settings
    tasks = sorted({dossier.row.task for dossier in found})
    return log.EvalLog(
        status="success",
        eval=log.EvalSpec(
            created=_utc(first.row.submitted_at),
            task=tasks[0] if len(tasks) == 1 else "spatial_workbench",
            task_display_name=first.batch_name,
            dataset=log.EvalDataset(
                name="Spatial Workbench",
                samples=len({dossier.row.address for dossier in found}),
                sample_ids=sorted({dossier.row.address for dossier in found}),
            ),
            model=first.name,
            model_base_url=settings.base_url if settings else None,
            config=log.EvalConfig(epochs=1 + max(dossier.repeat for dossier in found)),
            metadata={
                "batches": sorted({dossier.row.batch for dossier in found if dossier.row.batch is not None}),
                "settings": settings.model_dump(mode="json") if settings else None,
                "tools": bool(first.row.tools),
            },
        ),
        results=_results(found),
        samples=[_sample(dossier) for dossier in found],
    )


def _write(log: Any, path: Path) -> None:
    import_module("inspect_ai.log").write_eval_log(log, str(path), format="eval")


def _results(found: Sequence[Dossier]) -> Any:
    log = import_module("inspect_ai.log")
    values: dict[str, list[float]] = {}
    for dossier in found:
        for name, score in _scores(dossier).items():
            values.setdefault(name, []).append(score.value)
    scores = [
        log.EvalScore(
            name=name,
            scorer=name,
            scored_samples=len(of),
            metrics={"mean": log.EvalMetric(name="mean", value=fmean(of))},
        )
        for name, of in values.items()
    ]
    return log.EvalResults(total_samples=len(found), completed_samples=len(found), scores=scores)


def _sample(dossier: Dossier) -> Any:
    row = dossier.row
    messages, prompt = _messages(dossier)
    return import_module("inspect_ai.log").EvalSample(
        id=row.address,
        epoch=dossier.repeat + 1,
        input=prompt,
        target="",
        messages=messages,
        output=_output(dossier, messages[-1]),
        scores=_scores(dossier),
        completed_at=_utc(row.submitted_at),
        total_time=row.seconds,
        metadata={
            "attempt": row.number,
            "batch": row.batch,
            "actor": row.actor.value,
            "answer": dossier.attempt.answer,
            "passed": row.passed,
            "budget": row.budget,
            "cost_usd": row.cost_usd,
            "failure_mode": row.label,
            "finish_reason": row.finish_reason,
        },
    )


def _messages(dossier: Dossier) -> tuple[list[Any], str]:
    """The turns of the conversation, and the prompt; an agent's run has the steps of its transcript."""
    model = import_module("inspect_ai.model")
    prompt = dossier.prompt if dossier.prompt is not None else _prompt_of(dossier.row.address)
    messages = [model.ChatMessageUser(content=prompt)]
    if dossier.transcript is None:
        content = [model.ContentText(text=dossier.text)]
        if dossier.reasoning:
            content.insert(0, model.ContentReasoning(reasoning=dossier.reasoning))
        return [*messages, model.ChatMessageAssistant(content=content, model=dossier.name)], prompt
    steps = RunRecord.model_validate(plain(dossier.transcript)).steps
    for step in steps:
        messages.append(model.ChatMessageAssistant(content=step.reply, model=dossier.name))
        messages.append(model.ChatMessageUser(content=step.observation))
    return [*messages, model.ChatMessageAssistant(content=dossier.text, model=dossier.name)], prompt


def _output(dossier: Dossier, message: Any) -> Any:
    model, row = import_module("inspect_ai.model"), dossier.row
    counts = row.input_tokens or 0, row.output_tokens or 0
    usage = model.ModelUsage(
        input_tokens=counts[0],
        output_tokens=counts[1],
        total_tokens=sum(counts),
        reasoning_tokens=row.reasoning_tokens,
        total_cost=row.cost_usd,
    )
    choice = model.ChatCompletionChoice(message=message, stop_reason=_STOPS.get(row.finish_reason or "stop", "unknown"))
    known = row.input_tokens is not None or row.output_tokens is not None
    return model.ModelOutput(model=dossier.name, choices=[choice], usage=usage if known else None, time=row.seconds)


def _scores(dossier: Dossier) -> dict[str, Any]:
    """A score for each verifier, and one of its own for what a person put in place of it."""
    scorer = import_module("inspect_ai.scorer")
    found = {verdict.verifier: _score(scorer, verdict) for verdict in dossier.attempt.verdicts}
    standing = [one for one in dossier.overrides if one.withdrawn_at is None]
    if standing:
        found[_OVERRIDE] = scorer.Score(
            value=standing[-1].score, explanation=f"{standing[-1].reason} ({standing[-1].person})"
        )
    return found


def _score(scorer: Any, verdict: Verdict) -> Any:
    return scorer.Score(
        value=verdict.score,
        explanation=explanation(verdict),
        metadata={
            "passed": verdict.passed,
            "version": verdict.version,
            "checks": {check.name: check.state.value for check in verdict.checks},
        },
    )


def _prompt_of(address: str) -> str:
    """What a solver is told; the address where the task is not installed."""
    try:
        one, instance = resolve(address)
    except InstanceError:
        return address
    return one.prompt(instance).text


def _utc(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _file_name(name: str, tools: bool) -> str:
    return re.sub(r"[^\w.-]+", "_", f"{name or 'nameless'}{'-tools' if tools else ''}")[:80]
