"""Fluid simulation: earthworks in a world of voxels, then rain (SCBench, bucket Planning, task q23).

Answer    earthworks: boxes [xyzMin, xyzMax] of Rock or Air, done in order; both corners included
Rules     rock that touches no ground falls; then it rains, mostly at the centre; a drop falls, else runs to the first
          lower place on its level, else is lost if its level is open at the border, else settles at the far end
Score     partial credit for each goal, in [0, 1]; the mean of the goals where there are two

An impossible operation is skipped with a warning. The rules in full: docs/tasks/fluid_simulation.md.

    answer                a list of earthworks
    bodies                the world after the rain: bodies of water and their properties
    capacity              the capacity set: every cell that could hold water, regardless of the order of the rain
    commands              what can be done to earthworks by editors, agents and other programs
    crosscheck            the rules of falling rock and rain, implemented literally
    crosscheck_kernels    compiled parts of the cross-check
    drawing               the scene, in voxels
    editing               what the editor needs after each edit: pure functions that take milliseconds
    generator             new instances: a terrain, goals, and earthworks that prove them possible
    goals                 what the water must look like after the rain
    judging               from earthworks to an outcome: simulate, judge the goals, and say what happened
    kernels               the compiled simulation of the rain
    presets               the building blocks of earthworks: pit, walled pool, roof on a pillar, island
    prompt                what a solver is told
    rain                  where water settles over a world of rock, drop by drop
    shaping               operations from the editor's gestures: brush strokes, mirror images, moving and resizing
    stability             falling rock: pieces without support drop as rigid bodies
    views                 other views of the world: cut off above a level, with transparent rock, one level
    world                 worlds of rock: the starting terrain of an instance, and how earthworks change it
"""

