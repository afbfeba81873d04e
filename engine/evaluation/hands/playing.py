"""Lets a model act in an episode until it submits or a limit is reached (docs/hands.md)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Instance, Progress, Task, silent
from spatial_workbench.engine.core.acting.driving import drive
from spatial_workbench.engine.core.agents import HANDS, AgentPlan, AgentRun, Model, Reply, ToolModel, Turn
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.evaluation.hands.programs import ProgramCalls
from spatial_workbench.engine.evaluation.hands.records import HandsEnd, HandsRecord, HandsStep
from spatial_workbench.engine.evaluation.hands.ways import Acted, JsonCalls, NativeCalls, Way
from spatial_workbench.engine.evaluation.hands.wording import first_message, left_in_words

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

MOST_SILENT = 3
"""After so many replies in a row without a call, the episode ends."""


@dataclass
class _Clock:
    """Seconds since the episode began, those before an interruption included."""

    earlier_s: float = 0.0
    begun: float = field(default_factory=time.monotonic)

    def __call__(self) -> float:
        return self.earlier_s + time.monotonic() - self.begun


@dataclass
class _Play:
    """An episode in which a model acts, with all that was said."""

    episode: Episode
    way: Way
    minutes: float
    clock: _Clock
    turns: list[Turn]
    steps: list[HandsStep] = field(default_factory=list)
    silent_replies: int = 0

    @property
    def seconds_left(self) -> float:
        return self.minutes * 60 - self.clock()

    def let_pass(self, seconds: float) -> None:
        self.clock.earlier_s += seconds

    def is_over(self, progress: Progress) -> bool:
        episode = self.episode
        if episode.end is None:
            progress(len(episode.calls), episode.options.calls, f"call {len(episode.calls) + 1}")
            episode.end = HandsEnd.TIME if self.seconds_left <= 0 else None
        return episode.end is not None

    def act(self, reply: Reply, progress: Progress) -> Turn:
        """Carries out the calls of a reply."""
        acted = self.way.act(reply, self.seconds_left, progress)
        self.silent_replies = self.silent_replies + 1 if acted.is_silent else 0
        self.steps.append(_step(self, reply, acted))
        self.episode.end = self.episode.end or _limit_reached(self, acted)
        return _answer_to(self, acted)


def play_with_hands(
    task: Task[Any],
    instance: Instance,
    plan: AgentPlan,
    model: Model,
    drawer: Drawer | None = None,
    progress: Progress = silent,
) -> AgentRun:
    """An episode in which a model acts; the answer is what it has built at the end.

    Raises:
        NoReply: The model gave no reply.
        SandboxUnavailable: It acts by programs, and no sandbox works here; the model was not asked.
        Cancelled: Raised by `progress`.
    """
    options = HandsOptions.model_validate(dict(plan.options))
    clock = _Clock()
    episode = Episode(task, instance, options, drawer, clock)
    way = _way(episode, plan, model)
    prompt = task.prompt(instance)
    opening = first_message(prompt.text, episode.tools, options, plan.minutes, way.how, lists_tools=not way.is_native)
    system = [Turn("system", prompt.system)] if prompt.system else []
    play = _Play(episode, way, plan.minutes, clock, [*system, Turn("user", opening, prompt.pictures)])
    try:
        drive(play, partial(way.ask, model), progress)
    finally:
        way.close()
    assert episode.end is not None
    record = HandsRecord(
        options=options,
        native_tools=way.is_native,
        first_message=opening,
        steps=tuple(play.steps),
        end=episode.end,
        seconds=round(clock(), 3),
    )
    return AgentRun(packed(task, episode.submission), HANDS, record.model_dump_json())


def _way(episode: Episode, plan: AgentPlan, model: Model) -> Way:
    if episode.options.acts_by == "programs":
        return ProgramCalls(episode, plan.step_seconds)
    if episode.options.acts_by == "tools" and isinstance(model, ToolModel) and model.native_tools:
        return NativeCalls(episode)
    return JsonCalls(episode)


def _step(play: _Play, reply: Reply, acted: Acted) -> HandsStep:
    return HandsStep(
        reply=reply.text,
        calls=acted.calls,
        told=acted.text,
        seconds=round(play.clock(), 3),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        cost_usd=reply.cost_usd,
    )


def _limit_reached(play: _Play, acted: Acted) -> HandsEnd | None:
    options = play.episode.options
    if acted.has_stopped:
        return HandsEnd.PROGRAM_ENDED
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


def _answer_to(play: _Play, acted: Acted) -> Turn:
    """What the model is told after its calls."""
    lines = [acted.text] if acted.text else []
    if play.episode.options.tells_left:
        lines.append(left_in_words(_left(play)))
    return Turn("user", "\n".join(lines), acted.pictures, results=acted.results)


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
