"""Slots: the planned places of a study, each with its code, its condition and its items in order.

They are drawn once, when the study is frozen, and read from then on: random streams may differ from one version of a
library to the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from spatial_workbench.engine.studies.planning.codes import code_of
from spatial_workbench.engine.studies.planning.document import Block, ItemPhase, Study
from spatial_workbench.engine.studies.planning.orders import Order, row, row_count, rows_of_slots


@dataclass(frozen=True)
class Trial:
    """An item in its place: the block, the item's id, and the condition in which it is met."""

    block: str
    item: str
    condition: str


@dataclass(frozen=True)
class Slot:
    """A planned place.

    Attributes:
        number: From 1; the code is made of it.
        row: Which row of the orders it takes; a reserve takes the row of whom it replaces.
        condition: The condition; empty where each block has its own.
    """

    number: int
    code: str
    row: int
    condition: str
    trials: tuple[Trial, ...]
    is_reserve: bool = False


def slots_of(study: Study) -> tuple[Slot, ...]:
    """All slots of a study, reserves last; equal studies give equal slots."""
    conditions = sorted(study.conditions) if study.assignment == "between" else [""]
    rows = most_rows(study)
    deals = list(_deals(study.plan.slots, rows, len(conditions), study.analysis.seed))
    reserves = islice(_reserve_deals(deals), study.plan.reserve)
    return tuple(
        _slot(study, number, row, conditions[place], is_reserve=number > study.plan.slots)
        for number, (row, place) in enumerate([*deals, *reserves], 1)
    )


def _reserve_deals(deals: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The row and the condition of each reserve: conditions take turns, each with the rows of its places in order."""
    by_condition: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for deal in deals:
        by_condition[deal[1]].append(deal)
    turns = [cycle(own) for own in by_condition.values()]
    while turns:
        yield from (next(turn) for turn in turns)


def most_rows(study: Study) -> int:
    """The number of rows of the block, or of the order of blocks, that has most."""
    counts = [row_count(block.order, len(main_items(block)), 1) for block in study.blocks]
    return max(*counts, row_count(study.blocks_order, len(study.blocks), 1), 1)


def main_items(block: Block) -> list[int]:
    """The places of a block's main items."""
    return [i for i, item in enumerate(block.items) if item.phase is ItemPhase.MAIN]


def _deals(slots: int, rows: int, conditions: int, seed: int) -> Iterator[tuple[int, int]]:
    """The row and the condition of each slot.

    Rows count on from round to round, so that a block with fewer rows goes through its own equally often as well.
    """
    a_round = rows * conditions
    for k, deal in enumerate(rows_of_slots(slots, a_round, seed)):
        yield k // a_round * rows + deal % rows, deal // rows


def replacement(slots: Sequence[Slot], lost: Slot, taken: Sequence[str]) -> Slot | None:
    """The reserve that takes the place of a slot: the same row and condition; None if there is none left."""
    free = [slot for slot in slots if slot.is_reserve and slot.code not in taken]
    return next((slot for slot in free if (slot.row, slot.condition) == (lost.row, lost.condition)), None)


def _slot(study: Study, number: int, index: int, condition: str, is_reserve: bool) -> Slot:
    order = _ordered(study.blocks_order, len(study.blocks), index, (study.analysis.seed, len(study.blocks), number))
    trials: list[Trial] = []
    for place in order:
        block = study.blocks[place]
        name = condition or block.condition or min(study.conditions)
        trials += [Trial(block.id, item, name) for item in _items(study, block, place, index, number)]
    return Slot(number, code_of(number), index, condition, tuple(trials), is_reserve)


def _items(study: Study, block: Block, place: int, index: int, number: int) -> list[str]:
    """A block's items in order: practice first, main ones by the order, attention items at drawn places among them."""
    seed = (study.analysis.seed, place, number)
    first = [i for i, item in enumerate(block.items) if item.phase in (ItemPhase.PRACTICE, ItemPhase.COMPREHENSION)]
    main = main_items(block)
    attention = [i for i, item in enumerate(block.items) if item.phase is ItemPhase.ATTENTION]
    ordered = [main[k] for k in _ordered(block.order, len(main), index, seed)]
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([*seed, 1])))
    for item in attention:
        # Never first or last, so that it looks like the others.
        ordered.insert(int(rng.integers(1, len(ordered))) if len(ordered) > 1 else len(ordered), item)
    return [block.items[i].id for i in (*first, *ordered)]


def _ordered(order: Order, count: int, index: int, seed: Sequence[int]) -> list[int]:
    if count < 2:
        return list(range(count))
    return row(order, count, index % row_count(order, count, 1), seed)
