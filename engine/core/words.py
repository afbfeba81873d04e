"""Numbers as they appear in sentences."""

from __future__ import annotations

from spatial_workbench.engine.core.languages.translation import marked


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things: "1 cell", "2 cells", "1,024 points".

    plural: The plural, if adding an "s" is not enough. A verb may follow in both ("part is", "parts are").
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


MOST_DECIMALS = 12
HUGE = 1e9
"""Figures from here on are shown by their order of magnitude."""


def abridged(text: str, most: int) -> str:
    """A text in one line of at most so many letters; an ellipsis stands for what is left out."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def beside(value: float, limit: float, decimals: int, at_most: int = MOST_DECIMALS) -> str:
    """A figure for a sentence that compares it with a limit: rounding never contradicts the comparison.

    `decimals` is the usual number of decimals. More are shown, up to `at_most`, if the figure would otherwise be
    rounded to the limit or past it: 0.949996 beside 0.95 is "0.949996". Negative zero is zero.
    """
    if abs(value) >= HUGE:
        return f"{value:.4g}"
    for places in range(decimals, at_most + 1):
        shown = round(value, places)
        if (shown < limit) == (value < limit) and (shown > limit) == (value > limit):
            return f"{shown + 0.0:.{places}f}"
    return f"{value + 0.0:.17g}"


def score_words(score: float, decimals: int = 2) -> str:
    """A score from 0 to 1 with a number of decimals. A lower score than 1 is never rounded to 1: 0.99997 is "0.99"."""
    if score < 1 - SCORE_ROUNDING:
        score = min(score, 1 - 10.0**-decimals)
    return f"{score:.{decimals}f}"


SCORE_ROUNDING = 1e-9
"""A score this close to 1 is 1."""

COUNTED_UNITS = {"cells": marked("cell"), "drops": marked("drop"), "voxels": marked("voxel")}
"""Units of figures that are nouns, with their singular."""


def unit_for(value: object, unit: str) -> str:
    """A figure's unit in the number that its value takes: "1 cell", "2 cells", "1 mm"."""
    return COUNTED_UNITS.get(unit, unit) if value == 1 else unit


def override_words(judged: float | None, score: float, person: str | None, reason: str) -> str:
    """An override in one line: "0.74 → 1.00 by Ada: reason".

    judged: The verifier's score that was overridden; None: there was none.
    """
    before = "none" if judged is None else score_words(judged)
    return f"{before} → {score_words(score)} by {person or 'somebody'}: {reason}"
