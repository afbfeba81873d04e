"""A small cache of results, emptied before the interpreter exits: manifold3d complains about solids that outlive it.

Unlike with lru_cache, a computation can report its progress, and its result need not be stored.
"""

import atexit
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class RecentResults(Generic[V]):
    """The latest results by key, up to a fixed number."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: dict[Hashable, V] = {}
        atexit.register(self._values.clear)

    def get(self, key: Hashable, make: Callable[[], V], worth: Callable[[V], bool] = lambda _: True) -> V:
        """The result for a key; computed if it is missing, and stored if `worth` says so."""
        if key in self._values:
            return self._values[key]
        value = make()
        if worth(value):
            if len(self._values) >= self._size:
                del self._values[next(iter(self._values))]
            self._values[key] = value
        return value
