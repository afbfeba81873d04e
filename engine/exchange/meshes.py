"""Bodies in mesh files. STL by our own bounded reader, the others by trimesh, which keeps bodies apart."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.core import Body, CannotRepresent
from engine.core.scene import Floats, Ints

MESH_FORMATS = {"stl": "STL", "obj": "Wavefront OBJ", "3mf": "3MF", "glb": "glTF (binary)", "gltf": "glTF"}
MAX_TRIANGLES = 500_000
MAX_BODIES = 5_000
MAX_UNPACKED_BYTES = 256_000_000
_METRES = 1000.0
_Y_UP = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""From z up to glTF's y up."""


def write_bodies(bodies: Sequence[Body], suffix: str, unit_mm: float) -> bytes:
    """The contents of a mesh file.

    Raises:
        CannotRepresent: If a body has no triangles.
    """
    for body in bodies:
        if not len(body.triangles):
            raise CannotRepresent(f"“{body.name}” is no closed surface, so it cannot be written")
    if suffix == "stl":
        from engine.geometry.stl import write_binary_stl

        vertices, triangles = _joined(bodies)
        return write_binary_stl(vertices, triangles)
    scene = _scene(bodies, _to_file(suffix, unit_mm))
    if suffix == "gltf":
        return _single_gltf(scene)
    exported = scene.export(file_type=suffix, **({"header": "Spatial Workbench"} if suffix == "obj" else {}))
    return exported.encode() if isinstance(exported, str) else bytes(exported)


def read_bodies(data: bytes, suffix: str, unit_mm: float) -> list[Body]:
    """The bodies of a mesh file, corners welded.

    Raises:
        CannotRepresent: If it is broken, empty or too large.
    """
    if suffix == "stl":
        return [_stl_body(data)]
    if suffix == "3mf":
        _refuse_bomb(data)
    import trimesh

    try:
        options = {"split_objects": True, "group_material": False} if suffix == "obj" else {}
        loaded = trimesh.load_scene(io.BytesIO(data), file_type=suffix, process=False, **options)
    except Exception as error:
        # Readers of foreign formats fail in many ways; all of them mean that the file is broken.
        raise CannotRepresent(f"The file cannot be read as {MESH_FORMATS[suffix]}: {str(error)[:200]}") from None
    bodies = list(_bodies_of(loaded, np.linalg.inv(_to_file(suffix, unit_mm))))
    if not bodies:
        raise CannotRepresent("The file holds no triangles")
    return bodies


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


def _bodies_of(scene: Any, matrix: Any) -> Iterator[Body]:
    total = 0
    nodes = sorted(scene.graph.nodes_geometry, key=_order)
    if len(nodes) > MAX_BODIES:
        raise CannotRepresent(f"The file holds more than {MAX_BODIES} bodies")
    for node in nodes:
        place, name = scene.graph[node]
        mesh = scene.geometry[name]
        triangles = np.asarray(getattr(mesh, "faces", np.zeros((0, 3), int)))
        total += len(triangles)
        if total > MAX_TRIANGLES:
            raise CannotRepresent(f"The file holds more than {MAX_TRIANGLES:,} triangles")
        if not len(triangles):
            continue
        whole = matrix @ place
        points = np.asarray(mesh.vertices, float) @ whole[:3, :3].T + whole[:3, 3]
        yield _welded(_order(str(node))[2], points, triangles)


def _order(name: str) -> tuple[int, int, str]:
    """Our own files number their bodies; the others' come in the order of their names."""
    number, _, rest = name.partition(" ")
    return (0, int(number), rest) if number.isdecimal() and rest else (1, 0, name)


def _welded(name: str, points: Floats, triangles: Ints) -> Body:
    if not np.isfinite(points).all():
        raise CannotRepresent(f"“{name}” has coordinates that are no numbers")
    size = max(float(np.ptp(points, axis=0).max()), 1e-9)
    _, first, index = np.unique(np.round(points / (size * 1e-7)), axis=0, return_index=True, return_inverse=True)
    kept = index.reshape(-1)[triangles]
    proper = (kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 2] != kept[:, 0])
    return Body(name, points[first], kept[proper])


def _stl_body(data: bytes) -> Body:
    from engine.geometry.stl import MeshError, read_stl

    try:
        vertices, triangles = read_stl(data)
    except MeshError as error:
        raise CannotRepresent(str(error)) from None
    return Body("solid", vertices, triangles)


def _joined(bodies: Sequence[Body]) -> tuple[Floats, Any]:
    starts = np.cumsum([0, *(len(body.vertices) for body in bodies[:-1])])
    triangles = np.vstack([body.triangles + start for body, start in zip(bodies, starts, strict=True)])
    return np.vstack([body.vertices for body in bodies]), triangles


def _refuse_bomb(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile:
        raise CannotRepresent("The file cannot be read as 3MF: it is no zip archive") from None
    if unpacked > MAX_UNPACKED_BYTES:
        raise CannotRepresent(f"The file unpacks to {unpacked / 1e6:.0f} MB; that is too much")
