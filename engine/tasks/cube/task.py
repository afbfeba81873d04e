"""What the four cube tasks have in common: everything but the observation."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Aid,
    Bucket,
    Difficulty,
    Family,
    Instance,
    InstanceError,
    LiveRule,
    MakesFilm,
    NamesWhatItAsks,
    Outcome,
    PlayedByAgents,
    Progress,
    Scene,
    Task,
    Verdict,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.acting.views import SeenThroughViews, ViewTurn
from spatial_workbench.engine.core.agents import AgentFailed, AgentPlan, AgentRun, Model, NoReply
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.engine.cube.notation import format_moves, parse_moves, quarter_turns
from spatial_workbench.engine.cube.states import depth_of, make_state, split_for_tests
from spatial_workbench.engine.cube.strings import colours_of_faces, faces_of_colours
from spatial_workbench.engine.cube.validity import StateForm, faces_of, fault_of
from spatial_workbench.engine.tasks.cube.answer import CubeAnswer
from spatial_workbench.engine.tasks.cube.drawing import draw_cube
from spatial_workbench.engine.tasks.cube.judging import judge, make_moves


class CubeDifficulty(Difficulty):
    """Arguments of the generator."""

    depth: int = Field(
        default=4,
        ge=1,
        le=20,
        description="Length of a shortest solution, half turns counted as one: 1 to 13, 16 or 20",
    )
    state: str = Field(
        default="",
        max_length=54,
        description="A cube of your own as 54 colour letters, whose depth is then worked out; empty for a new one",
    )


class CubeTask(HasCommands, MakesFilm, NamesWhatItAsks, PlayedByAgents, Task[CubeAnswer]):
    """Solve a scrambled cube; subclasses define the observation."""

    family = Family.CUBE
    bucket = Bucket.PLANNING
    live = LiveRule.faults("A move is neither right nor wrong by itself, and the run ends at the first solved state.")
    answer_type = CubeAnswer
    hidden = frozenset({"certificate", "solution"})
    difficulty = CubeDifficulty
    agents: ClassVar[Mapping[str, str]] = {
        "basic": "Agent with tools",
        "standard-solver": "Agent with standard solver",
        "ideal-solver": "Agent with ideal solver",
    }
    agents_write_code = True
    setting: ClassVar[str]
    """The setting's name in run ids: "full_symbolic" ..."""
    hides_stickers: ClassVar[bool] = False
    """Whether only part of the cube is visible at a time."""

    def instances(self) -> Sequence[Instance]:
        """The 40 states of the benchmark, five a depth, by depth."""
        return _published(self.id)

    def draw(self, rng: np.random.Generator, difficulty: CubeDifficulty) -> Mapping[str, Any]:
        """A new state with its certificate, or the requested state.

        Raises:
            InstanceError: for a depth that cannot be certified, or a state that is not a scrambled cube.
        """
        if difficulty.state:
            return _own(difficulty.state)
        try:
            scrambled = make_state(difficulty.depth, rng)
        except ValueError as error:
            raise InstanceError(f"depth: {error}") from None
        return _parameters("", colours_of_faces(scrambled.faces), scrambled.solution, scrambled.how)

    def caption(self, instance: Instance) -> str:
        """The depth and the state's name: "depth 4 · d04-s2"."""
        p = instance.parameters
        return " · ".join(filter(None, [f"depth {p['depth']}", p["name"]]))

    def what_is_asked(self, instance: Instance) -> Mapping[str, Any]:
        """The state, from which all else follows; equal for all tasks that show the same cube."""
        return {"state": instance.parameters["state"]}

    def empty(self, instance: Instance) -> CubeAnswer:
        return CubeAnswer(moves=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.cube.commands import commands

        return commands

    def state(self, instance: Instance, answer: CubeAnswer) -> Any:
        """The moves so far."""
        return {"moves": list(answer.moves)}

    def sight(self, instance: Instance, answer: CubeAnswer, aids: Collection[Aid]) -> Scene:
        """The cube after the moves."""
        return draw_cube(self.stickers_after(instance, answer))

    def stickers_after(self, instance: Instance, answer: CubeAnswer) -> Colours:
        """The stickers after the moves of an answer, which end where the cube is solved."""
        return make_moves(start_of(instance), answer.moves, silent).state

    @verifier("default", "1", "Makes the moves on the facelets, one after the other, until the cube is solved.")
    def _default(self, instance: Instance, answer: CubeAnswer, progress: Progress) -> Outcome:
        return judge(start_of(instance), instance.parameters["depth"], answer.moves, progress, self.hides_stickers)

    def _crosscheck(self, instance: Instance, answer: CubeAnswer, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.cube.crosscheck import judge

        return judge(start_of(instance), instance.parameters["depth"], answer.moves, progress)

    def solve(self, instance: Instance, progress: Progress = silent) -> CubeAnswer:
        """The shortest solution of the state's certificate, in quarter turns."""
        return CubeAnswer(moves=quarter_turns(parse_moves(instance.parameters["solution"])))

    def play(self, instance: Instance, plan: AgentPlan, model: Model, progress: Progress = silent) -> AgentRun:
        """A run in CubeBench's environment (docs/cube.md)."""
        from spatial_workbench.engine.cube.agent import AgentKind, CubeEnvironment, CubeSetting, EndReason, play

        parameters = instance.parameters
        start = faces_of_colours(parameters["state"])
        setting = CubeSetting(self.setting)
        environment = CubeEnvironment(start, setting, AgentKind(plan.kind), plan.reward.kind)
        record = play(
            environment,
            model,
            plan.uses_code,
            plan.max_steps,
            plan.minutes * 60,
            parameters.get("depth"),
            progress,
            plan.step_seconds,
        )
        if record.end is EndReason.MODEL_ERROR:
            raise NoReply(record.message)
        if record.end is EndReason.HARNESS_ERROR:
            raise AgentFailed(record.message)
        return AgentRun(json.dumps({"moves": record.moves}), "cube", record.model_dump_json())

    def words_of_run(self, record: str) -> str:
        """Every reply with the observation that followed."""
        from spatial_workbench.engine.cube.agent import RunRecord

        steps = RunRecord.model_validate_json(record).steps
        return "\n".join(f"{step.reply}\n{step.observation}" for step in steps)

    def scene(self, instance: Instance, answer: CubeAnswer | None = None, verdict: Verdict | None = None) -> Scene:
        """The cube after the answer's moves, with the way there as frames."""
        start = start_of(instance)
        return draw_cube(start, make_moves(start, answer.moves, silent).moves if answer is not None else ())

    def film(self, instance: Instance, answer: CubeAnswer, progress: Progress = silent) -> Scene:
        """The cube while the answer's moves are made."""
        return self.scene(instance, answer)


class PartlySeenCube(SeenThroughViews, CubeTask):
    """A cube that is seen through a camera; subclasses define its views."""

    hides_stickers = True
    needs_agent = True
    hidden = CubeTask.hidden | {"depth", "state"}

    def view_turns(self) -> Sequence[ViewTurn]:
        from spatial_workbench.engine.tasks.cube.commands import TURN_OF_VIEW

        return (TURN_OF_VIEW,)

    def sight(self, instance: Instance, answer: CubeAnswer, aids: Collection[Aid]) -> Scene:
        """What is seen through the first view."""
        return self.sight_from(self.first_view(), instance, answer)


def start_of(instance: Instance) -> Colours:
    """The scrambled state of an instance, in the environment's order."""
    return Colours(instance.parameters["state"])


def _own(state: str) -> Mapping[str, Any]:
    """A state given by the user. If its depth cannot be proved, the shortest known solution stands in for it."""
    fault = fault_of(state, StateForm.COLOURS)
    if fault is not None:
        raise InstanceError(f"state: {fault.code}: {fault.message}")
    depth = depth_of(faces_of(state, StateForm.COLOURS))
    if not depth.solution:
        reason = "The cube is solved already" if depth.upper == 0 else f"No solution was found: {depth.how}"
        raise InstanceError(f"state: {reason}")
    return _parameters("own", Colours(state), depth.solution, depth.how)


@cache
def _published(task_id: str) -> tuple[Instance, ...]:
    return tuple(
        Instance.published(task_id, number, _parameters(state.id, state.colours, state.solution, state.how))
        for number, state in enumerate(split_for_tests())
    )


def _parameters(name: str, state: Colours, solution: Sequence[str], how: str) -> Mapping[str, Any]:
    """name: for states that ship with the task. solution, how: the two halves of the certificate of its depth."""
    return {
        "name": name,
        "state": state,
        "depth": len(solution),
        "solution": format_moves(solution),
        "certificate": how,
    }
