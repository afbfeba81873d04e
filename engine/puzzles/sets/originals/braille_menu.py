"""Supper Without a Lamp: clues, and braille digits that count into their answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spatial_workbench.engine.puzzles.annotation.layers import Ellipse, Shape, Text
from spatial_workbench.engine.puzzles.sets.originals.page import BLACK, MARGIN, blanks, line

FIRST_Y = 180.0
ROW = 80.0
LEFT = 90.0
BLANKS_X = 660.0
CELL_X = 1080.0
DOT_RADIUS = 9.0
DOT_SPACING = 24.0
CLUE_SIZE = 24.0


def draw(content: Mapping[str, Any]) -> Iterator[Shape]:
    """A row for each clue: its text, a blank for each letter, a braille cell."""
    width = content["canvas"][0]
    for i, row in enumerate(content["rows"]):
        y = FIRST_Y + ROW * i + ROW / 2
        yield Text(position=(LEFT, y), text=row["clue"], size=CLUE_SIZE, anchor="lm", color=BLACK)
        yield from blanks(BLANKS_X, y + 14, row["length"], 34, 12)
        yield from _cell(CELL_X, y - DOT_SPACING, row["dots"])
        yield line(((LEFT - MARGIN, y + ROW / 2), (width - LEFT + MARGIN, y + ROW / 2)), 1, "#9e9e9e")


def _cell(x: float, y: float, raised: list[int]) -> Iterator[Shape]:
    """Dots 1, 2, 3 down the left column, 4, 5, 6 down the right one."""
    for dot in range(1, 7):
        column, row = divmod(dot - 1, 3)
        cx, cy = x + column * DOT_SPACING, y + row * DOT_SPACING
        corners: dict[str, Any] = {
            "start": (cx - DOT_RADIUS, cy - DOT_RADIUS),
            "end": (cx + DOT_RADIUS, cy + DOT_RADIUS),
        }
        yield Ellipse(**corners, width=1, color=BLACK, filled=dot in raised)
