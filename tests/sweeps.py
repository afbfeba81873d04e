"""How much of a sweep is tried: a few cases by default, everything under `--all`."""

from collections.abc import Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")

EVERYTHING = False
"""Whether the tests run with `--all`; set before any test module is imported."""
ASKED: frozenset[str] = frozenset()
"""The ids of tasks that were asked for with `--task`, which no sweep leaves out; set as early."""


def few(by_default: int, all_of_them: int) -> int:
    """How often something is repeated."""
    return all_of_them if EVERYTHING else by_default


def only_with_all(why: str) -> pytest.MarkDecorator:
    """Leaves a test to `--all`: it does at length, or with the real thing, what others prove by default.

    why: which tests those are.
    """
    return pytest.mark.skipif(not EVERYTHING, reason=f"runs with --all; by default {why}")


def some(cases: Sequence[T], count: int = 3) -> list[T]:
    """All cases under `--all`, else as many as `count`: the first, the last, and those evenly between."""
    if EVERYTHING or len(cases) <= count:
        return list(cases)
    return [cases[round(k * (len(cases) - 1) / (count - 1))] for k in range(count)]


def some_tasks(tasks: Sequence[T], count: int = 3) -> list[T]:
    """The same of tasks, or of their ids, with those that were asked for."""
    chosen = some(tasks, count)
    return [task for task in tasks if task in chosen or getattr(task, "id", task) in ASKED]
