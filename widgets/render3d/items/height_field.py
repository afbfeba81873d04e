"""Height fields: a smooth surface with the grid of its cells, or columns. A height of NaN leaves a hole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import HeightField
from spatial_workbench.widgets.render3d.items.base import Layer, LayerDrawer
from spatial_workbench.widgets.render3d.shading import QUAD_PLACE
from spatial_workbench.widgets.render3d.shapes import columns, quads, smooth_field
from spatial_workbench.widgets.render3d.vtkdata import set_point_array, surface


class HeightFieldDrawer(LayerDrawer[HeightField]):
    """Draws a HeightField, in units of its cells."""

    def layers(self, item: HeightField) -> Sequence[Layer]:
        heights = np.asarray(item.heights, float) / item.pitch
        if not item.steps:
            data = surface(*smooth_field(heights))
            return [Layer("tiles", data, inner_side=True, origin=item.origin, scale=item.pitch)]
        corners, normals = columns(heights)
        data = surface(*quads(corners, normals))
        set_point_array(data, QUAD_PLACE, np.tile([[0, 0], [1, 0], [1, 1], [0, 1]], (len(corners), 1)))
        return [Layer("quads", data, origin=item.origin, scale=item.pitch)]
