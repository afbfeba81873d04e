"""Answers from a function of somebody's program, as those of a model: timed, counted, asked from several threads."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from spatial_workbench.engine.core import Progress, Prompt, resolve, silent
from spatial_workbench.engine.models import ErrorKind, ModelError, Request, Response, Try
from spatial_workbench.engine.models.contracts import Usage


@dataclass(frozen=True)
class Reply:
    """What a function answers, with what it cost; None where that is not known.

    Attributes:
        text: The answer as it came.
        output_tokens: All that were generated, reasoning included.
        cost_usd: In US dollars.
        finish_reason: "stop", or "length" where the output limit ended it.
    """

    text: str
    reasoning: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    finish_reason: str = "stop"


Respond = Callable[[Prompt], "str | Reply | Awaitable[str | Reply]"]
"""A function, or an asynchronous one, that answers a prompt."""


class FunctionAnswers:
    """Asks a function. What it raises is an error of its item, and ends nothing else."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """The answer to the prompt of the request's instance; the clock runs while the function does.

        Raises:
            ModelError: The function has raised, or its answer is neither text nor a `Reply`.
            Cancelled: Raised by `progress`, before the function is called.
        """
        progress(0, 0, "calling the function")
        assert request.address is not None
        task, instance = resolve(request.address)
        prompt = task.prompt(instance)
        began, at = time.monotonic(), datetime.now(UTC)
        try:
            reply, fault = self._called(prompt), ""
        except BaseException as error:
            # An exit, too: it would end the thread, and nobody would ever hear of the item.
            reply, fault = None, f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - began
        if request.heard is not None:
            request.heard(_try(reply, fault, at, seconds))
        if reply is None:
            raise ModelError(ErrorKind.SERVER, fault)
        return Response(
            text=reply.text,
            reasoning=reply.reasoning,
            finish_reason=reply.finish_reason,
            usage=_usage(reply),
            cost_usd=reply.cost_usd,
            seconds=seconds,
        )

    def close(self) -> None:
        """Nothing is held."""

    def _called(self, prompt: Prompt) -> Reply:
        given = self._respond(prompt)
        if inspect.isawaitable(given):
            given = asyncio.run(_awaited(given))
        if isinstance(given, str):
            return Reply(given)
        if not isinstance(given, Reply):
            raise TypeError(f"the function answered with {type(given).__name__}; a text or a Reply is expected")
        return given


async def _awaited(given: Awaitable[str | Reply]) -> str | Reply:
    return await given


def _usage(reply: Reply) -> Usage:
    return Usage(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)


def _try(reply: Reply | None, fault: str, at: datetime, seconds: float) -> Try:
    """The call, as the requests of endpoints are stored."""
    failed = reply is None
    return Try(
        number=1,
        started_at=at,
        waited_s=0,
        seconds=seconds,
        sent="{}",
        error=ErrorKind.SERVER if failed else None,
        message=fault,
        text="" if reply is None else reply.text,
        usage=Usage() if reply is None else _usage(reply),
        cost_usd=None if reply is None else reply.cost_usd,
        finish_reason=None if reply is None else reply.finish_reason,
    )
