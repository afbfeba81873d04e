"""Sections: planes that cut a scene open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats


@dataclass(frozen=True)
class CuttingPlane:
    """A plane across an axis (0, 1, 2). It cuts away what lies above it, or with `keep_above` what lies below."""

    axis: int
    offset: float
    keep_above: bool = False

    @property
    def normal(self) -> Floats:
        """The unit vector towards what is cut away, (3,)."""
        normal: Floats = np.eye(3)[self.axis] * (-1.0 if self.keep_above else 1.0)
        return normal

    @property
    def reach(self) -> float:
        """The greatest distance along the normal that is kept."""
        return -self.offset if self.keep_above else self.offset
