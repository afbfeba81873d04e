"""Orders of items: which participant meets which item when."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

MOST_WILLIAMS = 30


class Order(StrEnum):
    """How the items of a block, or the blocks of a study, are ordered."""

    FIXED = "fixed"
    SHUFFLE = "shuffle"
    LATIN = "latin"
    WILLIAMS = "williams"

    @property
    def balances(self) -> str:
        """What is equal over participants, in words."""
        return _BALANCES[self]


_BALANCES = {
    Order.FIXED: "nothing",
    Order.SHUFFLE: "positions, on average",
    Order.LATIN: "positions",
    Order.WILLIAMS: "positions and successions",
}


class OrderError(ValueError):
    """An order that does not fit the number of items; names those that do."""


def row_count(order: Order, items: int, slots: int) -> int:
    """How many different rows an order has."""
    rows = {Order.FIXED: 1, Order.SHUFFLE: slots, Order.LATIN: items}
    return rows.get(order, items if items % 2 == 0 else 2 * items)


def check_order(order: Order, items: int) -> None:
    """Raises OrderError if that number of items cannot be ordered in this way."""
    if order in (Order.LATIN, Order.WILLIAMS) and items < 2:
        raise OrderError(f"“{order}” needs at least 2 items; use “fixed” or “shuffle”")
    if order is Order.WILLIAMS and items > MOST_WILLIAMS:
        raise OrderError(f"“williams” takes at most {MOST_WILLIAMS} items; use “latin” or “shuffle”")


def row(order: Order, items: int, index: int, seed: Sequence[int] = ()) -> list[int]:
    """The row of that index: the items, 0 to n - 1, in the order in which they are met.

    `seed` is for shuffled orders: the study's seed, the block and the slot.
    """
    if order is Order.FIXED:
        return list(range(items))
    if order is Order.SHUFFLE:
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(list(seed))))
        return [int(item) for item in rng.permutation(items)]
    if order is Order.LATIN:
        return [(i + index) % items for i in range(items)]
    return _williams(items, index)


def _williams(items: int, index: int) -> list[int]:
    """A row in which over all rows every item follows every other equally often."""
    first = [0, *((k + 1) // 2 if k % 2 else items - k // 2 for k in range(1, items))]
    turned = [(item + index) % items for item in first]
    return turned if index < items else turned[::-1]


def rows_of_slots(slots: int, rows: int, seed: int) -> list[int]:
    """The row of each slot: all rows once, shuffled, then all once again: every full round uses each equally."""
    rng = np.random.Generator(np.random.PCG64(seed))
    dealt: list[int] = []
    while len(dealt) < slots:
        dealt += [int(index) for index in rng.permutation(rows)]
    return dealt[:slots]
