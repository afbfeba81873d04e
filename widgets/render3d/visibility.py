"""Which bricks and studs can be seen at all: those enclosed by other bricks are not worth drawing.

Only bricks on a common lattice of studs are considered. Bricks off the lattice are always drawn, and hide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.widgets.render3d.shapes import SIX_WAYS

Mask = NDArray[np.bool_]

_TOLERANCE = 1e-3
"""How far off the lattice a brick may lie, in cells."""

_CELL_LIMIT = 1 << 24


@dataclass(frozen=True, eq=False)
class Bricks:
    """The boxes of one item: arrays as in Boxes, and which are drawn. `studs` are the studs' bottom centres."""

    centers: Floats
    sizes: Floats
    angles_deg: Floats
    solid: Mask
    drawn: Mask
    studs: Floats
    stud_owner: NDArray[np.intp]
    pitch: Floats | None
    """(3,): the distance of studs along x and y and the height of a brick; None without studs."""


Seen = tuple[Mask, Mask]
"""Which boxes and which studs of an item are worth drawing."""


def everything(groups: Sequence[Bricks]) -> list[Seen]:
    """All that is drawn of each item, whether enclosed by others or not."""
    return [(group.drawn.copy(), group.drawn[group.stud_owner]) for group in groups]


def seen(groups: Sequence[Bricks]) -> list[Seen]:
    """What is worth drawing of each item."""
    pitch = next((g.pitch for g in groups if g.pitch is not None and len(g.centers)), None)
    if pitch is None:
        return everything(groups)
    lattice = _Lattice.around(groups, pitch)
    if lattice is None:
        return everything(groups)
    by_solid = lattice.filled([g.solid for g in groups])
    by_any = by_solid if all((g.solid == g.drawn).all() for g in groups) else lattice.filled([g.drawn for g in groups])
    return [lattice.seen(i, group, by_solid, by_any) for i, group in enumerate(groups)]


@dataclass(eq=False)
class _Lattice:
    origin: Floats
    pitch: Floats
    shape: tuple[int, int, int]
    lows: list[Ints]
    extents: list[Ints]
    fitting: list[Mask]

    @classmethod
    def around(cls, groups: Sequence[Bricks], pitch: Floats) -> _Lattice | None:
        first = next(g for g in groups if len(g.centers))
        origin = first.centers[0] - _extents(first)[0] / 2
        lows = []
        extents = []
        fitting = []
        for group in groups:
            size = _extents(group) / pitch
            low = (group.centers - origin) / pitch - size / 2
            whole = np.abs(low - np.round(low)) + np.abs(size - np.round(size)) < _TOLERANCE
            fitting.append(whole.all(axis=1) & _square(group.angles_deg))
            lows.append(np.round(low).astype(int))
            extents.append(np.round(size).astype(int))
        low = np.concatenate([low[fit] for low, fit in zip(lows, fitting, strict=True)])
        high = low + np.concatenate([extent[fit] for extent, fit in zip(extents, fitting, strict=True)])
        if not len(low):
            return None
        corner = low.min(axis=0) - 2
        shape = high.max(axis=0) - corner + 2
        if np.prod(shape.astype(float)) > _CELL_LIMIT:
            return None
        lows = [low - corner for low in lows]
        return cls(origin + corner * pitch, pitch, tuple(shape.tolist()), lows, extents, fitting)

    def filled(self, masks: Sequence[Mask]) -> Mask:
        cells = np.zeros(self.shape, bool)
        for low, extent, fit, mask in zip(self.lows, self.extents, self.fitting, masks, strict=True):
            for _, rows, offsets in _by_extent(extent, fit & mask):
                for offset in offsets:
                    cells[tuple((low[rows] + offset).T)] = True
        return cells

    def seen(self, index: int, group: Bricks, by_solid: Mask, by_any: Mask) -> Seen:
        """A solid brick is hidden by solid ones only, a see-through brick by any."""
        fit = self.fitting[index]
        boxes = group.drawn.copy()
        studs = group.drawn[group.stud_owner]
        above = np.floor((group.studs - self.origin) / self.pitch + [0, 0, 0.5]).astype(int)
        above = np.clip(above, 0, np.array(self.shape) - 1)
        for kind, cells in ((group.solid, by_solid), (group.drawn & ~group.solid, by_any)):
            inner = _enclosed(cells)
            for _, rows, offsets in _by_extent(self.extents[index], fit & kind):
                covered = np.ones(len(rows), bool)
                for offset in offsets:
                    covered &= inner[tuple((self.lows[index][rows] + offset).T)]
                boxes[rows[covered]] = False
            own = (fit & kind)[group.stud_owner]
            studs[own] &= ~cells[tuple(above[own].T)]
        return boxes, studs


def _extents(group: Bricks) -> Floats:
    """The sizes along the scene's axes of boxes turned by multiples of 90 degrees."""
    quarter = np.round(group.angles_deg / 90).astype(int) % 2 == 1
    return np.where(quarter[:, None], group.sizes[:, [1, 0, 2]], group.sizes)


def _square(angles_deg: Floats) -> Mask:
    return np.abs(angles_deg / 90 - np.round(angles_deg / 90)) < 1e-6


def _by_extent(extents: Ints, mask: Mask) -> list[tuple[Ints, NDArray[np.intp], Ints]]:
    """The masked rows, grouped by size in cells, with the cells that a box of that size fills."""
    rows = np.flatnonzero(mask)
    if not len(rows):
        return []
    sizes, which = np.unique(extents[rows], axis=0, return_inverse=True)
    which = which.ravel()
    return [
        (size, rows[which == i], np.stack(np.meshgrid(*map(np.arange, size), indexing="ij"), -1).reshape(-1, 3))
        for i, size in enumerate(sizes)
    ]


def _enclosed(cells: Mask) -> Mask:
    inner = cells.copy()
    for step in SIX_WAYS:
        inner &= np.roll(cells, tuple(-step), axis=(0, 1, 2))
    return inner
