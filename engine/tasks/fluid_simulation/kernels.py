"""The compiled simulation of the rain. Import it inside functions only: numba takes a while to load.

Cells are held level by level: `state[z, c]` with the column c = x * n + y.

While it rains the rock stays as it is, and a search passes through air and water alike. So the order in which a search
from a given cell meets the others never changes; the first of them with air below, and the last that is air, only move
one way as water is added. Cells that are searched from often keep that order and two pointers into it. Besides, each
component of a level counts its cells with air below and its cells of air; so most drops that get lost need no search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.geometry.compiled import compiled, entry

Array = NDArray[Any]

AIR = 0
ROCK = 1
WATER = 2
TOP = 7
ROUNDS = 500
LOST = 0
MOVES = 1
SETTLES = 2

SLOTS = 256
"""How many search orders are cached at a time."""
OFTEN = 2
"""After this many searches from a cell, its order is cached."""


@compiled
def label_levels(state: Array, border: Array, n: int) -> tuple[Array, Array, Array, Array]:
    """Components of free inner cells, level by level.

    Returns: label[z, c] or -1; per component: whether it touches a free border cell, how many of its cells have air
    below, how many are air.
    """
    columns = n * n
    label = np.full((TOP + 1, columns), -1, np.int32)
    is_open = np.zeros((TOP + 1) * columns, np.uint8)
    below = np.zeros((TOP + 1) * columns, np.int32)
    air = np.zeros((TOP + 1) * columns, np.int32)
    queue = np.empty(columns, np.int32)
    count = 0
    for z in range(1, TOP + 1):
        for start in range(columns):
            if border[start] or state[z, start] == ROCK or label[z, start] >= 0:
                continue
            label[z, start] = count
            queue[0] = start
            head, tail = 0, 1
            while head < tail:
                c = queue[head]
                head += 1
                air[count] += state[z, c] == AIR
                below[count] += state[z - 1, c] == AIR
                for near in (c + n, c - n, c + 1, c - 1):
                    if state[z, near] == ROCK:
                        continue
                    if border[near]:
                        is_open[count] = 1
                    elif label[z, near] < 0:
                        label[z, near] = count
                        queue[tail] = near
                        tail += 1
            count += 1
    return label, is_open[:count], below[:count], air[:count]


@compiled
def search(level: Array, border: Array, n: int, start: int, order: Array, seen: Array, stamp: int) -> tuple[int, bool]:
    """Breadth-first over the free inner cells of a level, neighbours in the order +x, -x, +y, -y.

    Fills `order`; returns how many cells it met, start included, and whether it met a free border cell.
    """
    seen[start] = stamp
    order[0] = start
    head, tail = 0, 1
    is_open = False
    while head < tail:
        c = order[head]
        head += 1
        for near in (c + n, c - n, c + 1, c - 1):
            if seen[near] != stamp and level[near] != ROCK:
                seen[near] = stamp
                if border[near]:
                    is_open = True
                else:
                    order[tail] = near
                    tail += 1
    return tail, is_open


@compiled
def search_target(
    level: Array, under: Array, border: Array, n: int, start: int, order: Array, seen: Array, stamp: int
) -> int:
    """The first other cell with air below that `search` would meet, or -1."""
    seen[start] = stamp
    order[0] = start
    head, tail = 0, 1
    while head < tail:
        c = order[head]
        head += 1
        for near in (c + n, c - n, c + 1, c - 1):
            if seen[near] != stamp and level[near] != ROCK:
                seen[near] = stamp
                if not border[near]:
                    if under[near] == AIR:
                        return int(near)
                    order[tail] = near
                    tail += 1
    return -1


class Sky(NamedTuple):
    """Everything that a drop looks up. Columns are flat (x * n + y), cells are z * n * n + c."""

    state: Array
    """[z, c]: AIR, ROCK or WATER."""
    border: Array
    n: int
    label: Array
    """[z, c]: component of a free inner cell, or -1."""
    is_open: Array
    below: Array
    air: Array
    """Per component, as `label_levels` gives them."""
    scratch: Array
    seen: Array
    stamp: Array
    """[0]: the number of the latest search; `seen` holds it for what that search met."""
    visits: Array
    slot_of: Array
    """Per cell: how many searches began there, and the slot that keeps its order, or -1."""
    orders: Array
    lengths: Array
    opens: Array
    firsts: Array
    lasts: Array
    owners: Array
    """Per slot: order, its length, whether it meets the border, the two pointers, and the cell it belongs to."""
    next_slot: Array


class FluidLog(NamedTuple):
    """What happened: for each settled drop its cell and number (from 1); drops and settled drops of each stage."""

    cells: Array
    drops: Array
    stages: Array


@compiled
def open_sky(state: Array, border: Array, n: int) -> Sky:
    """The Sky over a state without water."""
    columns = n * n
    label, is_open, below, air = label_levels(state, border, n)
    return Sky(
        state,
        border,
        n,
        label,
        is_open,
        below,
        air,
        np.empty(columns, np.int32),
        np.zeros(columns, np.int64),
        np.zeros(1, np.int64),
        np.zeros((TOP + 1) * columns, np.uint8),
        np.full((TOP + 1) * columns, -1, np.int32),
        np.empty((SLOTS, columns), np.int32),
        np.zeros(SLOTS, np.int32),
        np.zeros(SLOTS, np.uint8),
        np.zeros(SLOTS, np.int32),
        np.zeros(SLOTS, np.int32),
        np.full(SLOTS, -1, np.int32),
        np.zeros(1, np.int32),
    )


@compiled
def keep_order(sky: Sky, z: int, c: int) -> int:
    """Searches from a cell and caches the order in the next slot, evicting the slot's former owner."""
    slot = int(sky.next_slot[0])
    sky.next_slot[0] = (slot + 1) % SLOTS
    if sky.owners[slot] >= 0:
        sky.slot_of[sky.owners[slot]] = -1
    cell = z * sky.n * sky.n + c
    sky.owners[slot] = cell
    sky.slot_of[cell] = slot
    sky.stamp[0] += 1
    length, is_open = search(sky.state[z], sky.border, sky.n, c, sky.orders[slot], sky.seen, sky.stamp[0])
    sky.lengths[slot] = length
    sky.opens[slot] = is_open
    sky.firsts[slot] = 1
    sky.lasts[slot] = length - 1
    return slot


