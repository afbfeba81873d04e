"""Meshes out of the files that CAD programs and slicers write: STL, OBJ and 3MF; bounded, for files of strangers."""

import io
import math
import zipfile
from collections.abc import Callable, Iterator
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np

from engine.core.scene import Floats
from engine.geometry.stl import MAX_BYTES, MAX_TRIANGLES, MeshError, Triangles, read_stl, weld

_MODEL = "3D/3dmodel.model"
_MAX_DEPTH = 3
_MAX_COMPONENTS = 64
_UNITS_MM = {"micron": 0.001, "millimeter": 1.0, "centimeter": 10.0, "inch": 25.4, "foot": 304.8, "meter": 1000.0}


def read_mesh(name: str, data: bytes) -> tuple[Floats, Triangles]:
    """Vertices (n, 3) in mm, welded, and triangles (m, 3) of a file; its name says which format it is.

    OBJ knows no unit and is taken as millimetres; 3MF says its own.

    Raises:
        MeshError: another format, too large, or broken.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix not in _READERS:
        raise MeshError(f"'{name}' is no mesh that can be read; there are STL, OBJ and 3MF")
    if len(data) > MAX_BYTES:
        raise MeshError(f"The file is {len(data) / 1e6:.0f} MB long; the limit is {MAX_BYTES / 1e6:.0f} MB")
    vertices, triangles = _READERS[suffix](data)
    if not len(triangles):
        raise MeshError("The file holds no triangles")
    return vertices, triangles


def _read_obj(data: bytes) -> tuple[Floats, Triangles]:
    points: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if not words or words[0] not in ("v", "f"):
            continue
        try:
            if words[0] == "v":
                points.append([float(word) for word in words[1:4]])
            else:
                corners = [int(word.split("/")[0]) for word in words[1:]]
                triangles += _fan([c - 1 if c > 0 else len(points) + c for c in corners])
        except ValueError:
            raise MeshError(f"Line {number} of the OBJ cannot be read") from None
        _check_count(len(triangles))
    return _welded(points, triangles)


def _fan(corners: list[int]) -> Iterator[tuple[int, int, int]]:
    for second, third in pairwise(corners[1:]):
        yield corners[0], second, third


def _read_3mf(data: bytes) -> tuple[Floats, Triangles]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            info = archive.getinfo(_MODEL)
            if info.file_size > 4 * MAX_BYTES:
                raise MeshError("The model in the 3MF is too large")
            root = ElementTree.fromstring(archive.read(info))
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, RuntimeError, NotImplementedError, EOFError, OSError):
        raise MeshError("This is no 3MF file, or it is broken") from None
    scale = _UNITS_MM.get(root.get("unit", "millimeter"), 1.0)
    objects = {found.get("id", ""): found for found in root.iterfind(".//{*}object")}
    points: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    try:
        for item in root.iterfind(".//{*}build/{*}item"):
            _place(objects, item.get("objectid", ""), _matrix(item.get("transform")), points, triangles, 0)
    except MeshError:
        raise
    except ValueError:
        raise MeshError("A number in the 3MF cannot be read") from None
    return _welded([[scale * number for number in point] for point in points], triangles)


def _place(objects: dict[str, ElementTree.Element], name: str, matrix: Floats, points: list[list[float]],
           triangles: list[tuple[int, int, int]], depth: int) -> None:  # fmt: skip
    """Adds an object and what it is made of, moved by a matrix (4, 3) from the right."""
    if name not in objects:
        raise MeshError("The 3MF names an object that it does not hold")
    if depth > _MAX_DEPTH or len(points) > 3 * MAX_TRIANGLES:
        raise MeshError("The objects of the 3MF are nested too deeply, or too many")
    first = len(points)
    for vertex in objects[name].iterfind("{*}mesh/{*}vertices/{*}vertex"):
        row = [_number(vertex, key) for key in ("x", "y", "z")]
        points.append((np.array([*row, 1.0]) @ matrix).tolist())
    for triangle in objects[name].iterfind("{*}mesh/{*}triangles/{*}triangle"):
        a, b, c = (first + int(_number(triangle, key)) for key in ("v1", "v2", "v3"))
        triangles.append((a, b, c))
    _check_count(len(triangles))
    for part in list(objects[name].iterfind("{*}components/{*}component"))[:_MAX_COMPONENTS]:
        inner = np.column_stack([_matrix(part.get("transform")), [0, 0, 0, 1]]) @ matrix
        _place(objects, part.get("objectid", ""), inner, points, triangles, depth + 1)


def _number(element: ElementTree.Element, key: str) -> float:
    number = float(element.get(key, "nan"))
    if not math.isfinite(number):
        raise ValueError(key)
    return number


def _matrix(words: str | None) -> Floats:
    """A transform of 3MF: twelve numbers, rows of a (4, 3) matrix."""
    numbers = [float(word) for word in (words or "1 0 0 0 1 0 0 0 1 0 0 0").split()]
    if len(numbers) != 12:
        raise ValueError("transform")
    return np.array(numbers).reshape(4, 3)


def _check_count(count: int) -> None:
    if count > MAX_TRIANGLES:
        raise MeshError(f"The file has more than {MAX_TRIANGLES} triangles")


def _welded(points: list[list[float]], triangles: list[tuple[int, int, int]]) -> tuple[Floats, Triangles]:
    if any(len(point) != 3 for point in points):
        raise MeshError("A vertex has not three coordinates")
    corners = np.array(triangles, dtype=np.int64).reshape(-1, 3)
    if corners.size and (corners.min() < 0 or corners.max() >= len(points)):
        raise MeshError("A triangle names a vertex that is not there")
    return weld(np.array(points, float).reshape(-1, 3)[corners])


_READERS: dict[str, Callable[[bytes], tuple[Floats, Triangles]]] = {
    "stl": read_stl,
    "obj": _read_obj,
    "3mf": _read_3mf,
}
