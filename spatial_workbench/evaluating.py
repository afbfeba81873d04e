"""Evaluations from a program: through a project, as the window and the command line do it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import AnswerError, Prompt, resolve
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.evaluation.planning.starting import import_answers, store_batch
from spatial_workbench.engine.evaluation.runner import run_batch
from spatial_workbench.engine.models import ModelLibrary
from spatial_workbench.engine.store import BatchState, Project
from spatial_workbench.judged import Judged


def evaluated(
    who: str | Callable[[Prompt], str],
    tasks: str,
    project: Path | str | None,
    repeats: int,
    name: str,
    workers: int | None,
) -> list[Judged]:
    """See `spatial_workbench.evaluate`."""
    addresses = select(tasks)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(project) if project is not None else Path(folder) / "evaluation.workbench"
        with Project.open(path) if path.exists() else Project.create(path) as opened:
            if callable(who):
                batch = _answered(opened, who, addresses, repeats, name, workers, Path(folder))
            else:
                batch = _planned(opened, who, addresses, repeats, name, workers)
        run_batch(path, batch)
        with Project.open(path) as opened:
            return _results(opened, batch, addresses)


def _planned(
    project: Project, model: str, addresses: tuple[str, ...], repeats: int, name: str, workers: int | None
) -> int:
    known = ModelLibrary().find(model)
    contender = Contender(settings=known.settings, capabilities=known.capabilities)
    title = name or f"{model}: {len(addresses)} instances"
    plan = BatchPlan(name=title, contenders=(contender,), addresses=addresses, repeats=repeats, workers=workers)
    return store_batch(project, plan)


def _answered(
    project: Project,
    respond: Callable[[Prompt], str],
    addresses: tuple[str, ...],
    repeats: int,
    name: str,
    workers: int | None,
    folder: Path,
) -> int:
    model = name or getattr(respond, "__name__", "function")
    path = folder / f"{model}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for address in addresses:
            known, instance = resolve(address)
            for repeat in range(repeats):
                text = respond(known.prompt(instance))
                line = {"task": known.id, "instance": address, "model": model, "repeat": repeat, "text": text}
                file.write(json.dumps(line) + "\n")
    batch = import_answers(project, path, workers, again=True).batch
    assert batch is not None
    return batch


def _results(project: Project, batch: int, addresses: tuple[str, ...]) -> list[Judged]:
    row = project.batches.get(batch)
    items = project.items.of_batch(batch)
    unanswered = [item for item in items if item.attempt is None]
    if row.state is not BatchState.FINISHED:
        raise RuntimeError(f"The evaluation is {row.state.value}. {row.note}".strip())
    if unanswered:
        first = unanswered[0]
        count = f"{len(unanswered)} of {len(items)} questions have no answer"
        raise RuntimeError(f"{count}, the first one {first.address}: {first.message}")
    order = {address: place for place, address in enumerate(addresses)}
    attempts = [project.attempts.get(item.attempt) for item in items if item.attempt is not None]
    return [_judged(attempt) for attempt in sorted(attempts, key=lambda attempt: order[attempt.address])]


def _judged(attempt: Any) -> Judged:
    known, instance = resolve(attempt.address)
    try:
        answer = known.parse(attempt.answer)
    except AnswerError:
        answer = None
    verdict = next(verdict for verdict in attempt.verdicts if verdict.verifier == "default")
    return Judged(instance, answer, verdict, attempt.answer)
