"""Voxel projection: fill an exact number of cells of a cube so that it looks solid from all sides and is not symmetric.

Rules     exactly `count` cells of an N x N x N grid; every ray along x, y or z meets one; none of the 47 rotations and
          reflections of the grid maps the set to itself; perhaps a rule about cells (SCBench B.6)
Answer    voxels, each {"xyz": [x, y, z]} with whole numbers from 0 to N - 1
Score     1 if every check passes, else 0

The rules in full: docs/tasks/voxel_projection.md.

    answer        the cells that are filled
    commands      what can be done to a set of cells by editors, agents and other programs
    crosscheck    the same rules by other methods, on sets of tuples
    drawing       the cells, and their three projections on walls behind them, with the holes marked
    editing       edits of cells: layers, strokes, and the problems of a set
    generator     new grids: a size, a count, and perhaps a rule about cells; each has a solution
    grid          the grid, what an instance asks of it, and its symmetries
    prompt        what a solver is told
    solver        filling a grid: a Latin square gives full projections, random cells take its symmetries away
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spatial_workbench.engine.core import (
    Aid,
    Body,
    Bucket,
    CheckList,
    Family,
    Figure,
    Instance,
    LiveRule,
    MakesFilm,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    WritesBodies,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import State, all_passed
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection import drawing
from spatial_workbench.engine.tasks.voxel_projection.answer import Cell, FilledVoxels, Voxel, bad_entry, cell_of
from spatial_workbench.engine.tasks.voxel_projection.generator import VoxelGridDifficulty, draw
from spatial_workbench.engine.tasks.voxel_projection.grid import (
    AXES,
    PLANES,
    Bools,
    Symmetry,
    VoxelGrid,
    cells_of,
    holes,
    kept_symmetries,
)
from spatial_workbench.engine.tasks.voxel_projection.prompt import text
from spatial_workbench.engine.tasks.voxel_projection.solver import solve

__all__ = ["FilledVoxels", "Voxel", "VoxelGrid", "VoxelProjection", "cell_of", "grid_of"]

LISTED = 20
"""How many repeated cells are named."""
CELLS_ARE_READ = 1
"""After this many checks the entries are known to be cells."""

checks = CheckList()


@dataclass(frozen=True, eq=False)
class Filling:
    """The subject of the checks: the grid, the entries, and the cells that they denote."""

    grid: VoxelGrid
    answer: FilledVoxels

    @cached_property
    def places(self) -> list[Cell | None]:
        """The cell of each entry; None where it is none."""
        return [cell_of(voxel, self.grid.n) for voxel in self.answer.voxels]

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells, with repeats."""
        return [cell for cell in self.places if cell is not None]

    @cached_property
    def array(self) -> Bools:
        """The filled cells as an array (n, n, n)."""
        return self.grid.filled(self.cells)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        """The symmetries that map the set to itself."""
        return kept_symmetries(self.array)


def voxel_ids(cells: Sequence[Cell]) -> list[str]:
    """The ids of cells in scenes."""
    return [f"voxel {x},{y},{z}" for x, y, z in cells]


@checks.step("cells of the grid")
def _in_grid(filling: Filling) -> Iterator[Problem]:
    bad = [i for i, place in enumerate(filling.places) if place is None]
    if bad:
        entry = filling.answer.voxels[bad[0]].xyz
        shown = list(entry) if isinstance(entry, tuple) else entry
        yield Problem(bad_entry(bad[0], shown, len(bad), filling.grid.n))


@checks.step("allowed cells")
def _allowed(filling: Filling) -> Iterator[Problem]:
    for cell in dict.fromkeys(filling.cells):
        if filling.grid.forbidden[cell]:
            yield Problem(f"Cell {cell} is forbidden: {filling.grid.rule.why(cell)}", voxel_ids([cell]))


@checks.step("required cells")
def _required(filling: Filling) -> Iterator[Problem]:
    for x, y, z in filling.grid.rule.required:
        if not filling.array[x, y, z]:
            yield Problem(
                f"Cell ({x}, {y}, {z}) is required but empty", voxel_ids([(x, y, z)]), is_omission=True, is_evident=True
            )


@checks.step("number of voxels")
def _count(filling: Filling) -> Iterator[Problem]:
    if len(filling.cells) != filling.grid.count:
        yield Problem(f"{counted(len(filling.cells), 'voxel')}, expected {filling.grid.count}")


@checks.step("no cell twice")
def _distinct(filling: Filling) -> Iterator[Problem]:
    repeated = [cell for cell, times in Counter(filling.cells).items() if times > 1]
    if repeated:
        named = ", ".join(map(str, repeated[:LISTED])) + (" ..." if len(repeated) > LISTED else "")
        yield Problem(f"Listed more than once: {named}", voxel_ids(repeated))


def _full(filling: Filling, plane: tuple[int, int]) -> Iterator[Problem]:
    i, j = plane
    axis = 3 - i - j
    missing = np.argwhere(holes(filling.array, axis)).tolist()
    if missing:
        first = f"{AXES[i]} = {missing[0][0]}, {AXES[j]} = {missing[0][1]}"
        message = f"{counted(len(missing), 'ray')} along {AXES[axis]} without a voxel, the first at {first}"
        yield Problem(message, [drawing.hole_id(axis, u, v) for u, v in missing])


