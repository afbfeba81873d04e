"""From earthworks to an outcome: simulate, judge the goals, and say what happened."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Check, Figure, Outcome, Problem, Progress
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.fluid_simulation.answer import Earthworks, skipped
from spatial_workbench.engine.tasks.fluid_simulation.bodies import Aftermath, FluidBody, overflow_path
from spatial_workbench.engine.tasks.fluid_simulation.capacity import capacity_set
from spatial_workbench.engine.tasks.fluid_simulation.goals import Goal, GoalJudgement, read_goals, score_of
from spatial_workbench.engine.tasks.fluid_simulation.rain import Rainfall, let_it_rain
from spatial_workbench.engine.tasks.fluid_simulation.stability import Fall, let_fall
from spatial_workbench.engine.tasks.fluid_simulation.world import Cells, Terrain, to_flat

LEAKS_TOLD = 12
"""The number of largest bodies of water whose overflow paths are shown."""


@dataclass(frozen=True, eq=False)
class FluidQuestion:
    """The question that an instance asks."""

    terrain: Terrain
    goals: tuple[Goal, ...]
    limit: int | None

    @classmethod
    def of(cls, parameters: dict[str, Any]) -> "FluidQuestion":
        """The question that an instance's parameters describe."""
        return cls(Terrain.of(parameters), read_goals(parameters["goals"]), parameters["limit"])


class FluidSite:
    """Earthworks in a world: the operations that count, what fell, and what could hold water."""

    def __init__(self, question: FluidQuestion, answer: Earthworks) -> None:
        self.question = question
        self.boxes, self.faults = answer.within(question.terrain.n)

    @cached_property
    def raw_rock(self) -> Cells:
        """The rock before anything falls."""
        return self.question.terrain.after(self.boxes)

    @cached_property
    def fallen(self) -> tuple[Cells, list[Fall]]:
        """The rock after everything has fallen, and what fell."""
        return let_fall(self.raw_rock)

    @property
    def rock(self) -> Cells:
        """The rock that it rains on."""
        return self.fallen[0]

    @cached_property
    def capacity(self) -> Cells:
        """The cells that could hold water."""
        return capacity_set(self.rock)

    def within_limit(self) -> list[Check]:
        """The check of the number of operations, if it is limited."""
        limit = self.question.limit
        count = len(self.boxes)
        if limit is None:
            return []
        problems = [Problem(f"{counted(count, 'operation')}, at most {limit} are allowed")] if count > limit else []
        return [Check.of("number of operations", problems, passed=f"{count} of at most {limit}")]


Judge = Callable[[Goal, Aftermath], GoalJudgement]


def by_the_rules(goal: Goal, after: Aftermath) -> GoalJudgement:
    """Judges a goal by the documented rule."""
    return goal.judge(after)


def as_published(goal: Goal, after: Aftermath) -> GoalJudgement:
    """Judges a goal by the published test."""
    return goal.published(after)


def judge_rain(question: FluidQuestion, answer: Earthworks, progress: Progress, judge: Judge, nearest: bool) -> Outcome:
    """Simulates with the fast kernels and judges the goals.

    Raises:
        Cancelled: Raised by `progress`.
    """
    site = FluidSite(question, answer)
    progress(0, 3, "falling rock")
    rock = site.rock
    progress(1, 3, "rain")
    rainfall = let_it_rain(rock, nearest)
    progress(2, 3, "goals")
    return outcome(site, Aftermath(rock, rainfall.water()), judge, rainfall)


def judge_plainly(question: FluidQuestion, answer: Earthworks, progress: Progress) -> Outcome:
    """Simulates literally, judges the goals, and tests the invariants of any rain.

    Raises:
        Cancelled: Raised by `progress`.
    """
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck

    site = FluidSite(question, answer)
    rock, water = crosscheck.simulate(site.raw_rock, progress)
    after = Aftermath(rock, water)
    return outcome(site, after, by_the_rules, None, invariants(after))


def invariants(after: Aftermath) -> list[Check]:
    """Checks that hold after any rain, regardless of its order."""
    from spatial_workbench.engine.tasks.fluid_simulation import crosscheck

    strays = after.water & ~capacity_set(after.rock)
    unsupported = after.water.copy()
    unsupported[:, :, 1:] &= ~(after.rock | after.water)[:, :, :-1]
    pieces = crosscheck.floating(after.rock)
    settling = crosscheck.settles_more(after.rock, after.water)
    return [
        Check.of(
            "no rock floats",
            [Problem(counted(pieces, "piece of rock floats", "pieces of rock float"))] if pieces else [],
        ),
        Check.of("water only where it can be held", _voxels(strays, "cannot hold water")),
        Check.of("water rests on rock or water", _voxels(unsupported, "rests on nothing")),
        Check.of("a further round is lost", [Problem(f"{settling} drops settle")] if settling else []),
    ]


