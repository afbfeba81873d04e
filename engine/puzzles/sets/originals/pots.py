"""One New Leaf: flower pots with clues to a chain of anagrams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spatial_workbench.engine.puzzles.annotation.layers import Shape, wrapped
from spatial_workbench.engine.puzzles.sets.originals.page import blanks, centred, line

TOP = 330.0
HEIGHT = 150.0
RIM_WIDTH = 200.0
FOOT_WIDTH = 140.0
CLUE_SIZE = 22.0
CLUE_STEP = 28.0
BLANK_GAP = 6.0


def draw(content: Mapping[str, Any]) -> Iterator[Shape]:
    """The pots in a row, a clue above each, and on it a blank for each letter."""
    pots = content["pots"]
    spacing = content["canvas"][0] / len(pots)
    for i, pot in enumerate(pots):
        x = (i + 0.5) * spacing
        clue = wrapped(pot["clue"], CLUE_SIZE, spacing - 40)
        for k, text in enumerate(clue):
            yield centred(x, TOP - 40 - (len(clue) - 1 - k) * CLUE_STEP, text, CLUE_SIZE)
        rim = RIM_WIDTH / 2
        foot = FOOT_WIDTH / 2
        yield line(((x - rim, TOP), (x + rim, TOP), (x + foot, TOP + HEIGHT), (x - foot, TOP + HEIGHT)), 3, closed=True)
        yield line(((x - rim, TOP), (x - rim, TOP + 24), (x + rim, TOP + 24), (x + rim, TOP)), 3)
        width = (FOOT_WIDTH - BLANK_GAP * (pot["length"] - 1)) / pot["length"]
        yield from blanks(x - foot, TOP + 100, pot["length"], width, BLANK_GAP)
