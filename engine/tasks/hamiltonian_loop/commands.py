"""What can be done to a drawing of links: the commands of editors, agents and other programs. Cells count from 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.tasks.hamiltonian_loop import MAX_STEPS, LoopAnswer, loop_answer
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import (
    filled,
    flipped,
    forced,
    started_at,
    tally_of,
    toggled,
)
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import link as link_of
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import Links, links_of, pieces_of, reversed_steps, steps_of

commands = CommandList()

CellGiven = Annotated[tuple[WholeNumber, ...], Field(strict=False, min_length=2, max_length=2)]
MOST_CELLS = MAX_STEPS


class TwoCells(CommandArguments):
    """Two cells that share a side."""

    first: CellGiven = Field(description="a cell: column, row")
    second: CellGiven = Field(description="a cell that shares a side with it")


class CellPath(CommandArguments):
    """Cells one after the other."""

    cells: Annotated[tuple[CellGiven, ...], at_most(MOST_CELLS, "cells"), Field(min_length=2)] = Field(
        description="cells in order, each as [column, row], and each beside the one before"
    )


class OneCell(CommandArguments):
    """A cell."""

    cell: CellGiven = Field(description="column, row")


class RectangleFilled(CommandArguments):
    """A rectangle of cells."""

    first: CellGiven = Field(description="corner where the run begins: column, row")
    last: CellGiven = Field(description="opposite corner")


@commands.add("Link", TwoCells)
def link(instance: Instance, answer: LoopAnswer, given: TwoCells) -> LoopAnswer:
    """Links two cells that share a side."""
    return _drawn(instance, answer, [given.first, given.second], "first")


@commands.add("Draw", CellPath)
def draw(instance: Instance, answer: LoopAnswer, given: CellPath) -> LoopAnswer:
    """Links each cell of a path with the next one; links that are there already stay."""
    return _drawn(instance, answer, given.cells, "cells")


@commands.add("Unlink", TwoCells)
def unlink(instance: Instance, answer: LoopAnswer, given: TwoCells) -> LoopAnswer:
    """Removes the link between two cells."""
    grid = LoopGrid.of(instance.parameters)
    links = _links(grid, answer)
    gone = _pair(grid, given.first, given.second, "first")
    if gone not in links:
        raise AnswerError(f"Cells {gone[0]} and {gone[1]} are not linked", ("first",))
    return _with_links(answer, links - {gone})


@commands.add("Unlink the cell", OneCell)
def unlink_cell(instance: Instance, answer: LoopAnswer, given: OneCell) -> LoopAnswer:
    """Removes all links of a cell."""
    grid = LoopGrid.of(instance.parameters)
    cell = _free(grid, given.cell, "cell")
    return _with_links(answer, frozenset(pair for pair in _links(grid, answer) if cell not in pair))


@commands.add("Fill", RectangleFilled)
def fill(instance: Instance, answer: LoopAnswer, given: RectangleFilled) -> LoopAnswer:
    """Links the unvisited cells of a rectangle back and forth along its longer side."""
    grid = LoopGrid.of(instance.parameters)
    first, last = _free(grid, given.first, "first"), _free(grid, given.last, "last")
    return _with_links(answer, _done(filled(grid, _links(grid, answer), first, last)))


@commands.add("Swap links", OneCell)
def swap(instance: Instance, answer: LoopAnswer, given: OneCell) -> LoopAnswer:
    """Replaces two parallel links by the other two; the cell is the top left one of the four around their middle."""
    grid = LoopGrid.of(instance.parameters)
    return _with_links(answer, _done(flipped(grid, _links(grid, answer), _free(grid, given.cell, "cell"))))


@commands.add("Reverse", NoArguments)
def reverse(instance: Instance, answer: LoopAnswer, given: NoArguments) -> LoopAnswer:
    """Walks every path and loop the other way."""
    return loop_answer(reversed_steps(_links(LoopGrid.of(instance.parameters), answer), _cells(answer)))


@commands.add("Start here", OneCell)
def start_at(instance: Instance, answer: LoopAnswer, given: OneCell) -> LoopAnswer:
    """Makes a single loop begin at one of its cells."""
    grid = LoopGrid.of(instance.parameters)
    links = _links(grid, answer)
    cell = _free(grid, given.cell, "cell")
    tally = tally_of(grid, links)
    steps = steps_of(links, _cells(answer))
    if (tally.loops, tally.paths) != (1, 0) or cell not in steps:
        raise AnswerError(f"Cell {cell} is not on a single closed loop", ("cell",))
    return loop_answer(started_at(steps, cell))


@commands.add("Clear", NoArguments)
def clear(instance: Instance, answer: LoopAnswer, given: NoArguments) -> LoopAnswer:
    """Removes all links."""
    return loop_answer(())


@commands.add("Accept forced links", NoArguments, Aid.SOLVING)
def accept_forced(instance: Instance, answer: LoopAnswer, given: NoArguments) -> LoopAnswer:
    """Draws the links that every way to finish the drawing contains."""
    grid = LoopGrid.of(instance.parameters)
    links = _links(grid, answer)
    return _with_links(answer, links | forced(grid, links))


@commands.leading
def calls_between(instance: Instance, before: LoopAnswer, after: LoopAnswer) -> Iterator[Sequence[Call]]:
    """Calls that remove links and draw others, or draw everything anew, piece by piece."""
    grid = LoopGrid.of(instance.parameters)
    old, new = _links(grid, before), _links(grid, after)
    order = _cells(after)
    yield [*_unlinking(old - new), *_drawing(new - old, order)]
    if old == new and order:
        yield [("reverse", {})]
        yield [("start_at", {"cell": list(order[0])})]
    yield [("clear", {}), *_drawing(new, order)]


def _unlinking(links: Links) -> Iterator[Call]:
    for first, second in sorted(links):
        yield "unlink", {"first": list(first), "second": list(second)}


def _drawing(links: Links, order: Sequence[Cell]) -> Iterator[Call]:
    """Calls that draw links piece by piece, in the order in which an answer has them."""
    for piece in pieces_of(links, order):
        cells = [list(cell) for cell in piece.cells]
        yield "draw", {"cells": [*cells, cells[0]] if piece.closed else cells}


def _drawn(instance: Instance, answer: LoopAnswer, path: Sequence[Sequence[int]], place: str) -> LoopAnswer:
    grid = LoopGrid.of(instance.parameters)
    links = _links(grid, answer)
    for first, second in pairwise(path):
        pair = _pair(grid, first, second, place)
        if pair not in links:
            links = _done(toggled(links, pair))
    return _with_links(answer, links, [(x, y) for x, y in path])


def _with_links(answer: LoopAnswer, links: Links, path: Sequence[Cell] = ()) -> LoopAnswer:
    """The answer with other links; its steps keep their order, and those of the path follow it."""
    return loop_answer(steps_of(links, [*_cells(answer), *path]))


def _done(result: tuple[frozenset[Link], str]) -> frozenset[Link]:
    links, reason = result
    if reason:
        raise AnswerError(reason)
    return links


def _links(grid: LoopGrid, answer: LoopAnswer) -> frozenset[Link]:
    return links_of(grid, answer.cells)


def _cells(answer: LoopAnswer) -> list[Cell]:
    return [(int(x), int(y)) for x, y in answer.cells]


def _pair(grid: LoopGrid, first: Sequence[int], second: Sequence[int], place: str) -> Link:
    a, b = _free(grid, first, place), _free(grid, second, place)
    if b not in grid.neighbours[a]:
        raise AnswerError(f"Cells {a} and {b} do not share a side", (place,))
    return link_of(a, b)


def _free(grid: LoopGrid, cell: Sequence[int], place: str) -> Cell:
    x, y = cell
    if (x, y) in grid.blocked:
        raise AnswerError(f"Cell ({x}, {y}) is blocked", (place,))
    if not grid.holds((x, y)):
        raise AnswerError(f"Cell ({x}, {y}) is outside the {grid.width} x {grid.height} grid", (place,))
    return x, y
