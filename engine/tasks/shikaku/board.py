"""Boards of shikaku: a grid of clues, and which rectangles a clue may have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rectangle = tuple[int, int, int, int]
"""x_min, y_min, x_max, y_max: cells, both ends included, origin top left."""
Cell = tuple[int, int]


@dataclass(frozen=True)
class ShikakuBoard:
    """The clues: rows from the top, 0 for a blank cell."""

    grid: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "ShikakuBoard":
        """The board in an instance's parameters."""
        return cls(tuple(tuple(row) for row in parameters["grid"]))

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.grid[0])

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.grid)

    @cached_property
    def clues(self) -> dict[Cell, int]:
        """The clue of each cell (x, y) that has one, row by row."""
        return {(x, y): value for y, row in enumerate(self.grid) for x, value in enumerate(row) if value}

    def holds(self, rectangle: Rectangle) -> bool:
        """Whether a rectangle lies in the grid and its corners are in order."""
        x0, y0, x1, y1 = rectangle
        return 0 <= x0 <= x1 < self.width and 0 <= y0 <= y1 < self.height

    def clues_in(self, rectangle: Rectangle) -> list[Cell]:
        """The cells with clues in a rectangle."""
        x0, y0, x1, y1 = rectangle
        return [(x, y) for x, y in self.clues if x0 <= x <= x1 and y0 <= y <= y1]

    def coverage(self, rectangles: Sequence[Rectangle]) -> NDArray[np.int64]:
        """How often each cell is covered: (height, width)."""
        count = np.zeros((self.height, self.width), dtype=np.int64)
        for x0, y0, x1, y1 in rectangles:
            count[y0 : y1 + 1, x0 : x1 + 1] += 1
        return count

    def candidates(self, cell: Cell) -> list[Rectangle]:
        """All possible rectangles of a clue: those of its area that contain no other clue."""
        x, y = cell
        area = self.clues[cell]
        candidates = []
        for width in range(1, min(area, self.width) + 1):
            height, rest = divmod(area, width)
            if rest or height > self.height:
                continue
            for x0 in range(max(0, x - width + 1), min(x, self.width - width) + 1):
                for y0 in range(max(0, y - height + 1), min(y, self.height - height) + 1):
                    rectangle = (x0, y0, x0 + width - 1, y0 + height - 1)
                    if len(self.clues_in(rectangle)) == 1:
                        candidates.append(rectangle)
        return candidates


def area_of(rectangle: Rectangle) -> int:
    """How many cells a rectangle has."""
    x0, y0, x1, y1 = rectangle
    return (x1 - x0 + 1) * (y1 - y0 + 1)


def cells_of(rectangle: Rectangle) -> Iterator[Cell]:
    """The cells of a rectangle."""
    x0, y0, x1, y1 = rectangle
    return ((x, y) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1))


def solutions(board: ShikakuBoard, limit: int = 2) -> list[tuple[Rectangle, ...]]:
    """Up to `limit` ways to solve a board, by depth-first search on the clue with the fewest candidates."""
    masks = {cell: [(r, _mask(board, r)) for r in board.candidates(cell)] for cell in board.clues}
    tilings: list[tuple[Rectangle, ...]] = []
    _search(masks, 0, (1 << board.width * board.height) - 1, [], tilings, limit)
    return [tuple(sorted(tiling)) for tiling in tilings]


Candidates = dict[Cell, list[tuple[Rectangle, int]]]


def _search(
    open_clues: Candidates,
    covered: int,
    whole: int,
    chosen: list[Rectangle],
    tilings: list[tuple[Rectangle, ...]],
    limit: int,
) -> None:
    if not open_clues:
        if covered == whole:
            tilings.append(tuple(chosen))
        return
    reach = covered
    for options in open_clues.values():
        for _, mask in options:
            reach |= mask
    if reach != whole:
        return
    cell = min(open_clues, key=lambda clue: len(open_clues[clue]))
    for rectangle, mask in open_clues[cell]:
        rest = {
            other: [option for option in options if not option[1] & mask]
            for other, options in open_clues.items()
            if other != cell
        }
        if all(rest.values()):
            _search(rest, covered | mask, whole, [*chosen, rectangle], tilings, limit)
        if len(tilings) >= limit:
            return


def _mask(board: ShikakuBoard, rectangle: Rectangle) -> int:
    """The rectangle's cells as bits."""
    x0, y0, x1, y1 = rectangle
    row = ((1 << (x1 - x0 + 1)) - 1) << x0
    return sum(row << (y * board.width) for y in range(y0, y1 + 1))


def exact_covers(board: ShikakuBoard) -> int:
    """The number of solutions, up to two, by an integer program instead of the search."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    options = [(k, r) for k, cell in enumerate(board.clues) for r in board.candidates(cell)]
    if not options:
        return 0
    cells = board.width * board.height
    clues = len(board.clues)
    rows = np.zeros((cells + clues, len(options)))
    for column, (k, rectangle) in enumerate(options):
        rows[cells + k, column] = 1
        for x, y in cells_of(rectangle):
            rows[y * board.width + x, column] = 1
    constraints = [LinearConstraint(rows, 1, 1)]
    count = 0
    integers = np.ones(len(options))
    for _ in range(2):
        answer = milp(np.zeros(len(options)), constraints=constraints, integrality=integers, bounds=Bounds(0, 1))
        if not answer.success:
            break
        count += 1
        taken = np.round(answer.x)
        constraints.append(LinearConstraint(taken[None], -np.inf, taken.sum() - 1))
    return count
