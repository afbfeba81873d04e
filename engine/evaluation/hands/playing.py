"""Lets a model act in an episode until it submits or a limit is reached (docs/hands.md)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Instance, Progress, Task, silent
from spatial_workbench.engine.core.agents import HANDS, AgentRun, Model, Turn
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.evaluation.hands.records import HandsCall, HandsEnd, HandsRecord, HandsStep
from spatial_workbench.engine.evaluation.hands.wording import first_message, left_in_words

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

MOST_SILENT = 3
"""After so many replies in a row without a call, the episode ends."""
MOST_CALLS_OF_A_REPLY = 1000
_NO_CALL = 'No call was found in your message. Calls look like {"tool": "state", "arguments": {}}.'
_TOO_MANY = f"Only the first {MOST_CALLS_OF_A_REPLY} calls of a message are carried out."


@dataclass
class _Clock:
    """Seconds since the episode began, those before an interruption included."""

    earlier_s: float = 0.0
    begun: float = field(default_factory=time.monotonic)

    def __call__(self) -> float:
        return self.earlier_s + time.monotonic() - self.begun


@dataclass
class _Play:
    episode: Episode
    model: Model
    minutes: float
    clock: _Clock
    turns: list[Turn]
    steps: list[HandsStep] = field(default_factory=list)
    silent_replies: int = 0

    @property
    def seconds_left(self) -> float:
        return self.minutes * 60 - self.clock()


def play_with_hands(
    task: Task[Any],
    instance: Instance,
    options: HandsOptions,
    minutes: float,
    model: Model,
    drawer: Drawer | None = None,
    progress: Progress = silent,
) -> AgentRun:
    """An episode in which a model acts; the answer is what it has built at the end.

    Raises:
        NoReply: The model gave no reply.
        Cancelled: Raised by `progress`.
    """
    clock = _Clock()
    episode = Episode(task, instance, options, drawer, clock)
    prompt = task.prompt(instance)
    opening = first_message(prompt.text, episode.tools, options, minutes, native_tools=False)
    system = [Turn("system", prompt.system)] if prompt.system else []
    play = _Play(episode, model, minutes, clock, [*system, Turn("user", opening, prompt.pictures)])
    while episode.end is None:
        progress(len(episode.calls), options.calls, f"call {len(episode.calls) + 1}")
        _one_step(play, progress)
    record = HandsRecord(
        options=options,
        native_tools=False,
        first_message=opening,
        steps=tuple(play.steps),
        end=episode.end,
        seconds=round(clock(), 3),
    )
    return AgentRun(packed(task, episode.submission), HANDS, record.model_dump_json())


def calls_in(text: str) -> list[tuple[Any, Any]]:
    """The calls in a reply, tool and arguments each: every JSON object with a "tool" that is part of no other data."""
    return [
        (entry["tool"], entry.get("arguments", {}))
        for value in _json_values(text)
        for entry in (value if isinstance(value, list) else [value])
        if isinstance(entry, dict) and "tool" in entry
    ]


def _one_step(play: _Play, progress: Progress) -> None:
    """Asks for a reply and carries out its calls."""
    episode = play.episode
    if play.seconds_left <= 0:
        episode.end = HandsEnd.TIME
        return
    reply = play.model.reply(play.turns, play.seconds_left)
    play.clock.earlier_s += reply.earlier_seconds
    made = _carried_out(play, calls_in(reply.text), progress)
    told = "" if made else _NO_CALL
    play.silent_replies = 0 if made else play.silent_replies + 1
    play.steps.append(
        HandsStep(
            reply=reply.text,
            calls=tuple(made),
            told=told,
            seconds=round(play.clock(), 3),
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost_usd=reply.cost_usd,
        )
    )
    episode.end = episode.end or _limit_reached(play)
    play.turns += [Turn("assistant", reply.text), _answer_to(play, made, told)]


def _carried_out(play: _Play, asked: Sequence[tuple[Any, Any]], progress: Progress) -> list[HandsCall]:
    made: list[HandsCall] = []
    for name, arguments in asked[:MOST_CALLS_OF_A_REPLY]:
        if play.episode.end is not None:
            break
        made.append(play.episode.call(name, arguments, progress))
    return made


def _limit_reached(play: _Play) -> HandsEnd | None:
    options = play.episode.options
    if options.tokens is not None and _total(play, lambda step: step.tokens_out) >= options.tokens:
        return HandsEnd.TOKENS
    if options.cost_usd is not None and _total(play, lambda step: step.cost_usd) >= options.cost_usd:
        return HandsEnd.MONEY
    if play.silent_replies >= MOST_SILENT:
        return HandsEnd.SILENT
    return HandsEnd.TIME if play.seconds_left <= 0 else None


def _total(play: _Play, value: Callable[[HandsStep], float | None]) -> float:
    """The sum over all steps; what is unknown counts as 0."""
    return sum(value(step) or 0 for step in play.steps)


def _answer_to(play: _Play, made: Sequence[HandsCall], told: str) -> Turn:
    """What the model is told after its calls."""
    numbered = len(made) > 1
    lines = [f"{k}. {call.tool}: {call.result}" if numbered else call.result for k, call in enumerate(made, 1)]
    lines += [told] if told else []
    lines += [_TOO_MANY] if len(made) == MOST_CALLS_OF_A_REPLY else []
    if play.episode.options.tells_left:
        lines.append(left_in_words(_left(play)))
    return Turn("user", "\n".join(lines), tuple(picture for call in made for picture in call.pictures))


def _left(play: _Play) -> Iterator[tuple[str, float]]:
    episode = play.episode
    options = episode.options
    yield "calls", episode.calls_left
    yield "seconds", max(0.0, play.seconds_left)
    if "look" in episode.tools:
        yield "pictures", max(0, options.pictures - episode.pictures_seen)
    if options.tokens is not None:
        yield "output tokens", max(0.0, options.tokens - _total(play, lambda step: step.tokens_out))
    if options.cost_usd is not None:
        yield "US$", max(0.0, options.cost_usd - _total(play, lambda step: step.cost_usd))


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
