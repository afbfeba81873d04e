"""Responses: OpenAI's newer API, which has hosted tools. The provider is told not to store anything (store=False)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core.agents import ToolOffer, Turn
from spatial_workbench.engine.models.contracts import ErrorKind, Request, ToolCall
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

HOSTED_TOOLS = ({"type": "code_interpreter", "container": {"type": "auto"}}, {"type": "web_search"})
_TOOL_OUTPUTS = ["code_interpreter_call.outputs"]
_FINISH = {"max_output_tokens": "length"}
_TEXTS = {"response.output_text.delta": "text", "response.refusal.delta": "refusal"}
_THOUGHTS = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_COUNTS = {
    "input_tokens": ["input_tokens"],
    "cached_tokens": ["input_tokens_details", "cached_tokens"],
    "output_tokens": ["output_tokens"],
    "reasoning_tokens": ["output_tokens_details", "reasoning_tokens"],
}
_ENDS = ("response.completed", "response.incomplete", "response.failed")


def body(settings: ModelSettings, request: Request, schema_in_words: bool) -> Body:
    """The body of a request, with the schema as a field of it or in the words of the prompt."""
    text = prompt_text(settings, request, schema_in_words)
    turns = [*request.history, Turn("user", text, request.pictures, results=request.results)]
    fields: Body = {
        "model": settings.model,
        "input": [item for turn in turns for item in _items(turn)],
        "instructions": request.system or None,
        "max_output_tokens": settings.max_output_tokens,
        "reasoning": _reasoning(settings),
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "store": False,
    }
    if settings.tools:
        fields |= {"tools": [dict(tool) for tool in HOSTED_TOOLS], "include": list(_TOOL_OUTPUTS)}
    if request.tools:
        fields["tools"] = [*fields.get("tools", ()), *map(_function, request.tools)]
    if request.schema is not None and not schema_in_words:
        named = {"name": request.schema_name, "schema": strict(request.schema), "strict": True}
        fields["text"] = {"format": {"type": "json_schema", **named}}
    return {name: value for name, value in fields.items() if value is not None} | dict(settings.extra)


async def stream(client: AsyncOpenAI, body: Body, received: Received, wait: Callable[[Any], Any]) -> None:
    """Sends a request and reads the whole answer. Everything is awaited through `wait`, which enforces the deadlines.

    Raises:
        Broken: The answer is not complete. Exceptions of the client pass through.
    """
    fixed = {"model": body["model"], "input": body["input"]}
    rest = {name: value for name, value in body.items() if name not in fixed}
    events = await wait(client.responses.create(**fixed, stream=True, extra_body=rest))
    async with events:
        if (answer := await whole(events, received, wait)) is not None:
            _read_end(answer, received)
            return
        async for data in pieces(events, received, wait):
            kind = word(data, "type")
            if kind in _TEXTS:
                received.add(getattr(received, _TEXTS[kind]), dig(data, "delta"))
            elif kind in _THOUGHTS:
                received.add(received.reasoning, dig(data, "delta"))
            elif kind == "error":
                raise Broken(ErrorKind.SERVER, word(data, "message"))
            elif kind in _ENDS:
                _read_end(dig(data, "response"), received)
                return
    raise Broken(ErrorKind.CUT_OFF, "the stream ended without a last event")


def _items(turn: Turn) -> Iterator[Body]:
    """A turn as items: the results of calls first, then what is said and called."""
    for id, text in turn.results:
        yield {"type": "function_call_output", "call_id": id, "output": text}
    if turn.text or turn.pictures or not (turn.results or turn.uses):
        yield {"role": turn.role, "content": _content(turn)}
    for use in turn.uses:
        yield {"type": "function_call", "call_id": use.id, "name": use.name, "arguments": use.arguments}


def _function(tool: ToolOffer) -> Body:
    # Strict schemas would require every argument.
    fields = {"name": tool.name, "description": tool.about, "parameters": dict(tool.schema)}
    return {"type": "function", "strict": False, **fields}


def _content(turn: Turn) -> list[dict[str, Any]]:
    kind = "output_text" if turn.role == "assistant" else "input_text"
    shown = [{"type": "input_image", "image_url": data_url(picture)} for picture in turn.pictures]
    return [{"type": kind, "text": turn.text}, *shown]


def _reasoning(settings: ModelSettings) -> dict[str, str] | None:
    reasoning: dict[str, str] = {}
    if settings.effort is not None:
        reasoning["effort"] = settings.effort.value
    if settings.show_reasoning:
        reasoning["summary"] = "auto"
    return reasoning or None


def _read_end(response: Any, received: Received) -> None:
    """Reads the last event of a stream: names, counts, calls, and why the answer ended.

    Raises:
        Broken: The answer is not complete, or the model refused.
    """
    received.model = word(response, "model")
    received.request_id = received.request_id or word(response, "id") or None
    received.read_usage(dig(response, "usage"), _COUNTS)
    items = [item for item in entries(response, "output") if isinstance(item, Mapping)]
    received.tool_calls = [_tool_call(item) for item in items if str(item.get("type", "")).endswith("_call")]
    status = dig(response, "status")
    if status == "completed":
        received.finish_reason = "stop"
    elif status == "incomplete":
        reason = str(dig(response, "incomplete_details", "reason"))
        received.finish_reason = _FINISH.get(reason, reason)
    else:
        raise Broken(ErrorKind.SERVER, word(response, "error", "message") or str(status))
    if received.refusal or received.finish_reason == "content_filter":
        raise Broken(ErrorKind.REFUSED, "".join(received.refusal) or "content filter")
    if not received.text:
        received.add(received.text, _whole_text(items))


def _whole_text(items: list[Mapping[str, Any]]) -> str:
    parts = [part for item in items for part in entries(item, "content") if dig(part, "type") == "output_text"]
    return "".join(word(part, "text") for part in parts)


def _tool_call(item: Mapping[str, Any]) -> ToolCall:
    asked = item.get("code") or item.get("action") or item.get("arguments") or ""
    outputs = item.get("outputs") or ""
    id = word(item, "call_id")
    return ToolCall(tool=str(item.get("name") or item["type"]), input=_as_text(asked), output=_as_text(outputs), id=id)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
