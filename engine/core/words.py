"""Numbers in words, as sentences name them."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things: "1 cell", "2 cells", "1,024 points".

    plural: The plural, if adding an "s" is not enough. A verb may follow in both ("part is", "parts are").
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


COUNTED_UNITS = {"cells": "cell", "drops": "drop", "voxels": "voxel"}
"""Units of figures that are nouns, with their singular."""


def unit_for(value: object, unit: str) -> str:
    """A figure's unit in the number that its value takes: "1 cell", "2 cells", "1 mm"."""
    return COUNTED_UNITS.get(unit, unit) if value == 1 else unit


def override_words(judged: float | None, score: float, person: str | None, reason: str) -> str:
    """An override in one line: "0.74 → 1.00 by Ada: reason".

    judged: The verifier's score that was overridden; None: there was none.
    """
    before = "none" if judged is None else f"{judged:.2f}"
    return f"{before} → {score:.2f} by {person or 'somebody'}: {reason}"
