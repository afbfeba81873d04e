"""Packing Room: cube nets; the lid is the face opposite to the star."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from spatial_workbench.engine.puzzles.annotation.layers import Area, Shape
from spatial_workbench.engine.puzzles.sets.originals.page import BLACK, RED, centred, line, square

SIDE = 56.0
COLUMNS = 3
FIRST_Y = 160.0
ROW = 290.0
LETTER_SIZE = 28.0
NUMBER_SIZE = 24.0


def draw(content: Mapping[str, Any]) -> Iterator[Shape]:
    """The nets in two rows, thin lines inside and a thick one around each, with letters, star and number."""
    for number, (left, top, net) in enumerate(_placed(content), 1):
        cells = [(x, y) for y, row in enumerate(net) for x, mark in enumerate(row) if mark != "."]
        for x, y in cells:
            yield square(left + x * SIDE, top + y * SIDE, SIDE, 1)
        for x, y in cells:
            yield from _outline(left, top, x, y, set(cells))
            middle = left + (x + 0.5) * SIDE, top + (y + 0.5) * SIDE
            yield _star(*middle) if net[y][x] == "*" else centred(*middle, net[y][x], LETTER_SIZE)
        columns = [x for x, _ in cells]
        centre = left + (min(columns) + max(columns) + 1) / 2 * SIDE
        yield centred(centre, top + len(net) * SIDE + 30, str(number), NUMBER_SIZE)


def figure(content: Mapping[str, Any], key: Mapping[str, Any]) -> Iterator[Shape]:
    """The lid of each net, outlined in red."""
    for (left, top, _), (x, y) in zip(_placed(content), key["lids"], strict=True):
        yield square(left + x * SIDE, top + y * SIDE, SIDE, 6, RED)


def _placed(content: Mapping[str, Any]) -> Iterator[tuple[float, float, list[str]]]:
    spacing = content["canvas"][0] / COLUMNS
    for i, net in enumerate(content["nets"]):
        row, column = divmod(i, COLUMNS)
        yield (column + 0.5) * spacing - len(net[0]) * SIDE / 2, FIRST_Y + row * ROW, net


def _outline(left: float, top: float, x: int, y: int, cells: set[tuple[int, int]]) -> Iterator[Shape]:
    """The sides of a square that no other square shares."""
    x0, y0 = left + x * SIDE, top + y * SIDE
    x1, y1 = x0 + SIDE, y0 + SIDE
    sides = {
        (x, y - 1): ((x0, y0), (x1, y0)),
        (x + 1, y): ((x1, y0), (x1, y1)),
        (x, y + 1): ((x0, y1), (x1, y1)),
        (x - 1, y): ((x0, y0), (x0, y1)),
    }
    for neighbour, ends in sides.items():
        if neighbour not in cells:
            yield line(ends, 4)


def _star(x: float, y: float) -> Area:
    radii = (20.0, 8.0) * 5
    angles = [math.radians(36 * k) for k in range(10)]
    points = [(x + r * math.sin(a), y - r * math.cos(a)) for r, a in zip(radii, angles, strict=True)]
    return Area(points=tuple(points), color=BLACK)
