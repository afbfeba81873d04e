"""Meshes in single-file glTF 2.0. Sizes are checked before trimesh builds anything."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.mesh_limits import (
    MAX_BODIES,
    MAX_PLACEMENTS,
    MAX_POINTS,
    MAX_TRIANGLES,
    MeshError,
)
from spatial_workbench.engine.geometry.nesting import NestedTooDeeply, expanded_size

_MAGIC = b"glTF"
_JSON_CHUNK = b"JSON"
_Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From glTF's y up to z up."""
MAX_ROWS = 4 * MAX_POINTS
_STRIPS = (5, 6)
"""Modes of primitives in which each corner after the second makes a triangle."""


def read_gltf(data: bytes, is_binary: bool) -> list[tuple[str, Floats, Ints]]:
    """Name, vertices (n, 3) in metres with z up, and triangles (m, 3) of each body.

    Raises:
        MeshError: Broken, too large, split into several files, or with nodes that hold themselves.
    """
    tree = _tree_of(data, is_binary)
    try:
        _check(tree)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise error if isinstance(error, MeshError) else MeshError("This is not a glTF file, or it is broken") from None
    import trimesh

    try:
        scene = trimesh.load_scene(
            io.BytesIO(data), file_type="glb" if is_binary else "gltf", process=False, skip_materials=True
        )
        return [body for node in scene.graph.nodes_geometry for body in _body(scene, node)]
    except MemoryError:
        raise
    except Exception as error:
        # Readers of foreign formats fail in many ways; all of them mean that the file is broken.
        raise MeshError(f"This is not a glTF file, or it is broken: {str(error)[:200]}") from None


def _body(scene: Any, node: Any) -> list[tuple[str, Floats, Ints]]:
    place, name = scene.graph[node]
    mesh = scene.geometry[name]
    triangles = np.asarray(getattr(mesh, "faces", np.zeros((0, 3))), np.int64)
    points = np.asarray(mesh.vertices, float) @ place[:3, :3].T + place[:3, 3]
    return [(str(node), points @ _Z_UP.T, triangles)] if len(triangles) else []


def _tree_of(data: bytes, is_binary: bool) -> dict[str, Any]:
    """The JSON of the file."""
    text = _json_chunk(data) if is_binary else data
    try:
        tree = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise MeshError("This is not a glTF file: its description is not JSON") from None
    if not isinstance(tree, dict):
        raise MeshError("This is not a glTF file: its description is not a JSON object")
    return tree


def _json_chunk(data: bytes) -> bytes:
    if len(data) < 20 or data[:4] != _MAGIC or data[16:20] != _JSON_CHUNK:
        raise MeshError("This is not a binary glTF file")
    length = struct.unpack_from("<I", data, 12)[0]
    return data[20 : 20 + length]


def _check(tree: dict[str, Any]) -> None:
    """Refuses files that are too large to build or that refer to other files."""
    for buffer in tree.get("buffers", []):
        if not str(buffer.get("uri", "data:")).startswith("data:"):
            raise MeshError("The glTF names other files; only a glTF in one file can be read")
    nodes = tree.get("nodes", [])
    meshes = tree.get("meshes", [])
    # All of them are built, whether a mesh uses them or not.
    _require(sum(_count(tree, k) for k in range(len(tree.get("accessors", [])))), MAX_ROWS, "rows of data")
    children = [_indices(node.get("children", [])) for node in nodes]
    roots = [k for scene in tree.get("scenes", []) for k in _indices(scene.get("nodes", []))]
    # A scene builder may start at nodes that no scene lists, so all of them are measured.
    roots = sorted({*roots, *(set(range(len(nodes))) - {k for some in children for k in some})})
    sizes = [_size(tree, mesh) for mesh in meshes]
    _require(len(nodes), MAX_PLACEMENTS, "nodes")
    for which, limit, what in ((0, MAX_POINTS, "vertices"), (1, MAX_TRIANGLES, "triangles"), (2, MAX_BODIES, "bodies")):
        by_mesh = [size[which] for size in sizes]
        of = [by_mesh[node["mesh"]] if "mesh" in node else 0 for node in nodes]
        _require(max(_expanded(roots, children, of), sum(by_mesh)), limit, what)
    _require(_expanded(roots, children, [1] * len(nodes)), MAX_PLACEMENTS, "placed nodes")
    _refuse_cycles(children)


def _expanded(roots: Sequence[int], children: Sequence[Sequence[int]], sizes: Sequence[int]) -> int:
    try:
        return expanded_size(roots, children.__getitem__, sizes.__getitem__)
    except NestedTooDeeply:
        raise MeshError("The nodes of the glTF are nested too deeply, or hold themselves") from None


def _refuse_cycles(children: Sequence[Sequence[int]]) -> None:
    """Refuses nodes that contain themselves; a cycle has no root, so the search starts at every node."""
    _expanded(range(len(children)), children, [0] * len(children))


def _indices(values: Any) -> list[int]:
    if not all(type(value) is int and value >= 0 for value in values):
        raise MeshError("The glTF names a node that is not there")
    return list(values)


def _size(tree: dict[str, Any], mesh: dict[str, Any]) -> tuple[int, int, int]:
    """How many vertices, triangles and bodies a mesh has at most."""
    points = triangles = 0
    for primitive in mesh["primitives"]:
        in_points = max(_count(tree, number) for number in primitive["attributes"].values())
        corners = _count(tree, primitive["indices"]) if "indices" in primitive else in_points
        points += in_points
        triangles += corners if primitive.get("mode") in _STRIPS else corners // 3
    return points, triangles, len(mesh["primitives"])


def _count(tree: dict[str, Any], number: int) -> int:
    count = tree["accessors"][number]["count"]
    if type(count) is not int or count < 0:
        raise MeshError("The glTF states a length that is not a number")
    return count


def _require(count: int, limit: int, what: str) -> None:
    if count > limit:
        raise MeshError(f"The glTF holds more than {limit:,} {what}")
