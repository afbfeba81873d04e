"""What both APIs share: the texts and pictures of a request, and reading a stream."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from spatial_workbench.engine.core.formats.sound import has_lone_half
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.models.contracts import ErrorKind, Request, ToolCall, Usage
from spatial_workbench.engine.models.faults import Broken
from spatial_workbench.engine.models.settings import BudgetNote, ModelSettings
from spatial_workbench.engine.models.structured import in_words

Body = dict[str, Any]
_DATA = "data:image/png;base64,"
_SMALL_BUDGET = 4096
_TOKENS_OF_A_PICTURE = 1000
_CHARS_OF_A_TOKEN = 4


@dataclass
class Received:
    """What has arrived of an answer so far; the thread that waits for the answer reads it while it grows."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    tool_calls: list[ToolCall] = field(default_factory=list)
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    status: int | None = None
    request_id: str | None = None
    model: str = ""
    started: bool = False
    is_streamed: bool = True
    characters: int = 0
    thoughts: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, parts: list[str], piece: Any) -> None:
        """Appends a piece, if it is text.

        Raises:
            Broken: The answer is longer than any answer may be.
        """
        if not isinstance(piece, str):
            return
        parts.append(piece)
        if parts is self.text:
            self.characters += len(piece)
        else:
            self.thoughts += len(piece)
        self._check_length()

    def add_call(self, place: int, id: str, name: str, arguments: str) -> None:
        """Adds a piece of the call at a place; only its first piece has a name.

        Raises:
            Broken: The calls are longer than any answer may be.
        """
        if name and place >= len(self.tool_calls):
            self.tool_calls.append(ToolCall(tool=name, id=id))
        if not self.tool_calls:
            return
        place = min(place, len(self.tool_calls) - 1)
        call = self.tool_calls[place]
        self.tool_calls[place] = call.model_copy(update={"input": call.input + arguments, "id": call.id or id})
        self.characters += len(arguments)
        self._check_length()

    def _check_length(self) -> None:
        if self.characters + self.thoughts > MAX_TEXT_CHARS:
            raise Broken(ErrorKind.BAD_RESPONSE, f"more than {MAX_TEXT_CHARS} characters came")

    def read_usage(self, data: Any, paths: Mapping[str, Sequence[str]]) -> None:
        """Reads the counts of tokens at some paths; one that makes no sense is left unknown, and a note says so."""
        values = {name: dig(data, *path) for name, path in paths.items()}
        self.usage = Usage.model_validate(values)
        for name, value in values.items():
            if value is not None and getattr(self.usage, name) is None:
                self.note(f"The count of {name.replace('_', ' ')} made no sense, so it is unknown")

    def check_texts(self) -> None:
        """Adds a note if text or reasoning was not Unicode."""
        if any(has_lone_half("".join(parts)) for parts in (self.text, self.reasoning)):
            self.note("Half a character came in the answer and was replaced by U+FFFD")

    def note(self, sentence: str) -> None:
        """Adds a note on what was repaired, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    @property
    def phase(self) -> str:
        """What is happening, for a person."""
        if self.characters:
            return f"answering, {self.characters} characters"
        if self.thoughts:
            return f"thinking, {self.thoughts} characters"
        return "thinking" if self.started else "waiting for the endpoint"


async def whole(stream: Any, received: Received, wait: Callable[[Any], Any]) -> Mapping[str, Any] | None:
    """The answer of an endpoint that was asked for a stream but sends plain JSON; None if it streams.

    Raises:
        Broken: It is no JSON object, or tells of an error.
    """
    response = stream.response
    if "json" not in response.headers.get("content-type", ""):
        return None
    received.status = response.status_code
    received.request_id = response.headers.get("x-request-id")
    received.is_streamed = False
    text = await wait(response.aread())
    received.started = True
    data = json.loads(text)
    if not isinstance(data, Mapping):
        raise Broken(ErrorKind.BAD_RESPONSE, "it sent JSON that is not an object")
    if data.get("error"):
        raise Broken(ErrorKind.SERVER, word(data, "error", "message") or str(data["error"])[:500])
    return data


async def pieces(stream: Any, received: Received, wait: Callable[[Any], Any]) -> AsyncIterator[Mapping[str, Any]]:
    """The events of a stream as plain data, whatever the endpoint has put into them.

    Raises:
        Broken: The response is not a stream.
    """
    response = stream.response
    received.status = response.status_code
    received.request_id = response.headers.get("x-request-id")
    kind = response.headers.get("content-type", "text/event-stream")
    if "event-stream" not in kind:
        await response.aclose()
        raise Broken(ErrorKind.BAD_RESPONSE, f"it sent {kind} in place of a stream")
    events = aiter(stream)
    while True:
        try:
            event = await wait(anext(events))
        except StopAsyncIteration:
            return
        received.started = True
        data = event.model_dump(exclude_unset=True, warnings=False) if isinstance(event, BaseModel) else event
        if isinstance(data, Mapping):
            yield data


def dig(data: Any, *path: str | int) -> Any:
    """The value at a path of names and indices; None if there is none."""
    for part in path:
        if isinstance(part, int):
            data = data[part] if isinstance(data, list) and -len(data) <= part < len(data) else None
        else:
            data = data.get(part) if isinstance(data, Mapping) else None
    return data


def word(data: Any, *path: str | int) -> str:
    """The text at a path; empty if there is none."""
    value = dig(data, *path)
    return value if isinstance(value, str) else ""


def entries(data: Any, *path: str | int) -> list[Any]:
    """The list at a path; empty if there is none."""
    value = dig(data, *path)
    return value if isinstance(value, list) else []


def prompt_text(settings: ModelSettings, request: Request, schema_in_words: bool) -> str:
    """The prompt, preceded by the note on the budget and followed by the schema in words."""
    parts = [budget_note(settings), request.text]
    if schema_in_words and request.schema is not None:
        parts.append(in_words(request.schema))
    return "\n\n".join(filter(None, parts))


def budget_note(settings: ModelSettings) -> str:
    """The sentence on the output limit (SCBench always has one; its program names numbers up to 4096 only)."""
    budget = settings.max_output_tokens
    if budget is None or settings.budget_note is BudgetNote.NONE:
        return ""
    if settings.budget_note is BudgetNote.PUBLISHED and budget > _SMALL_BUDGET:
        return "Your token budget for this question has practically no limit.\nThink for as long as you need."
    return (
        f"You have {budget} tokens for this question; reasoning and answer count together.\n"
        "Finish your answer within them."
    )


def data_url(picture: bytes) -> str:
    """A PNG as a data URL."""
    return _DATA + base64.b64encode(picture).decode("ascii")


def for_record(body: Body) -> str:
    """The body of a request as JSON, with each picture's SHA-256 in its place."""

    def shorten(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: shorten(entry) for name, entry in value.items()}
        if isinstance(value, list):
            return [shorten(entry) for entry in value]
        if isinstance(value, str) and value.startswith(_DATA):
            return f"png sha256:{hashlib.sha256(base64.b64decode(value[len(_DATA) :])).hexdigest()}"
        return value

    return json.dumps(shorten(body), ensure_ascii=False)


def estimated_tokens(settings: ModelSettings, request: Request) -> int:
    """A rough estimate of a request's tokens, for the limit on tokens per minute."""
    turns = [(request.system, ()), (request.text, request.pictures), *((t.text, t.pictures) for t in request.history)]
    characters = sum(len(text) for text, _ in turns)
    pictures = sum(len(shown) for _, shown in turns)
    output = settings.max_output_tokens or 1000
    return characters // _CHARS_OF_A_TOKEN + pictures * _TOKENS_OF_A_PICTURE + output


def cost_usd(settings: ModelSettings, usage: Usage) -> float | None:
    """What the tokens cost; None if a price or a count is unknown. Hosted tools cost extra."""
    prices = settings.prices
    if None in (prices.input_usd, prices.output_usd, usage.input_tokens, usage.output_tokens):
        return None
    assert prices.input_usd is not None
    assert prices.output_usd is not None
    assert usage.input_tokens is not None
    assert usage.output_tokens is not None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    cached_price = prices.input_usd if prices.cached_input_usd is None else prices.cached_input_usd
    fresh = usage.input_tokens - cached
    return (fresh * prices.input_usd + cached * cached_price + usage.output_tokens * prices.output_usd) / 1e6
