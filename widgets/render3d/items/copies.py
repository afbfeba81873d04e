"""Copies: meshes with the same faces, drawn as one surface and one set of edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkAppendPolyData

from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.copies import Copies
from spatial_workbench.widgets.render3d.items.base import ItemDrawer, edge_tint
from spatial_workbench.widgets.render3d.items.mesh import EDGE_PX, creases, smoothed, surface_of
from spatial_workbench.widgets.render3d.parts import SurfacePart
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.render3d.vtkdata import set_point_array, surface

LARGE = 100
"""From this many faces on, the surface of each mesh is made once and kept."""
OWNER = "owner"
"""The name of the array that says which of the drawn meshes a point belongs to."""
Rows = NDArray[np.intp]


class CopiesDrawer(ItemDrawer[Copies]):
    """Draws Copies: solid and see-through meshes separately, each with their edges."""

    def __init__(self, shading: Shading) -> None:
        super().__init__(shading)
        self._faces = [SurfacePart(shading, clear=clear, inner_side=True) for clear in (False, True)]
        self._edges = [SurfacePart(shading, "flat", clear) for clear in (False, True)]
        self.parts = [*self._faces, *self._edges]
        self._rows: list[Rows] = []

    def set_item(self, item: Copies) -> None:
        self.item = item
        self._rows = []

    def paint(self, style: Style) -> None:
        rgba = style.rgba(self.item)
        rows = [np.flatnonzero(rgba[:, 3] == 255), np.flatnonzero((rgba[:, 3] > 0) & (rgba[:, 3] < 255))]
        if not self._rows or any(not np.array_equal(a, b) for a, b in zip(rows, self._rows, strict=True)):
            self._build(rows)
        for faces, edges, drawn in zip(self._faces, self._edges, rows, strict=True):
            faces.paint(rgba[drawn][_owners(faces.data)])
            edges.paint(edge_tint(rgba[drawn], style)[_owners(edges.data)])

    def _build(self, rows: list[Rows]) -> None:
        self.builds += 1
        self._rows = rows
        for faces, edges, drawn in zip(self._faces, self._edges, rows, strict=True):
            faces.set_data(self._surface(drawn))
            edges.set_data(creases(self._joined(drawn)) if self.item.members[0].edges else vtkPolyData())

    def _surface(self, rows: Rows) -> vtkPolyData:
        """Some of the meshes, with normals: the kept surfaces of large ones, or small ones made together."""
        if not len(rows) or len(self.item.members[0].faces) < LARGE:
            return smoothed(self._joined(rows))
        whole = vtkAppendPolyData()
        for owner, row in enumerate(rows):
            data = vtkPolyData()
            data.ShallowCopy(surface_of(self.item.members[row]))
            set_point_array(data, OWNER, np.full(data.GetNumberOfPoints(), owner))
            whole.AddInputData(data)
        whole.Update()
        joined: vtkPolyData = whole.GetOutput()
        return joined

    def _joined(self, rows: Rows) -> vtkPolyData:
        """Some of the meshes as one surface, with the owner of each point."""
        triangles = np.asarray(self.item.members[0].faces).reshape(-1, 3)
        vertices = [np.asarray(self.item.members[row].vertices, float) for row in rows]
        sizes = np.array([len(own) for own in vertices], int)
        starts = np.cumsum(sizes) - sizes
        data = surface(
            np.concatenate([np.zeros((0, 3)), *vertices]), (triangles + starts[:, None, None]).reshape(-1, 3)
        )
        set_point_array(data, OWNER, np.repeat(np.arange(len(rows)), sizes))
        return data

    def fit_pixels(self, camera: Camera, height_px: float, ratio: float) -> None:
        for part in self._edges:
            part.set_width(EDGE_PX * ratio)


def _owners(data: vtkPolyData) -> Rows:
    owners = data.GetPointData().GetArray(OWNER)
    return vtk_to_numpy(owners).astype(np.intp) if owners is not None else np.zeros(0, np.intp)
