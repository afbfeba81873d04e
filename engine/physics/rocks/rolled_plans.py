"""Simulated plans of blasts, remembered by their content: in this process blast by blast, on disk plan by plan.

The key holds the map, the profile, the engine's build and the ordered blasts, so nothing else can be found under it.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.physics.rocks.rolling import Blast
from spatial_workbench.engine.physics.stored import load, store

REMEMBERED_BLASTS = 30_000
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
    """A blast that was simulated in this process, by its key; None if there is none."""
    found = _blasts.get(key)
    if found is not None:
        _blasts.move_to_end(key)
    return found


def remember(key: bytes, blast: Blast) -> None:
    """Keeps a blast under its key; beyond REMEMBERED_BLASTS, those that were not used for longest are forgotten."""
    _blasts[key] = blast
    while len(_blasts) > REMEMBERED_BLASTS:
        _blasts.popitem(last=False)


def load_plan(key: bytes) -> list[Blast] | None:
    """The blasts of a stored plan, without tracks; None if there is none, or it is damaged."""
    stored = load(key)
    if stored is None:
        return None
    data, arrays = stored
    try:
        parts = np.split(arrays["gains"], arrays["ends"][:-1])
        rows = zip(parts, data["lost"], data["steps"], data["still"], strict=True)
        return [Blast(gains, lost, steps, still) for gains, lost, steps, still in rows]
    except (KeyError, ValueError):
        return None


def store_plan(key: bytes, blasts: list[Blast]) -> None:
    """Stores the blasts of a plan without their tracks, unless there are fewer than SHORTEST_STORED."""
    if len(blasts) < SHORTEST_STORED:
        return
    data = {
        "lost": [float(blast.lost) for blast in blasts],
        "steps": [int(blast.steps) for blast in blasts],
        "still": [bool(blast.is_still) for blast in blasts],
    }
    gains = np.concatenate([blast.gains.reshape(-1, 2) for blast in blasts])
    store(key, data, {"gains": gains, "ends": np.cumsum([len(blast.gains) for blast in blasts])})
