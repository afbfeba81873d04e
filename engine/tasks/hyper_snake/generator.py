"""New fields of hyper_snake. Each is solved first, and its path is stored as the proof."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from pydantic import Field as Argument

from spatial_workbench.engine.core import Difficulty, InstanceError
from spatial_workbench.engine.tasks.hyper_snake.field import NOWHERE, Cell, SnakeField, letters_of
from spatial_workbench.engine.tasks.hyper_snake.solver import dead_ends, find_path, missed

SMALLEST, LARGEST = 16, 4096
TRIES = 40
ROUNDS = 3


class SnakeDifficulty(Difficulty):
    """What a generated field looks like. More axes are harder, then more cells, then traps and walls."""

    size: str = Argument("4,4,4", pattern=r"^\d{1,3}(,\d{1,3}){1,9}$", description="cells along each of 2 to 10 axes")
    wall_count: int = Argument(1, ge=0, le=64, description="walls")
    food_count: int = Argument(1, ge=1, le=16, description="food cells")
    food_traps: int = Argument(0, ge=0, le=1, description="food cells with a single free neighbour")


def draw(rng: np.random.Generator, difficulty: SnakeDifficulty) -> Mapping[str, Any]:
    """The parameters of a field for which a path of full score is known.

    Raises:
        InstanceError: the numbers make none, or none was found; says why.
    """
    size = _size(difficulty)
    reason = ""
    for _ in range(TRIES):
        field = _draw_cells(rng, size, difficulty)
        reason = _unfit(field, difficulty.food_traps)
        if reason:
            continue
        path = find_path(field, seed=int(rng.integers(1 << 20)), rounds=ROUNDS)
        if len(path) >= field.needed and not missed(field, path):
            return {**field.parameters(), "path": letters_of(field, path)}
        reason = f"no path of {field.needed} cells through all food was found"
    raise InstanceError(f"No field was found in {TRIES} tries: {reason}")


def _size(difficulty: SnakeDifficulty) -> Cell:
    size = tuple(map(int, difficulty.size.split(",")))
    if min(size) < 2:
        raise InstanceError("size: each axis needs at least 2 cells")
    if not SMALLEST <= prod(size) <= LARGEST:
        raise InstanceError(f"size: {prod(size)} cells in all; {SMALLEST} to {LARGEST} are possible")
    if difficulty.wall_count + difficulty.food_count > prod(size) // 4:
        raise InstanceError(f"More than a quarter of the {prod(size)} cells would be walls and food")
    if difficulty.food_traps and difficulty.wall_count < len(size) - 1:
        raise InstanceError(f"A trap on {len(size)} axes takes at least {len(size) - 1} walls")
    return size


def _draw_cells(rng: np.random.Generator, size: Cell, difficulty: SnakeDifficulty) -> SnakeField:
    """Start, walls and food, all distinct; a trap stands in a corner, with walls on all sides but one."""
    open_field = SnakeField(size, (0,) * len(size), (), ())
    walls: list[int] = []
    food: list[int] = []
    keep_free: set[int] = set()
    if difficulty.food_traps:
        corner = open_field.number(tuple(int(rng.integers(2)) * (n - 1) for n in size))
        around = rng.permutation(open_field.beside(corner)).tolist()
        keep_free = {corner, around[0]}
        walls = around[1:]
        food = [corner]
    rest = [n for n in rng.permutation(open_field.cell_count).tolist() if n not in keep_free and n not in walls]
    more_walls, more_food = difficulty.wall_count - len(walls), difficulty.food_count - len(food)
    walls += rest[1 : 1 + more_walls]
    food += rest[1 + more_walls : 1 + more_walls + more_food]
    cell = open_field.cell
    return SnakeField(size, cell(rest[0]), tuple(map(cell, walls)), tuple(map(cell, food)))


def _unfit(field: SnakeField, traps: int) -> str:
    """Why a field is unsuitable; empty if it might do."""
    trapped = [n for n in dead_ends(field) if field.is_food[n]]
    if len(trapped) != traps:
        return f"{len(trapped)} food cells have a single free neighbour"
    if not _is_connected(field):
        return "the free cells fall apart"
    if field.bound < field.needed:
        return f"no path is longer than {field.bound} cells, and {field.needed} are needed"
    return ""


def _is_connected(field: SnakeField) -> bool:
    reached = np.zeros(field.cell_count + 1, bool)
    frontier = np.array([field.first])
    while len(frontier):
        reached[frontier] = True
        nearby = np.unique(field.neighbours[frontier])
        frontier = nearby[(nearby != NOWHERE) & ~reached[nearby]]
    return int(reached[:-1].sum()) == field.free_count
