"""Sizes of what is made of parts that are made of parts, counted before anything is built."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from engine.geometry.mesh_limits import MAX_NESTING

K = TypeVar("K", bound=Hashable)


class NestedTooDeeply(ValueError):
    """Parts hold others more than MAX_NESTING deep, or hold themselves."""


def expanded_size(roots: Iterable[K], parts_of: Callable[[K], Iterable[K]], size_of: Callable[[K], int]) -> int:
    """The sum of the sizes of all roots and of their parts, each as often as it is placed.

    Every part is looked at once, however often it is placed.

    Raises:
        NestedTooDeeply: also where a part holds itself.
    """
    known: dict[K, tuple[int, int]] = {}
    return sum(_measure(root, 0, parts_of, size_of, known)[1] for root in roots)


def _measure(
    key: K,
    depth: int,
    parts_of: Callable[[K], Iterable[K]],
    size_of: Callable[[K], int],
    known: dict[K, tuple[int, int]],
) -> tuple[int, int]:
    """Height and size of what hangs on a part."""
    if depth + known.get(key, (0, 0))[0] > MAX_NESTING:
        raise NestedTooDeeply
    if key not in known:
        parts = [_measure(part, depth + 1, parts_of, size_of, known) for part in parts_of(key)]
        height = max((height + 1 for height, _ in parts), default=0)
        known[key] = height, size_of(key) + sum(size for _, size in parts)
    return known[key]
