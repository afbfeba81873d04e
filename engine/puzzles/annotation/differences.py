"""Where two reviewers' texts differ, word by word, and the annotation that settles it (docs/puzzles.md, "Review")."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spatial_workbench.engine.puzzles.annotation.review import JudgedAnnotation, PuzzleDecision
from spatial_workbench.engine.puzzles.puzzle import Puzzle

TAGS = ("modality", "skills")
FIELDS = ("solution", "difficulty", *TAGS)


@dataclass(frozen=True)
class PuzzleDifference:
    """A step or a field about which two reviewers differ.

    Attributes:
        place: "step 2", or the name of a field.
        first, original, second: The texts; lists are joined by commas.
        notes: What each reviewer decided, with the reason.
        step: The number of the step, from 1; 0 for a field.
    """

    place: str
    first: str
    original: str
    second: str
    notes: tuple[str, str] = ("", "")
    step: int = 0


def differences(puzzle: Puzzle, first: PuzzleDecision, second: PuzzleDecision) -> list[PuzzleDifference]:
    """Where two decisions on an annotation differ, and the steps that either of them rejects."""
    found = []
    for k, (step, a, b) in enumerate(zip(puzzle.reasoning, first.steps, second.steps, strict=True), 1):
        texts = [d.text if d.judged is JudgedAnnotation.CHANGE else step.explanation for d in (a, b)]
        if texts[0] != texts[1] or JudgedAnnotation.REJECT in (a.judged, b.judged):
            notes = tuple(": ".join(filter(None, (d.judged.value, d.reason))) for d in (a, b))
            found.append(PuzzleDifference(f"step {k}", texts[0], step.explanation, texts[1], (notes[0], notes[1]), k))
    for name in FIELDS:
        own = _text(getattr(puzzle, name))
        a_text, b_text = (own if (v := getattr(d, name)) is None else _text(v) for d in (first, second))
        if a_text != b_text:
            found.append(PuzzleDifference(name, a_text, own, b_text))
    return found


def settled(puzzle: Puzzle, first: PuzzleDecision, texts: Mapping[str, str]) -> Puzzle:
    """The annotation with what both reviewers agree on, and a text for each place where they differ."""
    steps = list(puzzle.reasoning)
    for k, decision in enumerate(first.steps):
        agreed = decision.text if decision.judged is JudgedAnnotation.CHANGE else steps[k].explanation
        steps[k] = replace(steps[k], explanation=texts.get(f"step {k + 1}", agreed))
    values: dict[str, Any] = {}
    for name in FIELDS:
        own = getattr(first, name)
        value = getattr(puzzle, name) if own is None else own
        values[name] = _value(name, texts[name]) if name in texts else value
    return replace(puzzle, reasoning=tuple(steps), **values)


def _text(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _value(name: str, text: str) -> str | tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if name in TAGS else text.strip()


def marked_words(text: str, other: str) -> list[tuple[str, bool]]:
    """The pieces of a text in order, each with whether it differs from another text, word by word."""
    words, others = (re.findall(r"\s+|\S+", part) for part in (text, other))
    matcher = difflib.SequenceMatcher(None, others, words, autojunk=False)
    return [
        ("".join(words[begin:end]), kind != "equal") for kind, _, _, begin, end in matcher.get_opcodes() if begin < end
    ]
