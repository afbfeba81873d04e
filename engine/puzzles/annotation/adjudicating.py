"""Adjudication: a third annotation is made from two independent ones (docs/puzzles.md, "Double annotation")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.puzzles.annotation.decisions import DECIDED_FIELDS, TAGS
from spatial_workbench.engine.puzzles.annotation.double import StepPair, aligned_steps
from spatial_workbench.engine.puzzles.annotation.settling import field_trouble
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep


class AdjudicationError(ValueError):
    """An adjudication that does not follow from the two annotations; says where."""


class StepSource(StrEnum):
    """Whose words a step of the third annotation has."""

    FIRST = "A"
    SECOND = "B"
    BOTH = "both"
    NEW = "new"


class ThirdStep(BaseModel):
    """A step of the third annotation: its words, whose they are, and the steps that it takes the place of, from 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = Field(min_length=1)
    source: StepSource
    first: int | None = Field(default=None, ge=1)
    second: int | None = Field(default=None, ge=1)


class PairTaken(StrEnum):
    """What the adjudicator takes for a row of aligned steps."""

    FIRST = "A"
    SECOND = "B"
    BOTH = "both"
    NEW = "new"
    NEITHER = "neither"


def says_the_same(pair: StepPair, first: Puzzle, second: Puzzle) -> bool:
    """Whether both annotators wrote the same words, so that there is nothing to choose."""
    texts = _texts_of(pair, first, second)
    return texts[0] is not None and texts[0] == texts[1]


def taken_steps(
    pair: StepPair, first: Puzzle, second: Puzzle, taken: PairTaken, text: str = ""
) -> tuple[ThirdStep, ...]:
    """The steps of the third annotation that follow from what is taken for a pair of steps.

    text: The new words; blank lines part several steps, of which the first keeps the figure.

    Raises:
        AdjudicationError: There is nothing to take.
    """
    ours, theirs = _texts_of(pair, first, second)
    if says_the_same(pair, first, second) and taken not in (PairTaken.NEW, PairTaken.NEITHER):
        return (ThirdStep(text=str(ours), source=StepSource.BOTH, first=pair.first, second=pair.second),)
    if taken is PairTaken.NEW:
        pieces = [piece.strip() for piece in re.split(r"\n\s*\n", text) if piece.strip()]
        if not pieces:
            raise AdjudicationError("The new text is empty")
        head = ThirdStep(text=pieces[0], source=StepSource.NEW, first=pair.first, second=pair.second)
        return (head, *(ThirdStep(text=piece, source=StepSource.NEW) for piece in pieces[1:]))
    steps = []
    if taken in (PairTaken.FIRST, PairTaken.BOTH) and ours is not None:
        steps.append(ThirdStep(text=ours, source=StepSource.FIRST, first=pair.first))
    if taken in (PairTaken.SECOND, PairTaken.BOTH) and theirs is not None:
        steps.append(ThirdStep(text=theirs, source=StepSource.SECOND, second=pair.second))
    return tuple(steps)


def chosen_third(
    first: Puzzle, second: Puzzle, choices: Mapping[str, tuple[str, str]]
) -> tuple[tuple[ThirdStep, ...], dict[str, Any]]:
    """The steps and the values of a third annotation that is chosen in words.

    choices: What is taken and the new words, by place: "2=3" for steps that say the same, "2=–" and "–=3" for one
        without a partner, or the name of a field; what both wrote in the same words needs no choice.

    Raises:
        AdjudicationError: A place has no choice, or there is no such place or choice.
    """
    left = dict(choices)
    steps: list[ThirdStep] = []
    for pair in aligned_steps(first, second):
        place = f"{pair.first or '–'}={pair.second or '–'}"
        default = (PairTaken.BOTH.value, "") if says_the_same(pair, first, second) else None
        taken, text = _taken_at(place, left, default)
        steps += taken_steps(pair, first, second, taken, text)
    values: dict[str, Any] = {}
    for name in DECIDED_FIELDS:
        ours, theirs = getattr(first, name), getattr(second, name)
        taken, text = _taken_at(name, left, (PairTaken.FIRST.value, "") if ours == theirs else None)
        if taken not in (PairTaken.FIRST, PairTaken.SECOND, PairTaken.NEW):
            raise AdjudicationError(f"{name}: take A, B or new words")
        words = tuple(word.strip() for word in text.split(",")) if name in TAGS else text.strip()
        values[name] = {PairTaken.FIRST: ours, PairTaken.SECOND: theirs, PairTaken.NEW: words}[taken]
    if left:
        raise AdjudicationError(f"There is no place “{next(iter(left))}” to choose")
    return tuple(steps), values


