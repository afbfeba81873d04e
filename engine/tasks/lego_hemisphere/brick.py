"""The brick's measures, and arrays of bricks at their poses. All lengths in mm."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry import rectangles

Bools = NDArray[np.bool_]

LENGTH, WIDTH, HEIGHT = 32.0, 16.0, 9.6
"""The brick as assembled: what every check and volume uses."""
STUD_PITCH = 8.0
VOLUME = LENGTH * WIDTH * HEIGHT
SIZE = np.array([LENGTH, WIDTH, HEIGHT])
HALF_FOOTPRINT = SIZE[:2] / 2
STUDS = np.array([[x, y] for x in (-12.0, -4.0, 4.0, 12.0) for y in (-4.0, 4.0)])
"""Stud centres (8, 2) of a brick centred on 0, 0 with its long side along x."""

REACH = float(np.hypot(LENGTH, WIDTH))
"""Footprints whose centres are farther apart than this cannot touch."""
LAYER_TOLERANCE = 0.1
"""A centroid may be off its layer's height by this part of a brick's height (0.96 mm)."""
FAR = 1e9
"""Coordinates are clamped to this before anything is computed, so that nothing overflows."""


def height_of(layer: int) -> float:
    """The centroid height of a layer's bricks."""
    return round(HEIGHT / 2 + HEIGHT * layer, 6)


@dataclass(frozen=True, eq=False)
class Poses:
    """Bricks as arrays. `poses`: (n, 4), the centre x, y, z in mm and the turn in degrees."""

    poses: Floats

    def __len__(self) -> int:
        return len(self.poses)

    @cached_property
    def centers(self) -> Floats:
        """Centres (n, 3)."""
        return np.clip(self.poses[:, :3], -FAR, FAR)

    @cached_property
    def angles_deg(self) -> Floats:
        """Turns (n,), from 0 to below 360."""
        return np.mod(self.poses[:, 3], 360.0)

    @cached_property
    def sides(self) -> Floats:
        """Unit vectors along the sides of each footprint: (n, 2, 2)."""
        return rectangles.axes(self.angles_deg)

    @cached_property
    def footprints(self) -> Floats:
        """Corners of each footprint, counter-clockwise: (n, 4, 2)."""
        return rectangles.corners(self.centers[:, :2], HALF_FOOTPRINT, self.sides)

    @cached_property
    def layers(self) -> Ints:
        """The layer nearest to each brick's height: (n,)."""
        return np.round((self.centers[:, 2] - HEIGHT / 2) / HEIGHT).astype(np.int64)

    @cached_property
    def nearest_distance(self) -> Floats:
        """From the origin to the nearest point of each brick: (n,)."""
        aside = rectangles.distance_to(np.zeros(2), self.centers[:, :2], HALF_FOOTPRINT, self.sides)
        return np.hypot(aside, np.maximum(np.abs(self.centers[:, 2]) - HEIGHT / 2, 0))

    @cached_property
    def farthest_distance(self) -> Floats:
        """From the origin to the farthest corner of each brick: (n,)."""
        aside = np.hypot(self.footprints[..., 0], self.footprints[..., 1]).max(axis=1)
        distance: Floats = np.hypot(aside, np.abs(self.centers[:, 2]) + HEIGHT / 2)
        return distance
