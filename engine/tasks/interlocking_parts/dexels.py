"""Solids as intervals of material along lines 1 mm apart, in three directions: volumes, run lengths, overlaps.

Used by the cross-check. Exact along the lines, and sampled across them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.stl import Triangles

OFFSET = (0.3719, 0.4157)
"""Offset of the lines from the millimetre grid, chosen to miss typical faces and edges."""
_PER_ROW = 1 << 20
"""All solids share one numbering of the lines, by row and column of a grid, so that they can be compared."""


@dataclass(frozen=True, eq=False)
class Dexels:
    """Intervals of material along one axis. lines: (n,) numbers of lines; starts, ends: (n,) in mm; 1 mm² each."""

    axis: int
    lines: Floats
    starts: Floats
    ends: Floats

    @property
    def volume(self) -> float:
        """In mm³."""
        return float((self.ends - self.starts).sum())

    def volume_in(self, low: Floats, high: Floats) -> float:
        """The volume in a box, in mm³."""
        rows, columns = np.divmod(self.lines, _PER_ROW)
        u, v = (self.axis + 1) % 3, (self.axis + 2) % 3
        x, y = rows - _PER_ROW / 2 + OFFSET[0], columns - _PER_ROW / 2 + OFFSET[1]
        inside = (x > low[u]) & (x < high[u]) & (y > low[v]) & (y < high[v])
        lengths = np.minimum(self.ends, high[self.axis]) - np.maximum(self.starts, low[self.axis])
        return float(np.maximum(lengths[inside], 0.0).sum())


def dexels(corners: Floats, axis: int) -> Dexels:
    """A closed solid's triangles (m, 3, 3) as dexels along an axis."""
    from spatial_workbench.engine.tasks.interlocking_parts.kernels import crossings

    others = [(axis + 1) % 3, (axis + 2) % 3]
    flat = corners[:, :, others].reshape(-1, 2)
    first = np.floor(flat.min(axis=0)) - 1
    shape = (np.ceil(flat.max(axis=0)) - first + 1).astype(np.int64)
    origin = first + OFFSET
    room = np.empty((crossings(corners, axis, origin, shape, np.empty((0, 2))), 2))
    crossings(corners, axis, origin, shape, room)
    room = room[np.lexsort((room[:, 1], room[:, 0]))]
    # A line that grazes an edge may have an odd number of crossings; it is left out.
    _, place, count = np.unique(room[:, 0], return_inverse=True, return_counts=True)
    room = room[(count % 2 == 0)[place]]
    rows, columns = np.divmod(room[0::2, 0], shape[1])
    lines = (rows + first[0] + _PER_ROW / 2) * _PER_ROW + columns + first[1] + _PER_ROW / 2
    return Dexels(axis, lines, room[0::2, 1], room[1::2, 1])


def claimed_twice(parts: Sequence[Dexels]) -> Floats:
    """The volume shared by each pair of parts (first < second), (n, n) in mm³; all must use the same lines."""
    from spatial_workbench.engine.tasks.interlocking_parts.kernels import doubly_claimed

    claimed = np.zeros((len(parts), len(parts)))
    lines, starts, ends, owners = _merged(parts)
    doubly_claimed(lines, starts, ends, owners, claimed)
    return claimed


def free_runs(parts: Sequence[Dexels]) -> Floats:
    """The lengths of the gaps between material, on all lines together."""
    lines, starts, ends, _ = _merged(parts)
    if len(lines) < 2:
        return np.zeros(0)
    # The furthest end so far on each line: an offset per line allows a single running maximum for all of them.
    lift = np.unique(lines, return_inverse=True)[1] * 1e4
    furthest = np.maximum.accumulate(ends + lift) - lift
    runs = starts[1:] - furthest[:-1]
    return np.asarray(runs[(lines[1:] == lines[:-1]) & (runs > 0)])


def _merged(parts: Sequence[Dexels]) -> tuple[Floats, Floats, Floats, Triangles]:
    """Lines, starts, ends and owners of all intervals, sorted by line and start."""
    lines = np.concatenate([part.lines for part in parts])
    starts = np.concatenate([part.starts for part in parts])
    ends = np.concatenate([part.ends for part in parts])
    owners = np.repeat(np.arange(len(parts)), [len(part.lines) for part in parts])
    order = np.lexsort((starts, lines))
    return lines[order], starts[order], ends[order], owners[order]
