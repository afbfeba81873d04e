"""A disagreement of two reviewers is settled: a choice for each difference, and the annotation that follows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from spatial_workbench.engine.puzzles.annotation.decisions import (
    TAGS,
    PuzzleDecision,
    assembled,
    order_of,
    passages,
    wanted_values,
)
from spatial_workbench.engine.puzzles.annotation.differences import ORDER, PuzzleDifference, differences
from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill
from spatial_workbench.engine.puzzles.puzzle import Puzzle

KNOWN_WORDS: Mapping[str, tuple[str, ...]] = {
    "difficulty": (*PuzzleDifficulty,),
    "modality": (*Modality,),
    "skills": (*Skill,),
}
"""The words that a field may hold."""


class Taken(StrEnum):
    """Whose version is taken where two reviewers differ."""

    FIRST = "A"
    ORIGINAL = "original"
    SECOND = "B"
    NEW = "new"
    DELETE = "delete"


class SettledChoice(BaseModel):
    """What is taken for one difference; a new text may hold several steps, with blank lines between them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: str
    taken: Taken
    text: str = ""


class SettlingError(ValueError):
    """Choices that do not settle a disagreement; says where."""


def settled(puzzle: Puzzle, first: PuzzleDecision, second: PuzzleDecision, choices: Iterable[SettledChoice]) -> Puzzle:
    """The annotation with what both reviewers agree on, and what was chosen for each place where they differ.

    Taking the version of a reviewer who rejected a step deletes the step.

    Raises:
        SettlingError: A difference has no choice, or a choice cannot be carried out.
    """
    by_place = {choice.place: choice for choice in choices}
    found = {difference.place: difference for difference in differences(puzzle, first, second)}
    for place in found:
        if place not in by_place:
            raise SettlingError(f"Nothing is chosen for {place}")
    for place in by_place:
        if place not in found:
            raise SettlingError(f"The reviewers do not differ about {place}")
    return _Settling(puzzle, first, second, by_place).result(found.values())


class _Settling:
    """Carries out the choices, one by one."""

    def __init__(
        self, puzzle: Puzzle, first: PuzzleDecision, second: PuzzleDecision, choices: Mapping[str, SettledChoice]
    ) -> None:
        self.puzzle = puzzle
        self.choices = choices
        self.first = first
        self.versions = {Taken.FIRST: first, Taken.SECOND: second, Taken.ORIGINAL: _as_written(first)}

    def result(self, found: Iterable[PuzzleDifference]) -> Puzzle:
        texts = passages(self.puzzle, self.first)
        order = order_of(self.first)
        values = wanted_values(self.puzzle, self.first)
        for difference in found:
            choice = self.choices[difference.place]
            if difference.is_about_steps:
                texts[difference.step] = self.steps(choice, difference.step)
            elif difference.place == ORDER:
                order = self.order(choice)
            else:
                values[difference.place] = self.value(choice)
        result = assembled(self.puzzle, texts, order, values)
        if not result.reasoning:
            raise SettlingError("No step is left")
        return result

    def steps(self, choice: SettledChoice, step: int) -> tuple[str, ...]:
        if choice.taken is Taken.DELETE:
            return ()
        if choice.taken is not Taken.NEW:
            return passages(self.puzzle, self.versions[choice.taken])[step]
        pieces = tuple(piece.strip() for piece in re.split(r"\n\s*\n", choice.text) if piece.strip())
        if not pieces:
            raise SettlingError(f"The new text of {choice.place} is empty")
        return pieces

    def order(self, choice: SettledChoice) -> tuple[int, ...]:
        if choice.taken in self.versions:
            return order_of(self.versions[choice.taken])
        numbers = tuple(int(word) for word in re.findall(r"\d{1,9}", choice.text))
        if sorted(numbers) != list(range(1, len(self.puzzle.reasoning) + 1)):
            raise SettlingError("The order does not name each step once")
        return numbers

    def value(self, choice: SettledChoice) -> str | tuple[str, ...]:
        name = choice.place
        if choice.taken in self.versions:
            wanted: Any = wanted_values(self.puzzle, self.versions[choice.taken])[name]
        elif name in TAGS:
            wanted = tuple(part.strip() for part in choice.text.split(",") if part.strip())
        else:
            wanted = choice.text.strip()
        if trouble := field_trouble(name, wanted):
            raise SettlingError(trouble)
        return wanted  # type: ignore[no-any-return]


def _as_written(decision: PuzzleDecision) -> PuzzleDecision:
    """The decision to leave everything as the author wrote it."""
    accept = {"judged": "accept"}
    return PuzzleDecision.model_validate({"steps": [accept] * len(decision.steps)})


def field_trouble(name: str, value: str | tuple[str, ...]) -> str:
    """What is wrong with a solution, a difficulty or tags, in a sentence; empty if nothing is."""
    words = (value,) if isinstance(value, str) else value
    if name not in KNOWN_WORDS:
        return "" if any(word.strip() for word in words) else f"The {name} is empty."
    known = KNOWN_WORDS[name]
    wrong = next((word for word in words if word not in known), None)
    if wrong is None and words:
        return ""
    return f"{name.capitalize()}: “{wrong or ''}” is not one of {', '.join(known)}."
