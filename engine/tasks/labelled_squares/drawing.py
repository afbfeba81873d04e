"""Drawings of labelled squares, for the tasks about class interfaces."""

from collections.abc import Iterator, Sequence
from math import ceil, sqrt

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Item, Label, Points, Polygon, Polyline
from spatial_workbench.engine.tasks.labelled_squares.square import (
    Behaviour,
    Labels,
    Pair,
    behaviour,
    cut_sides,
    joined_sides,
)

SIDE = 1.0
GAP = 0.9
"""Between two squares: room for the badges of both."""

_UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * SIDE
_SHORT = ("BL", "BR", "TR", "TL")
CORNER_PX, BADGE_PX = 22.0, 11.0


def places(count: int) -> Floats:
    """The lower left corners of squares in rows from the top left: (count, 2)."""
    columns = max(1, min(5, ceil(sqrt(count * 1.3))))
    index = np.arange(count)
    pitch = SIDE + GAP
    return np.column_stack([index % columns * pitch, -(index // columns) * pitch]).astype(float)


def corner_points(place: Floats) -> Floats:
    """The four corners in walk order, (4, 2)."""
    return place + _UNIT


def side_midpoints(place: Floats) -> Floats:
    """The middles of the sides, in walk order, (4, 2)."""
    corners = corner_points(place)
    middles: Floats = (corners + np.roll(corners, -1, axis=0)) / 2
    return middles


def draw_square(
    name: str, place: Floats, walk: Labels, order: Sequence[int] | None, role: str = "line"
) -> Iterator[Item]:
    """A square with class-coloured corners; with an order, small numbers give each corner's position in it (from 1)."""
    corners = corner_points(place)
    yield Polygon(id=name, points=corners, color="panel", outline=role)
    yield Points(
        name=f"{name} corners",
        ids=[f"{name} {short}" for short in _SHORT],
        positions=corners,
        colors=[class_color(label) for label in walk],
        size_px=CORNER_PX,
    )
    middle = place + SIDE / 2
    for corner, label in enumerate(walk):
        at = corners[corner]
        yield Label(id=f"{name} class {corner}", position=_xy(at), text=str(label), color="#000000", size_px=12)
        if order is None:
            continue
        outside = at + 0.17 * np.sign(at - middle)
        rank = list(order).index(corner) + 1
        yield Label(id=f"{name} rank {corner}", position=_xy(outside), text=f"{rank}", color="secondary", size_px=10)


def draw_side_badges(name: str, place: Floats, edge_order: Sequence[int], cut: Sequence[int]) -> Iterator[Item]:
    """The sides' indices in the answer; sides that no interface cuts are dimmed."""
    middles = side_midpoints(place)
    middle = place + SIDE / 2
    for side in range(4):
        outside = middles[side] + 0.14 * np.sign(np.round(middles[side] - middle, 6))
        role = "text" if side in cut else "disabled"
        yield Label(
            id=f"{name} side {side}",
            position=_xy(outside),
            text=str(list(edge_order).index(side)),
            color=role,
            size_px=BADGE_PX + 2,
        )


def draw_interface(name: str, place: Floats, pair: Pair, role: str = "text", dashed: bool = False) -> Polyline:
    """A curve from the middle of one side to the middle of another, bowed towards the square's middle."""
    middles = side_midpoints(place)
    middle = place + SIDE / 2
    start, end = middles[pair[0]], middles[pair[1]]
    t = np.linspace(0, 1, 17)[:, None]
    points = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
    return Polyline(id=name, points=points, color=role, width_px=3, dashed=dashed)


def draw_interior(name: str, place: Floats, walk: Labels, variant: int = 0) -> Iterator[Item]:
    """One of the interiors that the corners allow with the fewest triple points; `variant` chooses among several."""
    cut = [side for side, _ in cut_sides(walk)]
    if behaviour(walk) is Behaviour.KNOWN:
        for i, pair in enumerate(joined_sides(walk)):
            yield draw_interface(f"{name} possible {i}", place, pair, "accent", dashed=True)
    elif behaviour(walk) is Behaviour.THREE:
        yield from _star(f"{name} possible", place, cut, place + SIDE / 2)
    elif len(set(walk)) == 2:
        pairs = (((0, 1), (2, 3)), ((0, 3), (1, 2)))[variant % 2]
        for i, pair in enumerate(pairs):
            yield draw_interface(f"{name} possible {i}", place, pair, "accent", dashed=True)
    else:
        first, second = (((0, 3), (1, 2)), ((0, 1), (2, 3)))[variant % 2]
        yield from _two_stars(f"{name} possible", place, first, second)


def variants(walk: Labels) -> int:
    """How many interiors `draw_interior` can show."""
    return 2 if behaviour(walk) is Behaviour.AMBIGUOUS else 1


def _star(name: str, place: Floats, sides: Sequence[int], middle: Floats) -> Iterator[Item]:
    """Interfaces from sides to a triple point."""
    ends = side_midpoints(place)
    for side in sides:
        yield Polyline(
            id=f"{name} {side}", points=np.array([ends[side], middle]), color="accent", width_px=3, dashed=True
        )
    yield Points(name=f"{name} point", ids=[f"{name} point"], positions=middle[None], colors="accent", size_px=10)


def _two_stars(name: str, place: Floats, first: Pair, second: Pair) -> Iterator[Item]:
    """Two triple points with an interface between them."""
    ends = side_midpoints(place)
    middle = place + SIDE / 2
    centers = [(ends[a] + ends[b] + middle) / 3 for a, b in (first, second)]
    for i, (pair, center) in enumerate(zip((first, second), centers, strict=True)):
        yield from _star(f"{name} {i}", place, pair, center)
    yield Polyline(id=f"{name} between", points=np.array(centers), color="accent", width_px=3, dashed=True)


def class_color(label: int) -> str:
    """The colour role of a class."""
    return f"series {(1, 4, 2, 3, 5, 6, 0)[label % 7]}"


def _xy(point: Floats) -> tuple[float, float]:
    return float(point[0]), float(point[1])
