"""Switch Off the Bulb: a nonogram over a grid of letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spatial_workbench.engine.puzzles.annotation.layers import Shape
from spatial_workbench.engine.puzzles.sets.originals.page import centred, filled_square, square

CELL = 64.0
LEFT = 200.0
TOP = 270.0
LETTER_SIZE = 30.0
CLUE_SIZE = 22.0
CLUE_STEP = 28.0


def draw(content: Mapping[str, Any]) -> Iterator[Shape]:
    """The grid with its letters, the runs of rows at the left, of columns on top."""
    for y, row in enumerate(content["letters"]):
        for x, letter in enumerate(row):
            yield square(LEFT + x * CELL, TOP + y * CELL, CELL, 2)
            yield centred(LEFT + (x + 0.5) * CELL, TOP + (y + 0.5) * CELL, letter, LETTER_SIZE)
    for y, runs in enumerate(content["row_clues"]):
        for k, run in _from_grid(runs):
            yield centred(LEFT - 24 - k * CLUE_STEP, TOP + (y + 0.5) * CELL, str(run), CLUE_SIZE)
    for x, runs in enumerate(content["col_clues"]):
        for k, run in _from_grid(runs):
            yield centred(LEFT + (x + 0.5) * CELL, TOP - 24 - k * CLUE_STEP, str(run), CLUE_SIZE)


def figure(content: Mapping[str, Any], key: Mapping[str, Any]) -> Iterator[Shape]:
    """The shaded cells, filled dark grey."""
    for y, row in enumerate(key["shaded"]):
        for x, mark in enumerate(row):
            if mark == "#":
                yield filled_square(LEFT + x * CELL, TOP + y * CELL, CELL, "#424242")


def _from_grid(runs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs with their distances from the grid: the last one is next to it."""
    return enumerate(reversed(runs))
