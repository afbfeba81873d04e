"""A conversation of several turns: lets anything that answers questions play as the model in an agent's run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.agents import NobodyReplies, NoReply, Reply, ToolOffer, ToolUse, Turn
from spatial_workbench.engine.models.contracts import Answerer, ErrorKind, ModelError, Request, Response

_FINAL = (ErrorKind.AUTH, ErrorKind.QUOTA, ErrorKind.UNAVAILABLE)
"""Errors after which no other question would be answered either."""
_PLAIN = Request("")


@dataclass(frozen=True)
class EarlierReply:
    """A reply from before a run was interrupted, and the text that was asked."""

    prompt: str
    response: Response


class Conversation:
    """Adapts an `Answerer` to `spatial_workbench.engine.core.agents.Model`.

    Args:
        answerer: Who is asked.
        request: What every question has in common: system text, address, repeat, seed, `heard`.
        earlier: The replies so far, if an interrupted run is resumed; the answerer is not asked for them again.
        on_reply: Called with each new reply: its position, the response, and the question. Questions that are asked at
            a time call it in their own threads, one at a time.
        progress: Passed on with each question.
        native_tools: Whether the answerer can be offered tools; see `ToolModel`.
        parallel: How many questions may be asked at a time; see `ParallelModel`.

    Attributes:
        responses: All answers so far, with their tries.
        failed: The error that ended the conversation, if there was one.
    """

    def __init__(
        self,
        answerer: Answerer,
        request: Request = _PLAIN,
        earlier: Sequence[EarlierReply] = (),
        on_reply: Callable[[int, Response, str], None] | None = None,
        progress: Progress = silent,
        native_tools: bool = False,
        parallel: int = 1,
    ) -> None:
        self._answerer = answerer
        self._request = request
        self._earlier = list(earlier)
        self._count = len(earlier)
        self._lock = threading.Lock()
        self._on_reply = on_reply
        self._progress = progress
        self.native_tools = native_tools
        self.parallel = parallel
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
        if self._earlier:
            return self._reuse(self._earlier.pop(0).response)
        return self._ask(messages, tools, seconds_left)

    def reply_at(self, place: str, messages: Sequence[Turn], seconds_left: float) -> Reply:
        """The reply to a question of its own, in any thread; raises what `reply` does."""
        with self._lock:
            earlier = self._earlier_at(place, messages[-1].text)
            if earlier is not None:
                self._earlier.remove(earlier)
                return self._reuse(earlier.response)
        return self._ask(messages, (), seconds_left, place)

    def _earlier_at(self, place: str, prompt: str) -> EarlierReply | None:
        """The earlier reply of a place; those that earlier versions stored have none, but the same prompt."""
        at_place = (earlier for earlier in self._earlier if earlier.response.place == place)
        unplaced = (earlier for earlier in self._earlier if not earlier.response.place and earlier.prompt == prompt)
        return next(at_place, None) or next(unplaced, None)

    def _ask(self, messages: Sequence[Turn], tools: Sequence[ToolOffer], seconds_left: float, place: str = "") -> Reply:
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
            raise (NobodyReplies if error.kind in _FINAL else NoReply)(str(error)) from error
        with self._lock:
            placed = response.model_copy(update={"place": place}) if place else response
            if self._on_reply is not None:
                self._on_reply(self._count, placed, last.text)
            self._count += 1
            return self._keep_response(placed)

    def _reuse(self, response: Response) -> Reply:
        return replace(self._keep_response(response), earlier_seconds=response.seconds)

    def _keep_response(self, response: Response) -> Reply:
        self.responses.append(response)
        return Reply(
            text=response.text,
            tokens_in=response.usage.input_tokens,
            tokens_out=response.usage.output_tokens,
            cost_usd=response.cost_usd,
            uses=tuple(ToolUse(call.id, call.tool, call.input) for call in response.tool_calls if call.id),
        )
