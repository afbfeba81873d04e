"""The example project: drafts and attempts to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spatial_workbench.app.background import judging
from spatial_workbench.engine.core import Instance, Task
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.evaluation.planning.starting import store_batch
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Actor, Project, Transcript

SHOWN = (("two_segments", 1), ("lego_hemisphere", 0), ("fluid_simulation", 0))
"""Task and instance of the reference solutions that are stored as attempts."""
RECORDED = 25
"""The cube that the recorded run is about."""
EVALUATED = "shikaku,two_segments:0-9,enumerate_edges,delaunay,hamiltonian_loop:0-4,maze_3d:0-2,cube_full_symbolic:0-9"
"""What the batch asked the reference and the baseline."""


def make_example(path: Path) -> Path:
    """Recreates the example project: attempts, a flawed one, an agent's run, a half-finished draft, and a batch.

    Raises:
        OSError: The file cannot be written.
    """
    from spatial_workbench.engine.evaluation.runner import run_batch

    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with Project.create(path) as project:
        for name, number in SHOWN:
            task = task_of(name)
            instance = task.instances()[number]
            text = judging.solve(instance)
            project.attempts.add(
                instance, text, Actor.REFERENCE, "Reference", verdicts=judging.verify_all(instance, text)
            )
        _add_flawed_attempt(project)
        add_recorded_run(project)
        _add_draft(project)
        batch = _add_batch(project)
    run_batch(path, batch)
    with Project.open(path) as project:
        project.compact()
    return path


def _add_batch(project: Project) -> int:
    """A batch to look at; no model has to be asked for it."""
    contenders = tuple(Contender(settings=ModelSettings(name=name, provider=name)) for name in ("reference", "random"))
    plan = BatchPlan(name="Reference and baseline", contenders=contenders, addresses=select(EVALUATED))
    return store_batch(project, plan)


def _add_flawed_attempt(project: Project) -> None:
    """A dome in which one brick floats: something to click on in the verdict."""
    task, instance = _lego()
    data = task.solve(instance).model_dump(mode="json")
    data["bricks"] = [*data["bricks"], {"Centroid": [0.0, 0.0, 91.2], "RotationDegrees": 0.0}]
    data["bricks"][7]["Centroid"][0] += 5.0
    text = packed(task, task.parse(data))
    project.attempts.add(
        instance, text, Actor.PERSON, "Ada", seconds=421.0, verdicts=judging.verify_all(instance, text)
    )


def add_recorded_run(project: Project) -> None:
    """Adds a recorded run of an agent on the cube: it looks, asks its solver, and makes the moves."""

    from spatial_workbench.engine.cube.agent import RunRecord

    text = resource("cube", "recorded_run.json").read_text("utf-8")
    record = RunRecord.model_validate_json(text)
    task = task_of("cube_full_symbolic")
    instance = task.instances()[RECORDED]
    answer = packed(task, task.parse({"moves": list(record.moves)}))
    project.attempts.add(
        instance,
        answer,
        Actor.MODEL,
        "Scripted agent",
        seconds=record.seconds,
        verdicts=judging.verify_all(instance, answer),
        transcript=Transcript(kind="cube", record=text),
    )


def _add_draft(project: Project) -> None:
    """The three lowest layers, placed brick by brick."""
    task, instance = _lego()
    bricks = sorted(task.solve(instance).model_dump(mode="json")["bricks"], key=lambda brick: brick["Centroid"][2])
    lowest = [brick for brick in bricks if brick["Centroid"][2] < 3 * 9.6]
    state = task.empty(instance).model_dump(mode="json")
    project.drafts.begin(instance, state)
    for brick in lowest:
        following = {**state, "bricks": [*state["bricks"], brick]}
        project.drafts.add_edit(instance.address, "Place brick", diff(state, following))
        state = following
    project.drafts.add_seconds(instance, 318.0)


def _lego() -> tuple[Task[Any], Instance]:
    task = task_of("lego_hemisphere")
    return task, task.instances()[0]
