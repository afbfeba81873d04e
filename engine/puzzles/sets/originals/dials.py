"""Harbour Clocks: dials whose hands are semaphore, ordered by waves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from spatial_workbench.engine.puzzles.annotation.layers import Ellipse, Point, Shape, Stroke
from spatial_workbench.engine.puzzles.sets.originals.page import BLACK, RED, centred, line

RADIUS = 80.0
SPACING = 200.0
FIRST_X = 120.0
Y = 300.0
HAND = 62.0
HAND_WIDTH = 8.0
WAVE_WIDTH = 22.0
WAVES_A_ROW = 3


def draw(content: Mapping[str, Any]) -> Iterator[Shape]:
    """The dials with their ticks and hands, and the waves below them."""
    for i, dial in enumerate(content["dials"]):
        x = FIRST_X + i * SPACING
        yield Ellipse(start=(x - RADIUS, Y - RADIUS), end=(x + RADIUS, Y + RADIUS), width=3, color=BLACK)
        for direction in range(8):
            yield line((_toward(x, direction, RADIUS - 12), _toward(x, direction, RADIUS - 3)), 3)
        for direction in dial["hands"]:
            yield line(((x, Y), _toward(x, direction, HAND)), HAND_WIDTH)
        yield from _waves(x, dial["waves"])


def figure(content: Mapping[str, Any], key: Mapping[str, Any]) -> Iterator[Shape]:
    """The letter of each dial, in red below it."""
    letters = {tuple(hands): letter for letter, hands in key["semaphore_table"].items()}
    for i, dial in enumerate(content["dials"]):
        yield centred(FIRST_X + i * SPACING, Y + RADIUS + 110, letters[tuple(dial["hands"])], 48, RED)


def _toward(x: float, direction: int, distance: float) -> Point:
    """A point off a dial's centre; direction 0 is down, then clockwise on the page by 45 degrees."""
    angle = math.radians(45 * direction)
    return x - distance * math.sin(angle), Y + distance * math.cos(angle)


def _waves(x: float, count: int) -> Iterator[Stroke]:
    for k in range(count):
        row, place = divmod(k, WAVES_A_ROW)
        in_row = min(WAVES_A_ROW, count - row * WAVES_A_ROW)
        left = x + (place - in_row / 2) * (WAVE_WIDTH + 6) + 3
        top = Y + RADIUS + 30 + 24 * row
        steps = [WAVE_WIDTH * t / 16 for t in range(17)]
        yield line([(left + s, top - 5 * math.sin(2 * math.pi * s / WAVE_WIDTH)) for s in steps], 3)
