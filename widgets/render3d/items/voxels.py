"""Voxels: the faces between cells and free space, in units of cells; the shader draws lines between cells."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core.scene import Voxels
from spatial_workbench.widgets.render3d.items.base import ItemDrawer
from spatial_workbench.widgets.render3d.parts import SurfacePart
from spatial_workbench.widgets.render3d.shading import Look, Shading
from spatial_workbench.widgets.render3d.shapes import exposed_faces, quads
from spatial_workbench.widgets.render3d.style import Bytes, Style
from spatial_workbench.widgets.render3d.vtkdata import surface


class VoxelsDrawer(ItemDrawer[Voxels]):
    """Draws Voxels: solid and see-through cells separately."""

    def __init__(self, shading: Shading) -> None:
        super().__init__(shading)
        self._alpha: Bytes | None = None
        self._owners: list[np.ndarray] = []
        self._edges: bool | None = None

    def set_item(self, item: Voxels) -> None:
        self.item = item
        self._alpha = None
        if item.edges != self._edges:
            self._edges = item.edges
            look: Look = "cells" if item.edges else "plain"
            self.parts = [SurfacePart(self.shading, look), SurfacePart(self.shading, look, clear=True)]
        for part in self.parts:
            part.place(item.origin, item.pitch)

    def paint(self, style: Style) -> None:
        rgba = style.rgba(self.item)
        if self._alpha is None or not np.array_equal(rgba[:, 3] // 255, self._alpha // 255):
            self._build(rgba[:, 3])
        self._alpha = rgba[:, 3].copy()
        for part, owner in zip(self.parts, self._owners, strict=True):
            part.paint(np.repeat(rgba[owner], 4, axis=0))

    def _build(self, alpha: Bytes) -> None:
        self.builds += 1
        self._owners = []
        for part, drawn in zip(self.parts, (alpha == 255, (alpha > 0) & (alpha < 255)), strict=True):
            corners, normals, owner = exposed_faces(np.asarray(self.item.cells), drawn)
            part.set_data(surface(*quads(corners, normals)))
            self._owners.append(owner)