import json
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from spatial_workbench.engine.core import (
    Aid,
    Bucket,
    CountedDifferently,
    DrawsContrasts,
    Family,
    Instance,
    LiveRule,
    Outcome,
    Progress,
    Prompt,
    Scene,
    ShowsMotion,
    Task,
    Verdict,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.fluid_simulation.answer import Earthworks, Operation
from spatial_workbench.engine.tasks.fluid_simulation.generator import FluidDifficulty, draw
from spatial_workbench.engine.tasks.fluid_simulation.judging import (
    FluidQuestion,
    FluidSite,
    as_published,
    by_the_rules,
    judge_plainly,
    judge_rain,
)
from spatial_workbench.engine.tasks.fluid_simulation.prompt import prompt_text
from spatial_workbench.engine.tasks.fluid_simulation.rain import warm_up
from spatial_workbench.engine.tasks.fluid_simulation.world import FluidBox

__all__ = ["Earthworks", "FluidBox", "FluidSimulation", "Operation", "warm_up"]


class FluidSimulation(HasCommands, DrawsContrasts, ShowsMotion, Task[Earthworks]):
    """Shape the ground so that a fixed rain leaves the water that is asked for."""

    title = "Fluid simulation"
    summary = "Dig pits and build walls in a world of voxels so that the rain leaves the lakes that are asked for."
    family = Family.SCBENCH
    bucket = Bucket.PLANNING
    live = LiveRule.faults("The rain shows where the water goes. Many earthworks reach the goals, and none is a key.")
    answer_type = Earthworks
    hidden = frozenset({"proof"})
    difficulty = FluidDifficulty

    def instances(self) -> Sequence[Instance]:
        return _published()

    def generate(self, seed: int, **difficulty: Any) -> Instance:
        """A new instance, drawn with PCG64(seed) and stored with earthworks that solve it.

        Seeds 0 to 10 without arguments give the worlds and goals of the published instances.

        Raises:
            InstanceError: no goal of that kind fits the world.
        """
        chosen = self.difficulty_of(difficulty)
        changed = chosen.model_dump(mode="json", exclude_defaults=True)
        if seed in range(len(_entries())) and not changed:
            parameters = _parameters(_entries()[seed]) | {"proof": _entries()[seed]["reference"]}
        else:
            parameters = draw(seed, chosen)
        return Instance.generated(self.id, seed, parameters, changed)

    def caption(self, instance: Instance) -> str:
        return str(instance.parameters["caption"])

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_text(FluidQuestion.of(instance.parameters)))

    def empty(self, instance: Instance) -> Earthworks:
        return Earthworks(earthworks=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.fluid_simulation.commands import commands

        return commands

    def sight(self, instance: Instance, answer: Earthworks, aids: Collection[Aid]) -> Scene:
        """The rock as it was built; what falls and what could hold water is shown to who may have judgements."""
        from spatial_workbench.engine.tasks.fluid_simulation.drawing import draw_earthworks

        if Aid.JUDGING in aids:
            return self.scene(instance, answer)
        question = FluidQuestion.of(instance.parameters)
        boxes, _ = answer.within(question.terrain.n)
        return draw_earthworks(question, question.terrain.after(boxes))

    @verifier("default", "1", "The documented rules; a drop that stays settles in the air voxel its search meets last.")
    def _default(self, instance: Instance, answer: Earthworks, progress: Progress) -> Outcome:
        return judge_rain(FluidQuestion.of(instance.parameters), answer, progress, by_the_rules, nearest=False)

    @verifier(
        "published",
        "1",
        "The published tests with their faults: hidden water is added up, 200 voxels are over 200, a ring needs a "
        "centre of exactly 3 x 3, ties of levels go to the first met. Drops settle as in the default, for the "
        "published order depends on the Python implementation.",
    )
    def _as_published(self, instance: Instance, answer: Earthworks, progress: Progress) -> Outcome:
        return judge_rain(FluidQuestion.of(instance.parameters), answer, progress, as_published, nearest=False)

    @verifier("nearest", "1", "The default's tests, but a drop settles in the nearest air voxel: it stays where it is.")
    def _nearest(self, instance: Instance, answer: Earthworks, progress: Progress) -> Outcome:
        return judge_rain(FluidQuestion.of(instance.parameters), answer, progress, by_the_rules, nearest=True)

    def _crosscheck(self, instance: Instance, answer: Earthworks, progress: Progress) -> Outcome:
        return judge_plainly(FluidQuestion.of(instance.parameters), answer, progress)

    def solve(self, instance: Instance, progress: Progress = silent) -> Earthworks:
        """The stored earthworks of a published instance, or the proof of a generated one."""
        published = instance.number is not None
        rows = _entries()[instance.number]["reference"] if published else instance.parameters["proof"]  # type: ignore[index]
        return earthworks_of(rows)

    def scene(self, instance: Instance, answer: Earthworks | None = None, verdict: Verdict | None = None) -> Scene:
        """The world with its water according to the verdict or, without a verdict, all cells that could hold water."""
        from spatial_workbench.engine.tasks.fluid_simulation.drawing import draw_world

        return draw_world(FluidQuestion.of(instance.parameters), answer or self.empty(instance), verdict)

    def contrast(
        self, instance: Instance, answer: Earthworks, first: Verdict, second: Verdict
    ) -> CountedDifferently | None:
        """The water that two rains leave; None where they leave the same, so that only the goals differ."""
        from spatial_workbench.engine.tasks.fluid_simulation.drawing import draw_waters
        from spatial_workbench.engine.tasks.fluid_simulation.views import water_of

        if not ("bodies" in first.details and "bodies" in second.details):
            return None
        question = FluidQuestion.of(instance.parameters)
        ours, theirs = (water_of(verdict.details, question.terrain.n) for verdict in (first, second))
        if (ours == theirs).all():
            return None
        return CountedDifferently(
            draw_waters(question, FluidSite(question, answer).fallen[0], ours, theirs),
            f"{counted(int((ours & ~theirs).sum()), 'voxel')} of water only by {first.verifier}, "
            f"{int((theirs & ~ours).sum()):,} only by {second.verifier}, {int((ours & theirs).sum()):,} by both.",
        )

    def motion(self, instance: Instance, answer: Earthworks, progress: Progress = silent) -> Scene:
        """The world with frames of the filling water; a frame's time is the number of drops so far."""
        from spatial_workbench.engine.tasks.fluid_simulation.drawing import RAIN_FRAMES, draw_rain

        return draw_rain(FluidQuestion.of(instance.parameters), answer, RAIN_FRAMES)


def earthworks_of(rows: Sequence[Sequence[Any]]) -> Earthworks:
    """Earthworks from rows [x0, y0, z0, x1, y1, z1, "Rock" or "Air"]."""
    boxes = [FluidBox(tuple(row[:3]), tuple(row[3:6]), row[6] == "Rock") for row in rows]
    return Earthworks(earthworks=tuple(map(Operation.of, boxes)))


@cache
def _entries() -> list[dict[str, Any]]:
    text = resource("tasks", "fluid_simulation.json").read_text("utf-8")
    entries: list[dict[str, Any]] = json.loads(text)["instances"]
    return entries


def _parameters(entry: dict[str, Any]) -> dict[str, Any]:
    return {"n": entry["n"], "boulders": [], "goals": entry["goals"], "limit": None, "caption": entry["caption"]}


@cache
def _published() -> tuple[Instance, ...]:
    return tuple(Instance.published("fluid_simulation", i, _parameters(entry)) for i, entry in enumerate(_entries()))
