"""Attempts of a small made-up evaluation, for screenshots and tests."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.background import judging
from spatial_workbench.engine.core import Check, Instance, Problem, Task
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.evaluation.failure_modes import FailureMode

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

SHOWN = (
    ("two_segments", 12),
    ("shikaku", 8),
    ("delaunay", 6),
    ("pack_prisms", 4),
    ("maze_3d", 3),
)
"""Tasks, and of how many of their instances there are attempts."""
MODELS = ("aspen-large", "birch", "cedar-mini")
LABELS = (FailureMode.LOCAL_ONLY, FailureMode.NEAR_MISS, FailureMode.TRIVIALIZED)


def add_example_runs(project: Project) -> None:
    """Adds attempts of a person and of models, some flawed, and domes about which two verifiers disagree.

    All verdicts are the verifiers' own, except the second ones on the domes, which are made by hand.
    """
    rng = random.Random(5)
    with project.database.write_transaction():
        for name, count in SHOWN:
            task = task_of(name)
            for instance in task.instances()[:count]:
                answer = task.solve(instance).model_dump(mode="json")
                for model in MODELS:
                    _add_run(project, rng, task, instance, model, answer)
        _add_disputed_domes(project)


def add_disputed(
    project: Project, text: str, instance: Instance, faults: Mapping[str, Sequence[str]], score: float
) -> int:
    """Adds an attempt with a hand-made cross-check that finds these faults (elements by check); returns its number."""
    from spatial_workbench.engine.store import Actor

    default = task_of(instance.task).verify(instance, text)
    checks = tuple(Check.of(check.name, map(_fault_of, faults.get(check.name, ()))) for check in default.checks)
    by_hand = {"verifier": "crosscheck", "checks": checks, "score": score, "passed": score == 1, "details": {}}
    verdicts = (default, default.model_copy(update=by_hand))
    return project.attempts.add(instance, text, Actor.MODEL, "aspen-large", seconds=48.0, verdicts=verdicts)


def _fault_of(element: str) -> Problem:
    return Problem(f"{element.capitalize()} is at fault", [element])


def _add_disputed_domes(project: Project) -> None:
    task = task_of("lego_hemisphere")
    instance = task.instances()[0]
    data = task.solve(instance).model_dump(mode="json")
    solved = packed(task, task.parse(data))
    data["bricks"][7]["Centroid"][0] += 5.0
    flawed = packed(task, task.parse(data))
    first = add_disputed(project, flawed, instance, {}, 1.0)
    add_disputed(project, flawed, instance, {"nothing falls over": ["brick 8", "brick 21", "brick 22"]}, 0.4)
    add_disputed(project, solved, instance, {"everything connected to the ground": ["brick 30", "brick 31"]}, 0.0)
    project.judgements.rule(first, "default", "crosscheck", "default", "Bricks 7 and 8 overlap, as one sees.", "Ada")
    project.judgements.override_score(first, 0.5, False, "The shell is right but for one brick", "Ada")


def _add_run(
    project: Project, rng: random.Random, task: Task[Any], instance: Instance, model: str, answer: dict[str, Any]
) -> None:
    from spatial_workbench.engine.store import Actor, Asked

    given = rng.random()
    text = packed(task, task.parse(answer)) if given < 0.55 else _spoiled(answer, rng)
    by_person = rng.random() < 0.2
    asked = Asked(
        tools=rng.random() < 0.5,
        input_tokens=rng.randrange(600, 2400),
        output_tokens=rng.randrange(300, 24_000),
        reasoning_tokens=rng.randrange(100, 300),
        cost_usd=round(rng.random() / 5, 4),
        finish_reason="stop",
    )
    verdicts = judging.verify_all(instance, text)
    number = project.attempts.add(
        instance,
        text,
        Actor.PERSON if by_person else Actor.MODEL,
        "Ada" if by_person else model,
        seconds=rng.uniform(8, 400),
        verdicts=verdicts,
        asked=None if by_person else asked,
        tolerance=task.score_tolerance,
    )
    if not verdicts[0].passed and not by_person:
        project.judgements.add_label(number, "ok", rng.choice(LABELS).value, "{}")


def _spoiled(answer: dict[str, Any], rng: random.Random) -> str:
    """An answer with a part missing, or one that breaks off."""
    lists = {name: value for name, value in answer.items() if isinstance(value, list) and value}
    if rng.random() < 0.25 or not lists:
        return '{"answer": '
    name = rng.choice(sorted(lists))
    return json.dumps({**answer, name: lists[name][:-1]})
