"""Compiling plain loops with numba. Import modules that use it inside functions only: numba takes a while to load."""

from collections.abc import Callable
from typing import TypeVar

import numba

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compiles at the first call and keeps the result on disk, where there is a place that can be written to."""
    try:
        return numba.njit(cache=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(function)  # type: ignore[no-any-return]
