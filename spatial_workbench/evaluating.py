"""Evaluations from a program: through a project, as the window and the command line do it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spatial_workbench.app.studio.drawing import drawer
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.planning.expanding import expanded
from spatial_workbench.engine.evaluation.planning.grid import SettingsGrid, make_grid
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.evaluation.planning.starting import store_batch
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from spatial_workbench.engine.evaluation.runner import run_batch
from spatial_workbench.engine.models import ModelLibrary, ModelSettings, Provider, missing_probes, probe
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
    grid: Mapping[str, Any],
) -> list[Judged]:
    """See `spatial_workbench.evaluate`."""
    addresses = select(tasks)
    contender = _called(who, name, parallel) if callable(who) else _known(who)
    title = name or f"{contender.settings.name}: {tasks}"
    axes = _grid(grid)
    runs = tuple(_probed(run) for run in expanded(contender, axes))
    plan = BatchPlan(
        name=title,
        contenders=runs,
        addresses=addresses,
        repeats=repeats,
        workers=workers,
        grid=None if axes.is_empty else axes,
    )
    answerers = {k: FunctionAnswers(who) for k in range(len(runs))} if callable(who) else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(project) if project is not None else Path(folder) / "evaluation.workbench"
        with Project.open(path) if path.exists() else Project.create(path) as opened:
            batch = _begun(opened, plan) or store_batch(opened, plan)
        run_batch(path, batch, answerers, drawer())
        with Project.open(path) as opened:
            return _results(opened, batch, plan)


def _known(model: str) -> Contender:
    known = ModelLibrary().priced(model)
    return Contender(settings=known.settings, capabilities=known.capabilities)


def _called(respond: Respond, name: str, parallel: int) -> Contender:
    title = name or getattr(respond, "__name__", "function")
    settings = ModelSettings(name=title, provider=Provider.FUNCTION, limits=RateLimits(parallel=parallel))
    return Contender(settings=settings)


def _grid(axes: Mapping[str, Any]) -> SettingsGrid:
    """A grid; the variants of its prompts are texts by their names."""
    variants = [
        None if text is None else PromptVariant(name=name, text=text) for name, text in axes.get("variants", {}).items()
    ]
    return make_grid({**axes, "variants": variants})


def _probed(run: Contender) -> Contender:
    """A run with what its endpoint can do with its settings, which is found out if it is not known yet."""
    missing = missing_probes(run.settings, run.capabilities)
    if not missing:
        return run
    library = ModelLibrary()
    name = run.base or run.settings.name
    library.learn(name, probe(run.settings, only=missing))
    return run.model_copy(update={"capabilities": library.find(name).capabilities})


def _begun(project: Project, plan: BatchPlan) -> int | None:
    """The batch of the same plan that was cut off, which goes on; None if there is none."""
    for row in project.batches.all():
        if row.state in _CUT_OFF and BatchPlan.model_validate_json(project.batches.plan(row.number)) == plan:
            project.batches.set_state(row.number, BatchState.RUNNING)
            return row.number
    return None


def _results(project: Project, batch: int, plan: BatchPlan) -> list[Judged]:
    row = project.batches.get(batch)
    items = project.items.of_batch(batch)
    unanswered = [item for item in items if item.attempt is None]
    if row.state is not BatchState.FINISHED:
        raise RuntimeError(f"The evaluation is {row.state.value}. {row.note}".strip())
    if unanswered:
        first = unanswered[0]
        count = f"{len(unanswered)} of {len(items)} questions have no answer"
        raise RuntimeError(f"{count}, the first one {first.address}: {first.message}")
    order = {address: place for place, address in enumerate(plan.addresses)}
    names = [run.settings.name if plan.grid is not None else "" for run in plan.contenders]
    in_order = sorted(items, key=lambda item: (item.model, order[item.address]))
    return [_judged(project.attempts.get(item.attempt), names[item.model]) for item in in_order if item.attempt]


def _judged(attempt: Any, run: str) -> Judged:
    verdict = next(verdict for verdict in attempt.verdicts if verdict.verifier == "default")
    return Judged.of_text(resolve(attempt.address)[1], attempt.answer, verdict, run)
