"""Compares two answers to one instance: drawings, figures, checks and texts."""

from __future__ import annotations

import difflib
import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from spatial_workbench.app.attempts import dossier as words
from spatial_workbench.app.attempts.columns import passed_text, result_text, score_text
from spatial_workbench.app.attempts.dossier import Dossier
from spatial_workbench.engine.core import Instance, Progress, Scene, State, Verdict, headline_of, silent, task
from spatial_workbench.engine.core.formats.jsonlayout import layout
from spatial_workbench.engine.core.words import score_words

MOST_LINES = 5000
"""Of longer texts, only the beginning is compared."""
_WIDTH = 92
_STATES = {State.PASSED: "passed", State.FAILED: "failed", State.NOT_REACHED: "not reached"}


@dataclass(frozen=True)
class Compared:
    """One side of a comparison."""

    name: str
    title: str
    """Of the task."""
    scene: Scene
    figures: dict[str, str] = field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ComparedRow:
    """A row of the comparison table; `about` holds further details on each side."""

    name: str
    left: str
    right: str
    about: tuple[str, str] = ("", "")

    @property
    def differs(self) -> bool:
        """Whether the sides say different things."""
        return (self.left, self.about[0]) != (self.right, self.about[1])


@dataclass(frozen=True)
class TextLine:
    """A line of two texts shown side by side; None where one side has no such line."""

    left: str | None
    right: str | None
    differs: bool


def of_attempt(dossier: Dossier, scene: Scene) -> Compared:
    """A stored attempt."""
    row = dossier.row
    figures = {"Score": score_text(row), "Result": result_text(row)}
    headline = headline_of(row.task)
    if headline is not None and row.measured is not None:
        figures[headline.label] = headline.text(row.measured)
    if dossier.override is not None:
        figures["Overridden"] = dossier.override.in_words(dossier.judged_score)
    if row.explored:
        figures["Explored"] = "yes"
    if row.solving_aids:
        figures["Solving aids"] = str(row.solving_aids)
    if row.label:
        figures["Failure mode"] = row.label
    texts = {"Answer": laid_out(dossier.attempt.answer)}
    if dossier.replies:
        texts |= {"Raw output": words.raw_output(dossier), "Reasoning": words.reasoning(dossier)}
    return Compared(
        name=f"Attempt {row.number} · {row.actor_name}".removesuffix(" · "),
        title=task(row.task).title,
        scene=scene,
        figures={**figures, **dict(words.usage(row))},
        verdicts=dossier.attempt.verdicts,
        texts=texts,
    )


def of_draft(instance: Instance, text: str, verdict: Verdict | None, scene: Scene) -> Compared:
    """The answer being edited, with the verdict its author has seen."""
    is_told = verdict is not None and not verdict.is_undecided
    figures: dict[str, str] = {}
    if verdict is not None and is_told:
        figures = {"Score": score_words(verdict.score), "Result": passed_text(verdict.passed)}
    verdicts = (verdict,) if verdict is not None else ()
    return Compared("Draft", task(instance.task).title, scene, figures, verdicts, {"Answer": laid_out(text)})


def laid_out(text: str) -> str:
    """Indents JSON so that it can be compared line by line; other text is returned unchanged."""
    try:
        return layout(json.loads(text))
    except (ValueError, RecursionError):
        return text


def figure_rows(left: Compared, right: Compared) -> list[ComparedRow]:
    """Scores, tokens, cost, times, settings."""
    names = dict.fromkeys((*left.figures, *right.figures))
    return [ComparedRow(name, left.figures.get(name, "–"), right.figures.get(name, "–")) for name in names]


def verdict_rows(left: Compared, right: Compared) -> list[ComparedRow]:
    """The verdict of each verifier."""
    sides = [{verdict.verifier: _judged(verdict) for verdict in side.verdicts} for side in (left, right)]
    names = dict.fromkeys((*sides[0], *sides[1]))
    return [ComparedRow(name, sides[0].get(name, "–"), sides[1].get(name, "–")) for name in names]


def check_rows(left: Compared, right: Compared) -> list[ComparedRow]:
    """The checks of the first verifier of each side, the default, with the problems that they found."""
    checks = [[check for verdict in side.verdicts[:1] for check in verdict.checks] for side in (left, right)]
    sides = [{check.name: check for check in side_checks} for side_checks in checks]
    rows = []
    for name in dict.fromkeys((*sides[0], *sides[1])):
        both = [side.get(name) for side in sides]
        states = ["–" if check is None else _STATES[check.state] for check in both]
        problems = ["" if check is None else "\n".join(problem.message for problem in check.problems) for check in both]
        rows.append(ComparedRow(name, states[0], states[1], (problems[0], problems[1])))
    return rows


def differences(left: str, right: str, progress: Progress = silent) -> list[TextLine]:
    """Compares two texts line by line, aligning the lines that match."""
    sides = _lines(left), _lines(right)
    lines: list[TextLine] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, *sides, autojunk=len(sides[0]) > 1000).get_opcodes():
        lines += _aligned(sides[0][a:b], sides[1][c:d], kind != "equal")
    return lines


def _aligned(left: Sequence[str], right: Sequence[str], differs: bool) -> list[TextLine]:
    count = max(len(left), len(right))
    lefts = [*left, *[None] * (count - len(left))]
    rights = [*right, *[None] * (count - len(right))]
    return [TextLine(left_line, right_line, differs) for left_line, right_line in zip(lefts, rights, strict=True)]


def _lines(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.splitlines():
        short = len(line) <= _WIDTH
        lines += [line] if short else textwrap.wrap(line, _WIDTH, drop_whitespace=False, replace_whitespace=False)
        if len(lines) > MOST_LINES:
            return [*lines[:MOST_LINES], "…"]
    return lines


def _judged(verdict: Verdict) -> str:
    return f"{score_words(verdict.score)}, {'passed' if verdict.passed else 'not passed'}"
