"""Runs of agents: a model is asked step by step, every reply is stored, and an interrupted run can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Instance, PlayedByAgents, Progress, Task
from spatial_workbench.engine.core.agents import HANDS, AgentPlan, AgentRun, NoReply
from spatial_workbench.engine.evaluation.hands.playing import play_with_hands
from spatial_workbench.engine.evaluation.hands.records import HandsRecord
from spatial_workbench.engine.models import Answerer, ModelError, Request, Response
from spatial_workbench.engine.models.conversation import Conversation, EarlierReply
from spatial_workbench.engine.store import Transcript

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer


@dataclass(frozen=True)
class PlayedRun:
    """A completed run, with the model's replies."""

    answer: str
    transcript: Transcript
    responses: tuple[Response, ...]


def play(
    task: Task[Any],
    instance: Instance,
    plan: AgentPlan,
    answerer: Answerer,
    request: Request,
    earlier: Sequence[EarlierReply],
    on_reply: Callable[[int, Response, str], None],
    progress: Progress,
    drawer: Drawer | None = None,
    native_tools: bool = False,
    parallel: int = 1,
) -> PlayedRun:
    """Lets a model play as the plan says.

    request: Its address, repeat, seed and `heard` apply to every question.
    earlier: Replies from before this run was interrupted; they are used again in place of asking the model.
    on_reply: Called with each new reply: its position, the response, and the question.
    drawer: Draws what a model with hands looks at.
    native_tools: Whether the model can be offered tools.
    parallel: How many questions it may be asked at a time.

    Raises:
        ModelError: The model failed; the run does not count.
        AgentFailed: The run ended for another reason.
        SandboxUnavailable: The agent writes code, and there is no working sandbox.
        Cancelled: Raised by `progress`.
    """
    conversation = Conversation(answerer, request, earlier, on_reply, progress, native_tools, parallel)
    try:
        run = _run(task, instance, plan, conversation, drawer, progress)
    except NoReply as error:
        cause = error.__cause__ if isinstance(error.__cause__, ModelError) else conversation.failed
        raise cause or error from None
    transcript = Transcript(kind=run.kind, record=run.record, words=words_of_run(task, run.kind, run.record))
    return PlayedRun(run.answer, transcript, tuple(conversation.responses))


def words_of_run(task: Task[Any], kind: str, record: str) -> str:
    """The words of a run, for searching. Raises ValueError if the record is not one of a run."""
    if kind == HANDS:
        return HandsRecord.model_validate_json(record).words
    return task.words_of_run(record) if isinstance(task, PlayedByAgents) else ""


def _run(
    task: Task[Any],
    instance: Instance,
    plan: AgentPlan,
    conversation: Conversation,
    drawer: Drawer | None,
    progress: Progress,
) -> AgentRun:
    if plan.kind == HANDS:
        return play_with_hands(task, instance, plan, conversation, drawer, progress)
    assert isinstance(task, PlayedByAgents)
    return task.play(instance, plan, conversation, progress)
