"""What the four machine tasks have in common: everything but the levels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np

from spatial_workbench.engine.core import (
    Body,
    Bucket,
    Difficulty,
    Family,
    Figure,
    HasFileFormats,
    Headline,
    Instance,
    LiveRule,
    Outcome,
    PlayedByAgents,
    Progress,
    Prompt,
    Scene,
    ShowsMotion,
    Task,
    Verdict,
    WritesBodies,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand, TaskQuestion
from spatial_workbench.engine.core.agents import AgentPlan, AgentRun, Model
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import MachineBlock
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowOptions
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.level import Level, read_level, write_level
from spatial_workbench.engine.machines.levels.random_levels import random_level
from spatial_workbench.engine.machines.levels.references import Reference, references
from spatial_workbench.engine.machines.results.scoring import REWARD, TARGETS_HIT, Rule
from spatial_workbench.engine.physics.machine_judging import judge_machine, simulate_and_score
from spatial_workbench.engine.physics.machine_results import simulated, stored_trace
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer
from spatial_workbench.engine.tasks.machine.drawing import ball_items, draw_machine, machine_items, scene_of
from spatial_workbench.engine.tasks.machine.files import FORMATS, machine_bodies
from spatial_workbench.engine.tasks.machine.judging import (
    checks_of,
    details_of,
    score_figures,
    validity_figures,
    warnings_of,
)
from spatial_workbench.engine.tasks.machine.open_levels import HoldsLevels
from spatial_workbench.engine.tasks.machine.playback import played
from spatial_workbench.engine.tasks.machine.prompt import prompt_of


class MachineDesign(
    HasCommands, HasFileFormats, HoldsLevels, PlayedByAgents, ShowsMotion, WritesBodies, Task[MachineAnswer]
):
    """Build a machine; subclasses say what for."""

    family = Family.MACHINES
    bucket = Bucket.DESIGN
    live = LiveRule.faults("A simulation shows what the machine does. There are endless machines, and none is a key.")
    answer_type = MachineAnswer
    score_tolerance = 0.05
    agents: ClassVar[Mapping[str, str]] = {
        "single": "Single agent",
        "iterative": "Iterative editing",
        "hierarchical": "Hierarchical design",
    }
    agent_options = WorkflowOptions
    agents_converse = False
    headline = Headline("Distance", "m", ("distance",), counts_with=REWARD, not_beside=TARGETS_HIT)
    unit_mm = 1000.0
    file_formats: ClassVar = FORMATS
    base: ClassVar[str]
    """The level whose reference machine also stands for generated levels."""

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"level": row["level"]}

    def generate(self, seed: int, **difficulty: Any) -> Instance:
        """A level drawn from a seed.

        Raises:
            InstanceError: An argument is invalid; says why.
        """
        chosen: Difficulty = self.difficulty_of(difficulty)
        level = random_level(self.kind, seed, chosen)
        given = chosen.model_dump(mode="json", exclude_defaults=True)
        return Instance.generated(self.id, seed, {"world": write_level(level)}, given)

    def draw(self, rng: np.random.Generator, difficulty: Any) -> Mapping[str, Any]:
        return {"world": write_level(random_level(self.kind, int(rng.integers(2**31)), difficulty))}

    def caption(self, instance: Instance) -> str:
        """The level and what it is: "T2 · Walls"."""
        level = level_of_instance(instance)
        return f"{level.id} · {level.title}" if "level" in instance.parameters else level.title

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_of(level_of_instance(instance)))

    def empty(self, instance: Instance) -> MachineAnswer:
        """The starting block alone."""
        return MachineAnswer.of((MachineBlock(0, 0, -1, -1),))

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.machine.commands import commands

        return commands

    def questions(self) -> Sequence[TaskQuestion]:
        from spatial_workbench.engine.tasks.machine.commands import questions

        return questions

    def bodies(self, instance: Instance, answer: MachineAnswer) -> Sequence[Body]:
        """The blocks as solids, where the level begins."""
        return machine_bodies(answer)

    @verifier("default", "2", "The paper's rule: the largest displacement during the run, as simulated here")
    def _default(self, instance: Instance, answer: MachineAnswer, progress: Progress) -> Outcome:
        return self._outcome(instance, answer, "default", progress)

    @verifier("landing", "2", "Throws count by where the boulder first touches the ground, without rolling")
    def _landing(self, instance: Instance, answer: MachineAnswer, progress: Progress) -> Outcome:
        return self._outcome(instance, answer, "landing", progress)

    @verifier("reference_reward", "2", "The reference implementation's products and distances, for comparison")
    def _reference_reward(self, instance: Instance, answer: MachineAnswer, progress: Progress) -> Outcome:
        return self._outcome(instance, answer, "reference_reward", progress)

    def _crosscheck(self, instance: Instance, answer: MachineAnswer, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.machine.crosscheck import judge_again

        level = level_of_instance(instance)
        return judge_again(answer, level, self._goal(instance, "default", progress), self.score_tolerance, progress)

    def solve(self, instance: Instance, progress: Progress = silent) -> MachineAnswer:
        """The shipped machine of the level; for a generated level that of the task's standard level."""
        return MachineAnswer.of(self._reference(instance).tree)

    def expected_calls(self, plan: AgentPlan) -> int:
        from spatial_workbench.engine.tasks.machine.agents import expected_calls

        return expected_calls(plan)

    def play(self, instance: Instance, plan: AgentPlan, model: Model, progress: Progress = silent) -> AgentRun:
        """A run of a workflow (docs/machines.md)."""
        from spatial_workbench.engine.tasks.machine.agents import play_workflow

        return play_workflow(level_of_instance(instance), plan, model, progress)

    def words_of_run(self, record: str) -> str:
        """The answers of all roles."""
        from spatial_workbench.engine.tasks.machine.agents import words_of_run

        return words_of_run(record)

    def scene(self, instance: Instance, answer: MachineAnswer | None = None, verdict: Verdict | None = None) -> Scene:
        """The machine where it starts in its level; as it moved, where a verdict names its stored simulation."""
        level = level_of_instance(instance)
        tree = answer.reading.tree if answer is not None else None
        trace = stored_trace(str(verdict.details.get("trace", ""))) if verdict is not None else None
        if tree is None or trace is None or trace.positions.shape[1] != len(tree):
            return draw_machine(level, tree)
        return played(level, tree, trace)

    def motion(self, instance: Instance, answer: MachineAnswer, progress: Progress = silent) -> Scene:
        """The machine as it moves; where it starts, if it breaks a rule of files or of space.

        Raises:
            PhysicsUnavailable: The physics engine cannot be used.
            Cancelled: Raised by `progress`.
        """
        level = level_of_instance(instance)
        tree = answer.reading.tree
        if tree is None or spatial_faults(tree, level.size_limits):
            return draw_machine(level, tree)
        return played(level, tree, simulated(tree, level, progress=progress), has_captions=True)

    def thumbnail(self) -> Scene:
        """The reference machine of the task's standard level, and the balls of the level."""
        level = level_of(self.base)
        return scene_of([*ball_items(level.balls), *machine_items(references()[self.base].tree)], None)

    def _reference(self, instance: Instance) -> Reference:
        return references()[instance.parameters.get("level", self.base)]

    def _goal(self, instance: Instance, rule: Rule, progress: Progress) -> float:
        """R of the reference machine; 1 for levels with targets, where R is 1 for success."""
        level = level_of_instance(instance)
        reference = self._reference(instance)
        if level.targets:
            return 1.0
        if level.par is not None:
            return level.par
        if "level" in instance.parameters:
            return reference.rewards[rule]
        _, score = simulate_and_score(reference.tree, level, rule, partial(simulated, progress=progress))
        return score.reward

    def _outcome(self, instance: Instance, answer: MachineAnswer, rule: Rule, progress: Progress) -> Outcome:
        level = level_of_instance(instance)
        judged = judge_machine(answer.reading, level, rule, partial(simulated, progress=progress))
        reward = judged.score.reward
        goal = self._goal(instance, rule, progress) if reward > 0 else 0.0
        share = reward / goal if goal > 0 else float(reward > 0)
        figures = [*validity_figures(judged), *score_figures(judged.score)]
        if reward > 0 and not level.targets:
            figures.append(Figure("times the reference machine", round(share, 3)))
        return Outcome(
            min(1.0, share),
            checks_of(judged),
            figures,
            warnings_of(judged, level),
            details_of(judged, level),
            passed=judged.is_valid and (judged.score.success is True if level.targets else reward > 0),
        )


def level_of_instance(instance: Instance) -> Level:
    """The level that an instance asks about."""
    parameters = instance.parameters
    return _read(instance.parameters_json) if "world" in parameters else level_of(parameters["level"])


@lru_cache(maxsize=16)
def _read(parameters_json: str) -> Level:
    return read_level(json.loads(parameters_json)["world"])
