"""Bodies in mesh files, in the units of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Body, CannotRepresent
from spatial_workbench.engine.core.extras import how_to_get, is_installed
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.mesh_files import FileMesh, read_meshes
from spatial_workbench.engine.geometry.welding import weld

_METRES = 1000.0
"""Millimetres in the unit of glTF."""
_Y_UP = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""From z up to glTF's y up."""


def write_bodies(bodies: Sequence[Body], suffix: str, unit_mm: float) -> bytes:
    """The contents of a mesh file.

    Args:
        bodies: In the task's unit, z up.
        suffix: The format: one of `MESH_FORMATS`.
        unit_mm: The length of the task's unit in millimetres.

    Raises:
        CannotRepresent: A body has no triangles, or the format needs an extra that is not installed.
    """
    if suffix == "3mf" and not is_installed("3mf"):
        raise CannotRepresent(how_to_get("3mf"))
    for body in bodies:
        if not len(body.triangles):
            raise CannotRepresent(f"“{body.name}” is not a closed surface, so it cannot be written")
    scene = _scene(bodies, _to_file(suffix, unit_mm))
    if suffix == "gltf":
        return _single_gltf(scene)
    exported = scene.export(file_type=suffix, **({"header": "Spatial Workbench"} if suffix == "obj" else {}))
    return exported.encode() if isinstance(exported, str) else bytes(exported)


def read_bodies(data: bytes, suffix: str, unit_mm: float) -> list[Body]:
    """The bodies of a mesh file in a task's unit, with coinciding vertices merged.

    Files that this program wrote give the bodies in their order; others give them sorted by name.

    Args:
        unit_mm: The length of the task's unit in millimetres.

    Raises:
        CannotRepresent: The file is broken, empty or too large.
    """
    file = read_meshes(suffix, data)
    scale = 1.0 if file.unit_mm is None else file.unit_mm / unit_mm
    meshes = sorted((mesh for mesh in file.meshes if len(mesh.triangles)), key=lambda mesh: _order(mesh.name))
    # Meshes from STL files are welded already: STL repeats every corner, so reading it merges them by distance.
    return [_body(mesh, scale) if suffix == "stl" else _welded(mesh, scale) for mesh in meshes]


def _to_file(suffix: str, unit_mm: float) -> Floats:
    """From the task's frame and unit to the file's, 4 x 4."""
    if suffix == "3mf":
        return np.diag([unit_mm, unit_mm, unit_mm, 1.0])
    if suffix in ("glb", "gltf"):
        scale = unit_mm / _METRES
        return np.asarray(_Y_UP @ np.diag([scale, scale, scale, 1.0]))
    return np.eye(4)


def _scene(bodies: Sequence[Body], matrix: Floats) -> Any:
    import trimesh

    scene = trimesh.Scene()
    for k, body in enumerate(bodies):
        points = body.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        mesh = trimesh.Trimesh(points, body.triangles, process=False)
        name = f"{k} {body.name}"
        scene.add_geometry(mesh, node_name=name, geom_name=name)
    scene.units = "mm"
    return scene


def _single_gltf(scene: Any) -> bytes:
    """A text glTF with its data inside, so that it is one file."""
    import base64
    import json

    parts = scene.export(file_type="gltf")
    tree = json.loads(parts["model.gltf"])
    for buffer in tree["buffers"]:
        content = base64.b64encode(parts[buffer["uri"]]).decode()
        buffer["uri"] = f"data:application/octet-stream;base64,{content}"
    return json.dumps(tree).encode()


def _order(name: str) -> tuple[int, int, str]:
    """What to sort a body by, and its name without a number: this program numbers the bodies that it writes."""
    number, _, rest = name.partition(" ")
    return (0, int(number), rest) if number.isdecimal() and rest else (1, 0, name)


def _body(mesh: FileMesh, scale: float) -> Body:
    return Body(_order(mesh.name)[2], scale * mesh.vertices, mesh.triangles)


def _welded(mesh: FileMesh, scale: float) -> Body:
    """The body, with vertices merged that are closer than a ten-millionth of its size."""
    points = mesh.vertices
    size = max(float(np.ptp(points, axis=0).max()), 1e-9)
    vertices, triangles = weld(points, mesh.triangles, size * 1e-7)
    return _body(FileMesh(mesh.name, vertices, triangles), scale)
