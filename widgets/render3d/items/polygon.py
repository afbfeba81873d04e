"""Polygons: flat faces with an outline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData

from engine.core.scene import Polygon
from widgets.render3d.items.base import Layer, LayerDrawer
from widgets.render3d.shapes import as_3d, chain, plane_normal
from widgets.render3d.style import Bytes, Style
from widgets.render3d.vtkdata import segments, surface


class PolygonDrawer(LayerDrawer[Polygon]):
    """Draws a Polygon: unlit in a flat scene, as a thin sheet in space."""

    def layers(self, item: Polygon) -> Sequence[Layer]:
        points = as_3d(item.points)
        flat = np.ndim(item.points) == 2 and np.shape(item.points)[1] == 2
        found = [Layer("flat" if flat else "plain", filled(points), inner_side=True)]
        if item.outline is not None:
            found.append(Layer("flat", segments(points, chain(len(points), True)), width_px=1.5, tint=self._outline))
        return found

    def _outline(self, rgba: Bytes, style: Style) -> Bytes:
        role = style.roles.get(self.item.id, self.item.outline or "line")
        return np.round(np.array([*style.theme.rgb(role), 1.0]) * 255).astype(np.uint8)


def filled(points: np.ndarray) -> vtkPolyData:
    """The face within a closed line (n, 3), in triangles."""
    normal = plane_normal(points)
    return surface(points, triangles_of(points, normal), np.tile(normal, (len(points), 1)))


def triangles_of(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """The triangles (m, 3) of a planar polygon (n, 3), in its sense of rotation.

    The polygon may have slivers, and corners that touch its own edges.
    """
    if len(points) < 4:
        return np.arange(len(points) // 3 * 3).reshape(-1, 3)
    import manifold3d

    along = int(np.argmax(np.abs(normal)))
    flat = np.delete(points, along, axis=1)
    # Without the y axis, (x, z) turns the other way round than seen from the end of y.
    if normal[along] * (-1 if along == 1 else 1) > 0:
        return manifold3d.triangulate([flat])
    return len(points) - 1 - manifold3d.triangulate([flat[::-1]])[:, ::-1]
