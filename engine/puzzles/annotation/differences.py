"""Where two reviewers differ, word by word (docs/puzzles.md, "Review")."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.puzzles.annotation.decisions import (
    DECIDED_FIELDS,
    JudgedAnnotation,
    PuzzleDecision,
    StepDecision,
    order_of,
    passages,
)
from spatial_workbench.engine.puzzles.puzzle import Puzzle

BETWEEN_STEPS = "\n\n"
"""What separates the texts of several steps that take the place of one."""
START = "before step 1"
ORDER = "order"


@dataclass(frozen=True)
class PuzzleDifference:
    """A step or a field about which two reviewers differ.

    Attributes:
        place: "step 2", "before step 1", "order", or the name of a field.
        first, original, second: The texts; lists are joined by commas, several steps by blank lines. The text of a
            rejected step is empty.
        notes: What each reviewer decided, with the reason.
        step: The number of the step, from 1; 0 for a field.
    """

    place: str
    first: str
    original: str
    second: str
    notes: tuple[str, str] = ("", "")
    step: int = 0

    @property
    def is_about_steps(self) -> bool:
        """Whether texts of steps differ, which may also be left out."""
        return self.step > 0 or self.place == START


def differences(puzzle: Puzzle, first: PuzzleDecision, second: PuzzleDecision) -> list[PuzzleDifference]:
    """Where two decisions on an annotation differ, and the steps that either of them rejects."""
    found = []
    texts, others = passages(puzzle, first), passages(puzzle, second)
    if texts[0] != others[0]:
        found.append(PuzzleDifference(START, _joined(texts[0]), "", _joined(others[0])))
    for k, (step, a, b) in enumerate(zip(puzzle.reasoning, first.steps, second.steps, strict=True), 1):
        if texts[k] != others[k] or JudgedAnnotation.REJECT in (a.judged, b.judged):
            ours, theirs = _joined(texts[k]), _joined(others[k])
            found.append(PuzzleDifference(f"step {k}", ours, step.explanation, theirs, (_note(a), _note(b)), k))
    if order_of(first) != order_of(second):
        usual = range(1, len(puzzle.reasoning) + 1)
        found.append(PuzzleDifference(ORDER, _row(order_of(first)), _row(usual), _row(order_of(second))))
    for name in DECIDED_FIELDS:
        own = value_text(getattr(puzzle, name))
        a_text, b_text = (own if (v := getattr(d, name)) is None else value_text(v) for d in (first, second))
        if a_text != b_text:
            found.append(PuzzleDifference(name, a_text, own, b_text))
    return found


def _joined(texts: Sequence[str]) -> str:
    return BETWEEN_STEPS.join(texts)


def _row(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _note(decision: StepDecision) -> str:
    return ": ".join(filter(None, (decision.judged.value, decision.reason)))


def value_text(value: str | Sequence[str]) -> str:
    """A field of a puzzle in a line."""
    return value if isinstance(value, str) else ", ".join(value)


def marked_words(text: str, other: str) -> list[tuple[str, bool]]:
    """The pieces of a text in order, each with whether it differs from another text, word by word."""
    words, others = (re.findall(r"\s+|\S+", part) for part in (text, other))
    matcher = difflib.SequenceMatcher(None, others, words, autojunk=False)
    return [
        ("".join(words[begin:end]), kind != "equal") for kind, _, _, begin, end in matcher.get_opcodes() if begin < end
    ]
