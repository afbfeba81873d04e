"""Evaluations from a program: through a project, as the window and the command line do it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from spatial_workbench.app.studio.drawing import drawer
from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.evaluation.planning.starting import store_batch
from spatial_workbench.engine.evaluation.runner import run_batch
from spatial_workbench.engine.models import ModelLibrary, ModelSettings, Provider
from spatial_workbench.engine.models.settings import RateLimits
from spatial_workbench.engine.store import BatchState, Project
from spatial_workbench.functions import FunctionAnswers, Respond
from spatial_workbench.judged import Judged

_CUT_OFF = (BatchState.RUNNING, BatchState.PAUSED)


def evaluated(
    who: str | Respond,
    tasks: str,
    project: Path | str | None,
    repeats: int,
    name: str,
    workers: int | None,
    parallel: int,
) -> list[Judged]:
    """See `spatial_workbench.evaluate`."""
    addresses = select(tasks)
    contender = _called(who, name, parallel) if callable(who) else _known(who)
    title = name or f"{contender.settings.name}: {tasks}"
    plan = BatchPlan(name=title, contenders=(contender,), addresses=addresses, repeats=repeats, workers=workers)
    answerers = {0: FunctionAnswers(who)} if callable(who) else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(project) if project is not None else Path(folder) / "evaluation.workbench"
        with Project.open(path) if path.exists() else Project.create(path) as opened:
            batch = _begun(opened, plan) or store_batch(opened, plan)
        run_batch(path, batch, answerers, drawer())
        with Project.open(path) as opened:
            return _results(opened, batch, addresses)


def _known(model: str) -> Contender:
    known = ModelLibrary().priced(model)
    return Contender(settings=known.settings, capabilities=known.capabilities)


def _called(respond: Respond, name: str, parallel: int) -> Contender:
    title = name or getattr(respond, "__name__", "function")
    settings = ModelSettings(name=title, provider=Provider.FUNCTION, limits=RateLimits(parallel=parallel))
    return Contender(settings=settings)


def _begun(project: Project, plan: BatchPlan) -> int | None:
    """The batch of the same plan that was cut off, which goes on; None if there is none."""
    for row in project.batches.all():
        if row.state in _CUT_OFF and BatchPlan.model_validate_json(project.batches.plan(row.number)) == plan:
            project.batches.set_state(row.number, BatchState.RUNNING)
            return row.number
    return None


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