def _voxels(cells: Cells, fault: str) -> list[Problem]:
    return [
        Problem(f"voxel ({x}, {y}, {z}) {fault}", [f"water {x},{y},{z}"]) for x, y, z in np.argwhere(cells).tolist()
    ]


def outcome(
    site: FluidSite, after: Aftermath, judge: Judge, rainfall: Rainfall | None, further: Sequence[Check] = ()
) -> Outcome:
    """The verdict's content: score, checks, figures, warnings and details for the scene."""
    judgements = [judge(goal, after) for goal in site.question.goals]
    limit = site.within_limit()
    allowed = all(check.state == "passed" for check in limit)
    could = score_of([judge(goal, Aftermath(after.rock, site.capacity)) for goal in site.question.goals])
    checks = [*limit, *(check for judged in judgements for check in judged.checks), *further]
    return Outcome(
        score_of(judgements) if allowed else 0.0,
        checks,
        _figures(site, after, could, judgements, rainfall),
        _warnings(site, judgements),
        _details(site, after, rainfall),
    )


def _figures(
    site: FluidSite, after: Aftermath, could: float, judgements: Sequence[GoalJudgement], rainfall: Rainfall | None
) -> list[Figure]:
    dry = int(np.count_nonzero(site.capacity & ~after.water))
    figures = [Figure(meter.name, f"{meter.value}/{meter.target}") for judged in judgements for meter in judged.meters]
    figures += [
        Figure("total water", after.total, "voxels"),
        Figure("number of bodies", len(after.bodies)),
        Figure("largest body", max((body.size for body in after.bodies), default=0), "voxels"),
        Figure("could hold water but stays dry", dry, "voxels"),
        Figure("goal score of the rain", score_of(judgements)),
        Figure("goal score if all that could hold water were wet", could),
        Figure("pieces of rock that fell", len(site.fallen[1])),
    ]
    for number, stage in enumerate(rainfall.stages if rainfall else (), start=1):
        figures.append(Figure(f"stage {number}, settled", stage.settled, "drops"))
        figures.append(Figure(f"stage {number}, lost", stage.lost, "drops"))
    return figures


def _warnings(site: FluidSite, judgements: Sequence[GoalJudgement]) -> list[str]:
    warnings = [skipped(index, fault) for index, fault in site.faults]
    falls = site.fallen[1]
    if falls:
        voxels = sum(len(fall.cells) for fall in falls)
        farthest = max(fall.distance for fall in falls)
        pieces = counted(len(falls), "piece")
        warnings.append(
            f"Floating rock falls: {pieces} of {counted(voxels, 'voxel')} in all, by up to {counted(farthest, 'level')}"
        )
    return warnings + [warning for judged in judgements for warning in judged.warnings]


def _details(site: FluidSite, after: Aftermath, rainfall: Rainfall | None) -> dict[str, Any]:
    """Plain data for the scene; cells are flat indices (x * n + y) * 8 + z."""
    n = after.n
    return {
        "n": n,
        "bodies": [_body(body) for body in after.bodies],
        "fallen": [{"cells": to_flat(fall.cells, n), "distance": fall.distance} for fall in site.fallen[1]],
        "leaks": _leaks(after),
        "dry": to_flat(np.argwhere(site.capacity & ~after.water), n),
        "skipped": [index for index, _ in site.faults],
        "stages": [
            {"drops": stage.drops, "settled": stage.settled, "lost": stage.lost}
            for stage in (rainfall.stages if rainfall else ())
        ],
    }


def _body(body: FluidBody) -> dict[str, Any]:
    return {
        "size": body.size,
        "columns": body.surface,
        "levels": {str(z): count for z, count in body.levels.items()},
        "visible": body.visible,
        "hidden": body.hidden,
        "cells": to_flat(body.cells, body.n),
    }


def _leaks(after: Aftermath) -> list[dict[str, Any]]:
    leaks: list[dict[str, Any]] = []
    for number, body in enumerate(after.bodies[:LEAKS_TOLD]):
        path = overflow_path(after.rock, body)
        if path:
            leaks.append({"body": number, "path": to_flat(np.array(path), after.n)})
    return leaks