@compiled
def first_air(level: Array, order: Array, length: int) -> int:
    """The index in `order` of the first cell that is air, or -1."""
    for i in range(length):
        if level[order[i]] == AIR:
            return i
    return -1


@compiled
def last_air(level: Array, order: Array, length: int) -> int:
    """The index in `order` of the last cell that is air, or -1."""
    i = length - 1
    while i >= 0 and level[order[i]] != AIR:
        i -= 1
    return i


@compiled
def look_in_order(sky: Sky, slot: int, z: int, nearest: bool) -> tuple[int, int]:
    """Where a drop goes from a cell whose order is cached: (MOVES or SETTLES, column), or (LOST, -1)."""
    order = sky.orders[slot]
    length = sky.lengths[slot]
    level = sky.state[z]
    first = sky.firsts[slot]
    while first < length and sky.state[z - 1, order[first]] != AIR:
        first += 1
    sky.firsts[slot] = first
    if first < length:
        return MOVES, order[first]
    if sky.opens[slot]:
        return LOST, -1
    if nearest:
        i = first_air(level, order, length)
    else:
        i = last_air(level, order, sky.lasts[slot] + 1)
        sky.lasts[slot] = i
    return (SETTLES, order[i]) if i >= 0 else (LOST, -1)


@compiled
def look_by_search(sky: Sky, z: int, c: int, nearest: bool) -> tuple[int, int]:
    """Where a drop goes from a cell, found by searching; returns the same as `look_in_order`."""
    level = sky.state[z]
    if level[c] == ROCK or sky.below[sky.label[z, c]] > 0:
        sky.stamp[0] += 1
        under = sky.state[z - 1]
        target = search_target(level, under, sky.border, sky.n, c, sky.scratch, sky.seen, sky.stamp[0])
        if target >= 0:
            return MOVES, target
    sky.stamp[0] += 1
    length, is_open = search(level, sky.border, sky.n, c, sky.scratch, sky.seen, sky.stamp[0])
    if is_open:
        return LOST, -1
    i = first_air(level, sky.scratch, length) if nearest else last_air(level, sky.scratch, length)
    return (SETTLES, sky.scratch[i]) if i >= 0 else (LOST, -1)


