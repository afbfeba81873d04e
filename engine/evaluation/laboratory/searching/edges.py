"""Edges: an answer that passes and one that fails, brought together until they are next to each other.

Where a verifier switches, both sides are asked, near and less near, so that a tolerance that is not the same in two
verifiers shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from spatial_workbench.engine.evaluation.laboratory.answer_parts import is_number, part_at, paths_to, with_part

MOST_HALVINGS = 52
_REACH = (1e-6, 1e-3, 0.1, 1.0, 10.0, 1000.0)
_AROUND = (0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02, 0.05)


def along_a_number(data: Any, rng: np.random.Generator) -> Callable[[float], Any] | None:
    """The answers in which one number, or one axis of all, is moved by some amount; None if there is no number."""
    paths = paths_to(data, is_number)
    if not paths:
        return None
    chosen = paths[int(rng.integers(len(paths)))]
    together = _moved_together(paths, chosen, int(rng.integers(6)))
    sign = -1 if rng.integers(2) else 1

    def moved(amount: float) -> Any:
        result = data
        for path in together:
            value = part_at(data, path)
            is_whole = isinstance(value, int)
            result = with_part(result, path, value + (round(sign * amount) if is_whole else sign * amount))
        return result

    return moved


def between(first: Any, second: Any) -> Callable[[float], Any] | None:
    """The answers between two that have the same form, 0 for the first and 1 for the second; None if they have not."""
    paths = paths_to(first, is_number)
    if paths != paths_to(second, is_number):
        return None
    differing = [path for path in paths if part_at(first, path) != part_at(second, path)]
    if not differing:
        return None

    def mixed(share: float) -> Any:
        result = first
        for path in differing:
            start, end = part_at(first, path), part_at(second, path)
            value = start + (end - start) * share
            both_whole = isinstance(start, int) and isinstance(end, int)
            result = with_part(result, path, round(value) if both_whole else value)
        return result

    return mixed


def switching_amounts(says: Callable[[float], Any], reach: tuple[float, ...] = _REACH) -> Iterator[float]:
    """Amounts on both sides of where `says` first changes as the amount grows; none where it never does.

    says: What a verifier says of the answer at an amount; 0 is the answer itself.
    """
    start = says(0.0)
    low = 0.0
    high = next((amount for amount in reach if says(amount) != start), None)
    if high is None:
        return
    low = max((amount for amount in reach if amount < high), default=0.0)
    for _ in range(MOST_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high) or high - low < 1e-13 * max(1.0, high):
            break
        low, high = (middle, high) if says(middle) == start else (low, middle)
    # The threshold with few digits, too: that is where people and models set a number.
    exact = {float(f"{high:.{digits}g}") for digits in range(1, 7)}
    yield from (low, high, *sorted(exact))
    for distance in _AROUND[1:]:
        yield from (high - distance, high + distance)


def _moved_together(paths: list[Any], chosen: Any, way: int) -> list[Any]:
    """The numbers that are moved with the chosen one: none, those of its element, or those of its axis."""
    if way == 0:
        return [path for path in paths if path[-1] == chosen[-1]]
    if way == 1:
        return [path for path in paths if path[:-1] == chosen[:-1]]
    if way == 2:
        return [path for path in paths if path[:2] == chosen[:2] and path[-1] == chosen[-1]]
    return [chosen]
