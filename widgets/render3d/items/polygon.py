"""Polygons of flat scenes: faces with an outline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData

from spatial_workbench.engine.core.scene import Polygon
from spatial_workbench.widgets.render3d.items.base import Layer, LayerDrawer
from spatial_workbench.widgets.render3d.shapes import as_3d, chain, plane_normal, triangles_of
from spatial_workbench.widgets.render3d.style import Bytes, Style
from spatial_workbench.widgets.render3d.vtkdata import segments, surface


class PolygonDrawer(LayerDrawer[Polygon]):
    """Draws a Polygon of a flat scene; polygons in space are drawn together, as Sheets."""

    def layers(self, item: Polygon) -> Sequence[Layer]:
        points = as_3d(item.points)
        layers = [Layer("flat", filled(points), inner_side=True)]
        if item.outline is not None:
            layers.append(Layer("flat", segments(points, chain(len(points), True)), width_px=1.5, tint=self._outline))
        return layers

    def _outline(self, rgba: Bytes, style: Style) -> Bytes:
        role = style.roles.get(self.item.id, self.item.outline or "line")
        return np.round(np.array([*style.theme.rgb(role), 1.0]) * 255).astype(np.uint8)


def filled(points: np.ndarray) -> vtkPolyData:
    """The face within a closed line (n, 3), in triangles."""
    normal = plane_normal(points)
    return surface(points, triangles_of(points, normal), np.tile(normal, (len(points), 1)))
