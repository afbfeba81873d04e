"""A solver's text in its parts: numbered steps, and the final answer in the last line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spatial_workbench.engine.puzzles.answers import FoundBy, extract
from spatial_workbench.engine.puzzles.prompting import answer_line

_NUMBER = re.compile(r"\s*\d{1,4}[.)](?:\s+|$)")
_EMPTY_ANSWER = re.compile(r"^\W*(?:final\s+)?answer\W*[:：]\W*$", re.IGNORECASE)


def steps_of(text: str) -> list[str]:
    """The steps of a text without their numbers. Lines without a number go on with the step before them."""
    steps: list[str] = []
    for line in _without_answer(text):
        match = _NUMBER.match(line)
        if match or not steps:
            steps.append(line[match.end() if match else 0 :].strip())
        else:
            steps[-1] = f"{steps[-1]} {line.strip()}".strip()
    return [step for step in steps if step]


def answer_of(text: str) -> str:
    """The final answer in a line of its own; "" if there is none."""
    final = extract(text)
    return final.whole if final.found_by is FoundBy.LINE else ""


def with_steps(text: str, steps: Sequence[str]) -> str:
    """A text with other steps and the same answer."""
    answer = answer_of(text)
    lines = [f"{i}. {' '.join(step.split())}" for i, step in enumerate((s for s in steps if s.strip()), 1)]
    return "\n".join([*lines, *([answer_line(answer)] if answer else [])])


def with_answer(text: str, answer: str) -> str:
    """A text with another answer and the same steps."""
    lines = _without_answer(text)
    while lines and not lines[-1].strip():
        lines.pop()
    answer = " ".join(answer.split())
    return "\n".join([*lines, *([answer_line(answer)] if answer else [])])


def _without_answer(text: str) -> list[str]:
    """The lines of a text without those that give an answer."""
    return [
        line
        for line in text.splitlines()
        if extract(line).found_by is not FoundBy.LINE and not _EMPTY_ANSWER.match(line)
    ]
