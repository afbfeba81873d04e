"""How far things are along the middle of a corridor that bends (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats


def progress_along(path: Sequence[tuple[float, float]], places: Floats) -> Floats:
    """How far (n,) places (n, 2) of x and z are along a line, measured at its nearest point.

    The line goes on straight before its first corner and behind its last; without corners progress is z.
    """
    if not path:
        return np.asarray(places[:, 1])
    corners = np.array(path)
    steps = np.diff(corners, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    courses = steps / lengths[:, None]
    along = np.sum((places[:, None] - corners[:-1]) * courses, axis=2)
    low = np.zeros_like(lengths)
    high = lengths.copy()
    low[0] = -np.inf
    high[-1] = np.inf
    along = np.clip(along, low, high)
    nearest = corners[:-1] + along[:, :, None] * courses
    segment = np.linalg.norm(places[:, None] - nearest, axis=2).argmin(axis=1)
    begun = np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
    return np.asarray(begun[segment] + along[np.arange(len(places)), segment])
