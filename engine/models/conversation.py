"""A conversation of several turns: lets anything that answers questions play as the model in an agent's run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.agents import NoReply, Reply, ToolOffer, ToolUse, Turn
from spatial_workbench.engine.models.contracts import Answerer, ErrorKind, ModelError, Request, Response

_PLAIN = Request("")


class Conversation:
    """Adapts an `Answerer` to `spatial_workbench.engine.core.agents.Model`.

    Args:
        answerer: Who is asked.
        request: What every question has in common: system text, address, repeat, seed, `heard`.
        earlier: The first replies, if an interrupted run is resumed; the answerer is not asked for them again.
        on_reply: Called with each new reply: its position, the response, and the question.
        progress: Passed on with each question.

        native_tools: Whether the answerer can be offered tools; see `ToolModel`.

    Attributes:
        responses: All answers so far, with their tries.
        failed: The error that ended the conversation, if there was one.
    """

    def __init__(
        self,
        answerer: Answerer,
        request: Request = _PLAIN,
        earlier: Sequence[Response] = (),
        on_reply: Callable[[int, Response, str], None] | None = None,
        progress: Progress = silent,
        native_tools: bool = False,
    ) -> None:
        self._answerer = answerer
        self._request = request
        self._earlier = earlier
        self._on_reply = on_reply
        self._progress = progress
        self.native_tools = native_tools
        self.responses: list[Response] = []
        self.failed: ModelError | None = None

    def reply(self, messages: Sequence[Turn], seconds_left: float) -> Reply:
        """The next turn; an empty one if the time left runs out.

        Raises:
            NoReply: The model failed.
            Cancelled: Raised by `progress`.
        """
        return self.reply_with_tools(messages, (), seconds_left)

    def reply_with_tools(self, messages: Sequence[Turn], tools: Sequence[ToolOffer], seconds_left: float) -> Reply:
        """The next turn, with the calls of tools that are offered; raises what `reply` does."""
        number = len(self.responses)
        if number < len(self._earlier):
            earlier = self._earlier[number]
            return replace(self._keep_response(earlier), earlier_seconds=earlier.seconds)
        system = messages[0].text if messages[0].role == "system" else ""
        *before, last = messages[1:] if system else messages
        request = replace(
            self._request,
            system="\n\n".join(filter(None, (self._request.system, system))),
            text=last.text,
            pictures=last.pictures,
            results=last.results,
            history=tuple(before),
            tools=tuple(tools),
            timeout_s=max(0.001, seconds_left),
        )
        begin = time.monotonic()
        try:
            response = self._answerer.ask(request, self._progress)
        except ModelError as error:
            self.failed = error
            if error.kind is ErrorKind.TIMEOUT and time.monotonic() - begin >= seconds_left:
                # The run ended because its time was up, not because the model failed.
                return Reply("")
            raise NoReply(str(error)) from error
        if self._on_reply is not None:
            self._on_reply(number, response, last.text)
        return self._keep_response(response)

    def _keep_response(self, response: Response) -> Reply:
        self.responses.append(response)
        return Reply(
            text=response.text,
            tokens_in=response.usage.input_tokens,
            tokens_out=response.usage.output_tokens,
            cost_usd=response.cost_usd,
            uses=tuple(ToolUse(call.id, call.tool, call.input) for call in response.tool_calls if call.id),
        )
