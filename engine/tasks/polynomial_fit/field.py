"""Grids: smooth random fields cut at a threshold (SCBench q08, reference implementation).

Random numbers come from Python's Mersenne Twister in the published order of draws, so that the published grids, and
new ones from the same parameters, are the published ones.
"""

import math
import random

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit.cells import Mask

MAX_FREQUENCY = 3
FILL_BOUNDS = (0.2, 0.8)


def grid(
    size: int, seed: int, fill: float, frequency_limit: int, blobs: int, waves: int, smoothing_passes: int
) -> Mask:
    """The marked cells (y, x) of a square grid."""
    values = _field(random.Random(seed), size, max(1, min(frequency_limit, MAX_FREQUENCY)), blobs, waves)
    for _ in range(smoothing_passes):
        values = _smoothed(values)
    share = min(max(fill, FILL_BOUNDS[0]), FILL_BOUNDS[1])
    threshold = np.sort(values, axis=None)[int((1 - share) * (size * size - 1))]
    return np.asarray(values >= threshold)


def _field(source: random.Random, size: int, limit: int, blobs: int, waves: int) -> Floats:
    """The field before it is smoothed."""
    y, x = np.mgrid[0:size, 0:size].astype(float)
    values = np.zeros((size, size))
    kinds = [((0.18, 0.38), (0.9, 1.6), 1.0)] * blobs + [((0.25, 0.5), (0.4, 0.9), -1.0)] * max(1, blobs // 3)
    for (narrow, wide), (low, high), sign in kinds:
        cx, cy = source.uniform(0, size - 1), source.uniform(0, size - 1)
        sigma = source.uniform(narrow * size, wide * size)
        amplitude = sign * source.uniform(low, high)
        values += amplitude * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * sigma * sigma))
    for _ in range(waves):
        fx, fy = source.randint(1, limit), source.randint(1, limit)
        phase = source.uniform(0, 2 * math.pi)
        amplitude = source.uniform(0.05, 0.12)
        amplitude = amplitude if source.random() > 0.5 else -amplitude
        values += amplitude * np.sin(2 * math.pi * (x * fx + y * fy) / size + phase)
    return values


def _smoothed(values: Floats) -> Floats:
    """The 3 x 3 kernel 1-2-1, 2-4-2, 1-2-1 over 16, with the border repeated."""
    around = np.pad(values, 1, mode="edge")
    rows = around[:-2] + 2 * around[1:-1] + around[2:]
    return (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 16