def _taken_at(place: str, left: dict[str, tuple[str, str]], default: tuple[str, str] | None) -> tuple[PairTaken, str]:
    kind, text = left.pop(place, default or ("", ""))
    if not kind:
        raise AdjudicationError(f"Nothing is chosen for {place}")
    if kind not in list(PairTaken):
        raise AdjudicationError(f"{place}: “{kind}” is not one of {', '.join(PairTaken)}")
    return PairTaken(kind), text


def third_annotation(first: Puzzle, second: Puzzle, steps: Sequence[ThirdStep], values: Mapping[str, Any]) -> Puzzle:
    """The third annotation. Figures are numbered anew, in the order of the steps.

    values: The solution, the difficulty and the tags.

    Raises:
        AdjudicationError: There is no step, a step claims words that are not its source's, or a value is unknown.
    """
    if not steps:
        raise AdjudicationError("No step is left")
    for number, step in enumerate(steps, 1):
        _require_source(number, step, first, second)
    for name in DECIDED_FIELDS:
        if trouble := field_trouble(name, values[name]):
            raise AdjudicationError(trouble)
    names = {origin: name for name, origin in third_figures(first, second, steps).items()}
    reasoning = tuple(
        PuzzleStep(step.text, names.get(origin) if (origin := _figure_of(step, first, second)) else None)
        for step in steps
    )
    return replace(first, reasoning=reasoning, **{name: values[name] for name in DECIDED_FIELDS})


def third_figures(first: Puzzle, second: Puzzle, steps: Sequence[ThirdStep]) -> dict[str, tuple[StepSource, str]]:
    """The figures of the third annotation by name: whose they are, and what they are called there."""
    origins = dict.fromkeys(origin for step in steps if (origin := _figure_of(step, first, second)))
    return {f"figure_{k}.png": origin for k, origin in enumerate(origins, 1)}


def _figure_of(step: ThirdStep, first: Puzzle, second: Puzzle) -> tuple[StepSource, str] | None:
    """The figure of a step: that of the first annotation if it has one."""
    for source, puzzle, number in ((StepSource.FIRST, first, step.first), (StepSource.SECOND, second, step.second)):
        figure = puzzle.reasoning[number - 1].figure if number else None
        if figure:
            return source, figure
    return None


def _require_source(number: int, step: ThirdStep, first: Puzzle, second: Puzzle) -> None:
    """A log may come from anywhere, with words that nobody wrote."""
    for name, puzzle, place in (("A", first, step.first), ("B", second, step.second)):
        if place is not None and place > len(puzzle.reasoning):
            raise AdjudicationError(f"Step {number}: {name} has no step {place}")
    ours, theirs = _texts_of(StepPair(step.first, step.second), first, second)
    claimed = {
        StepSource.FIRST: (ours,),
        StepSource.SECOND: (theirs,),
        StepSource.BOTH: (ours, theirs),
        StepSource.NEW: (step.text,),
    }
    if any(text != step.text for text in claimed[step.source]):
        raise AdjudicationError(f"Step {number} does not have the words of {step.source.value}")


def _texts_of(pair: StepPair, first: Puzzle, second: Puzzle) -> tuple[str | None, str | None]:
    ours = None if pair.first is None else first.reasoning[pair.first - 1].explanation
    theirs = None if pair.second is None else second.reasoning[pair.second - 1].explanation
    return ours, theirs
