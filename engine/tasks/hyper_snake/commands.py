"""What can be done to a snake: the commands of editors, agents and other programs.

The path may cross walls and itself, as in an editor that does not judge; only the edge of the grid stops it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList, NoArguments
from spatial_workbench.engine.core.acting.elements import MAX_ELEMENTS
from spatial_workbench.engine.tasks.hyper_snake import MAX_CELLS, MAX_COORDINATES, SnakePath, answer_of
from spatial_workbench.engine.tasks.hyper_snake.editing import FreeWalk, Walk, extend
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField, written

commands = CommandList()

SnakePlace = Annotated[tuple[WholeNumber, ...], Field(strict=False, min_length=1, max_length=MAX_COORDINATES)]


class SnakeRoute(CommandArguments):
    """Where the snake goes."""

    path: Annotated[tuple[SnakePlace, ...], at_most(MAX_ELEMENTS, "cells"), Field(min_length=1)] = Field(
        description="cells to go to, each one coordinate for each axis, from 0; each in line with the one before, and "
        "the first with the head; the cells between are added"
    )


class SnakeSteps(CommandArguments):
    """Steps along an axis."""

    axis: Annotated[WholeNumber, Field(ge=0, lt=MAX_COORDINATES)] = Field(description="which axis, from 0")
    direction: Literal["+", "-"] = Field(description="up or down the axis")
    steps: Annotated[WholeNumber, Field(ge=1, le=MAX_CELLS)] = Field(default=1, description="how many cells")


class SnakeEnd(CommandArguments):
    """The end of the path."""

    cells: Annotated[WholeNumber, Field(ge=1, le=MAX_CELLS)] = Field(
        default=1, description="how many cells are taken off the end; the first cell stays"
    )


class SnakeSpot(CommandArguments):
    """A cell of the path."""

    cell: SnakePlace = Field(description="a cell of the path beside the head: one coordinate for each axis")


@commands.add("Draw path", SnakeRoute)
def draw(instance: Instance, answer: SnakePath, given: SnakeRoute) -> SnakePath:
    """Leads the snake on, straight from cell to cell."""
    field = SnakeField.of(instance.parameters)
    walk: Walk = FreeWalk.of(field, answer.cells)
    for place, cell in enumerate(given.path):
        if not field.holds(cell):
            raise AnswerError(f"There is no cell {written(cell)}; the grid has {_size(field)} cells", ("path", place))
        walk, refusal = walk.toward(field.number(cell))
        if refusal:
            raise AnswerError(refusal[0].upper() + refusal[1:], ("path", place))
    return _of(field, walk)


@commands.add("Step", SnakeSteps)
def step(instance: Instance, answer: SnakePath, given: SnakeSteps) -> SnakePath:
    """Leads the snake on by steps along an axis."""
    field = SnakeField.of(instance.parameters)
    if given.axis >= field.axes:
        raise AnswerError(f"There is no axis {given.axis}; axes go from 0 to {field.axes - 1}", ("axis",))
    walk = FreeWalk.of(field, answer.cells)
    way = 2 * given.axis + (given.direction == "-")
    longer = walk.run(way, given.steps)
    if len(longer.path) - len(walk.path) < given.steps:
        raise AnswerError(f"The grid ends after {len(longer.path) - len(walk.path)} of these steps", ("steps",))
    return _of(field, longer)


@commands.add("Cut path", SnakeEnd)
def erase(instance: Instance, answer: SnakePath, given: SnakeEnd) -> SnakePath:
    """Takes the last cells off the path."""
    field = SnakeField.of(instance.parameters)
    walk = FreeWalk.of(field, answer.cells)
    return _of(field, walk.cut(len(walk.path) - given.cells))


@commands.add("Backbite", SnakeSpot)
def bite(instance: Instance, answer: SnakePath, given: SnakeSpot) -> SnakePath:
    """Reverses the part of the path after a cell beside the head, so that the snake gets another head."""
    field = SnakeField.of(instance.parameters)
    walk = FreeWalk.of(field, answer.cells)
    bitten = walk.bitten(field.number(given.cell)) if field.holds(given.cell) else None
    if bitten is None:
        raise AnswerError(f"{written(given.cell)} is not an earlier path cell beside the head", ("cell",))
    return _of(field, bitten)


@commands.add("Continue", NoArguments, Aid.SOLVING)
def lengthen(instance: Instance, answer: SnakePath, given: NoArguments) -> SnakePath:
    """Looks for a longer path that begins with this one; it may reverse parts of it."""
    field = SnakeField.of(instance.parameters)
    walk = Walk.of(field, answer.cells)
    if walk.fault is not None or not walk.path:
        raise AnswerError("The path breaks a rule: cut it there first")
    return answer_of(field, extend(field, walk.path))


@commands.leading
def calls_between(instance: Instance, before: SnakePath, after: SnakePath) -> Iterator[Sequence[Call]]:
    """Calls that cut the path where it is another one, and lead it on from corner to corner."""
    old, new = [tuple(cell) for cell in before.cells], [tuple(cell) for cell in after.cells]
    same = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if 0 < same < len(new) == len(old):
        yield [("bite", {"cell": list(new[same - 1])})]
    route = _turns(new[max(0, same - 1) :])
    cut: list[Call] = [("erase", {"cells": len(old) - same})] if len(old) > same else []
    yield [*cut, *(("draw", {"path": route[k : k + MAX_ELEMENTS]}) for k in range(0, len(route), MAX_ELEMENTS))]


def _turns(cells: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """The cells of a path at which it turns, and its end; without the first cell."""
    steps = [tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairwise(cells)]
    turns = [list(cell) for cell, (a, b) in zip(cells[1:], pairwise(steps), strict=False) if a != b]
    return [*turns, *([list(cells[-1])] if steps else [])]


def _size(field: SnakeField) -> str:
    return " x ".join(map(str, field.size))


def _of(field: SnakeField, walk: Walk) -> SnakePath:
    if len(walk.path) > MAX_CELLS:
        raise AnswerError(f"That would be more than {MAX_CELLS} cells")
    return answer_of(field, walk.path)
