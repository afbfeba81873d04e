"""Converts numpy arrays to VTK's data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import get_vtk_array_type, numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

COLOR = "color"
SIZE = "size"
TURN = "turn"


def as_array(values: NDArray[np.generic], name: str = "") -> vtkDataArray:
    """A copy of these values as a VTK array."""
    values = np.ascontiguousarray(values)
    array: vtkDataArray = numpy_to_vtk(values, deep=True, array_type=get_vtk_array_type(values.dtype))
    array.SetName(name)
    return array


def set_points(data: vtkPolyData, points: NDArray[np.floating]) -> None:
    """Replaces the points, (n, 3)."""
    held = vtkPoints()
    held.SetData(as_array(np.asarray(points, np.float32).reshape(-1, 3)))
    data.SetPoints(held)


def points_in(data: vtkPolyData) -> NDArray[np.float32]:
    """The points themselves, (n, 3), not a copy; after writing to them, call `touch`."""
    points: NDArray[np.float32] = vtk_to_numpy(data.GetPoints().GetData())
    return points


def normals_in(data: vtkPolyData) -> NDArray[np.float32]:
    """The points' normals themselves, (n, 3), not a copy; after writing to them, call `touch`."""
    normals: NDArray[np.float32] = vtk_to_numpy(data.GetPointData().GetNormals())
    return normals


def touch(data: vtkPolyData) -> None:
    """Says that points and normals have changed in place."""
    data.GetPoints().GetData().Modified()
    data.GetPoints().Modified()
    if (normals := data.GetPointData().GetNormals()) is not None:
        normals.Modified()
    data.Modified()


def set_colors(data: vtkPolyData, rgba: NDArray[np.uint8]) -> None:
    """Replaces the points' colours, (n, 4)."""
    data.GetPointData().SetScalars(as_array(rgba.reshape(-1, 4), COLOR))
    data.Modified()


def set_point_array(data: vtkPolyData, name: str, values: NDArray[np.floating]) -> None:
    """Replaces a named array of the points, (n,) or (n, k)."""
    data.GetPointData().AddArray(as_array(np.asarray(values, np.float32), name))


def cells(indices: NDArray[np.integer]) -> vtkCellArray:
    """Cells of equally many points: (m, k) indices."""
    held = vtkCellArray()
    held.SetData(indices.shape[1], numpy_to_vtkIdTypeArray(np.ascontiguousarray(indices, np.int64).ravel(), deep=True))
    return held


def surface(
    points: NDArray[np.floating], faces: NDArray[np.integer], normals: NDArray[np.floating] | None = None
) -> vtkPolyData:
    """A surface of triangles or quads."""
    data = vtkPolyData()
    set_points(data, points)
    data.SetPolys(cells(faces))
    if normals is not None:
        data.GetPointData().SetNormals(as_array(np.asarray(normals, np.float32), "normal"))
    return data


def segments(points: NDArray[np.floating], pairs: NDArray[np.integer]) -> vtkPolyData:
    """Straight lines between pairs of points, (m, 2)."""
    data = vtkPolyData()
    set_points(data, points)
    data.SetLines(cells(pairs))
    return data


def markers(points: NDArray[np.floating]) -> vtkPolyData:
    """One vertex at each point."""
    data = vtkPolyData()
    set_points(data, points)
    data.SetVerts(cells(np.arange(len(points))[:, None]))
    return data
