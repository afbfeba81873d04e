"""Simulated plans, remembered by their content: in this process blast by blast, on disk plan by plan.

The key holds the map, the profile, the engine's build and the ordered blasts, so nothing else can be found under it.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections import OrderedDict
from hashlib import sha256
from pathlib import Path

import numpy as np
import platformdirs

from engine.core.scene import Floats
from engine.physics.rock import Blast

REMEMBERED_BLASTS = 30_000
STORED_PLANS = 300
SHORTEST_STORED = 20

_blasts: OrderedDict[bytes, Blast] = OrderedDict()


def start_key(heights: Floats, profile: str, version: str) -> bytes:
    """The key of a map before the first blast."""
    return sha256(
        f"{profile} {version} {heights.shape}".encode() + np.ascontiguousarray(heights, "<f8").tobytes()
    ).digest()


def next_key(key: bytes, column: int, row: int, depth: float) -> bytes:
    """The key after one more blast."""
    return sha256(key + f"{column},{row},{depth!r}".encode()).digest()


def remembered(key: bytes) -> Blast | None:
    """A blast that was simulated in this process."""
    found = _blasts.get(key)
    if found is not None:
        _blasts.move_to_end(key)
    return found


def remember(key: bytes, blast: Blast) -> None:
    """Keeps a blast; the ones not used for longest are forgotten."""
    _blasts[key] = blast
    while len(_blasts) > REMEMBERED_BLASTS:
        _blasts.popitem(last=False)


def load_plan(key: bytes) -> list[Blast] | None:
    """The blasts of a stored plan; None where there is none, or it is damaged."""
    path = _folder() / f"{key.hex()}.npz"
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as data:
            parts = np.split(data["gains"], data["ends"][:-1])
            rows = zip(parts, data["lost"].tolist(), data["steps"].tolist(), data["still"].tolist(), strict=True)
            blasts = [Blast(gains, lost, int(steps), bool(still)) for gains, lost, steps, still in rows]
    except (OSError, ValueError, KeyError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return blasts


def store_plan(key: bytes, blasts: list[Blast]) -> None:
    """Stores a plan; where the folder cannot be written to, nothing happens."""
    if len(blasts) < SHORTEST_STORED:
        return
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        gains=np.concatenate([blast.gains.reshape(-1, 2) for blast in blasts]),
        ends=np.cumsum([len(blast.gains) for blast in blasts]),
        lost=np.array([blast.lost for blast in blasts]),
        steps=np.array([blast.steps for blast in blasts]),
        still=np.array([blast.is_still for blast in blasts]),
    )
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
    files = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for path in files[:-STORED_PLANS]:
        path.unlink()
