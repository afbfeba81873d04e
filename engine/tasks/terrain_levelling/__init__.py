"""Terrain levelling: plan blasts so that rolling rock makes one large flat region (SCBench, Planning, task q28).

Answer    blasts as column x, row y and depth z in metres, in their order
Score     growth of the largest flat region / half the map, clamped to 0..1; 0 if a blast cannot be carried out

The rules in full: docs/tasks/terrain_levelling.md.

    commands      what can be done to a plan by editors, agents and other programs
    drawing       height maps as scenes
    flat          flat regions: 4-connected cells where every step between neighbours is at most 0.2 m
    noise         height maps out of Perlin noise, as the published maps were made
    simulation    a plan of blasts carried out on a map, blast by blast
    solver        the reference solution: shave everything above the mean of the largest flat region
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Aid,
    AnswerPart,
    Bucket,
    CountedDifferently,
    Difficulty,
    DrawsContrasts,
    Family,
    Figure,
    Instance,
    Integer,
    LiveRule,
    MakesFilm,
    Number,
    Outcome,
    Problem,
    Progress,
    Prompt,
    ReasonedAnswer,
    Scene,
    State,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import Check
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.terrain_levelling.drawing import (
    charge_marks,
    draw_blasts,
    draw_largest_regions,
    draw_terrain,
)
from spatial_workbench.engine.tasks.terrain_levelling.flat import labels, largest, largest_by_union
from spatial_workbench.engine.tasks.terrain_levelling.noise import OCTAVES, as_text, height_map
from spatial_workbench.engine.tasks.terrain_levelling.simulation import Charge, TerrainRun, carry_out, rolled, states

MAX_READ = 200_000
MAX_BLASTS = 20_000
"""The longest plan that is evaluated; longer ones are read."""
MASS_TOLERANCE = 1e-6
CENTIMETRE = 0.01
"""From here on, two simulations leave a cell at different heights."""
MAX_MARKS = 2000
"""How many blasts are drawn."""

ALLOWED = "every blast can be carried out"
EVALUATED = marked("simulated")
SETTLED = "rock at rest"
FLAT = "a larger flat region"


class BlastItem(AnswerPart):
    """One blast."""

    x: Integer = Field(description="column, from 0")
    y: Integer = Field(description="row, from 0")
    z: Number = Field(description="depth in metres, above 0 and at most the height of the cell then")


class TerrainPlan(ReasonedAnswer):
    """Blasts in their order."""

    blasts: Annotated[tuple[BlastItem, ...], at_most(MAX_READ, "blasts")] = Field(
        description="in the order of blasting"
    )

    @classmethod
    def of(cls, charges: Sequence[Charge], reasoning: str = "") -> TerrainPlan:
        """An answer from charges."""
        return cls(blasts=tuple(BlastItem(x=x, y=y, z=z) for x, y, z in charges), reasoning=reasoning)

    def with_charges(self, charges: Sequence[Charge]) -> TerrainPlan:
        """The answer with other charges; unchanged ones are not validated again."""
        known = dict(zip(self.charges, self.blasts, strict=True))
        blasts = tuple(known.get(charge) or BlastItem(x=charge.x, y=charge.y, z=charge.z) for charge in charges)
        return TerrainPlan(blasts=blasts, reasoning=self.reasoning)

    @cached_property
    def charges(self) -> tuple[Charge, ...]:
        """The blasts."""
        return tuple(Charge(blast.x, blast.y, float(blast.z)) for blast in self.blasts)

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) == 3 and kind != "missing":
            what = "a finite number" if path[2] == "z" else "a whole number"
            return f"blasts[{path[1]}].{path[2]}: {what} expected" if path[2] in ("x", "y", "z") else None
        return None


class TerrainDifficulty(Difficulty):
    """What a generated map looks like."""

    n: int = Field(16, ge=12, le=64, description="cells along a side")
    scale: float = Field(5.0, ge=3, le=15, description="how many hills lie along a side")
    octaves: int = Field(4, ge=1, le=6, description="how rough it is")


class TerrainLevelling(HasCommands, DrawsContrasts, MakesFilm, Task[TerrainPlan]):
    """Blast hills flat."""

    id = "terrain_levelling"
    title = "Terrain levelling"
    summary = "Blast hills in an order that lets the rolling rock fill one large flat region."
    family = Family.SCBENCH
    bucket = Bucket.PLANNING
    live = LiveRule.faults("The score measures the result of the blasts. Every plan has a score, and none is a key.")
    answer_type = TerrainPlan
    difficulty = TerrainDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: row[name] for name in ("n", "seed", "scale", "octaves")}

    def draw(self, rng: np.random.Generator, difficulty: TerrainDifficulty) -> Mapping[str, Any]:
        seed = int(rng.integers(1_000, 2**31))
        return {"n": difficulty.n, "seed": seed, "scale": difficulty.scale, "octaves": difficulty.octaves}

    def caption(self, instance: Instance) -> str:
        n = instance.parameters["n"]
        return f"{n} × {n}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(heights_of(instance)))

    def empty(self, instance: Instance) -> TerrainPlan:
        return TerrainPlan(blasts=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.terrain_levelling.commands import commands

        return commands

    def sight(self, instance: Instance, answer: TerrainPlan, aids: Collection[Aid]) -> Scene:
        """The map before the blasts with their places; flat regions are marked for who may have judgements."""
        heights = heights_of(instance)
        marks = charge_marks(answer.charges[:MAX_MARKS], heights)
        return draw_terrain(heights, marks=marks, with_regions=Aid.JUDGING in aids)

    @verifier("default", "1", "Rock falls from a stack and rolls until it rests; the ground is where the map says")
    def _default(self, instance: Instance, answer: TerrainPlan, progress: Progress) -> Outcome:
        return _judge(instance, answer, "default", progress)

    @verifier("published", "1", "The published simulation: ground too low, spheres overlap, 1.5 seconds, moving or not")
    def _published(self, instance: Instance, answer: TerrainPlan, progress: Progress) -> Outcome:
        return _judge(instance, answer, "reference", progress)

    def _crosscheck(self, instance: Instance, answer: TerrainPlan, progress: Progress) -> Outcome:
        heights = heights_of(instance)
        if len(answer.charges) > MAX_BLASTS:
            return _not_evaluated("too many blasts")
        run = carry_out(heights, answer.charges, progress=progress)
        if run.refused or run.timed_out:
            return Outcome.failed([])
        missing = float(heights.sum() - run.heights.sum()) - run.lost
        balance = [Problem(f"{missing:g} of rock are unaccounted for")] if abs(missing) > MASS_TOLERANCE else []
        score = score_of(heights, largest_by_union(heights), largest_by_union(run.heights))
        return Outcome(score, [Check.of("rock is neither made nor lost unseen", balance)])

    def solve(self, instance: Instance, progress: Progress = silent) -> TerrainPlan:
        """The stored plan; new maps are shaved pass by pass, which takes minutes."""
        if instance.number is not None:
            flat = self.published_rows()[instance.number]["plan"]
            return TerrainPlan.of([Charge(int(x), int(y), z) for x, y, z in zip(*[iter(flat)] * 3, strict=True)])
        from spatial_workbench.engine.tasks.terrain_levelling.solver import shave

        heights = heights_of(instance)
        return TerrainPlan.of(shave(heights, largest(heights) + heights.size // 2, progress))

    def scene(self, instance: Instance, answer: TerrainPlan | None = None, verdict: Verdict | None = None) -> Scene:
        """The map after the blasts, if the verdict holds it, or else before them with their places marked."""
        heights = heights_of(instance)
        if verdict is not None and "heights" in verdict.details:
            return draw_terrain(np.array(verdict.details["heights"]))
        return draw_terrain(heights, marks=charge_marks(answer.charges[:MAX_MARKS] if answer else (), heights))

    def film(self, instance: Instance, answer: TerrainPlan, progress: Progress = silent) -> Scene:
        """The blasts as they are carried out; of a short plan, with the rock that rolls."""
        heights = heights_of(instance)
        charges = answer.charges[:MAX_BLASTS]
        run = carry_out(heights, charges, progress=progress)
        done = charges[: len(run.blasts)]
        maps = states(heights, done, run)
        return draw_blasts(maps, done, rolled(maps, done, progress))

    def contrast(
        self, instance: Instance, answer: TerrainPlan, first: Verdict, second: Verdict
    ) -> CountedDifferently | None:
        """The largest flat regions of the maps that two simulations leave."""
        if not ("heights" in first.details and "heights" in second.details):
            return None
        ours, theirs = (np.array(verdict.details["heights"]) for verdict in (first, second))
        common = int(((labels(ours) == 0) & (labels(theirs) == 0)).sum())
        off = np.abs(ours - theirs)
        return CountedDifferently(
            draw_largest_regions(ours, theirs),
            f"The largest flat region has {largest(ours):,} cells by {first.verifier} and {largest(theirs):,} by "
            f"{second.verifier}; {common:,} are in both. The two simulations leave other heights in "
            f"{counted(int((off > CENTIMETRE).sum()), 'cell')}, up to {off.max():.2f} m apart.",
        )

    def thumbnail(self) -> Scene:
        return draw_terrain(heights_of(self.instances()[0]))


def heights_of(instance: Instance) -> Floats:
    """The map of an instance, (n, n), row = y."""
    parameters = instance.parameters
    return height_map(parameters["n"], parameters["seed"], parameters["scale"], parameters.get("octaves", OCTAVES))


def score_of(heights: Floats, before: int, after: int) -> float:
    """Growth of the largest flat region as a share of half the map, 0 to 1."""
    divisor = min(heights.size / 2, heights.size - before)
    return min(1.0, max(0.0, (after - before) / divisor))


def _judge(instance: Instance, answer: TerrainPlan, profile: str, progress: Progress) -> Outcome:
    heights = heights_of(instance)
    if len(answer.charges) > MAX_BLASTS:
        return _not_evaluated(
            f"{counted(len(answer.charges), 'blast is', 'blasts are')} more than the {MAX_BLASTS} that are simulated"
        )
    run = carry_out(heights, answer.charges, profile, progress)
    if run.timed_out:
        return _not_evaluated(f"the simulation was stopped after 30 minutes, at blast {len(run.blasts)}")
    before = largest(heights)
    after = largest(run.heights)
    rows = [Check.of(ALLOWED, _refused(run)), Check.of(SETTLED, []), Check.of(FLAT, [])]
    if run.refused:
        rows[1:] = [Check.not_reached(SETTLED), Check.not_reached(FLAT)]
    elif after <= before:
        rows[2] = Check.of(FLAT, [Problem(_no_growth(before, after))])
    moving = sum(not blast.is_still for blast in run.blasts)
    warnings = [f"{counted(moving, 'blast')} still had rolling rock when the simulation stopped"] if moving else []
    figures = [
        Figure("blasts", len(run.blasts)),
        Figure("largest flat region before", before, "cells"),
        Figure("largest flat region after", after, "cells"),
        Figure("rock moved", round(sum(charge.z for charge in answer.charges[: len(run.blasts)]), 2), "m³"),
        Figure("rock lost", round(run.lost, 2), "m³"),
    ]
    details = {"heights": run.heights.round(6).tolist(), "profile": profile}
    score = 0.0 if run.refused else score_of(heights, before, after)
    cost = f"The largest flat region grew by {counted(after - before, 'cell')} to {after:,} of {heights.size:,}"
    return Outcome(score, rows, figures, warnings, details, cost=cost)


def _no_growth(before: int, after: int) -> str:
    if after == before:
        return f"The largest flat region still has {counted(after, 'cell')}"
    return f"The largest flat region shrank from {counted(before, 'cell')} to {after:,}"


def _refused(run: TerrainRun) -> list[Problem]:
    number = len(run.blasts)
    return [Problem(f"Blast {number}: {run.refused}", [f"blast {number}"])] if run.refused else []


def _not_evaluated(why: str) -> Outcome:
    row = Check(name=EVALUATED, state=State.NOT_REACHED, message=f"Not evaluated: {why}.")
    return Outcome(0.0, [row], warnings=[f"Not evaluated: {why}"], passed=False)


def _prompt(heights: Floats) -> str:
    n = len(heights)
    return f"""Here is the height map of a terrain of {n} x {n} cells, heights in metres. The first line is row y = 0; \
in a line the first number is column x = 0.

{as_text(heights)}

Plan an ordered list of blasts that makes one flat region as large as possible.

A blast at (x, y) of depth z lowers that cell by z metres; z is above 0 and at most the height that the cell has at \
that moment. The rock that was blasted off becomes 4 z spheres (rounded down, at least 3, at most 120) of radius 0.2 \
m, which stand for equal shares of the depth. They fall in a stack from 0.6 m above the lowered cell, and roll under \
gravity over the surface that the map describes, with friction, until they come to rest. Where a sphere rests, the \
cell under its centre rises by the sphere's share; that may be the blasted cell itself, if it lies in a hollow. Rock \
that rolls over the edge of the map is lost. Then comes the next blast, on the changed map.

A region is flat if its cells hang together along their sides so that every step from a cell to the next is at most \
0.2 m. A long gentle slope is flat in this sense.

Score: (cells of the largest flat region after the last blast, minus those before the first one) divided by half the \
number of all cells, between 0 and 1. If a blast lies outside the map or is too deep, the whole plan scores 0. At most \
20000 blasts.

Answer with JSON; the order counts: {{"blasts": [{{"x": 3, "y": 7, "z": 1.25}}, ...]}} (the form only).
"""
