"""All states up to six moves from the solved cube, as a table for looking up a state's distance.

The table is a sorted array of keys with the distance in their lowest three bits: 8 240 087 states, 66 MB. It is built
in a few seconds and stored in the user's cache. If two states had the same key, the table would have fewer states than
the known number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.cube.coordinates import Coordinates, Keys, coordinates_of, keys_of, move_tables
from spatial_workbench.engine.cube.cubies import Cubies
from spatial_workbench.engine.cube.stored import Array, stored_array

LAYER_SIZES = (1, 18, 243, 3240, 43239, 574908, 7618438)
"""How many states are exactly 0, 1 ... 6 moves from the solved cube (half-turn metric)."""
SMALL, LARGE = 4, 6
"""The two tables: up to 4 moves (made at once, never stored) and up to 6."""


@dataclass(frozen=True, eq=False)
class CubeLayers:
    """The table: the sorted keys and, for each value of their highest bits, the position of the first such key."""

    radius: int
    keys: Keys
    starts: NDArray[np.int64]
    shift: int

    @classmethod
    def of(cls, radius: int, keys: Keys) -> CubeLayers:
        """The table of these keys, with an index that narrows a search down to a few of them."""
        bits = max(8, int(np.log2(len(keys))) - 2)
        firsts = np.arange(2**bits, dtype=np.uint64) << np.uint64(64 - bits)
        starts = np.append(np.searchsorted(keys, firsts), len(keys)).astype(np.int64)
        return cls(radius, keys, starts, 64 - bits)


@lru_cache(maxsize=2)
def _remembered(radius: int) -> list[CubeLayers]:
    return []


def layers(radius: int, progress: Progress = silent) -> CubeLayers:
    """The table up to that distance; the large one comes from the cache, or is built and stored there.

    Raises:
        Cancelled: Raised by `progress`; nothing is left behind.
    """
    remembered = _remembered(radius)
    if not remembered:
        remembered.append(CubeLayers.of(radius, _keys(radius, progress)))
    return remembered[0]


def _keys(radius: int, progress: Progress) -> Keys:
    if radius <= SMALL:
        return build(radius, progress)
    return stored_array(f"layers-{radius}", lambda keys: _is_complete(keys, radius), lambda: build(radius, progress))


def _is_complete(keys: Array, radius: int) -> bool:
    if keys.dtype != np.uint64 or keys.shape != (sum(LAYER_SIZES[: radius + 1]),):
        return False
    # A table of keys from a different formula would pass the other checks.
    solved = keys_of(coordinates_of(Cubies())[None, :])[0]
    if not (keys == solved).any():
        return False
    counts = np.bincount((keys & np.uint64(7)).astype(np.intp))
    return bool((keys[1:] > keys[:-1]).all()) and tuple(counts) == LAYER_SIZES[: radius + 1]


def build(radius: int, progress: Progress = silent) -> Keys:
    """The sorted keys of all states up to that distance, by going outwards layer by layer."""
    newest = coordinates_of(Cubies())[None, :]
    layer_keys = [keys_of(newest)]
    for distance in range(1, radius + 1):
        share = [sum(LAYER_SIZES[:i]) for i in (distance, radius + 1)]
        progress(share[0], share[1], f"Collecting the states {distance} moves away")
        newest, keys = _next_layer(newest, layer_keys[-2:], distance < radius, progress)
        if len(keys) != LAYER_SIZES[distance]:
            raise RuntimeError(f"{len(keys)} states are {distance} moves away; it should be {LAYER_SIZES[distance]}")
        layer_keys.append(keys)
    numbered = [keys | np.uint64(distance) for distance, keys in enumerate(layer_keys)]
    return np.sort(np.concatenate(numbered))


def _next_layer(newest: Coordinates, inner: list[Keys], needed: bool, progress: Progress) -> tuple[Coordinates, Keys]:
    """The states one move further out, if they are needed, and their sorted keys.

    A move changes the distance by at most 1, so only the last two layers (`inner`) can hold states reached by it.
    """
    steps: list[Coordinates] = []
    keys: list[Keys] = []
    for move in range(18):
        progress(move, 18, "Collecting states")
        after = np.stack([table[newest[:, i], move] for i, table in enumerate(move_tables())], axis=1)
        keys.append(keys_of(after))
        if needed:
            steps.append(after)
    unique, first = _unique(np.concatenate(keys), needed)
    is_new = ~np.logical_or.reduce([_is_among(unique, old) for old in inner])
    states = np.concatenate(steps)[first[is_new]] if needed else newest
    return states, unique[is_new]


def _is_among(keys: Keys, old: Keys) -> NDArray[np.bool_]:
    """Which of some sorted keys are among others, which are sorted too."""
    places = np.searchsorted(old, keys).clip(max=len(old) - 1)
    among: NDArray[np.bool_] = old[places] == keys
    return among


def _unique(keys: Keys, with_places: bool) -> tuple[Keys, NDArray[np.intp]]:
    if not with_places:
        # Without places numpy.unique uses hashes, which takes four times as long.
        keys.sort()
        return keys[np.append(True, keys[1:] != keys[:-1])], np.zeros(0, np.intp)
    unique, first = np.unique(keys, return_index=True)
    return unique, first
