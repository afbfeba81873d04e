"""The ground grid: a sheet whose lines are drawn by its shader, fading beyond its extent."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core.scene import Ground
from spatial_workbench.widgets.render3d.parts import SurfacePart
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.shapes import quads
from spatial_workbench.widgets.render3d.vtkdata import surface
from spatial_workbench.widgets.theme import Theme

BEYOND = 0.6
"""How far the grid extends beyond the ground, as a share of the ground's longer side."""


class GroundGrid:
    """Draws the ground of a scene."""

    def __init__(self, shading: Shading) -> None:
        self._shading = shading
        self._ground: Ground | None = None
        self.part = SurfacePart(shading, "ground", inner_side=True)

    def set_ground(self, ground: Ground | None) -> None:
        """Shows the ground of a scene."""
        if ground == self._ground:
            return
        self._ground = ground
        self.part.show(ground is not None)
        if ground is None:
            return
        x0, y0, x1, y1 = ground.extent
        width, height = (x1 - x0) / ground.pitch, (y1 - y0) / ground.pitch
        fade = BEYOND * max(width, height)
        low = np.array([-fade, -fade])
        high = np.array([width + fade, height + fade])
        corners = [[low[0], low[1], 0], [high[0], low[1], 0], [high[0], high[1], 0], [low[0], high[1], 0]]
        self.part.set_data(surface(*quads(np.array([corners], float), np.array([[0.0, 0.0, 1.0]]))))
        self.part.place((x0, y0, ground.z), ground.pitch)
        self._shading.set_ground(width, height, fade)

    def paint(self, theme: Theme) -> None:
        """Applies a theme's colours."""
        line = np.array(theme.rgb("line"))
        text = np.array(theme.rgb("secondary"))
        rgb = line * 0.62 + text * 0.38
        color = np.round(np.array([*rgb, 0.9]) * 255).astype(np.uint8)
        self.part.paint(np.tile(color, (max(1, self.part.data.GetNumberOfPoints()), 1)))
