"""New boards of shikaku: tile at random, put a clue into each rectangle, keep boards with one solution."""

from typing import Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Difficulty, InstanceError
from spatial_workbench.engine.tasks.shikaku.board import Rectangle, ShikakuBoard, area_of, cells_of, solutions

MAX_TILINGS, MAX_CLUE_DRAWS = 60, 12
MIN_AREA = 2


class BoardDifficulty(Difficulty):
    """What a new board is like: larger boards with larger rectangles are harder."""

    width: int = Field(8, ge=5, le=30, description="Columns")
    height: int = Field(8, ge=5, le=30, description="Rows")
    largest_area: int = Field(12, ge=2, le=100, description="No rectangle has more cells")
    long_share: float = Field(0.2, ge=0, le=1, description="Share of rectangles that are one cell wide")


def draw(rng: np.random.Generator, difficulty: BoardDifficulty) -> dict[str, Any]:
    """The parameters of a new board.

    Raises:
        InstanceError: no board with one solution was found.
    """
    for _ in range(MAX_TILINGS):
        tiling = _tile(rng, difficulty)
        for _ in range(MAX_CLUE_DRAWS):
            board = _with_clues(rng, difficulty, tiling)
            if len(solutions(board)) == 1:
                return {"grid": [list(row) for row in board.grid]}
    raise InstanceError(f"largest_area: no board with one solution in {MAX_TILINGS} tries; try a smaller one")


def _tile(rng: np.random.Generator, difficulty: BoardDifficulty) -> list[Rectangle]:
    """Tiles the grid from its first free cell on, then merges single cells into a neighbour if possible."""
    free = np.ones((difficulty.height, difficulty.width), dtype=bool)
    tiles: list[Rectangle] = []
    while free.any():
        y, x = (int(v) for v in np.argwhere(free)[0])
        tile = _random_tile(rng, difficulty, free, x, y)
        free[tile[1] : tile[3] + 1, tile[0] : tile[2] + 1] = False
        tiles.append(tile)
    return _merged(tiles, difficulty)


def _random_tile(
    rng: np.random.Generator, difficulty: BoardDifficulty, free: np.ndarray[Any, Any], x: int, y: int
) -> Rectangle:
    """A rectangle with its upper left corner in a free cell."""
    reach = int(np.argmin(np.append(free[y, x:], False)))
    options = [
        (width, height)
        for width in range(1, reach + 1)
        for height in range(1, difficulty.height - y + 1)
        if MIN_AREA <= width * height <= difficulty.largest_area and free[y : y + height, x : x + width].all()
    ]
    if not options:
        return x, y, x, y
    thin = [size for size in options if 1 in size]
    thick = [size for size in options if 1 not in size]
    pool = thin if thin and (not thick or rng.random() < difficulty.long_share) else thick
    width, height = pool[int(rng.integers(len(pool)))]
    return x, y, x + width - 1, y + height - 1


def _merged(tiles: list[Rectangle], difficulty: BoardDifficulty) -> list[Rectangle]:
    """The tiles with single cells joined to a neighbour if both form a rectangle."""
    result = list(tiles)
    for single in [tile for tile in tiles if area_of(tile) == 1]:
        for other in result:
            joined = _joined(single, other)
            if joined is not None and area_of(joined) <= difficulty.largest_area:
                result.remove(single)
                result.remove(other)
                result.append(joined)
                break
    return result


def _joined(a: Rectangle, b: Rectangle) -> Rectangle | None:
    """The union of two tiles if it is a rectangle."""
    if a == b:
        return None
    box = min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])
    return box if area_of(box) == area_of(a) + area_of(b) else None


def _with_clues(rng: np.random.Generator, difficulty: BoardDifficulty, tiles: list[Rectangle]) -> ShikakuBoard:
    grid = [[0] * difficulty.width for _ in range(difficulty.height)]
    for tile in tiles:
        cells = list(cells_of(tile))
        x, y = cells[int(rng.integers(len(cells)))]
        grid[y][x] = area_of(tile)
    return ShikakuBoard(tuple(tuple(row) for row in grid))
