"""What can be done to a maze: the commands of editors, agents and other programs.

A cell is [row, column] from 0; row 0 is the first line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.elements import Pair, Pairs, SeedArguments, inside
from spatial_workbench.engine.tasks.maze_3d import MazeText
from spatial_workbench.engine.tasks.maze_3d.editing import (
    MazeSlope,
    RoutePen,
    fill,
    mend,
    with_height,
    with_marker,
    with_steps,
)
from spatial_workbench.engine.tasks.maze_3d.graph import study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, LEVELS, Cell, Maze, Rules

commands = CommandList()

_WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class MazeCellsChosen(CommandArguments):
    """Some cells."""

    cells: Pairs = Field(description="cells, each [row, column] from 0")


class MazeHeight(CommandArguments):
    """A height for some cells."""

    path: Pairs = Field(description="cells, each [row, column] from 0")
    height: Annotated[WholeNumber, Field(ge=0, lt=LEVELS)] = Field(description="their height, 0 to 9")


class MazeRise(MazeCellsChosen):
    """How far cells rise."""

    by: Annotated[WholeNumber, Field(ge=-LEVELS, le=LEVELS)] = Field(description="levels up, or down if below 0")


class MazeStep(CommandArguments):
    """A step of a route."""

    cell: Pair = Field(description="where the step begins: row, column")
    direction: Literal["up", "down", "left", "right"] = Field(description="up goes to the row before")
    slope: Literal["level", "climb", "descend"] = Field(default="level", description="height of the next cell")
    jump: bool = Field(
        default=False, description="whether it is a jump over the next cell, which is lowered if it is too high"
    )


class MazeMarker(CommandArguments):
    """Where a marker goes."""

    marker: Literal["A", "B"] = Field(description="start or goal")
    cell: Pair = Field(description="row, column")


@commands.add("Set heights", MazeHeight)
def draw(instance: Instance, answer: MazeText, given: MazeHeight) -> MazeText:
    """Gives cells a height; A and B keep theirs."""
    maze, _ = _read(instance, answer)
    return _of(answer, maze, with_height(maze, _cells(maze, given.path, "path"), given.height))


@commands.add("Change height", MazeRise)
def rise(instance: Instance, answer: MazeText, given: MazeRise) -> MazeText:
    """Raises or lowers cells, within 0 to 9; empty cells begin at 0."""
    maze, _ = _read(instance, answer)
    return _of(answer, maze, with_steps(maze, _cells(maze, given.cells, "cells"), given.by))


@commands.add("Empty cells", MazeCellsChosen)
def erase(instance: Instance, answer: MazeText, given: MazeCellsChosen) -> MazeText:
    """Empties cells; A and B stay."""
    maze, _ = _read(instance, answer)
    return _of(answer, maze, with_height(maze, _cells(maze, given.cells, "cells"), BLANK))


@commands.add("Draw route", MazeStep)
def step(instance: Instance, answer: MazeText, given: MazeStep) -> MazeText:
    """Draws a route from a cell to its neighbour, or with a jump to the one behind, and gives that cell its height."""
    maze, rules = _read(instance, answer)
    row, column = _cells(maze, [given.cell], "cell")[0]
    if maze.heights[row, column] == BLANK:
        raise AnswerError("A route begins at a cell that has a height", ("cell",))
    pen = RoutePen(maze, (row, column), rules, keeps_rules=False)
    down, right = _WAYS[given.direction]
    for k in range(1, 3 if given.jump else 2):
        cell = (row + k * down, column + k * right)
        if not all(0 <= c < maze.size for c in cell):
            raise AnswerError("The maze ends here", ("direction",))
        pen.enter(cell, MazeSlope(given.slope), given.jump)
    return _of(answer, maze, pen.maze)


@commands.add("Move marker", MazeMarker)
def mark(instance: Instance, answer: MazeText, given: MazeMarker) -> MazeText:
    """Moves A or B to a cell, which gets the height that the task gives it; the old cell keeps its height."""
    maze, rules = _read(instance, answer)
    moved = with_marker(maze, given.marker, _cells(maze, [given.cell], "cell")[0], rules)
    if moved is None:
        raise AnswerError("A and B cannot share a cell", ("cell",))
    return _of(answer, maze, moved)


@commands.add("Fill the rest", SeedArguments, Aid.SOLVING)
def fill_rest(instance: Instance, answer: MazeText, given: SeedArguments) -> MazeText:
    """Fills the empty cells so that nothing leads off the path."""
    maze, _ = _read(instance, answer)
    if not study(maze).path:
        raise AnswerError("There is no path from A to B yet")
    filled = fill(instance.parameters, maze.text, given.seed)
    if filled is None:
        raise AnswerError("The rest cannot be filled without a second path to B")
    return MazeText(maze=filled)


@commands.add("Repair", NoArguments, Aid.SOLVING)
def repair(instance: Instance, answer: MazeText, given: NoArguments) -> MazeText:
    """Changes the height of one cell so that only one path is left."""
    maze, _ = _read(instance, answer)
    mended = mend(instance.parameters, maze.text)
    if mended is None:
        raise AnswerError("No change of a single cell leaves exactly one path")
    return MazeText(maze=mended[0])


@commands.leading
def calls_between(instance: Instance, before: MazeText, after: MazeText) -> Iterator[Sequence[Call]]:
    """Calls that move the markers, and give cells other heights or empty them."""
    rules = Rules.of(instance.parameters)
    try:
        old, new = Maze.read(before.maze, rules), Maze.read(after.maze, rules)
    except AnswerError:
        return
    marks: list[Call] = [
        ("mark", {"marker": marker, "cell": list(there)})
        for marker, here, there in (("A", old.start, new.start), ("B", old.end, new.end))
        if there is not None and here != there
    ]
    heights = list(_drawing(old, new))
    yield [*marks, *heights]
    yield [*marks[::-1], *heights]


def _drawing(old: Maze, new: Maze) -> Iterator[Call]:
    """Calls that give the cells that are not as they were their heights; cells of old markers may have changed, too."""
    changed = new.heights != old.heights
    for cell in {old.start, old.end} - {new.start, new.end}:
        changed[cell] = True
    for cell in (new.start, new.end):
        changed[cell] = False
    for height in sorted(set(new.heights[changed].tolist())):
        cells = np.argwhere(changed & (new.heights == height)).tolist()
        yield ("erase", {"cells": cells}) if height == BLANK else ("draw", {"path": cells, "height": height})


def _read(instance: Instance, answer: MazeText) -> tuple[Maze, Rules]:
    rules = Rules.of(instance.parameters)
    return Maze.read(answer.maze, rules), rules


def _cells(maze: Maze, cells: tuple[tuple[int, ...], ...] | list[tuple[int, ...]], field: str) -> list[Cell]:
    return [(row, column) for row, column in inside(cells, (maze.size,) * 2, field)]


def _of(answer: MazeText, before: Maze, maze: Maze) -> MazeText:
    return answer if maze.text == before.text else MazeText.of(maze)
