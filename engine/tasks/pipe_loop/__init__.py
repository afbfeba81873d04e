"""Pipe loop: lay unit pipes end to end as one closed loop in a square (SCBench B.9).

Answer    points: the vertices {"x", "y"} in metres; the last one joins the first, which is not repeated
Checks    as many points as pipes; inside the square; every pipe and the closing one 1 m long within 0.05 m; no point
          twice; as many crossings as wanted (mostly none) and no touching; no pipe back along the one before; and a
          row for each constraint of the instance. All failures are reported
Score     1 if every check passes, else 0

The rules in full: docs/tasks/pipe_loop.md.

    board           what an instance asks for
    commands        what can be done to a chain by editors, agents and other programs
    constraints     the constraints on pipe loops: what each demands, what it measures, and what is wrong
    construction    loops that meet an order: growth on a lattice, spikes, and zigzags that settle
    contacts        where pipes that are not neighbours meet: crossings, touches, and what the published test counts
    crosscheck      the same rules with shapely, exact fractions, turning angles and trees
    drawing         the scene: flat, y up, metres
    editing         what gestures do to a chain of pipes: pure functions, well under 5 ms
    generator       new orders: pipes, a square and constraints that one of the constructions can meet
    judging         the verifiers: the basic checks in order, then a row for each constraint
    live            the checks of a chain as rows with values, shown at every move of the pointer
    prompt          what a solver is told
    relax           moving chains of pipes: a joint is dragged and the rest follows, or everything settles
    shape           a closed chain of pipes in a square, and what is measured on it
"""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    AnswerPart,
    Bucket,
    Family,
    Instance,
    LiveRule,
    Number,
    Outcome,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.construction import construct, spiked_square
from spatial_workbench.engine.tasks.pipe_loop.generator import LoopDifficulty, draw, presets
from spatial_workbench.engine.tasks.pipe_loop.judging import judge, judge_published
from spatial_workbench.engine.tasks.pipe_loop.prompt import prompt_text
from spatial_workbench.engine.tasks.pipe_loop.shape import Point

MAX_POINTS = 1200
"""Twice the pipes of the largest order that the generator makes."""

SPIKES = {0: 2, 2: 3, 8: 2, 10: 3}
"""The spikes of the reference loop of instance 14, by pipe of a square of 4 m."""


class PipeEnd(AnswerPart):
    """A vertex of the loop."""

    x: Number = Field(description="Metres from the left wall")
    y: Number = Field(description="Metres from the lower wall")


class PipeLoopAnswer(Answer):
    """A closed chain of pipes."""

    points: Annotated[tuple[PipeEnd, ...], at_most(MAX_POINTS, "points")] = Field(
        description="The vertices in order; the last pipe goes from the last vertex back to the first"
    )

    @property
    def places(self) -> list[Point]:
        """The vertices as pairs."""
        return [(point.x, point.y) for point in self.points]


class PipeLoop(HasCommands, Task[PipeLoopAnswer]):
    """Close a loop of unit pipes in a square."""

    title = "Pipe loop"
    summary = "Lay pipes of one metre end to end as a closed loop in a square, without touching."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults("A check measures what is built. There are endless answers, and none of them is a key.")
    answer_type = PipeLoopAnswer
    hidden = frozenset({"loop"})
    difficulty = LoopDifficulty

    def instances(self) -> Sequence[Instance]:
        return _published()

    def draw(self, rng: np.random.Generator, difficulty: LoopDifficulty) -> Mapping[str, Any]:
        """A new order with a loop that meets it. Raises InstanceError where none is found."""
        return draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        """Pipes, square, and the constraints' name: "28 pipes · 5 m · curvy and short runs"."""
        p = instance.parameters
        name = _named([{k: v for k, v in constraint.items() if k != "cyclic"} for constraint in p["constraints"]])
        return " · ".join(filter(None, [f"{p['pipes']} pipes", f"{p['side']} m", "" if name == "none" else name]))

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_text(PipeOrder.of(instance.parameters)))

    def empty(self, instance: Instance) -> PipeLoopAnswer:
        return PipeLoopAnswer(points=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.pipe_loop.commands import commands

        return commands

    def sight(self, instance: Instance, answer: PipeLoopAnswer, aids: Collection[Aid]) -> Scene:
        """The square and the pipes; what is right and wrong is shown to who may have judgements."""
        from spatial_workbench.engine.tasks.pipe_loop.drawing import draw_order

        order = PipeOrder.of(instance.parameters)
        return draw_order(order, answer.places, measures=Aid.MEASURING in aids, judges=Aid.JUDGING in aids)

    @verifier("default", "1", "Every rule; crossings are found exactly, and any touch is a failure of its own.")
    def _default(self, instance: Instance, answer: PipeLoopAnswer, progress: Progress) -> Outcome:
        return judge(PipeOrder.of(instance.parameters), answer.places)

    @verifier(
        "published",
        "1",
        "The published test of crossings: a pipe's end on another pipe counts from one side only, and pipes that lie "
        "along each other are never seen.",
    )
    def _published_verifier(self, instance: Instance, answer: PipeLoopAnswer, progress: Progress) -> Outcome:
        return judge_published(PipeOrder.of(instance.parameters), answer.places)

    def _crosscheck(self, instance: Instance, answer: PipeLoopAnswer, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.pipe_loop.crosscheck import judge as judge_again

        return judge_again(PipeOrder.of(instance.parameters), answer.places)

    def solve(self, instance: Instance, progress: Progress = silent) -> PipeLoopAnswer:
        """The stored loop where there is one, else a constructed one."""
        parameters = instance.parameters
        if "loop" in parameters:
            return loop_answer(parameters["loop"])
        if instance.number == 14:
            return loop_answer(spiked_square(0.5, 4, SPIKES))
        stored = _resource()["loops"].get(str(instance.number))
        return loop_answer(stored or construct(PipeOrder.of(parameters), progress=progress) or ())

    def scene(self, instance: Instance, answer: PipeLoopAnswer | None = None, verdict: Verdict | None = None) -> Scene:
        """The square, what the constraints ask for, the pipes, and where they meet."""
        from spatial_workbench.engine.tasks.pipe_loop.drawing import draw_order

        return draw_order(PipeOrder.of(instance.parameters), () if answer is None else answer.places)

    def thumbnail(self) -> Scene:
        instance = self.instances()[18]
        return self.scene(instance, self.solve(instance))


def loop_answer(points: Sequence[Sequence[float]]) -> PipeLoopAnswer:
    """The answer with these vertices."""
    return PipeLoopAnswer(points=tuple(PipeEnd(x=x, y=y) for x, y in points))


@cache
def _resource() -> Any:
    return json.loads(resource("tasks", "pipe_loop.json").read_text("utf-8"))


@cache
def _published() -> tuple[Instance, ...]:
    rows = enumerate(_resource()["orders"])
    return tuple(
        Instance.published("pipe_loop", i, {"pipes": n, "side": side, "constraints": presets()[preset]})
        for i, (n, side, preset) in rows
    )


def _named(constraints: Sequence[dict[str, Any]]) -> str:
    """A name for the constraints: that of their preset, or their number."""
    for name, known in presets().items():
        if [dict(constraint) for constraint in known] == list(constraints):
            return name.replace("_", " ")
    return f"{len(constraints)} constraints"