@compiled
def look_round(sky: Sky, z: int, c: int, nearest: bool) -> tuple[int, int]:
    """Where a drop goes that cannot fall further: (MOVES or SETTLES, column), or (LOST, -1)."""
    if sky.border[c]:
        return LOST, -1
    if sky.state[z, c] != ROCK:
        component = sky.label[z, c]
        if sky.below[component] == 0 and (sky.is_open[component] or sky.air[component] == 0):
            return LOST, -1
    cell = z * sky.n * sky.n + c
    slot = sky.slot_of[cell]
    if slot < 0 and sky.visits[cell] >= OFTEN:
        slot = keep_order(sky, z, c)
    if slot >= 0:
        return look_in_order(sky, slot, z, nearest)
    sky.visits[cell] += 1
    return look_by_search(sky, z, c, nearest)


@compiled
def let_drop(sky: Sky, c: int, nearest: bool) -> int:
    """One drop on a column; returns the cell that it settles in, or -1 if it is lost.

    A drop that starts inside rock can only leave sideways.
    """
    z = TOP
    while z > 0:
        if sky.state[z, c] != ROCK and sky.state[z - 1, c] == AIR:
            z -= 1
            continue
        outcome, column = look_round(sky, z, c, nearest)
        if outcome == SETTLES:
            return z * sky.n * sky.n + column
        if outcome == LOST:
            return -1
        c = column
        z -= 1
    return -1


@compiled
def record(sky: Sky, log: FluidLog, stage: int, c: int, nearest: bool) -> int:
    """Lets one drop fall on a column and records the result; returns 1 if it settled, else 0."""
    log.stages[stage, 0] += 1
    place = let_drop(sky, c, nearest)
    if place < 0:
        return 0
    columns = sky.n * sky.n
    z = place // columns
    column = place % columns
    sky.state[z, column] = WATER
    sky.air[sky.label[z, column]] -= 1
    if z < TOP and sky.label[z + 1, column] >= 0:
        sky.below[sky.label[z + 1, column]] -= 1
    settled = log.stages[:, 1].sum()
    log.cells[settled] = place
    log.drops[settled] = log.stages[:, 0].sum()
    log.stages[stage, 1] += 1
    return 1


@entry("uint8[2]", "bool[1]", "int64", "bool", "int64[1]", "int64[1]", "int64[2]")
def rain(state: Array, border: Array, n: int, nearest: bool, cells: Array, drops: Array, stages: Array) -> None:
    """Lets it rain until every further drop is lost; fills `state` and the arrays of a `FluidLog`.

    A lost drop changes nothing. So after one round of four lost drops all later rounds are the same; they are counted
    without being simulated.
    """
    sky = open_sky(state, border, n)
    log = FluidLog(cells, drops, stages)
    for c in range(n * n):
        record(sky, log, 0, c, nearest)
    middle = n // 2 * n + n // 2
    for stage in (1, 2):
        rounds = 0
        while stage == 2 or rounds < ROUNDS:
            settled = 0
            for c in (middle, middle + n, middle + 1, middle + n + 1):
                settled += record(sky, log, stage, c, nearest)
            rounds += 1
            if settled == 0:
                if stage == 1:
                    log.stages[1, 0] += 4 * (ROUNDS - rounds)
                    log.stages[2, 0] += 4
                log.stages[2, 0] += 4 * (ROUNDS - 1)
                return
