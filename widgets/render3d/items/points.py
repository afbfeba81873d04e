"""Points: round markers of a size in pixels."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core.scene import Points
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.items.base import ItemDrawer
from spatial_workbench.widgets.render3d.parts import SurfacePart
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.shapes import as_3d
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.render3d.vtkdata import markers


class PointsDrawer(ItemDrawer[Points]):
    """Draws Points."""

    def __init__(self, shading: Shading) -> None:
        super().__init__(shading)
        self._part = SurfacePart(shading, "flat")
        self.parts = [self._part]
        for actor in self._part.actors:
            actor.GetProperty().RenderPointsAsSpheresOn()

    def set_item(self, item: Points) -> None:
        self.item = item
        self._part.set_data(markers(as_3d(np.asarray(item.positions).reshape(len(item.ids), -1))))
        self.builds += 1

    def paint(self, style: Style) -> None:
        self._part.paint(style.rgba(self.item))

    def fit_pixels(self, camera: Camera, height_px: float, ratio: float) -> None:
        self._part.set_width(self.item.size_px * ratio)
