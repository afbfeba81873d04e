"""The cross-check of Delaunay triangulations, by the global definition: no circumcircle holds any of the points.

Exact and quadratic in the number of points. Neighbours play no part: that the triangles cover the hull exactly once
follows from their directed sides, which cancel out except for those with every point on their left.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from spatial_workbench.engine.core import Outcome, Progress
from spatial_workbench.engine.tasks.delaunay.geometry import Edge, Ints, Points, Triangle, in_circle, orient

AT_ONCE = 64


def judge(points: Points, triangles: Sequence[Triangle], progress: Progress) -> Outcome:
    """Whether distinct triangles with empty circumcircles cover the hull once."""
    xy = np.array(points, dtype=np.int64)
    numbers = np.array(sorted(set(map(tuple, map(sorted, triangles)))), dtype=np.int64).reshape(-1, 3)
    is_right = (
        0 < len(numbers) == len(triangles)
        and bool(((numbers >= 0) & (numbers < len(xy))).all())
        and _all_empty(xy, numbers, progress)
        and _cover_once(xy, numbers)
    )
    return Outcome(float(is_right), [])


def _all_empty(xy: Ints, numbers: Ints, progress: Progress) -> bool:
    """Whether every triangle has an area, and no point inside its circumcircle."""
    for start in range(0, len(numbers), AT_ONCE):
        progress(start, len(numbers), "testing every circle against every point")
        a, b, c = (xy[numbers[start : start + AT_ONCE, corner]].T[..., None] for corner in range(3))
        area = orient(a, b, c)
        if (area == 0).any() or (np.sign(area) * in_circle(a, b, c, xy.T[:, None, :]) > 0).any():
            return False
    return True


def _cover_once(xy: Ints, numbers: Ints) -> bool:
    """Whether the sides cancel out except along the hull; then every point of it lies in exactly one triangle."""
    turned = orient(*(xy[numbers[:, corner]].T for corner in range(3))) < 0
    sides = Counter(_sides(np.where(turned[:, None], numbers[:, ::-1], numbers)))
    left = {edge: count - sides[edge[::-1]] for edge, count in sides.items() if count != sides[edge[::-1]]}
    is_hull = all((orient(xy[i], xy[j], xy.T) >= 0).all() for i, j in left)
    return is_hull and set(left.values()) == {1}


def _sides(numbers: Ints) -> Iterator[Edge]:
    for a, b, c in numbers.tolist():
        yield from ((a, b), (b, c), (c, a))
