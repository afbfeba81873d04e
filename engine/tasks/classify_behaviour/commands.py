"""What can be done to the labels of squares: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import Numbers, chosen
from spatial_workbench.engine.tasks.classify_behaviour import Labels, board_of
from spatial_workbench.engine.tasks.labelled_squares.square import Behaviour

commands = CommandList()


class LabelledNumbers(CommandArguments):
    """A label for some squares."""

    squares: Numbers = Field(description="numbers of squares, from 0")
    label: Literal[tuple(kind.value for kind in Behaviour)] = Field(  # type: ignore[valid-type]
        description="what they are"
    )


class UnlabelledNumbers(CommandArguments):
    """Some squares."""

    squares: Numbers = Field(description="numbers of squares, from 0")


@commands.add("Label square", LabelledNumbers, name="set")
def label(instance: Instance, answer: Labels, given: LabelledNumbers) -> Labels:
    """Gives squares a label."""
    return _with(instance, answer, given.squares, given.label)


@commands.add("Clear label", UnlabelledNumbers)
def clear(instance: Instance, answer: Labels, given: UnlabelledNumbers) -> Labels:
    """Takes the labels of squares away."""
    return _with(instance, answer, given.squares, "")


@commands.leading
def calls_between(instance: Instance, before: Labels, after: Labels) -> Iterator[Sequence[Call]]:
    """Calls that give squares their labels, or take them away."""
    count = len(board_of(instance).walks)
    old, new = ([*answer.labels, *[""] * (count - len(answer.labels))] for answer in (before, after))
    groups: dict[str, list[int]] = {}
    for square, (was, word) in enumerate(zip(old, new, strict=False)):
        if was != word:
            groups.setdefault(word, []).append(square)
    yield [
        ("set", {"squares": squares, "label": word}) if word else ("clear", {"squares": squares})
        for word, squares in groups.items()
    ]


def _with(instance: Instance, answer: Labels, squares: tuple[int, ...], word: str) -> Labels:
    count = len(board_of(instance).walks)
    labels = [*answer.labels[:count], *[""] * (count - len(answer.labels))]
    for square in chosen(squares, count, "square", "squares"):
        labels[square] = word
    return Labels(labels=tuple(labels) if any(labels) else ())
