"""An answer in the making: carries out calls of tools, keeps the history, and counts what is left of the limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import AnswerError, Instance, Progress, Scene, Task, silent
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskQuestion, read_arguments
from spatial_workbench.engine.core.acting.views import SeenThroughViews
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.core.solving.handing_in import handed_in
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.looking import picture_of
from spatial_workbench.engine.evaluation.hands.measuring import measured
from spatial_workbench.engine.evaluation.hands.records import HandsCall, HandsEnd
from spatial_workbench.engine.evaluation.hands.tools import (
    HandsTool,
    LookAsked,
    MeasureAsked,
    StateAsked,
    StepCount,
    all_tools,
    tools_of,
)
from spatial_workbench.engine.evaluation.hands.wording import contents_in_words, cut, in_words, shortened

if TYPE_CHECKING:
    from spatial_workbench.engine.core.drawer import Drawer

MAX_NAME_CHARS = 100
UNDO_LIMIT = 10_000
"""How many changes can be taken back."""


@dataclass(frozen=True)
class _Result:
    """What a call gives: a text, pictures, and what the history calls the change."""

    text: str
    pictures: tuple[bytes, ...] = ()
    label: str = ""


@dataclass
class _History:
    """The answers after each change, and which of them is the current one."""

    answers: list[Any]
    place: int = 0

    @property
    def answer(self) -> Any:
        return self.answers[self.place]

    def add(self, answer: Any) -> None:
        self.answers = [*self.answers[: self.place + 1], answer][-UNDO_LIMIT - 1 :]
        self.place = len(self.answers) - 1

    def go(self, steps: int) -> int:
        """Goes back (below 0) or forward; returns how many steps that was."""
        before = self.place
        self.place = min(max(0, self.place + steps), len(self.answers) - 1)
        return abs(self.place - before)


@dataclass
class Episode:
    """Builds an answer by calls. Whoever calls is told a sentence for everything that is wrong with a call.

    Attributes:
        task, instance: What is solved; the task has commands.
        options: The condition and the limits.
        drawer: Draws what `look` shows; None: there are no pictures.
        seconds: How long the episode has lasted, for the record.
        end: Why it has ended; None: it goes on.
    """

    task: Task[Any]
    instance: Instance
    options: HandsOptions
    drawer: Drawer | None = None
    seconds: Callable[[], float] = lambda: 0.0
    end: HandsEnd | None = None
    calls: list[HandsCall] = field(default_factory=list)
    pictures_seen: int = 0

    def __post_init__(self) -> None:
        assert isinstance(self.task, HasCommands)
        self._history = _History([self.task.empty(self.instance)])
        self._view = self.task.first_view() if isinstance(self.task, SeenThroughViews) else None
        self._all = all_tools(self.task)
        offered = tools_of(self.task, self.options)
        self.tools: dict[str, HandsTool] = {
            name: tool for name, tool in offered.items() if name != "look" or self.drawer is not None
        }
        """What may be called, by name."""
        self._common: Mapping[str, Callable[[Any, Progress], _Result]] = {
            "rules": self._rules,
            "state": self._state,
            "look": self._look,
            "measure": self._measure,
            "undo": partial(self._go, -1),
            "redo": partial(self._go, 1),
            "verdict": self._verdict,
            "note": lambda given, progress: _Result("Kept."),
            "submit": self._submit,
        }

    @property
    def answer(self) -> Any:
        """The answer as it is now."""
        return self._history.answer

    @property
    def submission(self) -> Any:
        """The answer as it is handed in."""
        return handed_in(self.task, self.answer)

    @property
    def calls_left(self) -> int:
        """How many calls may still be made."""
        return max(0, self.options.calls - len(self.calls))

    def call(self, name: Any, arguments: Any = None, progress: Progress = silent) -> HandsCall:
        """Carries out a call. What is wrong with it comes back as its result; it counts all the same.

        Raises:
            Cancelled: Raised by `progress`.
        """
        before = self.answer
        tool = self.tools.get(name) if isinstance(name, str) else None
        try:
            told = self._carry_out(name, tool, arguments, progress)
            refused = False
        except AnswerError as error:
            told = _Result(_sentence(error))
            refused = True
        call = HandsCall(
            tool=str(name)[:MAX_NAME_CHARS],
            arguments=arguments,
            result=cut(told.text),
            is_refused=refused,
            aid=tool.aid if tool is not None else None,
            label=told.label if self.answer is not before else "",
            patch=diff(_plain(before), _plain(self.answer)) if self.answer is not before else [],
            pictures=told.pictures,
            seconds=round(self.seconds(), 3),
        )
        self.calls.append(call)
        self._check_end(progress)
        return call

    def _carry_out(self, name: Any, tool: HandsTool | None, arguments: Any, progress: Progress) -> _Result:
        if self.end is not None:
            raise AnswerError(f"The run has ended: {self.end}.")
        if tool is None:
            raise AnswerError(self._why_not(name))
        if tool.command is not None:
            return self._change(tool, tool.command.apply(self.instance, self.answer, arguments))
        if tool.turn is not None:
            self._view, text = tool.turn.apply(self._view, arguments)
            return _Result(text)
        if tool.question is not None:
            return self._ask(tool.question, arguments, progress)
        given = read_arguments(tool.name, tool.arguments, arguments)
        return self._common[tool.name](given, progress)

    def _why_not(self, name: Any) -> str:
        if isinstance(name, str) and name in self._all:
            return f"{name} is not allowed in this condition."
        return f"There is no tool “{str(name)[:MAX_NAME_CHARS]}”; there are {', '.join(self.tools)}."

    def _change(self, tool: HandsTool, answer: Any) -> _Result:
        assert tool.command is not None
        if answer == self.answer:
            return _Result("Nothing has changed.")
        self._history.add(answer)
        return _Result(self._contents(), label=tool.command.label)

    def _contents(self) -> str:
        assert isinstance(self.task, HasCommands)
        return contents_in_words(self.task.state(self.instance, self.answer))

    def _ask(self, question: TaskQuestion, arguments: Any, progress: Progress) -> _Result:
        if question.shows_pictures:
            self._require_pictures()
        told = question.ask(self.instance, self.answer, arguments, progress)
        self.pictures_seen += len(told.pictures)
        return _Result(told.text, told.pictures)

    def _require_pictures(self) -> None:
        if self.pictures_seen >= self.options.pictures:
            raise AnswerError("No pictures are left.")

    def _check_end(self, progress: Progress) -> None:
        if self.end is None and self._is_solved(progress):
            self.end = HandsEnd.SOLVED
        if self.end is None and not self.calls_left:
            self.end = HandsEnd.CALLS

    def _is_solved(self, progress: Progress) -> bool:
        """Whether the last call has solved the task, and that ends the episode."""
        if not (self.options.ends_when_solved and self.options.judges and self.calls[-1].label):
            return False
        return self.task.verify(self.instance, self.submission, progress=progress).passed

    # Common tools ------------------------------------------------------------------------------------------------

    def _rules(self, given: Any, progress: Progress) -> _Result:
        prompt = self.task.prompt(self.instance)
        return _Result(prompt.text, prompt.pictures)

    def _state(self, given: StateAsked, progress: Progress) -> _Result:
        assert isinstance(self.task, HasCommands)
        return _Result(shortened(self.task.state(self.instance, self.answer), given.first, given.count))

    def _look(self, given: LookAsked, progress: Progress) -> _Result:
        self._require_pictures()
        assert self.drawer is not None
        picture = picture_of(self._sight(), given, self.drawer)
        self.pictures_seen += 1
        return _Result("See the picture.", (picture,))

    def _measure(self, given: MeasureAsked, progress: Progress) -> _Result:
        return _Result(measured(self._sight(), given.elements))

    def _sight(self) -> Scene:
        assert isinstance(self.task, HasCommands)
        if isinstance(self.task, SeenThroughViews):
            return self.task.sight_from(self._view, self.instance, self.answer)
        return self.task.sight(self.instance, self.answer, self.options.aids)

    def _go(self, way: int, given: StepCount, progress: Progress) -> _Result:
        steps = self._history.go(way * given.steps)
        if not steps:
            return _Result("There is nothing to take back." if way < 0 else "There is nothing to make again.")
        return _Result(self._contents(), label="Undo" if way < 0 else "Redo")

    def _verdict(self, given: Any, progress: Progress) -> _Result:
        verdict = self.task.verify(self.instance, self.submission, progress=progress)
        is_untouched = self.answer == self.task.empty(self.instance)
        return _Result(in_words(self.task.live.restricted(verdict, is_untouched=is_untouched)))

    def _submit(self, given: Any, progress: Progress) -> _Result:
        self.end = HandsEnd.SUBMITTED
        return _Result("The answer is handed in.")


def _plain(answer: Any) -> Any:
    return answer.model_dump(mode="json")


def _sentence(error: AnswerError) -> str:
    text = str(error)
    return text if text.endswith((".", "?")) else f"{text}."
