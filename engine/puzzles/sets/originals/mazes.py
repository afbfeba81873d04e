"""Five Small Gardens: mazes whose routes are letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spatial_workbench.engine.puzzles.annotation.layers import Ellipse, Point, Shape
from spatial_workbench.engine.puzzles.sets.originals.page import BLACK, RED, line

CELL = 36.0
GAP = 44.0
TOP = 190.0
HEDGE = "#1b5e20"
HEDGE_WIDTH = 4.0
LAMP_RADIUS = 9.0


def draw(content: Mapping[str, Any]) -> Iterator[Shape]:
    """The hedges of each garden, and its two lamps."""
    for left, maze in _placed(content):
        yield from _hedges(left, maze)
        for cell in (maze["start"], maze["end"]):
            x, y = _middle(left, cell)
            corners: dict[str, Any] = {
                "start": (x - LAMP_RADIUS, y - LAMP_RADIUS),
                "end": (x + LAMP_RADIUS, y + LAMP_RADIUS),
            }
            yield Ellipse(**corners, filled=True, color=BLACK)


def figure(content: Mapping[str, Any], key: Mapping[str, Any]) -> Iterator[Shape]:
    """The route of each garden as a thick red line."""
    for (left, _), route in zip(_placed(content), key["routes"], strict=True):
        yield line([_middle(left, cell) for cell in route], 12, RED)


def _placed(content: Mapping[str, Any]) -> Iterator[tuple[float, Mapping[str, Any]]]:
    """Each maze with its left edge; the row of them is centred on the page."""
    widths = [maze["width"] * CELL for maze in content["mazes"]]
    left = (content["canvas"][0] - sum(widths) - GAP * (len(widths) - 1)) / 2
    for width, maze in zip(widths, content["mazes"], strict=True):
        yield left, maze
        left += width + GAP


def _hedges(left: float, maze: Mapping[str, Any]) -> Iterator[Shape]:
    width, height = maze["width"], maze["height"]
    right, bottom = left + width * CELL, TOP + height * CELL
    border = ((left, TOP), (right, TOP), (right, bottom), (left, bottom))
    yield line(border, HEDGE_WIDTH, HEDGE, closed=True)
    for y in range(height):
        for x in range(width):
            x1, y1 = left + (x + 1) * CELL, TOP + (y + 1) * CELL
            if x + 1 < width and maze["open_east"][y][x] == "0":
                yield line(((x1, y1 - CELL), (x1, y1)), HEDGE_WIDTH, HEDGE)
            if y + 1 < height and maze["open_south"][y][x] == "0":
                yield line(((x1 - CELL, y1), (x1, y1)), HEDGE_WIDTH, HEDGE)


def _middle(left: float, cell: tuple[int, int]) -> Point:
    return left + (cell[0] + 0.5) * CELL, TOP + (cell[1] + 0.5) * CELL
