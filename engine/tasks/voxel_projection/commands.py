"""What can be done to a set of cells: the commands of editors, agents and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.elements import SeedArguments, Triple, Triples, inside
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection.answer import FilledVoxels, cell_of
from spatial_workbench.engine.tasks.voxel_projection.editing import Cell, painted
from spatial_workbench.engine.tasks.voxel_projection.grid import Bools, VoxelGrid, cells_of
from spatial_workbench.engine.tasks.voxel_projection.solver import fill_to_count, latin_square

commands = CommandList()


class VoxelCells(CommandArguments):
    """Some cells."""

    cells: Triples = Field(description="cells, each [x, y, z] from 0")


class VoxelBlock(CommandArguments):
    """A box of cells."""

    low: Triple = Field(description="lowest cell of the box: x, y, z")
    high: Triple = Field(description="highest cell, included")
    on: bool = Field(default=True, description="whether its cells are filled; otherwise they are emptied")


@commands.add("Fill cells", VoxelCells, name="set")
def fill_cells(instance: Instance, answer: FilledVoxels, given: VoxelCells) -> FilledVoxels:
    """Fills cells."""
    return _painted(instance, answer, given.cells, True)


@commands.add("Empty cells", VoxelCells)
def clear(instance: Instance, answer: FilledVoxels, given: VoxelCells) -> FilledVoxels:
    """Empties cells."""
    return _painted(instance, answer, given.cells, False)


@commands.add("Fill or empty a box", VoxelBlock)
def box(instance: Instance, answer: FilledVoxels, given: VoxelBlock) -> FilledVoxels:
    """Fills or empties all cells of a box."""
    grid = VoxelGrid.of(instance.parameters)
    inside([given.low], (grid.n,) * 3, "low")
    inside([given.high], (grid.n,) * 3, "high")
    if any(a > b for a, b in zip(given.low, given.high, strict=True)):
        raise AnswerError(f"low {list(given.low)} lies beyond high {list(given.high)}", ("low",))
    array = _array(grid, answer)
    array[tuple(slice(a, b + 1) for a, b in zip(given.low, given.high, strict=True))] = given.on
    return _of(answer, array)


@commands.add("Empty the grid", NoArguments)
def empty_grid(instance: Instance, answer: FilledVoxels, given: NoArguments) -> FilledVoxels:
    """Empties all cells."""
    return _of(answer, np.zeros((VoxelGrid.of(instance.parameters).n,) * 3, bool))


@commands.add("Latin square", SeedArguments, Aid.SOLVING)
def latin(instance: Instance, answer: FilledVoxels, given: SeedArguments) -> FilledVoxels:
    """Starts again with a Latin square without forbidden cells, and the required cells."""
    grid = VoxelGrid.of(instance.parameters)
    array = latin_square(grid, given.random)
    if array is None:
        raise AnswerError("No Latin square without forbidden cells was found; try another seed")
    array[tuple(np.array(grid.rule.required, dtype=int).reshape(-1, 3).T)] = True
    return _of(answer, array)


@commands.add("Fill to the number", SeedArguments, Aid.SOLVING)
def fill_up(instance: Instance, answer: FilledVoxels, given: SeedArguments) -> FilledVoxels:
    """Adds random allowed cells until the number of cells is right."""
    grid = VoxelGrid.of(instance.parameters)
    array = _array(grid, answer)
    filled = fill_to_count(grid, array, given.random)
    if filled is None:
        raise AnswerError(
            f"{counted(int(array.sum()), 'cell is', 'cells are')} filled already; {grid.count} in all are wanted"
        )
    return _of(answer, filled)


@commands.leading
def calls_between(instance: Instance, before: FilledVoxels, after: FilledVoxels) -> Iterator[Sequence[Call]]:
    """Calls that empty and fill cells."""
    grid = VoxelGrid.of(instance.parameters)
    old, new = _array(grid, before), _array(grid, after)
    cells = (("clear", old & ~new), ("set", new & ~old))
    yield [(name, {"cells": np.argwhere(changed).tolist()}) for name, changed in cells if changed.any()]


def _painted(instance: Instance, answer: FilledVoxels, cells: Sequence[Sequence[int]], is_filled: bool) -> FilledVoxels:
    grid = VoxelGrid.of(instance.parameters)
    chosen: list[Cell] = [(x, y, z) for x, y, z in inside(cells, (grid.n,) * 3, "cells")]
    array = _array(grid, answer)
    return _of(answer, painted(array, chosen, is_filled, np.zeros_like(array)))


def _array(grid: VoxelGrid, answer: FilledVoxels) -> Bools:
    """The filled cells, (n, n, n); entries that are no cells are left out, as in the editor."""
    places = [cell_of(voxel, grid.n) for voxel in answer.voxels]
    return grid.filled([cell for cell in places if cell is not None])


def _of(answer: FilledVoxels, array: Bools) -> FilledVoxels:
    return FilledVoxels.of(cells_of(array), answer.reasoning)
