"""An agent on the cube: asks step by step, stores every reply, and takes up a run that was cut off where it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import Instance, Progress, Task
from engine.cube.agent import CubeEnvironment, EndReason, ModelError, RunRecord, Setting, play
from engine.cube.strings import faces_of_colours
from engine.evaluation.plan import AgentPlan
from engine.models import Answerer, Request, Response
from engine.models.conversation import Conversation
from engine.store import Transcript
from engine.tasks.cube.task import CubeTask


@dataclass(frozen=True)
class Played:
    """A run that came to its end."""

    answer: str
    record: RunRecord
    responses: tuple[Response, ...]

    @property
    def transcript(self) -> Transcript:
        """As it is stored."""
        return Transcript(kind="cube", record=self.record.model_dump_json(), words=words_of(self.record))


def words_of(record: RunRecord) -> str:
    """What was said in a run, to be searched."""
    return "\n".join(f"{step.reply}\n{step.observation}" for step in record.steps)


def play_cube(
    one: Task[Any],
    instance: Instance,
    plan: AgentPlan,
    answerer: Answerer,
    request: Request,
    earlier: Sequence[Response],
    said: Callable[[int, Response, str], None],
    progress: Progress,
) -> Played:
    """Lets a model play on the cube of an instance.

    request: its address, repeat, seed and `heard` hold for every question.
    earlier: replies of this run from before it was cut off; they are taken as they are, nobody is asked again.
    said: is told of each new reply: its position, the response, and what was asked.

    Raises:
        ModelError: The model failed; the run does not count.
        SandboxUnavailable: It writes code and no sandbox works here.
        Cancelled: Out of `progress`.
    """
    assert isinstance(one, CubeTask)
    parameters = instance.parameters
    environment = CubeEnvironment(
        faces_of_colours(parameters["state"]), Setting(one.setting), plan.kind, plan.reward.kind
    )
    conversation = Conversation(answerer, request, earlier, said, progress)
    record = play(
        environment, conversation, plan.uses_code, plan.max_steps, plan.minutes * 60, parameters.get("depth"), progress
    )
    if conversation.failed is not None and record.end is EndReason.MODEL_ERROR:
        raise conversation.failed
    if record.end is EndReason.HARNESS_ERROR:
        raise ModelError(record.message)
    return Played(json.dumps({"moves": record.moves}), record, tuple(conversation.responses))
