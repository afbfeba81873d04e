"""Contours: the lines on which a sampled function is zero."""

from collections import defaultdict

import numpy as np

from spatial_workbench.engine.core.scene import Floats

Edge = tuple[int, int, int]
"""A side of a square of samples: column and row of its first sample, and 0 along x or 1 along y."""


def zero_lines(values: Floats, places: Floats) -> list[Floats]:
    """The lines between positive samples and others, by linear interpolation.

    values: (rows, columns) = (y, x) at `places` of both axes. Returns lines (k, 2) of points (x, y); a closed one ends
    where it starts. Squares with a sample that is not finite are passed over.
    """
    positive = values > 0
    joined: defaultdict[Edge, list[Edge]] = defaultdict(list)
    count = positive[:-1, :-1] + 0 + positive[:-1, 1:] + positive[1:, :-1] + positive[1:, 1:]
    finite = np.isfinite(values)
    whole = finite[:-1, :-1] & finite[:-1, 1:] & finite[1:, :-1] & finite[1:, 1:]
    for row, column in np.argwhere((count % 4 != 0) & whole).tolist():
        for first, second in _pairs(values[row : row + 2, column : column + 2], column, row):
            joined[first].append(second)
            joined[second].append(first)
    return [_points(chain, values, places) for chain in _chains(joined)]


def _pairs(corner: Floats, column: int, row: int) -> list[tuple[Edge, Edge]]:
    """Which sides of a square its lines join."""
    top = (column, row, 0)
    bottom = (column, row + 1, 0)
    left = (column, row, 1)
    right = (column + 1, row, 1)
    (a, b), (c, d) = (corner > 0).tolist()
    crossed = [side for side, cut in ((top, a != b), (right, b != d), (bottom, c != d), (left, a != c)) if cut]
    if len(crossed) == 2:
        return [(crossed[0], crossed[1])]
    # A saddle: the middle belongs to the corners of its own sign.
    if (corner.mean() > 0) == a:
        return [(top, right), (left, bottom)]
    return [(top, left), (right, bottom)]


def _chains(joined: dict[Edge, list[Edge]]) -> list[list[Edge]]:
    """Sides in the order in which the lines pass them; open lines first, since they have ends to start from."""
    starts = sorted(joined, key=lambda edge: (len(joined[edge]) != 1, edge))
    seen: set[Edge] = set()
    chains = []
    for start in starts:
        if start in seen:
            continue
        chain = [start]
        edge = start
        seen.add(start)
        while following := [other for other in joined[edge] if other not in seen]:
            edge = following[0]
            seen.add(edge)
            chain.append(edge)
        if len(chain) > 2 and start in joined[edge]:
            chain.append(start)
        chains.append(chain)
    return chains


def _points(chain: list[Edge], values: Floats, places: Floats) -> Floats:
    column, row, along_y = np.array(chain).T
    right = column + (along_y == 0)
    below = row + (along_y == 1)
    first, second = values[row, column], values[below, right]
    share = first / (first - second)
    x = places[column] + share * (places[right] - places[column])
    y = places[row] + share * (places[below] - places[row])
    return np.stack([x, y], axis=1)
