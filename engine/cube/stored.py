"""Arrays that take a while to make and are kept in the user's cache."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def cache_folder() -> Path:
    """Where the tables are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("spatial-workbench", appauthor=False) / "cube"


def kept(name: str, is_complete: Callable[[Array], bool], make: Callable[[], Array]) -> Array:
    """The array of that name; made and stored if there is none, or if it is damaged."""
    path = cache_folder() / f"{name}.npy"
    array = _load(path)
    if array is not None and is_complete(array):
        return array
    array = make()
    _store(path, array)
    return array


def _load(path: Path) -> Array | None:
    try:
        array: Array = np.load(path)
    except (OSError, ValueError, EOFError):
        return None
    return array


def _store(path: Path, array: Array) -> None:
    """Keeps the array if there is a place for it; without one it is made again another time."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            np.save(file, array)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
