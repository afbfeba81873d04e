"""Meshes: smooth where faces meet at small angles, with drawn edges elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkPolyDataNormals

from spatial_workbench.engine.core.scene import Mesh
from spatial_workbench.widgets.render3d.items.base import Layer, LayerDrawer, edge_tint
from spatial_workbench.widgets.render3d.vtkdata import segments, surface

CREASE_DEG = 32.0
"""Faces that meet at a smaller angle are shaded as one smooth surface."""
EDGE_PX = 1.3


class MeshDrawer(LayerDrawer[Mesh]):
    """Draws a Mesh."""

    def layers(self, item: Mesh) -> Sequence[Layer]:
        faces = np.asarray(item.faces).reshape(-1, 3)
        if item.wireframe:
            return [Layer("flat", segments(item.vertices, all_edges(faces)), width_px=EDGE_PX)]
        layers = [Layer("plain", surface_of(item), inner_side=True)]
        if item.edges:
            edges = creases(surface(item.vertices, faces))
            layers.append(Layer("flat", edges, width_px=EDGE_PX, tint=edge_tint))
        return layers


def surface_of(item: Mesh) -> vtkPolyData:
    """The surface of a mesh with normals, split at creases; made once for each mesh."""
    if item not in _surfaces:
        _surfaces[item] = smoothed(surface(item.vertices, np.asarray(item.faces).reshape(-1, 3)))
    return _surfaces[item]


_surfaces: WeakKeyDictionary[Mesh, vtkPolyData] = WeakKeyDictionary()


def all_edges(faces: np.ndarray) -> np.ndarray:
    """Each edge of a triangle mesh once, (m, 2)."""
    pairs = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0).reshape(-1, 2)


def smoothed(data: vtkPolyData) -> vtkPolyData:
    """The surface with normals, split at creases."""
    normals = vtkPolyDataNormals()
    normals.SetInputData(data)
    normals.ConsistencyOff()
    normals.SetFeatureAngle(CREASE_DEG)
    normals.Update()
    surface: vtkPolyData = normals.GetOutput()
    return surface


def creases(data: vtkPolyData) -> vtkPolyData:
    """The edges where faces meet at an angle, and open borders."""
    edges = vtkFeatureEdges()
    edges.SetInputData(data)
    edges.SetFeatureAngle(CREASE_DEG / 1.5)
    edges.BoundaryEdgesOn()
    edges.ManifoldEdgesOff()
    edges.ColoringOff()
    edges.Update()
    lines: vtkPolyData = edges.GetOutput()
    return lines
