"""New boards for two_segments: a target, a frame that it fits, and perhaps a grid on which it can be met."""

import json
import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.contract import Difficulty
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.tasks.two_segments.board import (
    ROUNDING,
    Point,
    SegmentsBoard,
    polygon_area,
    read_target,
    write_target,
)
from spatial_workbench.engine.tasks.two_segments.partition import Chord, divide, regions_of, shape_counts

Frame = Literal["any", "unit", "square", "rotated", "parallelogram", "quadrilateral"]
Partition = Literal[
    "any", "3T", "2T 1Q", "1T 2Q", "3Q", "2T 1P", "1T 1Q 1P", "2T 1H", "4T", "3T 1Q", "2T 2Q", "1T 3Q", "4Q", "3T 1P",
    "2T 1Q 1P", "1T 2Q 1P", "2T 2P", "2T 1Q 1H",
]  # fmt: skip

MIN_ANGLE_DEG, MAX_ANGLE_DEG = 50.0, 130.0
"""Bounds of the angles of drawn parallelograms and quadrilaterals."""

GRID_STEPS = (4, 5, 6, 8, 10)
"""Into how many steps a drawn grid divides the unit square's side."""

MAX_DRAWS = 1000


class PartitionDifficulty(Difficulty):
    """What a new board is like."""

    partition: Partition = Field(
        "any", description="The shapes wanted: triangles T, quadrilaterals Q, pentagons P, hexagons H"
    )
    frame: Frame = Field("any", description="The shape of the frame")
    grid: Literal["any", "with", "without"] = Field("any", description="Whether only some coordinates are allowed")
    decimals: int = Field(3, ge=2, le=4, description="Decimals to which places along a side are rounded")
    corners: str = Field("", description="A frame of your own: corners counter-clockwise, such as 0,0 1,0 1,1 0,1")
    grid_values: str = Field("", description="A grid of your own: the allowed coordinates, such as 0 0.25 0.5 0.75 1")


def draw(seed: int, difficulty: PartitionDifficulty) -> dict[str, Any]:
    """The parameters of a new instance.

    Raises:
        InstanceError: corners that are not convex or run clockwise, or a grid on which the target cannot be met.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    frame, corners = _frame(rng, difficulty)
    for _ in range(MAX_DRAWS):
        grid = _grid(rng, difficulty, frame)
        target = difficulty.partition if difficulty.partition != "any" else str(rng.choice(list(partition_types())))
        board = SegmentsBoard(corners, read_target(target), grid, difficulty.decimals)  # type: ignore[arg-type]
        if has_solution(board):
            return {
                "target": target,
                "frame": frame,
                "seed": seed,
                "corners": [list(corner) for corner in corners],
                "grid": None if grid is None else list(grid),
                "decimals": difficulty.decimals,
                "difficulty": None,
            }
        if difficulty.grid_values and difficulty.partition != "any":
            break
    raise InstanceError(f"no two segments with ends on this grid make {difficulty.partition}")


def random_square(rng: Any) -> tuple[Point, Point, Point, Point]:
    """The square that three uniform numbers give: side in [0.3, 1], then x, then y, inside the unit square.

    `rng` is anything with `uniform`; the published seeds are those of Python's `random.Random`.
    """
    side = rng.uniform(0.3, 1.0)
    x, y = rng.uniform(0.0, 1.0 - side), rng.uniform(0.0, 1.0 - side)
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


@cache
def partition_types() -> dict[str, tuple[tuple[float, float], tuple[float, float]]]:
    """The 17 sets of shapes that two chords can make, each with an example (boundary parameters)."""
    data = json.loads(resource("tasks", "two_segments.json").read_text("utf-8"))
    return {entry["target"]: tuple(map(tuple, entry["example"])) for entry in data["partition_types"]}  # type: ignore[misc]


def find_solution(board: SegmentsBoard) -> tuple[Sequence[float], Sequence[float]]:
    """Boundary parameters of two segments that meet the board's target: the type's example, or the first on the grid.

    Raises:
        InstanceError: there is none.
    """
    if board.grid is None:
        example = partition_types().get(write_target(board.target))
        if example is not None:
            return example
        raise InstanceError(f"two segments cannot make {write_target(board.target)}")
    for first, second in grid_solutions(board):
        return [tick / board.ticks for tick in first], [tick / board.ticks for tick in second]
    raise InstanceError(f"no two segments with ends on this grid make {write_target(board.target)}")


def has_solution(board: SegmentsBoard) -> bool:
    """Whether two segments can meet the board's target."""
    return board.grid is None or next(grid_solutions(board), None) is not None


def grid_solutions(board: SegmentsBoard) -> Iterator[tuple[Chord, Chord]]:
    """All pairs of chords with ends on the grid that meet the target without slivers."""
    target = {shape: n for shape, n in board.target.items() if n}
    chords = [(a, b) for a, b in combinations(grid_ticks(board), 2) if not board.sides_of(a) & board.sides_of(b)]
    for first, second in combinations(chords, 2):
        if shape_counts(divide(board.ticks, first, second)) != target:
            continue
        if min(region.share for region in regions_of(board, first, second)) >= board.tolerance / 2:
            yield first, second


