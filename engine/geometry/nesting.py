"""The total size of nested parts, counted before anything is built."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from spatial_workbench.engine.geometry.mesh_limits import MAX_NESTING

K = TypeVar("K", bound=Hashable)


class NestedTooDeeply(ValueError):
    """Parts are nested more than MAX_NESTING deep, or contain themselves."""


def expanded_size(roots: Iterable[K], parts_of: Callable[[K], Iterable[K]], size_of: Callable[[K], int]) -> int:
    """The sum of the sizes of all roots and of their parts, each as often as it is placed.

    Each part is visited once, however often it is placed.

    Raises:
        NestedTooDeeply: Also if a part contains itself.
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
    """The nesting depth below a part, and its total size."""
    if depth + known.get(key, (0, 0))[0] > MAX_NESTING:
        raise NestedTooDeeply
    if key not in known:
        parts = [_measure(part, depth + 1, parts_of, size_of, known) for part in parts_of(key)]
        height = max((height + 1 for height, _ in parts), default=0)
        known[key] = height, size_of(key) + sum(size for _, size in parts)
    return known[key]
