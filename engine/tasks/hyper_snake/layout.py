"""Where the cells of an N-dimensional field lie on paper and in space.

On paper axes 0, 2, 4 ... run to the right, nested in one another, and axes 1, 3, 5 ... upwards; the gaps grow with the
level, so each cell of the field is there once. In space three axes are shown, at fixed places on the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hyper_snake.field import Numbers, SnakeField

GAPS = (0.0, 0.45, 1.1, 2.0, 3.2)
"""The extra gap, in cells, between the blocks of each level."""


@dataclass(frozen=True, eq=False)
class SnakeSheet:
    """The nested plane of a field. places: by number, the centre of each cell, (cells, 2); pitches: by axis."""

    places: Floats
    pitches: Floats

    @property
    def size(self) -> Floats:
        """Width and height, from the middle of the first cell to the middle of the last one."""
        extent: Floats = self.places.max(axis=0)
        return extent

    def nearest(self, x: float, y: float) -> int:
        """The number of the cell nearest to a point."""
        return int(np.hypot(self.places[:, 0] - x, self.places[:, 1] - y).argmin())


@lru_cache(maxsize=64)
def sheet_of(field: SnakeField) -> SnakeSheet:
    """The plane of a field."""
    pitches = np.zeros(field.axes)
    for first in (0, 1):
        pitch = 1.0
        for level, axis in enumerate(range(first, field.axes, 2)):
            pitches[axis] = pitch + GAPS[level]
            pitch = pitches[axis] * (field.size[axis] - 1) + pitch
    shifted = field.table * pitches
    return SnakeSheet(np.stack([shifted[:, ::2].sum(axis=1), shifted[:, 1::2].sum(axis=1)], axis=1), pitches)


@dataclass(frozen=True)
class Slice:
    """Up to three axes that are shown in space, and where the others stand (by axis; those shown do not count)."""

    axes: tuple[int, ...]
    fixed: tuple[int, ...]

    @classmethod
    def through(cls, axes: Sequence[int], cell: Sequence[int]) -> Slice:
        """The slice along these axes that holds a cell."""
        return cls(tuple(axes), tuple(0 if k in axes else c for k, c in enumerate(cell)))

    def holds(self, field: SnakeField) -> np.ndarray:
        """By number, whether a cell is in the slice."""
        others = [k for k in range(field.axes) if k not in self.axes]
        flags: np.ndarray = (field.table[:, others] == np.array(self.fixed)[others]).all(axis=1)
        return flags

    def places(self, field: SnakeField, numbers: Numbers) -> Floats:
        """The centres of cells in space, (n, 3); axes that are not shown do not count."""
        places = np.zeros((len(numbers), 3))
        places[:, : len(self.axes)] = field.table[numbers][:, list(self.axes)]
        return places
