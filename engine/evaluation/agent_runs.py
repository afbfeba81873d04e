"""Runs of agents: a model is asked step by step, every reply is stored, and an interrupted run can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.core import Instance, PlayedByAgents, Progress
from spatial_workbench.engine.core.agents import AgentPlan, NoReply
from spatial_workbench.engine.models import Answerer, Request, Response
from spatial_workbench.engine.models.conversation import Conversation
from spatial_workbench.engine.store import Transcript


@dataclass(frozen=True)
class PlayedRun:
    """A completed run, with the model's replies."""

    answer: str
    transcript: Transcript
    responses: tuple[Response, ...]


def play(
    task: PlayedByAgents,
    instance: Instance,
    plan: AgentPlan,
    answerer: Answerer,
    request: Request,
    earlier: Sequence[Response],
    on_reply: Callable[[int, Response, str], None],
    progress: Progress,
) -> PlayedRun:
    """Lets a model play as the plan says.

    request: Its address, repeat, seed and `heard` apply to every question.
    earlier: Replies from before this run was interrupted; they are used again in place of asking the model.
    on_reply: Called with each new reply: its position, the response, and the question.

    Raises:
        ModelError: The model failed; the run does not count.
        AgentFailed: The run ended for another reason.
        SandboxUnavailable: The agent writes code, and there is no working sandbox.
        Cancelled: Raised by `progress`.
    """
    conversation = Conversation(answerer, request, earlier, on_reply, progress)
    try:
        run = task.play(instance, plan, conversation, progress)
    except NoReply as error:
        raise conversation.failed or error from None
    words = task.words_of_run(run.record)
    return PlayedRun(
        run.answer, Transcript(kind=run.kind, record=run.record, words=words), tuple(conversation.responses)
    )
