"""Results that are worth keeping: a few of each kind, forgotten before the interpreter ends (manifold3d wants it so).

Unlike lru_cache it lets a computation tell of its progress, and be refused to be kept.
"""

import atexit
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """The last few results by their keys."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: dict[Hashable, V] = {}
        atexit.register(self._values.clear)

    def get(self, key: Hashable, make: Callable[[], V], worth: Callable[[V], bool] = lambda _: True) -> V:
        """The result for a key; made, and kept if it is worth it, when it is not there."""
        if key in self._values:
            return self._values[key]
        value = make()
        if worth(value):
            if len(self._values) >= self._size:
                del self._values[next(iter(self._values))]
            self._values[key] = value
        return value
