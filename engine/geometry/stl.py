"""Reading and writing text and binary STL. Sizes are limited, because files may be hostile.

STL repeats every corner of every triangle, so vertices less than WELD_MM apart are merged; triangles that
collapse are left out. Lengths are taken as millimetres.

Files are not read by trimesh: it takes one that is cut off for an empty one, reads past facets that are broken, and
passes on coordinates that are not numbers.
"""

import math
import struct

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.mesh_limits import MAX_FILE_BYTES, MAX_TRIANGLES, MeshError
from spatial_workbench.engine.geometry.welding import weld

Triangles = NDArray[np.int64]

WELD_MM = 1e-4
MAX_COORDINATE = 1e7

_HEADER = 84
_RECORD = 50
_WORDS = {
    0: b"facet", 1: b"normal", 5: b"outer", 6: b"loop", 7: b"vertex", 11: b"vertex", 15: b"vertex", 19: b"endloop",
    20: b"endfacet",
}  # fmt: skip
_PER_FACET = 21
_COORDINATES = (8, 9, 10, 12, 13, 14, 16, 17, 18)


def read_stl(data: bytes) -> tuple[Floats, Triangles]:
    """The vertices (n, 3) in mm, welded, and the triangles (m, 3), counter-clockwise from outside as in the file.

    Raises:
        MeshError: Too large, truncated, not STL, or with coordinates that are not finite.
    """
    if len(data) > MAX_FILE_BYTES:
        raise MeshError(f"The STL is {len(data) / 1e6:.0f} MB long; the limit is {MAX_FILE_BYTES / 1e6:.0f} MB")
    if not data.strip():
        raise MeshError("The STL is empty")
    corners = _read_text(data) if is_text(data) else _read_binary(data)
    return weld_corners(corners)


def is_text(data: bytes) -> bool:
    """Whether STL data is the text form. Some binary files begin with "solid" too; their length gives them away."""
    if not data[:512].lstrip().lower().startswith(b"solid"):
        return False
    return len(data) < _HEADER or len(data) != _HEADER + _RECORD * struct.unpack_from("<I", data, 80)[0]


def weld_corners(corners: Floats) -> tuple[Floats, Triangles]:
    """Vertices and triangles of triangle corners (m, 3, 3) in mm.

    Raises:
        MeshError: A coordinate is not finite, or larger than MAX_COORDINATE.
    """
    if not np.isfinite(corners).all() or (corners.size and np.abs(corners).max() > MAX_COORDINATE):
        raise MeshError("A coordinate is not a finite number of millimetres")
    return weld(corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3), WELD_MM)


def write_stl(vertices: Floats, triangles: Triangles, name: str = "part") -> str:
    """STL as text, with the shortest numbers that are exact to 1e-5 mm."""
    corners = np.asarray(vertices, float)[np.asarray(triangles)]
    words = [_facet(normal, facet) for normal, facet in zip(_normals(corners), corners, strict=True)]
    return f"solid {name}\n" + "".join(words) + f"endsolid {name}\n"


def write_binary_stl(vertices: Floats, triangles: Triangles) -> bytes:
    """STL as binary; the format stores coordinates in single precision."""
    import trimesh

    mesh = trimesh.Trimesh(vertices, triangles, process=False)
    return bytes(mesh.export(file_type="stl"))


def _read_text(data: bytes) -> Floats:
    lines = data.lower().splitlines()
    tokens = b" ".join(line for line in lines if not line.lstrip().startswith((b"solid", b"endsolid"))).split()
    count, rest = divmod(len(tokens), _PER_FACET)
    _check_count(count)
    for place, word in _WORDS.items():
        column = tokens[place::_PER_FACET][:count]
        if column.count(word) != count:
            facet = next(i for i, token in enumerate(column) if token != word)
            raise MeshError(f"Facet {facet} of the STL text does not read 'facet normal ... endfacet'")
    if rest or not any(line.lstrip().startswith(b"endsolid") for line in lines):
        raise MeshError(f"The STL text is cut off after {count} facets")
    return np.array([_numbers(tokens[place::_PER_FACET]) for place in _COORDINATES]).T.reshape(-1, 3, 3)


def _numbers(words: list[bytes]) -> list[float]:
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        raise MeshError("A coordinate in the STL text is not a number") from None
    if not all(map(math.isfinite, numbers)):
        raise MeshError("A coordinate in the STL text is not a finite number")
    return numbers


def _read_binary(data: bytes) -> Floats:
    if len(data) < _HEADER:
        raise MeshError("This is neither STL text (it does not begin with 'solid') nor binary STL (it is too short)")
    count = struct.unpack_from("<I", data, 80)[0]
    room = (len(data) - _HEADER) // _RECORD
    if len(data) != _HEADER + _RECORD * count:
        raise MeshError(f"The binary STL announces {counted(count, 'triangle')} and has room for {room}")
    _check_count(count)
    rows = np.frombuffer(data, dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]), offset=_HEADER)
    corners: Floats = rows["v"].astype(np.float64)
    return corners


def _check_count(count: int) -> None:
    if count == 0:
        raise MeshError("The STL has no triangles")
    if count > MAX_TRIANGLES:
        raise MeshError(f"The STL has {counted(count, 'triangle')}; the limit is {MAX_TRIANGLES}")


def _normals(corners: Floats) -> Floats:
    """Unit normals (m, 3) of triangle corners; zero for triangles without area."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0))


def _facet(normal: Floats, corners: Floats) -> str:
    loop = "".join(f"vertex {_triple(corner)}\n" for corner in corners)
    return f"facet normal {_triple(normal)}\nouter loop\n{loop}endloop\nendfacet\n"


def _triple(numbers: Floats) -> str:
    return " ".join(f"{round(number, 6) + 0.0:.12g}" for number in numbers.tolist())
