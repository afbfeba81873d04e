"""Operations from the editor's gestures: brush strokes, mirror images, moving and resizing."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.tasks.fluid_simulation.presets import FluidRectangle, mirrored
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Cells, Corner, FluidBox


def brushed(columns: Iterable[tuple[int, int]], level: int, rock: bool) -> list[FluidBox]:
    """A small number of boxes that cover exactly these columns at one level."""
    marked = list(set(columns))
    if not marked:
        return []
    corner = np.min(marked, axis=0)
    mask = np.zeros(np.max(marked, axis=0) - corner + 1, dtype=bool)
    mask[tuple((np.array(marked) - corner).T)] = True
    x, y = corner.tolist()
    return [FluidRectangle(a + x, b + y, c + x, d + y).box(level, level, rock) for a, b, c, d in rectangles(mask)]


def rectangles(mask: NDArray[np.bool_]) -> list[FluidRectangle]:
    """Disjoint rectangles that cover exactly the set places of a plane mask, (x, y).

    Runs along one axis that repeat in the next line are one rectangle; of the two axes the one that needs fewer.
    """
    along_y = _merged_runs(mask)
    along_x = [FluidRectangle(y0, x0, y1, x1) for x0, y0, x1, y1 in _merged_runs(mask.T)]
    return min(along_y, along_x, key=len)


def stroke(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """The columns on the straight line from one to another, without gaps."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    shares = np.arange(steps + 1)[:, None] / steps
    places = np.rint(np.array(start) + shares * (np.array(end) - np.array(start))).astype(int)
    return [(x, y) for x, y in places.tolist()]


def with_mirror_images(boxes: Sequence[FluidBox], n: int, in_x: bool, in_y: bool) -> list[FluidBox]:
    """Each box followed by its mirror images, without duplicates, so that the order of operations is kept."""
    ways = [(a, b) for a in {False, in_x} for b in {False, in_y}]
    images: list[FluidBox] = []
    for box in boxes:
        images += dict.fromkeys(mirrored(box, n, a, b) for a, b in sorted(ways))
    return images


def operation_at(boxes: Sequence[FluidBox], cell: Corner) -> int | None:
    """The last operation whose box contains a cell."""
    for i in range(len(boxes) - 1, -1, -1):
        if all(a <= v <= b for a, v, b in zip(boxes[i].low, cell, boxes[i].high, strict=True)):
            return i
    return None


def moved(box: FluidBox, shift: Sequence[int], n: int) -> FluidBox:
    """The box moved by whole voxels, at most to the edge of the world."""
    sizes = (n, n, DEPTH)
    steps = [max(-a, min(size - 1 - b, d)) for a, b, d, size in zip(box.low, box.high, shift, sizes, strict=True)]
    low, high = ([v + d for v, d in zip(corner, steps, strict=True)] for corner in (box.low, box.high))
    return FluidBox((low[0], low[1], low[2]), (high[0], high[1], high[2]), box.rock)


def resized(box: FluidBox, axis: int, upper: bool, value: int, n: int) -> FluidBox:
    """The box with one face moved to another voxel; it stays in the world and at least one voxel thick."""
    low, high = list(box.low), list(box.high)
    size = (n, n, DEPTH)[axis]
    if upper:
        high[axis] = max(low[axis], min(size - 1, value))
    else:
        low[axis] = min(high[axis], max(0, value))
    return FluidBox((low[0], low[1], low[2]), (high[0], high[1], high[2]), box.rock)


def useful_level(rock: Cells, level: int, building: bool) -> int:
    """The nearest level with room for rock (`building`), or with rock to dig."""
    changeable = (~rock if building else rock).any(axis=(0, 1))
    levels = np.flatnonzero(changeable).tolist()
    return min(levels, key=lambda z: (abs(z - level), z), default=level)


def _merged_runs(mask: NDArray[np.bool_]) -> list[FluidRectangle]:
    """Merges equal runs along y in adjacent columns x."""
    open_runs: dict[tuple[int, int], int] = {}
    merged: list[FluidRectangle] = []
    for x, line in enumerate([*mask, np.zeros(mask.shape[1], dtype=bool)]):
        runs = _runs(line)
        for y0, y1 in [run for run in open_runs if run not in runs]:
            merged.append(FluidRectangle(open_runs.pop((y0, y1)), y0, x - 1, y1))
        for run in runs:
            open_runs.setdefault(run, x)
    return merged


def _runs(line: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of set places."""
    changes = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
    return [(int(a), int(b) - 1) for a, b in changes.reshape(-1, 2)]
