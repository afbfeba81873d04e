"""Meshes in the files of other programs: STL, OBJ, 3MF and glTF. Sizes are limited, because files may be hostile.

All such files are read through `read_meshes`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.mesh_limits import MAX_BODIES, MAX_FILE_BYTES, MAX_TRIANGLES, MeshError
from spatial_workbench.engine.geometry.stl import Triangles, read_stl, weld_corners

MESH_FORMATS = {"stl": "STL", "obj": "Wavefront OBJ", "3mf": "3MF", "glb": "glTF (binary)", "gltf": "glTF"}
_METRE_MM = 1000.0


@dataclass(frozen=True, eq=False)
class FileMesh:
    """A body of a file. vertices: (n, 3), z up, in the file's unit; triangles: (m, 3)."""

    name: str
    vertices: Floats
    triangles: Ints


@dataclass(frozen=True)
class MeshFile:
    """What a file holds.

    Attributes:
        unit_mm: How many millimetres its unit is; None where the format states no unit (STL, OBJ).
    """

    meshes: tuple[FileMesh, ...]
    unit_mm: float | None


def read_meshes(suffix: str, data: bytes) -> MeshFile:
    """The bodies of a mesh file of one of MESH_FORMATS, in the order of the file.

    Raises:
        MeshError: Another format, broken, empty or too large.
    """
    if suffix not in MESH_FORMATS:
        known = ", ".join(f".{name}" for name in MESH_FORMATS)
        raise MeshError(f"Meshes can be read from {known}, not from “.{suffix[:20]}”")
    if len(data) > MAX_FILE_BYTES:
        limit = f"at most {MAX_FILE_BYTES / 1e6:.0f} MB are read"
        raise MeshError(f"The file is {len(data) / 1e6:.0f} MB long; {limit}")
    bodies, unit_mm = _read(suffix, data)
    _require_bounded(bodies)
    return MeshFile(tuple(FileMesh(*body) for body in bodies), unit_mm)


def read_mesh(name: str, data: bytes) -> tuple[Floats, Triangles]:
    """All bodies of a file as one mesh: vertices (n, 3) in mm, welded, and triangles (m, 3).

    The extension decides the format. Without a stated unit, lengths are in mm. Raises MeshError like `read_meshes`.
    """
    file = read_meshes(name.rpartition(".")[2].lower(), data)
    scale = file.unit_mm or 1.0
    return weld_corners(np.concatenate([scale * mesh.vertices[mesh.triangles] for mesh in file.meshes]))


def _read(suffix: str, data: bytes) -> tuple[list[tuple[str, Floats, Ints]], float | None]:
    if suffix == "stl":
        return [("solid", *read_stl(data))], None
    if suffix == "obj":
        from spatial_workbench.engine.geometry.wavefront import read_obj

        return read_obj(data), None
    if suffix == "3mf":
        from spatial_workbench.engine.geometry.threemf import read_3mf

        return read_3mf(data)
    from spatial_workbench.engine.geometry.gltf import read_gltf

    return read_gltf(data, is_binary=suffix == "glb"), _METRE_MM


def _require_bounded(bodies: list[tuple[str, Floats, Ints]]) -> None:
    if not any(len(triangles) for _, _, triangles in bodies):
        raise MeshError("The file holds no triangles")
    if len(bodies) > MAX_BODIES:
        raise MeshError(f"The file holds more than {MAX_BODIES:,} bodies")
    if sum(len(triangles) for _, _, triangles in bodies) > MAX_TRIANGLES:
        raise MeshError(f"The file holds more than {MAX_TRIANGLES:,} triangles")
    for name, points, triangles in bodies:
        if not np.isfinite(points).all():
            raise MeshError(f"“{name}” has coordinates that are not finite numbers")
        if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(points)):
            raise MeshError("A triangle names a vertex that is not there")
