"""Edits of cells: layers, strokes, and the problems of a set. Sets are boolean arrays (n, n, n)."""

from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.tasks.voxel_projection.grid import (
    Bools,
    Symmetry,
    VoxelGrid,
    cells_of,
    holes,
    kept_symmetries,
)

Cell = tuple[int, int, int]
Spot = tuple[int, int]
"""A place in a layer: the two coordinates that are not the layer's axis, in order."""


@dataclass(frozen=True)
class VoxelFindings:
    """What is left to do: the number of voxels, the holes along x, y and z, forbidden cells, symmetries left."""

    count: int
    holes: tuple[int, int, int]
    forbidden: int
    required: int
    symmetries: tuple[Symmetry, ...]


def findings(grid: VoxelGrid, array: Bools) -> VoxelFindings:
    """The findings on a set; takes about a millisecond."""
    missing = [int(holes(array, axis).sum()) for axis in range(3)]
    empty = sum(not array[x, y, z] for x, y, z in grid.rule.required)
    left = tuple(kept_symmetries(array)) if array.any() else ()
    forbidden = int((array & grid.forbidden).sum())
    return VoxelFindings(int(array.sum()), (missing[0], missing[1], missing[2]), forbidden, empty, left)


def layer_of(array: Bools, axis: int, depth: int) -> Bools:
    """A layer (n, n) of a set, as a view."""
    layer: Bools = np.moveaxis(array, axis, 0)[depth]
    return layer


def with_layer(array: Bools, axis: int, depth: int, layer: Bools) -> Bools:
    """The set with another layer."""
    changed = array.copy()
    np.moveaxis(changed, axis, 0)[depth] = layer
    return changed


def cell_at(axis: int, depth: int, spot: Spot) -> Cell:
    """The cell of a spot in a layer."""
    cell = [*spot]
    cell.insert(axis, depth)
    return cell[0], cell[1], cell[2]


def spot_of(axis: int, cell: Cell) -> tuple[int, Spot]:
    """The depth and the spot of a cell, in layers across an axis."""
    rest = [v for k, v in enumerate(cell) if k != axis]
    return cell[axis], (rest[0], rest[1])


def painted(array: Bools, cells: list[Cell], value: bool, refused: Bools) -> Bools:
    """The set with cells filled or emptied; those that are refused (n, n, n) are not filled."""
    if not cells:
        return array
    changed = array.copy()
    index = tuple(np.array(cells).T)
    changed[index] = value
    if value:
        changed[index] &= ~refused[index]
    return changed


def pair_of(array: Bools, symmetry: Symmetry) -> tuple[Cell, Cell] | None:
    """A filled cell and its different image, either of which breaks the symmetry if moved; None if there is none."""
    n = len(array)
    for cell in cells_of(array):
        image = symmetry.cell(cell, n)
        if image != cell:
            return cell, image
    return None
