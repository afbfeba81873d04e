"""The checks of hyper_snake in order, and the published verifier.

Both read only the first V + 1 cells: a path longer than the number of free cells breaks a rule before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from spatial_workbench.engine.core import Check, CheckList, Figure, Outcome, Problem
from spatial_workbench.engine.core.checks import State
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hyper_snake.field import Cell, Flags, Numbers, SnakeField, written

FAR = 1 << 40
"""Coordinates are clamped to this, which is just as wrong, so that they fit into machine numbers."""


@dataclass(frozen=True, eq=False)
class Trail:
    """A path as it was given, and tables of it that are worked out once."""

    field: SnakeField
    cells: Sequence[Cell]

    @cached_property
    def places(self) -> Numbers:
        """The coordinates, (cells, axes). Only where each cell has as many as there are axes."""
        try:
            table = np.array(self.cells, np.int64)
        except OverflowError:
            table = np.array([[min(max(c, -FAR), FAR) for c in cell] for cell in self.cells], np.int64)
        return np.clip(table.reshape(-1, self.field.axes), -FAR, FAR)

    @cached_property
    def changes(self) -> Numbers:
        """By how much each step changes each coordinate, (cells - 1, axes)."""
        return np.diff(self.places, axis=0)

    @cached_property
    def inside(self) -> Flags:
        """Which cells are inside the grid."""
        flags: Flags = np.all((self.places >= 0) & (self.places < self.field.size), axis=1)
        return flags

    @cached_property
    def numbers(self) -> Numbers:
        """The number of each cell inside the grid, -1 for the others."""
        numbers = np.full(len(self.cells), -1, np.int64)
        numbers[self.inside] = np.ravel_multi_index(tuple(self.places[self.inside].T), self.field.size)
        return numbers

    def ends(self, i: int) -> tuple[str, str]:
        """The cells between which step i goes, in words."""
        return written(self.cells[i - 1]), written(self.cells[i])


CHECKS = CheckList()


@CHECKS.step("there is a path")
def _some(trail: Trail) -> Iterator[Problem]:
    if not trail.cells:
        yield Problem("The path is empty; it begins with the start cell")


@CHECKS.step("begins at the start")
def _start(trail: Trail) -> Iterator[Problem]:
    field = trail.field
    first = trail.cells[0]
    if len(first) != field.axes:
        yield Problem(
            f"path[0].pos is {written(first)}: {counted(len(first), 'coordinate')}, {field.axes} are expected"
        )
    elif first != field.start:
        left_out = field.way_between(field.start, first) is not None
        more = "; the start itself belongs in the path as its first cell" if left_out else ""
        elements = [element(field.start), *_elements(field, first)]
        yield Problem(f"The path begins at {written(first)}, not at the start {written(field.start)}{more}", elements)


@CHECKS.step("as many coordinates as axes")
def _coordinates(trail: Trail) -> Iterator[Problem]:
    for i, cell in enumerate(trail.cells):
        if len(cell) != trail.field.axes:
            yield Problem(
                f"path[{i}].pos is {written(cell)}: {counted(len(cell), 'coordinate')}, "
                f"{trail.field.axes} are expected",
                [f"step {i}"],
            )


@CHECKS.step("one axis a step")
def _one_axis(trail: Trail) -> Iterator[Problem]:
    changed = trail.changes != 0
    for i in (np.flatnonzero(changed.sum(axis=1) != 1) + 1).tolist():
        axes = np.flatnonzero(changed[i - 1]).tolist()
        a, b = trail.ends(i)
        turns = f"Step {i}, from {a} to {b}, changes axes {', '.join(map(str, axes))} at once"
        yield Problem(turns if axes else f"Step {i}, from {a} to {b}, does not move", [f"step {i}"])


@CHECKS.step("one cell a step")
def _one_cell(trail: Trail) -> Iterator[Problem]:
    for i in (np.flatnonzero(np.abs(trail.changes).sum(axis=1) != 1) + 1).tolist():
        axis = int(np.flatnonzero(trail.changes[i - 1])[0])
        by = trail.cells[i][axis] - trail.cells[i - 1][axis]
        a, b = trail.ends(i)
        message = f"Step {i}, from {a} to {b}, goes {by:+d} along axis {axis}; only +1 or -1 is allowed"
        yield Problem(message, [f"step {i}"])


@CHECKS.step("inside the grid")
def _inside(trail: Trail) -> Iterator[Problem]:
    for i in np.flatnonzero(~trail.inside).tolist():
        place = trail.places[i]
        axis = int(np.flatnonzero((place < 0) | (place >= trail.field.size))[0])
        end = trail.field.size[axis] - 1
        a, b = trail.ends(i)
        message = f"Step {i}, from {a} to {b}, leaves the grid on axis {axis}, which runs from 0 to {end}"
        yield Problem(message, [f"step {i}"])


@CHECKS.step("no cell twice")
def _once(trail: Trail) -> Iterator[Problem]:
    _, first = np.unique(trail.numbers, return_index=True)
    again = np.setdiff1d(np.arange(len(trail.numbers)), first)
    seen = {int(trail.numbers[i]): int(i) for i in first} if len(again) else {}
    for i in again.tolist():
        a, b = trail.ends(i)
        before = seen[int(trail.numbers[i])]
        message = f"Step {i}, from {a} to {b}, comes back to a cell that was visited at step {before}"
        yield Problem(message, [element(trail.cells[i]), f"step {i}"])


@CHECKS.step("no wall entered")
def _walls(trail: Trail) -> Iterator[Problem]:
    for i in np.flatnonzero(trail.field.is_wall[trail.numbers]).tolist():
        a, b = trail.ends(i)
        yield Problem(f"Step {i}, from {a} to {b}, enters a wall", [element(trail.cells[i]), f"step {i}"])


FOOD = "all food reached"


def element(cell: Sequence[int]) -> str:
    """The scene's id of a cell."""
    return f"cell {','.join(map(str, cell))}"


