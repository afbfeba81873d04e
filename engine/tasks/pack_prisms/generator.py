"""New orders: a box cut into lattices if a perfect packing is required, else random sizes and a search."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Difficulty, InstanceError
from spatial_workbench.engine.tasks.pack_prisms.packing import BoxClass, Ints, PackingOrder
from spatial_workbench.engine.tasks.pack_prisms.search import enclosing_volume, search

_ATTEMPTS = 200
_TRIES = 2000


class PackingDifficulty(Difficulty):
    """What a generated instance looks like."""

    classes: int = Field(4, ge=1, le=10, description="number of different sizes")
    boxes: int = Field(40, ge=2, le=150, description="about how many boxes there are")
    largest_side: int = Field(12, ge=3, le=60, description="longest side of a box")
    perfect: bool = Field(True, description="whether a packing without gaps exists")


def draw_order(rng: np.random.Generator, difficulty: PackingDifficulty) -> dict[str, Any]:
    """Parameters of a new instance, with a packing of the known efficiency.

    Raises:
        InstanceError: If no such order was found.
    """
    for _ in range(_ATTEMPTS):
        order = _perfect(rng, difficulty) if difficulty.perfect else _imperfect(rng, difficulty)
        if order is not None:
            return order
    raise InstanceError("No such order was found; ask for other numbers of sizes and boxes")


def _perfect(rng: np.random.Generator, difficulty: PackingDifficulty) -> dict[str, Any] | None:
    """Cuts a box by planes into as many blocks as there are sizes, and fills each with a lattice of one size."""
    blocks = [(np.zeros(3, np.int64), rng.integers(difficulty.largest_side, 3 * difficulty.largest_side + 1, 3))]
    while len(blocks) < difficulty.classes:
        k = int(np.argmax([np.prod(high - low) for low, high in blocks]))
        low, high = blocks.pop(k)
        axis = int(np.argmax(high - low))
        if high[axis] - low[axis] < 4:
            return None
        cut = int(rng.integers(low[axis] + 2, high[axis] - 1))
        for a, b in ((low[axis], cut), (cut, high[axis])):
            part = (low.copy(), high.copy())
            part[0][axis] = a
            part[1][axis] = b
            blocks.append(part)
    placed = [_lattice(rng, low, high, difficulty) for low, high in blocks]
    corners = np.concatenate(placed)
    if not difficulty.boxes / 2 <= len(corners) <= 2 * difficulty.boxes:
        return None
    return _parameters(corners[:, 0], corners[:, 1], perfect=True, best=1.0)


def _lattice(rng: np.random.Generator, low: Ints, high: Ints, difficulty: PackingDifficulty) -> Ints:
    """A block cut into equal boxes, (n, 2, 3)."""
    counts = []
    for length in high - low:
        options = [n for n in range(1, length + 1) if length % n == 0 and 2 <= length // n <= difficulty.largest_side]
        counts.append(int(rng.choice(options)) if options else 1)
    steps = (high - low) // counts
    index = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    first = low + index * steps
    return np.stack([first, first + steps], axis=1)


def _imperfect(rng: np.random.Generator, difficulty: PackingDifficulty) -> dict[str, Any] | None:
    """Random sizes that allow no packing without gaps; the efficiency to compare with is found by search."""
    sides = {tuple(sorted(rng.integers(2, difficulty.largest_side + 1, 3).tolist())) for _ in range(difficulty.classes)}
    if len(sides) < difficulty.classes:
        return None
    counts = (
        rng.multinomial(
            max(0, difficulty.boxes - difficulty.classes), np.full(difficulty.classes, 1 / difficulty.classes)
        )
        + 1
    )
    rows = [(int(count), triple) for count, triple in zip(counts, sorted(sides), strict=True)]
    order = PackingOrder(tuple(BoxClass(count, triple) for count, triple in rows), False, 0.0)
    if order.perfect_containers():
        return None
    low, high = search(rows, rng, _TRIES)
    return _parameters(low, high, perfect=False, best=order.volume / enclosing_volume(low, high))


def _parameters(low: Ints, high: Ints, perfect: bool, best: float) -> dict[str, Any]:
    sizes, counts = np.unique(np.sort(high - low, axis=1), axis=0, return_counts=True)
    classes = [[int(count), size[::-1].tolist()] for size, count in zip(sizes, counts, strict=True)]
    placed = np.concatenate([low, high], axis=1).tolist()
    return {"classes": classes, "perfect": perfect, "best": round(best, 6), "packing": placed}
