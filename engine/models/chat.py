"""Chat Completions: the one API that all endpoints have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core.agents import ToolOffer, ToolUse, Turn
from spatial_workbench.engine.models.contracts import ErrorKind, Request
from spatial_workbench.engine.models.faults import Broken
from spatial_workbench.engine.models.settings import ModelSettings
from spatial_workbench.engine.models.structured import strict
from spatial_workbench.engine.models.wire import (
    Body,
    Received,
    data_url,
    dig,
    entries,
    pieces,
    prompt_text,
    whole,
    word,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_COUNTS = {
    "input_tokens": ["prompt_tokens"],
    "cached_tokens": ["prompt_tokens_details", "cached_tokens"],
    "output_tokens": ["completion_tokens"],
    "reasoning_tokens": ["completion_tokens_details", "reasoning_tokens"],
}


def body(settings: ModelSettings, request: Request, schema_in_words: bool) -> Body:
    """The body of a request, with the schema as a field of it or in the words of the prompt."""
    text = prompt_text(settings, request, schema_in_words)
    turns = [*request.history, Turn("user", text, request.pictures, results=request.results)]
    fields: Body = {
        "model": settings.model,
        "messages": [{"role": "system", "content": request.system}] if request.system else [],
        "stream_options": {"include_usage": True},
        "max_completion_tokens": settings.max_output_tokens,
        "reasoning_effort": settings.effort and settings.effort.value,
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "seed": request.seed,
    }
    fields["messages"] += [message for turn in turns for message in _messages(turn)]
    if request.tools:
        fields["tools"] = [{"type": "function", "function": _function(tool)} for tool in request.tools]
    if request.schema is not None and not schema_in_words:
        named = {"name": request.schema_name, "schema": strict(request.schema), "strict": True}
        fields["response_format"] = {"type": "json_schema", "json_schema": named}
    return {name: value for name, value in fields.items() if value is not None} | dict(settings.extra)


async def stream(client: AsyncOpenAI, body: Body, received: Received, wait: Callable[[Any], Any]) -> None:
    """Sends a request and reads the whole answer. Everything is awaited through `wait`, which enforces the deadlines.

    Raises:
        Broken: The answer is not complete. Exceptions of the client pass through.
    """
    # Fields that the client does not know, such as "thinking", pass through extra_body like all others.
    fixed = {"model": body["model"], "messages": body["messages"]}
    rest = {name: value for name, value in body.items() if name not in fixed}
    events = await wait(client.chat.completions.create(**fixed, stream=True, extra_body=rest))
    async with events:
        if (answer := await whole(events, received, wait)) is not None:
            _read_piece(_as_piece(answer), received)
            _check_end(received)
            return
        try:
            async for data in pieces(events, received, wait):
                _read_piece(data, received)
        except Exception:
            # Only the usage comes after the finish reason, and an answer is complete without it.
            if received.finish_reason is None:
                raise
    _check_end(received)


def _messages(turn: Turn) -> Iterator[Body]:
    """A turn as messages: the results of calls first, then what is said or called."""
    for id, text in turn.results:
        yield {"role": "tool", "tool_call_id": id, "content": text}
    if turn.uses:
        calls = [{"id": use.id, "type": "function", "function": _called(use)} for use in turn.uses]
        yield {"role": turn.role, "content": turn.text or None, "tool_calls": calls}
    elif turn.text or turn.pictures or not turn.results:
        yield {"role": turn.role, "content": _content(turn)}


def _called(use: ToolUse) -> Body:
    return {"name": use.name, "arguments": use.arguments}


def _function(tool: ToolOffer) -> Body:
    return {"name": tool.name, "description": tool.about, "parameters": dict(tool.schema)}


def _content(turn: Turn) -> Any:
    if not turn.pictures:
        return turn.text
    shown = [{"type": "image_url", "image_url": {"url": data_url(picture)}} for picture in turn.pictures]
    return [{"type": "text", "text": turn.text}, *shown]


def _read_piece(data: Mapping[str, Any], received: Received) -> None:
    """Adds a piece of the stream to what was received: names, counts, text, reasoning, calls, the finish reason."""
    received.model = word(data, "model") or received.model
    received.request_id = received.request_id or word(data, "id") or None
    if isinstance(dig(data, "usage"), Mapping):
        received.read_usage(data["usage"], _COUNTS)
    delta = dig(data, "choices", 0, "delta")
    received.add(received.text, dig(delta, "content"))
    received.add(received.reasoning, dig(delta, "reasoning_content") or dig(delta, "reasoning"))
    received.add(received.refusal, dig(delta, "refusal"))
    for place, call in enumerate(entries(delta, "tool_calls")):
        index = dig(call, "index")
        at = index if isinstance(index, int) else place
        received.add_call(at, word(call, "id"), word(call, "function", "name"), word(call, "function", "arguments"))
    received.finish_reason = word(data, "choices", 0, "finish_reason") or received.finish_reason


def _as_piece(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """An answer that came in one piece, as a stream would have sent it.

    Raises:
        Broken: There is no message in it.
    """
    delta = dig(answer, "choices", 0, "message")
    if not isinstance(delta, Mapping):
        raise Broken(ErrorKind.BAD_RESPONSE, "it sent JSON without an answer in place of a stream")
    finish = word(answer, "choices", 0, "finish_reason") or "stop"
    return {**answer, "choices": [{"delta": delta, "finish_reason": finish}]}


def _check_end(received: Received) -> None:
    if received.finish_reason is None:
        raise Broken(ErrorKind.CUT_OFF, "the stream ended without a reason")
    if received.finish_reason == "content_filter" or received.refusal:
        raise Broken(ErrorKind.REFUSED, "".join(received.refusal) or "content filter")
