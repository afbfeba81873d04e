"""Measurements of the cube, for `tools.bench.main`."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from spatial_workbench.engine.cube.facelets import MOVES, SOLVED, apply_move, apply_moves_to_many, as_array


def moves_of_many() -> Iterator[float]:
    """Millions of moves a second on 100,000 cubes at once, one core."""
    rng = np.random.default_rng(1)
    states = as_array([SOLVED] * 100_000)
    for _ in range(5):
        moves = rng.integers(0, len(MOVES), len(states))
        start = time.perf_counter()
        states = apply_moves_to_many(states, moves)
        yield len(states) / (time.perf_counter() - start) / 1e6


def one_move() -> Iterator[float]:
    """Microseconds of a single move."""
    state = SOLVED
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(2_000):
            for move in ("R", "U'", "F2", "L", "D'"):
                state = apply_move(state, move)
        yield (time.perf_counter() - start) / 10_000 * 1e6
