"""A history of answers, such as a person's, told as calls of commands that lead to the same answers, byte for byte."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from spatial_workbench.engine.core.acting.commands import Call, CallWays, CommandList, HasCommands, commands_of
from spatial_workbench.engine.core.answer import Answer
from spatial_workbench.engine.core.contract import Task
from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.instance import Instance

ElementT = TypeVar("ElementT")


@dataclass(frozen=True)
class RetoldEdit:
    """An edit as calls.

    Attributes:
        is_exact: Whether they give the answer that the edit gave. If not, there is no call, and the calls of a later
            edit make up for it where they can.
    """

    calls: tuple[Call, ...]
    is_exact: bool = True


def can_retell(task: object) -> bool:
    """Whether a task says how its answers are reached by calls."""
    return _ways_of(task) is not None


def retold(task: Task[Any], instance: Instance, answers: Iterable[Answer]) -> Iterator[RetoldEdit]:
    """The calls that lead from the empty answer to each of the answers in turn; the task has commands.

    An answer that was there before is reached by `undo` or `redo`. Reasoning, which no command writes, is left out.
    """
    ways = _ways_of(task)
    assert ways is not None
    track = _Track(task, instance, ways)
    for answer in answers:
        yield track.follow(answer)


def ways_of_list(
    before: Sequence[ElementT],
    after: Sequence[ElementT],
    delete: Callable[[list[int]], Call],
    add: Callable[[Sequence[ElementT]], Iterable[Call]],
    change: Callable[[list[int]], Iterable[Sequence[Call]]] = lambda numbers: (),
) -> Iterator[Sequence[Call]]:
    """Ways from one list of elements to another one with commands that delete elements and add others at the end.

    Args:
        delete: The call that deletes elements, by their numbers.
        add: The calls that add elements.
        change: Ways to change elements where they are, by their numbers, for lists of the same length.
    """
    if len(before) == len(after):
        yield from change([k for k, (old, new) in enumerate(zip(before, after, strict=True)) if old != new])
    kept: list[int] = []
    for k, element in enumerate(before):
        if len(kept) < len(after) and element == after[len(kept)]:
            kept.append(k)
    for stays in (set(kept), set[int]()):
        gone = [k for k in range(len(before)) if k not in stays]
        yield [*([delete(gone)] if gone else []), *add(after[len(stays) :])]


def place_moved(before: Sequence[ElementT], after: Sequence[ElementT]) -> tuple[int, int] | None:
    """Which element of a list went to which place, if that is all that happened."""
    changed = [k for k, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
    if len(before) != len(after) or len(changed) < 2:
        return None
    first, last = changed[0], changed[-1]
    for source, place in ((first, last), (last, first)):
        order = list(before)
        order.insert(place, order.pop(source))
        if order == list(after):
            return source, place
    return None


class _Track:
    """The answers after each call so far, of which those after the current one were taken back."""

    def __init__(self, task: Task[Any], instance: Instance, ways: CallWays) -> None:
        self._commands = commands_of(task)
        self._instance = instance
        self._ways = ways
        self._answers: list[Any] = [task.empty(instance)]
        self._marks = [_mark(self._answers[0])]
        self._place = 0

    def follow(self, answer: Answer) -> RetoldEdit:
        """Goes on to an answer."""
        mark = _mark(answer)
        if mark == self._marks[self._place]:
            return RetoldEdit(())
        if mark in self._marks:
            return RetoldEdit((self._go_back(mark),))
        undone = self._place
        if calls := self._built(self._place, answer, mark):
            return RetoldEdit(calls)
        if undone and (calls := self._built(0, answer, mark)):
            return RetoldEdit((("undo", {"steps": undone}), *calls))
        return RetoldEdit((), is_exact=False)

    def _go_back(self, mark: bytes) -> Call:
        """Goes to an answer that was there, the nearest one if there are several."""
        places = [k for k, known in enumerate(self._marks) if known == mark]
        place = min(places, key=lambda k: abs(k - self._place))
        steps = place - self._place
        self._place = place
        return ("undo" if steps < 0 else "redo"), {"steps": abs(steps)}

    def _built(self, place: int, answer: Answer, mark: bytes) -> tuple[Call, ...]:
        """The calls that lead from an earlier place to an answer; none if no way leads there."""
        for way in self._ways(self._instance, self._answers[place], answer):
            made = self._made(self._answers[place], way)
            if made and _mark(made[-1][1]) == mark:
                self._answers = [*self._answers[: place + 1], *(later for _, later in made)]
                self._marks = [*self._marks[: place + 1], *(_mark(later) for _, later in made)]
                self._place = len(self._answers) - 1
                return tuple(call for call, _ in made)
        return ()

    def _made(self, answer: Any, way: Sequence[Call]) -> list[tuple[Call, Any]]:
        """The calls of a way that change something, with the answers after each; none if a call is refused."""
        made = []
        for name, arguments in way:
            try:
                later = self._commands[name].apply(self._instance, answer, arguments)
            except AnswerError:
                return []
            if later != answer:
                made.append(((name, arguments), later))
                answer = later
        return made


def _ways_of(task: object) -> CallWays | None:
    commands = task.commands() if isinstance(task, HasCommands) else ()
    return commands.ways if isinstance(commands, CommandList) else None


def _mark(answer: Answer) -> bytes:
    """What tells an answer from all others: a hash of its bytes, without reasoning."""
    data = answer.model_dump_json(by_alias=True, exclude={"reasoning"})
    return hashlib.blake2b(data.encode(), digest_size=16).digest()
