"""Compiled parts of the literal simulation. Import inside functions only: numba takes a while to load.

A world is an array (n, n, 8) of AIR, ROCK or WATER with the index [x, y, z].
"""

import numpy as np

from spatial_workbench.engine.geometry.compiled import compiled, entry
from spatial_workbench.engine.tasks.fluid_simulation.kernels import Array

AIR = 0
ROCK = 1
WATER = 2


@compiled
def mark_piece(world: Array, piece: Array, number: int, x: int, y: int, z: int, stack: Array) -> tuple[int, bool]:
    """Labels the piece of rock at a cell; returns how many cells it has and whether it touches z = 0."""
    stack[0, 0] = x
    stack[0, 1] = y
    stack[0, 2] = z
    piece[x, y, z] = number
    done = 0
    size = 1
    grounded = False
    while done < size:
        x, y, z = stack[done]
        done += 1
        grounded = grounded or z == 0
        for dx, dy, dz in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
            a, b, c = x + dx, y + dy, z + dz
            if not (0 <= a < world.shape[0] and 0 <= b < world.shape[1] and 0 <= c < world.shape[2]):
                continue
            if world[a, b, c] == ROCK and piece[a, b, c] == 0:
                piece[a, b, c] = number
                stack[size, 0] = a
                stack[size, 1] = b
                stack[size, 2] = c
                size += 1
    return size, grounded


@compiled
def lower(world: Array, cells: Array) -> bool:
    """Moves a piece down by one level if nothing is in the way; returns whether it moved."""
    for i in range(len(cells)):
        world[cells[i, 0], cells[i, 1], cells[i, 2]] = AIR
    free = True
    for i in range(len(cells)):
        if cells[i, 2] == 0 or world[cells[i, 0], cells[i, 1], cells[i, 2] - 1] == ROCK:
            free = False
            break
    if free:
        for i in range(len(cells)):
            cells[i, 2] -= 1
    for i in range(len(cells)):
        world[cells[i, 0], cells[i, 1], cells[i, 2]] = ROCK
    return free


@compiled
def scan(world: Array) -> bool:
    """Drops every floating piece of one scan as far as it goes, in scan order; returns whether anything moved."""
    piece = np.zeros(world.shape, np.int32)
    stack = np.empty((world.size, 3), np.int32)
    before = world.copy()
    number = 0
    moved = False
    for x in range(world.shape[0]):
        for y in range(world.shape[1]):
            for z in range(world.shape[2]):
                if before[x, y, z] == ROCK and piece[x, y, z] == 0:
                    number += 1
                    size, grounded = mark_piece(before, piece, number, x, y, z, stack)
                    if not grounded:
                        cells = stack[:size].copy()
                        while lower(world, cells):
                            moved = True
    return moved


@entry("uint8[3]")
def let_fall(world: Array) -> None:
    """Scans until nothing moves."""
    while scan(world):
        pass


@entry("uint8[3]")
def floating(world: Array) -> int:
    """How many pieces of rock do not touch z = 0."""
    piece = np.zeros(world.shape, np.int32)
    stack = np.empty((world.size, 3), np.int32)
    count = 0
    for x in range(world.shape[0]):
        for y in range(world.shape[1]):
            for z in range(world.shape[2]):
                if world[x, y, z] == ROCK and piece[x, y, z] == 0:
                    _, grounded = mark_piece(world, piece, 1, x, y, z, stack)
                    count += not grounded
    return count


@compiled
def drop(world: Array, x: int, y: int) -> bool:
    """One drop on a column; returns whether it settled.

    A drop falls into air; else it moves to the first cell of its level with air below, else is lost if the level is
    open at the border, else settles in the air cell met last. One that starts inside rock can only leave sideways.
    """
    n = world.shape[0]
    last = n - 1
    path = np.empty((n * n, 2), np.int64)
    z = world.shape[2] - 1
    while z > 0:
        if world[x, y, z] != ROCK and world[x, y, z - 1] == AIR:
            z -= 1
            continue
        met = np.zeros((n, n), np.bool_)
        met[x, y] = True
        path[0, 0] = x
        path[0, 1] = y
        done = 0
        size = 1
        leaves = False
        target = -1
        while done < size and target < 0:
            a, b = path[done]
            if a == 0 or b == 0 or a == last or b == last:
                leaves = True
            elif done > 0 and world[a, b, z - 1] == AIR:
                target = done
            else:
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    p, q = a + dx, b + dy
                    if world[p, q, z] != ROCK and not met[p, q]:
                        met[p, q] = True
                        path[size, 0] = p
                        path[size, 1] = q
                        size += 1
            done += 1
        if target >= 0:
            x, y = path[target]
            z -= 1
            continue
        if leaves:
            return False
        for i in range(size - 1, -1, -1):
            if world[path[i, 0], path[i, 1], z] == AIR:
                world[path[i, 0], path[i, 1], z] = WATER
                return True
        return False
    return False


@entry("uint8[3]", "int64[2]")
def rain_on(world: Array, columns: Array) -> int:
    """Drops on these columns (k, 2), in order; returns how many settled."""
    settled = 0
    for i in range(len(columns)):
        settled += drop(world, columns[i, 0], columns[i, 1])
    return settled
