"""Results of simulations on disk, in the user's cache folder, found by the hash of what was simulated.

The key holds everything that a result depends on, the engine's build included, so nothing else can be found under it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

MAX_FILES = 500
_DATA = "data"


def load(key: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
    """The data and arrays stored under a key; None if there are none, or the file is damaged."""
    path = _folder() / f"{key.hex()}.npz"
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files if name != _DATA}
            data: dict[str, Any] = json.loads(bytes(file[_DATA]))
    except (OSError, ValueError, KeyError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return data, arrays


def store(key: bytes, data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Stores data and arrays under a key; does nothing if the folder cannot be written to."""
    buffer = io.BytesIO()
    content: dict[str, Any] = {_DATA: np.frombuffer(json.dumps(dict(data)).encode(), np.uint8), **arrays}
    np.savez_compressed(buffer, **content)
    with contextlib.suppress(OSError):
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(buffer.getvalue())
        Path(name).replace(folder / f"{key.hex()}.npz")
        _prune(folder)


def _folder() -> Path:
    return Path(platformdirs.user_cache_dir("spatial-workbench", appauthor=False)) / "simulated"


def _prune(folder: Path) -> None:
    """Deletes the files that were used least recently, down to MAX_FILES."""
    files = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for path in files[:-MAX_FILES]:
        path.unlink(missing_ok=True)
