"""Where people go: what they snap to, blocks of them, and the spray."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek.editing import safe_ring, snapped, sprayed
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.hide_and_seek.crowd import NOBODY, PlacedCrowd


class CrowdAim:
    """Finds places for people; `changed` is called when a setting changes."""

    def __init__(self, crowd: PlacedCrowd, changed: Callable[[], object]) -> None:
        self.spacing = Setting(PERSON_M, changed)
        """The distance of people in blocks, in the spray and when the missing ones are added, in metres."""
        self.spray_m = Setting(2.0, changed)
        """The radius of the spray, in metres."""
        self.snaps = Setting(True, changed)
        """Whether people snap to half metres."""
        self.fits = Setting(True, changed)
        """Whether they snap to each other."""
        self.edges = Setting(False, changed)
        """Whether they snap to the edge of the safe ground."""
        self.snapped_to = ""
        """What the last aimed place snapped to, in words."""
        self._crowd = crowd
        self._ring = safe_ring(crowd.field)

    def snapped(self, point: Floats) -> Floats:
        """The nearest point of the half-metre grid, or of the centimetre grid if snapping is off."""
        grid = PERSON_M if self.snaps.value else 0.01
        return np.round(np.asarray(point) / grid) * grid

    def aimed(self, point: Floats, others: Floats, reach: float, free: bool = False) -> Floats:
        """The place to snap to: beside somebody or on the edge of the safe ground, or else on the grid."""
        self.snapped_to = ""
        if free:
            return np.round(point, 2)
        neighbours = others if self.fits.value else NOBODY
        ring = self._ring if self.edges.value else NOBODY
        place, self.snapped_to = snapped(point, neighbours, ring, reach)
        return place if self.snapped_to else self.snapped(point)

    def aimed_step(self, person: int, step: Floats, reach: float, free: bool = False) -> Floats:
        """How far the selected people move, so that the dragged person snaps to its place."""
        goal = self.aimed(
            self._crowd.centers[person] + step,
            np.delete(self._crowd.centers, self._crowd.selection.numbers, axis=0),
            reach,
            free,
        )
        return np.asarray(goal - self._crowd.centers[person])

    def sprayed(self, middle: Floats, strewn: Floats) -> Floats:
        """The people sprayed so far, and more around a point."""
        neighbors = np.vstack([self._crowd.centers, strewn])
        rng = np.random.default_rng(len(neighbors))
        count = self._crowd.missing - len(strewn)
        radius = self.spray_m.value
        spacing = self.spacing.value
        return np.vstack([strewn, sprayed(self._crowd.field, neighbors, middle, radius, count, spacing, rng)])

    def block(self, first: Floats, last: Floats) -> Floats:
        """The places in a rectangle where people may stand, at most as many as may still be placed."""
        low, high = np.minimum(first, last), np.maximum(first, last)
        xs, ys = (np.arange(low[a], high[a] + 1e-6, self.spacing.value) for a in (0, 1))
        grid = np.stack(np.meshgrid(xs[:200], ys[:200]), axis=-1).reshape(-1, 2)
        return (self._crowd.free(grid) if self._crowd.is_judged else grid)[: self._crowd.room]
