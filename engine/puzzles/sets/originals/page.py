"""What all original puzzles share: the page with its title and introductory text, and letters in their places."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.puzzles.annotation.layers import Area, Point, Shape, Stroke, Text, wrapped

BLACK = "#000000"
RED = "#c62828"
TITLE_SIZE = 36.0
INTRODUCTION_SIZE = 20.0
INTRODUCTION_WIDTH = 1000.0
MARGIN = 16.0


def heading(width: float, title: str, introduction: str) -> list[Shape]:
    """The title at the top, and the introductory text below it in italics."""
    shapes: list[Shape] = [centred(width / 2, MARGIN + TITLE_SIZE / 2 + 6, title, TITLE_SIZE)]
    lines = wrapped(introduction, INTRODUCTION_SIZE, min(INTRODUCTION_WIDTH, width - 4 * MARGIN))
    for i, line in enumerate(lines):
        y = 2 * MARGIN + TITLE_SIZE + 20 + 1.4 * i * INTRODUCTION_SIZE
        shapes.append(centred(width / 2, y, line, INTRODUCTION_SIZE, italic=True))
    return shapes


def centred(x: float, y: float, text: str, size: float, color: str = BLACK, italic: bool = False) -> Text:
    """A text whose middle is at a point."""
    return Text(position=(x, y), text=text, size=size, anchor="mm", color=color, italic=italic)


def line(points: Sequence[Point], width: float, color: str = BLACK, closed: bool = False) -> Stroke:
    """A line through points."""
    return Stroke(points=tuple(points), width=width, color=color, closed=closed)


def square(x: float, y: float, side: float, width: float, color: str = BLACK) -> Stroke:
    """The outline of a square, from its upper left corner."""
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    return line(corners, width, color, closed=True)


def filled_square(x: float, y: float, side: float, color: str, opacity: float = 1.0) -> Area:
    """A filled square, from its upper left corner."""
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    return Area(points=corners, color=color, opacity=opacity)


def blanks(x: float, y: float, count: int, width: float, gap: float) -> list[Shape]:
    """A line to write on for each letter, from the left end of the first."""
    starts = [x + i * (width + gap) for i in range(count)]
    return [line(((start, y), (start + width, y)), 2) for start in starts]