@checks.step("projection along z is full")
def _full_xy(filling: Filling) -> Iterator[Problem]:
    yield from _full(filling, PLANES[0])


@checks.step("projection along y is full")
def _full_xz(filling: Filling) -> Iterator[Problem]:
    yield from _full(filling, PLANES[1])


@checks.step("projection along x is full")
def _full_yz(filling: Filling) -> Iterator[Problem]:
    yield from _full(filling, PLANES[2])


@checks.step("no symmetry")
def _asymmetric(filling: Filling) -> Iterator[Problem]:
    for symmetry in filling.symmetries:
        yield Problem(f"The set is its own image: {symmetry.name}, (x, y, z) → {symmetry.formula}")


class VoxelProjection(HasCommands, MakesFilm, WritesBodies, Task[FilledVoxels]):
    """Fill a cube so that it looks solid from all sides, without any symmetry."""

    id = "voxel_projection"
    title = "Voxel projection"
    summary = "Fill a given number of cells so that all three shadows are full and nothing is symmetric."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults(
        "Many sets pass, and no check says which voxel is one too many. "
        "Forbidden cells and empty rays follow from the rules as stated."
    )
    unit_mm = 10.0
    answer_type = FilledVoxels
    hidden = frozenset({"seed"})
    difficulty = VoxelGridDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return row

    def draw(self, rng: np.random.Generator, difficulty: VoxelGridDifficulty) -> Mapping[str, Any]:
        return draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        grid = grid_of(instance)
        rule = " · with a rule" if any(instance.parameters["rule"].values()) else ""
        return f"{grid.n}³, {counted(grid.count, 'voxel')}{rule}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(text(grid_of(instance)))

    def empty(self, instance: Instance) -> FilledVoxels:
        return FilledVoxels.of(())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.voxel_projection.commands import commands

        return commands

    def state(self, instance: Instance, answer: FilledVoxels) -> Any:
        """The filled cells, in order; an entry that is no cell stands as it was given."""
        places = [cell_of(voxel, grid_of(instance).n) for voxel in answer.voxels]
        cells = [voxel.xyz if place is None else place for voxel, place in zip(answer.voxels, places, strict=True)]
        return {"count": len(cells), "cells": [list(cell) if isinstance(cell, tuple) else cell for cell in cells]}

    def sight(self, instance: Instance, answer: FilledVoxels, aids: Collection[Aid]) -> Scene:
        """The cells and their projections; their holes are marked for who may have judgements."""
        return drawing.draw(grid_of(instance), self._cells(instance, answer), marks_holes=Aid.JUDGING in aids)

    @verifier("default", "1.0", "Every rule; the order of the checks is that of the published verifier")
    def _verify(self, instance: Instance, answer: FilledVoxels, progress: Progress) -> Outcome:
        filling = Filling(grid_of(instance), answer)
        rows = checks.run(filling)
        readable = all(check.state is State.PASSED for check in rows[:CELLS_ARE_READ])
        return Outcome(float(all_passed(rows)), rows, _figures(filling) if readable else ())

    def _crosscheck(self, instance: Instance, answer: FilledVoxels, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.voxel_projection import crosscheck

        rows = crosscheck.judge(grid_of(instance), answer, checks.names)
        return Outcome(float(all_passed(rows)), rows)

    def solve(self, instance: Instance, progress: Progress = silent) -> FilledVoxels:
        """A Latin square and random cells."""
        filled = solve(grid_of(instance), instance.parameters["seed"], progress)
        return FilledVoxels.of(cells_of(filled), "A Latin square, and random cells that take its symmetries away.")

    def bodies(self, instance: Instance, answer: FilledVoxels) -> Sequence[Body]:
        """A cube for every voxel."""
        cells = dict.fromkeys(Filling(grid_of(instance), answer).cells)
        corners = [np.array(cell, float) for cell in cells]
        return [Body.box(f"voxel {i}", low, low + 1) for i, low in enumerate(corners)]

    def scene(self, instance: Instance, answer: FilledVoxels | None = None, verdict: Verdict | None = None) -> Scene:
        """The cells, and the three projections beyond with their holes."""
        return drawing.draw(grid_of(instance), self._cells(instance, answer) if answer else [])

    def film(self, instance: Instance, answer: FilledVoxels, progress: Progress = silent) -> Scene:
        """The voxels on their way to their images under the symmetries that are left, one after the other."""
        filling = Filling(grid_of(instance), answer)
        return drawing.all_in_motion(filling.grid, filling.array, filling.symmetries)

    def _cells(self, instance: Instance, answer: FilledVoxels) -> list[Cell]:
        """The cells that are filled, each once."""
        return list(dict.fromkeys(Filling(grid_of(instance), answer).cells))


def grid_of(instance: Instance) -> VoxelGrid:
    """The grid that an instance asks about."""
    return VoxelGrid.of(instance.parameters)


def _figures(filling: Filling) -> list[Figure]:
    array = filling.array
    return [
        Figure("voxels", len(filling.cells)),
        Figure("beyond the number", len(filling.cells) - filling.grid.count),
        *(Figure(f"holes along {AXES[axis]}", int(holes(array, axis).sum())) for axis in (2, 1, 0)),
        Figure("symmetries", len(filling.symmetries)),
    ]
