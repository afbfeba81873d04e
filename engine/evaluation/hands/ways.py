"""How a model calls: as its endpoint has it, or as JSON in its texts. A program is a third way, in `programs`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from spatial_workbench.engine.core import Progress
from spatial_workbench.engine.core.agents import Model, Reply, ToolModel, ToolOffer, Turn
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.evaluation.hands.records import HandsCall

MOST_CALLS_OF_A_REPLY = 1000
_TOO_MANY = f"Only the first {MOST_CALLS_OF_A_REPLY} calls of a message are carried out."
_NO_JSON_CALL = 'No call was found in your message. Calls look like {"tool": "state", "arguments": {}}.'
_NO_TOOL_CALL = "Your message holds no call of a tool."
_NOT_REACHED = "This call was not carried out: the run had ended, or the message held too many."
_JSON_CALLS = """Write a thought, then your calls, each as one JSON object such as
{"tool": "undo", "arguments": {"steps": 1}}
They are carried out in their order, and you are told the result of each."""
_NATIVE_CALLS = "Call tools; calls in one message are carried out in their order, and you are told the result of each."


@dataclass(frozen=True)
class Acted:
    """What came of a reply.

    Attributes:
        calls: Those that were carried out.
        text: What the model is told.
        results: The results of native calls, each with the id of its call.
        pictures: PNG files that it is shown.
        is_silent: Whether the reply asked for nothing.
        has_stopped: Whether its program has ended, so that nothing can follow.
    """

    calls: tuple[HandsCall, ...]
    text: str = ""
    results: tuple[tuple[str, str], ...] = ()
    pictures: tuple[bytes, ...] = ()
    is_silent: bool = False
    has_stopped: bool = False


class Way(Protocol):
    """A way to call."""

    is_native: bool
    """Whether the tools are offered to the endpoint, so that the first message need not list them."""
    how: str
    """How to call, for the first message."""

    def ask(self, model: Model, turns: Sequence[Turn], seconds_left: float) -> Reply:
        """The model's next turn. Raises NoReply."""

    def act(self, reply: Reply, seconds_left: float, progress: Progress) -> Acted:
        """Carries out the calls of a reply. Raises Cancelled."""

    def close(self) -> None:
        """Ends what it has started."""


class JsonCalls:
    """Calls are JSON objects in the model's texts."""

    is_native = False
    how = _JSON_CALLS

    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    def ask(self, model: Model, turns: Sequence[Turn], seconds_left: float) -> Reply:
        """The model's next turn."""
        return model.reply(turns, seconds_left)

    def act(self, reply: Reply, seconds_left: float, progress: Progress) -> Acted:
        """Carries out every call in the text."""
        asked = calls_in(reply.text)
        made = carried_out(self._episode, asked, progress)
        return Acted(made, _told(asked, made, _NO_JSON_CALL), pictures=_pictures(made), is_silent=not asked)

    def close(self) -> None:
        """Nothing was started."""


class NativeCalls:
    """Tools are offered to the endpoint; calls that a model writes as JSON all the same are carried out, too."""

    is_native = True
    how = _NATIVE_CALLS

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._offers = [ToolOffer(tool.name, tool.about, tool.schema) for tool in episode.tools.values()]

    def ask(self, model: Model, turns: Sequence[Turn], seconds_left: float) -> Reply:
        """The model's next turn, with tools offered."""
        assert isinstance(model, ToolModel)
        return model.reply_with_tools(turns, self._offers, seconds_left)

    def act(self, reply: Reply, seconds_left: float, progress: Progress) -> Acted:
        """Carries out the calls of tools, or else those in the text."""
        if not reply.uses:
            asked = calls_in(reply.text)
            made = carried_out(self._episode, asked, progress)
            return Acted(made, _told(asked, made, _NO_TOOL_CALL), pictures=_pictures(made), is_silent=not asked)
        asked = [(use.name, _arguments(use.arguments)) for use in reply.uses]
        made = carried_out(self._episode, asked, progress)
        texts = [call.result for call in made] + [_NOT_REACHED] * (len(asked) - len(made))
        results = tuple((use.id, text) for use, text in zip(reply.uses, texts, strict=True))
        return Acted(made, results=results, pictures=_pictures(made))

    def close(self) -> None:
        """Nothing was started."""


def carried_out(episode: Episode, asked: Sequence[tuple[Any, Any]], progress: Progress) -> tuple[HandsCall, ...]:
    """The calls, as far as the episode goes on."""
    made: list[HandsCall] = []
    for name, arguments in asked[:MOST_CALLS_OF_A_REPLY]:
        if episode.end is not None:
            break
        made.append(episode.call(name, arguments, progress))
    return tuple(made)


def calls_in(text: str) -> list[tuple[Any, Any]]:
    """The calls in a text, tool and arguments each: every JSON object with a "tool" that is part of no other data."""
    return [
        (entry["tool"], entry.get("arguments", {}))
        for value in _json_values(text)
        for entry in (value if isinstance(value, list) else [value])
        if isinstance(entry, dict) and "tool" in entry
    ]


def _told(asked: Sequence[Any], made: Sequence[HandsCall], silence: str) -> str:
    """The results of calls, numbered if there are several."""
    if not asked:
        return silence
    lines = [f"{k}. {call.tool}: {call.result}" if len(made) > 1 else call.result for k, call in enumerate(made, 1)]
    return "\n".join([*lines, *([_TOO_MANY] if len(asked) > MOST_CALLS_OF_A_REPLY else [])])


def _pictures(made: Sequence[HandsCall]) -> tuple[bytes, ...]:
    return tuple(picture for call in made for picture in call.pictures)


def _arguments(text: str) -> Any:
    """The arguments of a native call; text that is not JSON stays text, which is refused with a sentence."""
    try:
        return json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        return text


def _json_values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    position = 0
    while (start := _bracket(text, position)) >= 0:
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            position = start + 1
            continue
        yield value


def _bracket(text: str, position: int) -> int:
    """Where the next object or list begins; -1 if none does."""
    places = [place for place in (text.find("{", position), text.find("[", position)) if place >= 0]
    return min(places, default=-1)
