"""What a reviewer decides on an annotation, and the annotation as they want it (docs/puzzles.md, "Review")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep

TAGS = ("modality", "skills")
DECIDED_FIELDS = ("solution", "difficulty", *TAGS)


class JudgedAnnotation(StrEnum):
    """What a reviewer decides, on a step or, taken together, on an annotation."""

    ACCEPT = "accept"
    CHANGE = "change"
    REJECT = "reject"


class StepDecision(BaseModel):
    """What a reviewer decides on a step; an edited step has a new text, a rejected one a reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judged: JudgedAnnotation
    text: str = ""
    reason: str = ""
    more: tuple[str, ...] = Field(default=(), description="Texts of steps after this one: split off it, or added")


class PuzzleDecision(BaseModel):
    """A reviewer's finished decision on an annotation. A value of None leaves the author's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: tuple[StepDecision, ...]
    before: tuple[str, ...] = Field(default=(), description="Texts of steps that were added before the first")
    order: tuple[int, ...] | None = Field(default=None, description="The author's steps in a new order, from 1")
    solution: str | None = None
    modality: tuple[str, ...] | None = None
    skills: tuple[str, ...] | None = None
    difficulty: str | None = None

    @property
    def judged(self) -> JudgedAnnotation:
        """The decision on the annotation as a whole."""
        kinds = {step.judged for step in self.steps}
        if JudgedAnnotation.REJECT in kinds:
            return JudgedAnnotation.REJECT
        values = (self.order, *(getattr(self, name) for name in DECIDED_FIELDS))
        is_changed = JudgedAnnotation.CHANGE in kinds or self.before or any(step.more for step in self.steps)
        if is_changed or any(value is not None for value in values):
            return JudgedAnnotation.CHANGE
        return JudgedAnnotation.ACCEPT

    @property
    def trouble(self) -> str:
        """The contradiction in the decision, in a sentence; empty if there is none."""
        if self.order is not None and sorted(self.order) != list(range(1, len(self.steps) + 1)):
            return "The order does not name each step once"
        return ""


def decision_applied(puzzle: Puzzle, decision: PuzzleDecision) -> Puzzle | None:
    """The annotation as a reviewer wants it; None if a step is rejected."""
    if decision.judged is JudgedAnnotation.REJECT:
        return None
    return assembled(puzzle, passages(puzzle, decision), order_of(decision), wanted_values(puzzle, decision))


def passages(puzzle: Puzzle, decision: PuzzleDecision) -> dict[int, tuple[str, ...]]:
    """The texts that take the place of each of the author's steps; 0: of nothing, before the first.

    A rejected step is left out.
    """
    found = {0: decision.before}
    for k, (step, decided) in enumerate(zip(puzzle.reasoning, decision.steps, strict=True), 1):
        text = decided.text if decided.judged is JudgedAnnotation.CHANGE else step.explanation
        own = () if decided.judged is JudgedAnnotation.REJECT else (text,)
        found[k] = (*own, *decided.more)
    return found


def order_of(decision: PuzzleDecision) -> tuple[int, ...]:
    """The author's steps, from 1, in the order that a reviewer wants."""
    return tuple(range(1, len(decision.steps) + 1)) if decision.order is None else decision.order


def wanted_values(puzzle: Puzzle, decision: PuzzleDecision) -> dict[str, Any]:
    """The solution, the difficulty and the tags that a reviewer wants."""
    own = {name: getattr(decision, name) for name in DECIDED_FIELDS}
    return {name: getattr(puzzle, name) if value is None else value for name, value in own.items()}


def assembled(
    puzzle: Puzzle, texts: Mapping[int, Sequence[str]], order: Sequence[int], values: Mapping[str, Any]
) -> Puzzle:
    """An annotation of given texts, in an order. The first text in a step's place keeps its figure.

    texts: As `passages` returns them.
    order: The numbers of the author's steps.
    values: The solution, the difficulty and the tags.
    """
    steps = [PuzzleStep(text) for text in texts[0]]
    for k in order:
        steps += [replace(puzzle.reasoning[k - 1], explanation=text) for text in texts[k][:1]]
        steps += [PuzzleStep(text) for text in texts[k][1:]]
    return replace(puzzle, reasoning=tuple(steps), **values)
