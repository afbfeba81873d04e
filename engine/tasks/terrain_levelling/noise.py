"""Height maps out of Perlin noise, as the published maps were made.

The permutation needs the Mersenne Twister of the standard library, so that published seeds give the published maps.
"""

from __future__ import annotations

import random
from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats

OCTAVES = 4
PERSISTENCE = 0.5
_GRADIENTS = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)], float)
LEAST_RELIEF = 5.0


@lru_cache(64)
def height_map(n: int, seed: int, scale: float, octaves: int = OCTAVES) -> Floats:
    """Heights (n, n) in metres, row = y, rounded to a decimetre. Read-only."""
    table = list(range(256))
    random.Random(seed).shuffle(table)
    permutation = np.array(table * 2)
    along = np.arange(n) / n * scale
    x, y = np.meshgrid(along, along)
    total = np.zeros((n, n))
    for octave in range(octaves):
        total += PERSISTENCE**octave * _perlin(x * 2**octave, y * 2**octave, permutation)
    noise = total / sum(PERSISTENCE**octave for octave in range(octaves))
    raw = (noise + 0.5) * 10
    heights = np.array([[round(float(value), 1) for value in row] for row in raw])
    if raw.max() - raw.min() < LEAST_RELIEF:
        heights = (raw - raw.min()) * 9 / (raw.max() - raw.min()) + 1
    heights.setflags(write=False)
    return heights


def _perlin(x: Floats, y: Floats, permutation: NDArray[np.int64]) -> Floats:
    """Classic gradient noise at points."""
    xi, yi = np.floor(x).astype(int), np.floor(y).astype(int)
    xf, yf = x - xi, y - yi
    u, v = _fade(xf), _fade(yf)

    def corner(dx: int, dy: int) -> Floats:
        entry = permutation[permutation[(xi + dx) % 256] + (yi + dy) % 256]
        gradient = _GRADIENTS[entry % 8]
        return np.asarray(gradient[..., 0] * (xf - dx) + gradient[..., 1] * (yf - dy))

    low = corner(0, 0) + u * (corner(1, 0) - corner(0, 0))
    high = corner(0, 1) + u * (corner(1, 1) - corner(0, 1))
    return low + v * (high - low)


def _fade(t: Floats) -> Floats:
    return t * t * t * (t * (t * 6 - 15) + 10)


def as_text(heights: Floats) -> str:
    """The map as a solver reads it: one decimal, row 0 first."""
    return "\n".join(" ".join(f"{value:.1f}" for value in row) for row in heights)


def fingerprint(heights: Floats) -> str:
    """The first 16 hex digits of the text's SHA-256."""
    return sha256(as_text(heights).encode()).hexdigest()[:16]
