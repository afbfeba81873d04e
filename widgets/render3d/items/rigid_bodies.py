"""Rigid bodies: one surface and one set of edges for all of them, whose points are moved in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

from spatial_workbench.engine.core.scene import Floats, Ints, RigidBodies
from spatial_workbench.widgets.render3d.bodies import KEPT_MESHES, MeshKey, is_placed, poses_of
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.items.base import ItemDrawer, edge_tint
from spatial_workbench.widgets.render3d.items.mesh import EDGE_PX, creases, smoothed
from spatial_workbench.widgets.render3d.parts import SurfacePart
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.style import Bytes, Style
from spatial_workbench.widgets.render3d.vtkdata import normals_in, points_in, segments, surface, touch

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RenderShape:
    """What is drawn of one mesh, in its body's frame: points (n, 3), cells (m, 2 or 3), and a surface's normals."""

    points: NDArray[np.floating]
    cells: Ints
    normals: NDArray[np.floating] | None = None


class RigidBodiesDrawer(ItemDrawer[RigidBodies]):
    """Draws RigidBodies: solid and see-through bodies separately, each with their edges."""

    def __init__(self, shading: Shading) -> None:
        super().__init__(shading)
        both = (False, True)
        faces = [SurfacePart(shading, clear=clear) for clear in both]
        edges = [SurfacePart(shading, "flat", clear) for clear in both]
        self.parts = [*faces, *edges]
        self._faces = [MovingPart(part, is_surface=True) for part in faces]
        self._edges = [MovingPart(part, is_surface=False) for part in edges]
        self._rows: list[Rows] = []
        self._rgba: Bytes | None = None
        self._is_moved = False

    def set_item(self, item: RigidBodies) -> None:
        if not (hasattr(self, "item") and _share_shapes(item, self.item)):
            self._rows = []
        self.item = item
        self._poses = poses_of(item)
        self._is_moved = True

    def paint(self, style: Style) -> None:
        rgba = style.rgba(self.item)
        opacity = np.where(is_placed(*self._poses), rgba[:, 3], 0)
        rows = [np.flatnonzero(opacity == 255), np.flatnonzero((opacity > 0) & (opacity < 255))]
        if not self._rows or any(not np.array_equal(a, b) for a, b in zip(rows, self._rows, strict=True)):
            self._build(rows)
        if self._is_moved:
            self._move()
        if self._rgba is None or not np.array_equal(rgba, self._rgba):
            self._color(rgba, style)

    def _build(self, rows: list[Rows]) -> None:
        self.builds += 1
        self._rows = rows
        self._rgba = None
        self._is_moved = True
        meshes = [MeshKey(mesh) for mesh in self.item.meshes]
        for faces, edges, drawn in zip(self._faces, self._edges, rows, strict=True):
            faces.build([surface_shape(meshes[row]) for row in drawn])
            edges.build([edge_shape(meshes[row]) for row in drawn if self.item.edges])

    def _move(self) -> None:
        self._is_moved = False
        matrices, positions = self._poses
        for faces, edges, drawn in zip(self._faces, self._edges, self._rows, strict=True):
            faces.move(matrices[drawn], positions[drawn])
            edges.move(matrices[drawn], positions[drawn])

    def _color(self, rgba: Bytes, style: Style) -> None:
        self._rgba = rgba
        for faces, edges, drawn in zip(self._faces, self._edges, self._rows, strict=True):
            faces.part.paint(rgba[drawn][faces.owners])
            edges.part.paint(edge_tint(rgba[drawn], style)[edges.owners])

    def fit_pixels(self, camera: Camera, height_px: float, ratio: float) -> None:
        for moving in self._edges:
            moving.part.set_width(EDGE_PX * ratio)


class MovingPart:
    """A surface or lines whose points belong to bodies, and move with them."""

    def __init__(self, part: SurfacePart, is_surface: bool) -> None:
        self.part = part
        self.owners: Rows = np.zeros(0, np.intp)
        self._is_surface = is_surface

    def build(self, shapes: Sequence[RenderShape]) -> None:
        """Sets the shapes of bodies; `move` puts them in place."""
        sizes = np.array([len(shape.points) for shape in shapes], np.intp)
        starts = np.cumsum(sizes) - sizes
        self.owners = np.repeat(np.arange(len(shapes)), sizes)
        self._slices = [slice(first, first + size) for first, size in zip(starts, sizes, strict=True)]
        self._points = _joined([shape.points for shape in shapes])
        self._normals = _joined([shape.normals for shape in shapes if shape.normals is not None])
        cells = [shape.cells + start for shape, start in zip(shapes, starts, strict=True)]
        self.part.set_data(self._data(np.concatenate(cells) if cells else np.zeros((0, 2), np.intp)))

    def _data(self, cells: Ints) -> vtkPolyData:
        return surface(self._points, cells, self._normals) if self._is_surface else segments(self._points, cells)

    def move(self, matrices: Floats, positions: Floats) -> None:
        """Moves each body: rotation matrices (n, 3, 3), positions (n, 3)."""
        if not len(self._points):
            return
        turns = np.ascontiguousarray(matrices.swapaxes(1, 2), np.float32)
        points = points_in(self.part.data)
        self._turn(self._points, turns, points)
        points += positions.astype(np.float32)[self.owners]
        if self._is_surface:
            self._turn(self._normals, turns, normals_in(self.part.data))
        touch(self.part.data)

    def _turn(self, vectors: NDArray[np.float32], turns: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        for body, turn in zip(self._slices, turns, strict=True):
            np.dot(vectors[body], turn, out=out[body])


def _joined(arrays: Sequence[NDArray[np.floating]]) -> NDArray[np.float32]:
    return np.concatenate([np.zeros((0, 3)), *arrays]).astype(np.float32)


def _share_shapes(item: RigidBodies, other: RigidBodies) -> bool:
    """Whether two items draw the same meshes in the same order."""
    if item.edges != other.edges or len(item.meshes) != len(other.meshes):
        return False
    return item.meshes is other.meshes or all(a is b for a, b in zip(item.meshes, other.meshes, strict=True))


@lru_cache(maxsize=KEPT_MESHES)
def surface_shape(key: MeshKey) -> RenderShape:
    """The surface of a mesh, split at creases, with normals."""
    data = smoothed(surface(*key.arrays))
    normals = data.GetPointData().GetNormals()
    if normals is None:
        return RenderShape(np.zeros((0, 3)), np.zeros((0, 3), np.intp), np.zeros((0, 3)))
    return RenderShape(points_in(data).copy(), _cells(data.GetPolys(), 3), normals_in(data).copy())


@lru_cache(maxsize=KEPT_MESHES)
def edge_shape(key: MeshKey) -> RenderShape:
    """The edges of a mesh where faces meet at an angle."""
    data = creases(surface(*key.arrays))
    if not data.GetNumberOfPoints():
        return RenderShape(np.zeros((0, 3)), np.zeros((0, 2), np.intp))
    return RenderShape(points_in(data).copy(), _cells(data.GetLines(), 2))


def _cells(cells: vtkCellArray, width: int) -> Ints:
    indices: Ints = vtk_to_numpy(cells.GetConnectivityArray()).astype(np.intp)
    return indices.reshape(-1, width)