def grid_ticks(board: SegmentsBoard) -> list[int]:
    """The places of the boundary, in ticks, both of whose coordinates are on the grid."""
    values = board.grid or ()
    nears = [board.nearest((x, y)) for x in values for y in values]
    return sorted({board.snap(near) for near in nears if board.on_boundary(near)})


def _frame(rng: np.random.Generator, difficulty: PartitionDifficulty) -> tuple[str, tuple[Point, ...]]:
    if difficulty.corners:
        return "explicit", _own_corners(difficulty.corners)
    kind = difficulty.frame
    if kind == "any":
        with_grid = difficulty.grid == "with" or difficulty.grid_values
        kind = "unit" if with_grid else rng.choice(["unit", "square", "rotated", "parallelogram", "quadrilateral"])
    if kind != "unit" and difficulty.grid == "with" and not difficulty.grid_values:
        raise InstanceError("grid: a drawn grid needs the unit square as frame")
    return str(kind), tuple((_printed(x), _printed(y)) for x, y in _FRAMES[str(kind)](rng))


def _rotated(rng: np.random.Generator) -> Sequence[Point]:
    square = random_square(rng)
    return _turned(square, float(rng.uniform(5, 40)))


def _parallelogram(rng: np.random.Generator) -> Sequence[Point]:
    """Sides of 0.6 to 1.2, an angle within the bounds, turned by up to 20 degrees."""
    a, b = rng.uniform(0.6, 1.2, 2)
    angle = math.radians(rng.uniform(MIN_ANGLE_DEG + 5, 80))
    dx, dy = b * math.cos(angle), b * math.sin(angle)
    return _turned(((0, 0), (a, 0), (a + dx, dy), (dx, dy)), float(rng.uniform(-20, 20)))


def _quadrilateral(rng: np.random.Generator) -> Sequence[Point]:
    """The unit square with every corner moved by up to 0.3, such that all angles are within the bounds."""
    while True:
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + rng.uniform(-0.3, 0.3, (4, 2))
        if all(MIN_ANGLE_DEG <= angle <= MAX_ANGLE_DEG for angle in _angles_deg(corners.tolist())):
            return [(x, y) for x, y in corners.tolist()]


_FRAMES = {
    "unit": lambda rng: ((0, 0), (1, 0), (1, 1), (0, 1)),
    "square": random_square,
    "rotated": _rotated,
    "parallelogram": _parallelogram,
    "quadrilateral": _quadrilateral,
}


def _turned(points: Sequence[Point], angle_deg: float) -> list[Point]:
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return [(c * x - s * y, s * x + c * y) for x, y in points]


def _printed(value: float) -> float:
    """The number as the prompt prints it, so that the frame is exactly what the solver reads."""
    return float(f"{value:.6g}")


def _own_corners(text: str) -> tuple[Point, ...]:
    try:
        corners = [tuple(map(float, part.split(","))) for part in text.split()]
        points = tuple((_printed(x), _printed(y)) for x, y in corners)
    except ValueError:
        raise InstanceError("corners: four pairs of numbers are expected, such as 0,0 1,0 1,1 0,1") from None
    if len(points) != 4 or not all(math.isfinite(v) for point in points for v in point):
        raise InstanceError("corners: four pairs of numbers are expected, such as 0,0 1,0 1,1 0,1")
    if polygon_area(points) < 0:
        raise InstanceError("corners: they run clockwise; give them counter-clockwise")
    turns = [_turn(points, k) for k in range(4)]
    if min(turns) <= ROUNDING * max(turns):
        raise InstanceError("corners: the quadrilateral is not convex")
    return points


def _turn(points: Sequence[Point], k: int) -> float:
    ax, ay = points[k - 1]
    bx, by = points[k]
    cx, cy = points[(k + 1) % 4]
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx)


def _angles_deg(points: Sequence[Point]) -> Iterator[float]:
    """The inner angles of a quadrilateral; 0 for a corner that turns the wrong way."""
    for k in range(4):
        if _turn(points, k) <= 0:
            yield 0.0
            continue
        before = points[k - 1]
        corner = points[k]
        after = points[(k + 1) % 4]
        first = math.atan2(after[1] - corner[1], after[0] - corner[0])
        second = math.atan2(before[1] - corner[1], before[0] - corner[0])
        yield math.degrees((second - first) % math.tau)


def _grid(rng: np.random.Generator, difficulty: PartitionDifficulty, frame: str) -> tuple[float, ...] | None:
    if difficulty.grid_values:
        return _own_grid(difficulty.grid_values)
    if difficulty.grid == "without" or frame != "unit" or (difficulty.grid == "any" and rng.random() < 0.5):
        return None
    steps = int(rng.choice(GRID_STEPS))
    decimals = min(difficulty.decimals, 2)
    return tuple(round(i / steps, decimals) for i in range(steps + 1))


def _own_grid(text: str) -> tuple[float, ...]:
    try:
        values = sorted({float(part) for part in text.replace(",", " ").split()})
    except ValueError:
        raise InstanceError("grid_values: numbers are expected, such as 0 0.25 0.5 0.75 1") from None
    if not 1 < len(values) <= 41 or not all(map(math.isfinite, values)):
        raise InstanceError("grid_values: 2 to 41 finite numbers are expected")
    return tuple(values)
