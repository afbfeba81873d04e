"""Answers that a program builds step by step, with the commands of the editor, under the aids of a condition."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from spatial_workbench.engine.core import Answer, AnswerError, Instance, Task
from spatial_workbench.engine.core.acting.commands import HasCommands
from spatial_workbench.engine.core.consent import allow_programs
from spatial_workbench.engine.core.errors import meant, option_sentence
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.judged import Judged


@dataclass(frozen=True)
class Told:
    """What a call gave.

    Attributes:
        text: What a model would be told.
        is_refused: Whether the call did nothing; the text says why.
        pictures: PNG files.
    """

    text: str
    is_refused: bool = False
    pictures: tuple[bytes, ...] = ()

    def __repr__(self) -> str:
        return self.text

    def _repr_png_(self) -> bytes | None:
        return self.pictures[0] if self.pictures else None


class ActingEpisode:
    """An answer in the making. Commands are methods that take their arguments by name: `acting.undo(steps=2)`.

    A command that is called as something else is here, such as `answer` of puzzles, is carried out by `call`.
    """

    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    @classmethod
    def begun(cls, task: Task[Any], instance: Instance, condition: str, limits: Mapping[str, Any]) -> ActingEpisode:
        """See `spatial_workbench.episode`."""
        from spatial_workbench.app.studio.drawing import drawer

        if not isinstance(task, HasCommands):
            raise AnswerError(f"{task.title} has no commands")
        try:
            options = HandsOptions.model_validate({"condition": condition, **limits})
        except ValidationError as error:
            raise ValueError(option_sentence(error, HandsOptions.model_fields, "option of an episode")) from None
        begin = time.monotonic()
        return cls(Episode(task, instance, options, drawer(), lambda: time.monotonic() - begin))

    @property
    def answer(self) -> Answer:
        """The answer as it is now."""
        answer: Answer = self._episode.answer
        return answer

    @property
    def end(self) -> str:
        """Why the episode has ended; empty while it goes on."""
        return self._episode.end.value if self._episode.end is not None else ""

    @property
    def tools(self) -> dict[str, str]:
        """The names of all commands, with what each does."""
        return {tool.name: tool.about for tool in self._episode.tools.values()}

    def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> Told:
        """Carries out a command by its name. What is wrong with it is told, and counts as a call."""
        call = self._episode.call(name, dict(arguments or {}))
        return Told(call.result, call.is_refused, call.pictures)

    def replay(self, calls: Iterable[Mapping[str, Any]]) -> list[Told]:
        """Carries out calls such as {"tool": "place", "arguments": {...}}, one after the other.

        `spatial_workbench.calls` gives those of a stored attempt; *Copy calls* of a transcript copies them.
        """
        return [self.call(call["tool"], call.get("arguments")) for call in calls]

    def submit(self) -> Judged:
        """Hands the answer in, and judges it."""
        episode = self._episode
        episode.call("submit")
        answer = episode.submission
        with allow_programs():
            return Judged(episode.instance, answer, episode.task.verify(episode.instance, answer), "")

    def __getattr__(self, name: str) -> Callable[..., Told]:
        if name.startswith("_") or name not in self._episode.tools:
            near = meant(name, self._episode.tools) or "."
            raise AttributeError(
                f"There is no command “{name}” in this episode{near} There are {', '.join(self.tools)}."
            )
        return lambda **arguments: self.call(name, arguments)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._episode.tools})
