"""A cache for solids: manifold3d complains about solids that outlive the interpreter's modules."""

import atexit
from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def remember_solids(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Like lru_cache, but for functions that return solids: the cache is emptied before the interpreter exits."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        remembered = lru_cache(maxsize)(cast(Callable[..., R], function))
        atexit.register(remembered.cache_clear)
        return cast(Callable[P, R], remembered)

    return decorate
