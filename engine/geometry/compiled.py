"""Compiled plain loops. Import modules that use this inside functions only: numba takes a while to load.

Bundles bring the loops compiled by packaging/bundle/kernels.py in the module `compiled_kernels`, and no numba. Without
the extra `fast`, loops run as Python: the results are the same, up to a hundred times slower.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import logging
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np
import platformdirs

from spatial_workbench.engine.core.extras import how_to_get, is_installed, require
from spatial_workbench.engine.core.interpreter import is_bundled

F = TypeVar("F", bound=Callable[..., object])
Kind = str | tuple["Kind", ...]
"""What an argument is: "float64[2]" for an array of two axes in C order, "int64" and so on for a number, or a tuple."""

ENTRIES: dict[str, tuple[Callable[..., object], tuple[Kind, ...]]] = {}
"""The loops that Python calls, by their names in `compiled_kernels`, with the kinds of their arguments."""

PATIENCE_S = 5.0
"""After so many seconds in loops that are not compiled, people are told which extra they lack."""
_spent_s = [0.0]


def compiled(function: F) -> F:
    """Compiles on the first call, and keeps the result in the user's cache if that can be written.

    In a bundle the function stays as it is: those that call it are compiled already. So it does without numba.
    """
    if _compiled_ahead() is not None or not is_installed("fast"):
        return function
    import numba

    numba.config.CACHE_DIR = str(_cache_folder(function))
    try:
        return cast(F, numba.njit(cache=True)(function))
    except RuntimeError:
        return cast(F, numba.njit(function))


def entry(*kinds: Kind) -> Callable[[F], F]:
    """Like `compiled`, for a loop that Python calls with arguments of these kinds."""

    def decorate(function: F) -> F:
        name = f"{function.__module__}_{function.__name__}".replace(".", "_")
        ahead = _compiled_ahead()
        if ahead is not None:
            return _guarded(getattr(ahead, name), function, kinds)
        if not is_installed("fast"):
            return _plain(function)
        result = compiled(function)
        ENTRIES[name] = (result, kinds)
        return result

    return decorate


def require_compiled() -> None:
    """Does nothing where loops are compiled; for what would take hours without.

    Raises:
        MissingExtra: They are not.
    """
    if _compiled_ahead() is None:
        require("fast")


def kind_of(value: Any) -> Kind:
    """The kind of an argument; "" if no loop can be compiled for it."""
    if isinstance(value, tuple):
        return tuple(map(kind_of, value))
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{value.ndim}]" if value.flags.c_contiguous and value.flags.aligned else ""
    if isinstance(value, bool | np.bool_):
        return "bool"
    if isinstance(value, int | np.signedinteger):
        return "int64"
    return str(value.dtype) if isinstance(value, np.generic) else ""


def _guarded(native: Callable[..., object], function: F, kinds: tuple[Kind, ...]) -> F:
    """The compiled function, which would misread arguments of other kinds; for those, the plain one, which is slow."""

    @functools.wraps(function)
    def call(*arguments: object) -> object:
        actual = kind_of(arguments)
        if actual == kinds:
            return native(*arguments)
        logging.getLogger(__name__).warning("%s is not compiled for %s", function.__name__, actual)
        return function(*arguments)

    return cast(F, call)


def _plain(function: F) -> F:
    """The function as Python; once such loops have taken a while, people are told what would help."""

    @functools.wraps(function)
    def call(*arguments: object) -> object:
        start = time.perf_counter()
        try:
            # Hashes wrap around, as they do in machine code.
            with np.errstate(over="ignore"):
                return function(*arguments)
        finally:
            _spent_s[0] += time.perf_counter() - start
            if _spent_s[0] > PATIENCE_S:
                _tell_of_extra()

    return cast(F, call)


@functools.cache
def _tell_of_extra() -> None:
    logging.getLogger(__name__).warning(how_to_get("fast"))


def _cache_folder(function: F) -> Path:
    """Where machine code is kept: apart for each state of the source, because numba fails on what another one left."""
    source = Path(inspect.getfile(function)).read_bytes()
    digest = hashlib.sha256(source).hexdigest()[:16]
    return Path(platformdirs.user_cache_dir("spatial-workbench", appauthor=False)) / "kernels" / digest


@functools.cache
def _compiled_ahead() -> ModuleType | None:
    return import_module("compiled_kernels") if is_bundled() and find_spec("compiled_kernels") else None
