"""An agent's run: asks step by step, stores every reply, and takes up a run that was cut off where it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import Instance, Progress, Task
from engine.core.agents import AgentPlan, NoReply
from engine.models import Answerer, Request, Response
from engine.models.conversation import Conversation
from engine.store import Transcript


@dataclass(frozen=True)
class Played:
    """A run that came to its end, and the replies that it took."""

    answer: str
    transcript: Transcript
    responses: tuple[Response, ...]


def play(
    task: Task[Any],
    instance: Instance,
    plan: AgentPlan,
    answerer: Answerer,
    request: Request,
    earlier: Sequence[Response],
    said: Callable[[int, Response, str], None],
    progress: Progress,
) -> Played:
    """Lets a model play as the plan says.

    request: its address, repeat, seed and `heard` hold for every question.
    earlier: replies of this run from before it was cut off; they are taken as they are, nobody is asked again.
    said: is told of each new reply: its position, the response, and what was asked.

    Raises:
        ModelError: The model failed; the run does not count.
        AgentFailed: The run broke off for another reason.
        SandboxUnavailable: It writes code and no sandbox works here.
        Cancelled: Out of `progress`.
    """
    conversation = Conversation(answerer, request, earlier, said, progress)
    try:
        run = task.play(instance, plan, conversation, progress)
    except NoReply as error:
        raise conversation.failed or error from None
    words = task.words_of_run(run.record)
    return Played(run.answer, Transcript(kind=run.kind, record=run.record, words=words), tuple(conversation.responses))
