"""Count the corners of a polygon."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from spatial_workbench.engine.core import (
    Answer,
    Bucket,
    Check,
    Difficulty,
    Family,
    Instance,
    Outcome,
    PlayedByAgents,
    Problem,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    WholeNumber,
    silent,
    verifier,
)
from spatial_workbench.engine.core.agents import AgentPlan, AgentRun, Model, Turn
from spatial_workbench.engine.core.scene import Polygon


class Count(Answer):
    """How many corners there are."""

    corners: WholeNumber = 0


class CountCorners(PlayedByAgents, Task[Count]):
    """A polygon with some corners."""

    title = "Count corners"
    summary = "Say how many corners a polygon has."
    family = Family("sample", "Sample tasks")
    bucket = Bucket("counting")
    answer_type = Count
    agents: ClassVar[Mapping[str, str]] = {"counter": "Agent that counts"}
    difficulty = Difficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"corners": row["corners"]}

    def draw(self, rng: np.random.Generator, difficulty: Difficulty) -> Mapping[str, Any]:
        return {"corners": int(rng.integers(3, 10))}

    def caption(self, instance: Instance) -> str:
        return f"polygon {instance.number}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(f"How many corners has the polygon {points_of(instance).round(2).tolist()}?")

    def empty(self, instance: Instance) -> Count:
        return Count()

    @verifier("default", "1", "The number is right")
    def _default(self, instance: Instance, answer: Count, progress: Progress) -> Outcome:
        return _outcome(answer.corners == instance.parameters["corners"])

    def _crosscheck(self, instance: Instance, answer: Count, progress: Progress) -> Outcome:
        return _outcome(len(points_of(instance)) == answer.corners)

    def solve(self, instance: Instance, progress: Progress = silent) -> Count:
        return Count(corners=instance.parameters["corners"])

    def play(self, instance: Instance, plan: AgentPlan, model: Model, progress: Progress = silent) -> AgentRun:
        """Shows one corner after the other, and asks how many there were."""
        replies = []
        messages = []
        for x, y in points_of(instance).round(2).tolist():
            messages.append(Turn("user", f"A corner is at ({x}, {y})."))
            replies.append(model.reply(messages, 60 * plan.minutes).text)
            messages.append(Turn("assistant", replies[-1]))
        return AgentRun(replies[-1], "counting", json.dumps({"said": replies}))

    def words_of_run(self, record: str) -> str:
        return "\n".join(json.loads(record)["said"])

    def scene(self, instance: Instance, answer: Count | None = None, verdict: Verdict | None = None) -> Scene:
        return Scene(items=(Polygon(id="polygon", points=points_of(instance), color="accent"),), flat=True)


def points_of(instance: Instance) -> np.ndarray:
    """The corners, (n, 2), on a circle."""
    angles = np.linspace(0, 2 * np.pi, instance.parameters["corners"], endpoint=False)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _outcome(is_right: bool) -> Outcome:
    problems = [] if is_right else [Problem("Another number is right")]
    return Outcome(float(is_right), [Check.of("the number is right", problems)])
