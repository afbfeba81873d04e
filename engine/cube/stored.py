"""Arrays that take a while to compute and are stored in the user's cache."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def cache_folder() -> Path:
    """The folder of the stored tables."""
    from platformdirs import user_cache_path

    return user_cache_path("spatial-workbench", appauthor=False) / "cube"


def stored_array(name: str, is_complete: Callable[[Array], bool], make: Callable[[], Array]) -> Array:
    """The stored array of that name; computed and stored if there is none or it is damaged."""
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
    """Stores the array if possible; otherwise it is computed again next time."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            np.save(file, array)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