def _elements(field: SnakeField, cell: Sequence[int]) -> list[str]:
    return [element(cell)] if field.holds(cell) else []


def judge(field: SnakeField, given: Sequence[Cell]) -> Outcome:
    """Every rule in order; food that was not reached lowers the score."""
    cells, warnings = readable(field, given)
    checks = CHECKS.run(Trail(field, cells))
    if any(check.state is State.FAILED for check in checks):
        return Outcome.failed([*checks, Check.not_reached(FOOD)], warnings=warnings)
    return _scored(field, cells, checks, set(field.food).difference(cells))


def readable(field: SnakeField, cells: Sequence[Cell]) -> tuple[Sequence[Cell], list[str]]:
    """The cells that are judged, and a warning if some are not."""
    limit = field.free_count + 1
    if len(cells) <= limit:
        return cells, []
    return cells[:limit], [
        f"Only the first {limit} of {counted(len(cells), 'cell was', 'cells were')} looked at: no path is longer"
    ]


def _scored(field: SnakeField, cells: Sequence[Cell], checks: Sequence[Check], missed: set[Cell]) -> Outcome:
    left_out = [cell for cell in field.food if cell in missed]
    problems = [Problem(f"The food at {written(cell)} was not reached", [element(cell)]) for cell in left_out]
    figures = [
        Figure("length", len(cells), "cells"),
        Figure("free cells", field.free_count, "cells"),
        Figure("length that scores 1", field.needed, "cells"),
        Figure("no path is longer than", field.bound, "cells"),
        Figure("food missed", len(left_out)),
    ]
    return Outcome(field.score(len(cells), len(left_out)), [*checks, Check.of(FOOD, problems)], figures)


# The published verifier ----------------------------------------------------------------------------------------------

EVERY_STEP = "every step, one by one"


def judge_as_published(field: SnakeField, given: Sequence[Cell], ignores_walls: bool) -> Outcome:
    """The published judgement: it stops at the first wrong step, and food at the start is never collected."""
    cells, warnings = readable(field, given)
    checks = [Check.of("there is a path", _some(Trail(field, cells)))]
    if not cells:
        return Outcome.failed([*checks, Check.not_reached(EVERY_STEP), Check.not_reached(FOOD)])
    wrong = next(_wrong_steps(field, cells, ignores_walls), None)
    checks.append(Check.of(EVERY_STEP, [wrong] if wrong else []))
    if wrong:
        return Outcome.failed([*checks, Check.not_reached(FOOD)], warnings=warnings)
    return _scored(field, cells, checks, set(field.food).difference(cells[1:]))


def _wrong_steps(field: SnakeField, cells: Sequence[Cell], ignores_walls: bool) -> Iterator[Problem]:
    if cells[0] != field.start:
        yield Problem(f"The path begins at {written(cells[0])}, not at {written(field.start)}", ["step 0"])
    seen = {cells[0]}
    walls = set() if ignores_walls else set(field.walls)
    for i, (before, cell) in enumerate(pairwise(cells), start=1):
        if message := _wrong_step(field, i, (before, cell), seen, walls):
            yield Problem(message, [f"step {i}"])
        seen.add(cell)


def _wrong_step(field: SnakeField, i: int, ends: tuple[Cell, Cell], seen: set[Cell], walls: set[Cell]) -> str:
    """What is wrong with step i in a sentence; empty if nothing is."""
    before, cell = ends
    a, b = map(written, ends)
    if len(cell) != field.axes:
        return f"Step {i}, from {a} to {b}, has {counted(len(cell), 'coordinate')}"
    changes = [after - first for first, after in zip(before, cell, strict=True) if first != after]
    if len(changes) != 1:
        return f"Step {i}, from {a} to {b}, changes {len(changes)} axes"
    if abs(changes[0]) != 1:
        return f"Step {i}, from {a} to {b}, goes {changes[0]:+d} cells"
    if not field.holds(cell):
        return f"Step {i}, from {a} to {b}, leaves the grid"
    if cell in seen:
        return f"Step {i}, from {a} to {b}, comes back to a visited cell"
    return f"Step {i}, from {a} to {b}, enters a wall" if cell in walls else ""
