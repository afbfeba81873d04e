"""Polygonal faces in space: normals, planes, triangles, volume.

A polyhedron is an array of vertices (n, 3) and a sequence of faces. A face is one loop of vertex indices,
counter-clockwise seen from outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints

Face = tuple[int, ...]
Faces = Sequence[Sequence[int]]

_FLAT = 1e-9
"""A corner whose triangle is smaller than this share of the loop's squared size counts as straight."""
_HALVES = np.array([[0, 1, 2], [0, 2, 3]])


def newell(points: Floats) -> Floats:
    """Newell's normal of a loop (n, 3): twice its vector area."""
    steps = points - points[0]
    return np.asarray(np.cross(steps, np.roll(steps, -1, axis=0)).sum(axis=0), float)


def normals_of(vertices: Floats, faces: Faces) -> Floats:
    """Newell's normals of faces, (n, 3); their lengths are twice the areas."""
    if not faces:
        return np.zeros((0, 3))
    start, following, owner = loop_arrays(faces)
    first = vertices[[face[0] for face in faces]][owner]
    products = np.cross(vertices[start] - first, vertices[following] - first)
    return np.stack([np.bincount(owner, products[:, axis], len(faces)) for axis in range(3)], axis=1)


def loop_arrays(faces: Faces) -> tuple[Ints, Ints, Ints]:
    """All directed edges of faces, in order: where each starts, where it ends, and the face it belongs to."""
    sizes = np.array([len(face) for face in faces], np.int64)
    start = np.fromiter((k for face in faces for k in face), np.int64, int(sizes.sum()))
    owner = np.repeat(np.arange(len(faces)), sizes)
    following = np.roll(start, -1)
    ends = np.cumsum(sizes) - 1
    following[ends] = start[ends - sizes + 1]
    return start, following, owner


def unit(vector: Floats) -> Floats:
    """The vector scaled to length 1; the zero vector stays as it is."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else vector


def frame_of(normal: Floats) -> Floats:
    """Two unit vectors (2, 3) that form a right-handed frame with a normal."""
    a, b, c = unit(normal).tolist()
    least = min(abs(a), abs(b), abs(c))
    first = (0.0, -c, b) if abs(a) == least else (c, 0.0, -a) if abs(b) == least else (-b, a, 0.0)
    x, y, z = (value / max(math.hypot(*first), 1e-300) for value in first)
    return np.array([(x, y, z), (b * z - c * y, c * x - a * z, a * y - b * x)])


def flattened(points: Floats, normal: Floats | None = None) -> Floats:
    """A loop projected to its plane, (n, 2); it keeps its sense of rotation around the normal."""
    return np.asarray((points - points[0]) @ frame_of(newell(points) if normal is None else normal).T, float)


def deviation(points: Floats) -> float:
    """The largest distance of a loop's vertices from their least-squares plane."""
    middle = points - points.mean(axis=0)
    normal = np.linalg.svd(middle, full_matrices=False)[2][-1]
    return float(np.abs(middle @ normal).max())


def triangles_of(vertices: Floats, faces: Faces) -> tuple[Ints, Ints]:
    """Triangles (m, 3) of polygonal faces, with the same vertices, and the face that each belongs to, (m,).

    Faces may be non-convex. A loop that crosses itself is triangulated too, but the triangles overlap.
    """
    rows: list[Ints] = []
    owners: list[int] = []
    normals = normals_of(vertices, faces)
    halved = convex_quads(vertices, faces, normals)
    for i, (face, normal) in enumerate(zip(faces, normals, strict=True)):
        corners = halved[i] if i in halved else _triangulated(vertices, np.asarray(face, np.int64), normal)
        rows.append(corners)
        owners += [i] * len(corners)
    triangles = np.concatenate(rows) if rows else np.zeros((0, 3), np.int64)
    return triangles, np.array(owners, np.int64)


def convex_quads(vertices: Floats, faces: Sequence[Sequence[int]], normals: Floats) -> dict[int, Ints]:
    """The two triangles (2, 3) of each face of four vertices that is strictly convex, by the face's number.

    Most faces are of this kind, and handling all of them at once is a hundred times faster.
    """
    numbers = [i for i, face in enumerate(faces) if len(face) == 4]
    if not numbers:
        return {}
    loops = np.array([faces[i] for i in numbers], np.int64)
    across = normals[numbers] / np.maximum(np.linalg.norm(normals[numbers], axis=1, keepdims=True), 1e-300)
    corners = vertices[loops] - vertices[loops[:, :1]]
    steps = np.roll(corners, -1, axis=1) - corners
    turns = np.einsum("nki,ni->nk", np.cross(steps, np.roll(steps, -1, axis=1)), across)
    around = np.einsum("nki,ni->nk", np.cross(corners[:, 1:-1], corners[:, 2:]), across)
    least = np.minimum(turns.min(axis=1), around.min(axis=1))
    is_convex = least > _FLAT * (corners**2).sum(axis=2).max(axis=1)
    return {numbers[k]: loops[k][_HALVES] for k in np.flatnonzero(is_convex).tolist()}


def _triangulated(vertices: Floats, face: Ints, normal: Floats) -> Ints:
    if len(face) == 3:
        return face[None]
    flat = flattened(vertices[face], normal)
    if (fan := _fan(flat)) is not None:
        return face[fan]
    from manifold3d import triangulate

    return face[np.asarray(triangulate([flat]), np.int64)]


def _fan(flat: Floats) -> Ints | None:
    """The triangles of a strictly convex loop, from its first vertex; None for others."""
    ahead = np.concatenate([flat[1:], flat[:1]])
    steps = ahead - flat
    turns = _cross2(steps, np.concatenate([steps[1:], steps[:1]]))
    around = _cross2(flat[1:-1] - flat[0], flat[2:] - flat[0])
    if min(turns.min(), around.min()) <= _FLAT * float(np.abs(flat).max()) ** 2:
        return None
    middle = np.arange(1, len(flat) - 1)
    return np.stack([np.zeros_like(middle), middle, middle + 1], axis=1)


def _cross2(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def fan_volumes(vertices: Floats, faces: Faces) -> Floats:
    """What each face adds to the signed volume: the tetrahedra from the origin over its fan, (n,)."""
    if not faces:
        return np.zeros(0)
    middle = vertices.mean(axis=0)
    first = vertices[[face[0] for face in faces]] - middle
    return np.asarray((first * normals_of(vertices - middle, faces)).sum(axis=1) / 6)


def signed_volume(vertices: Floats, faces: Faces) -> float:
    """The volume of a closed polyhedron; negative if its faces are turned inwards."""
    return float(fan_volumes(vertices, faces).sum())


def area(vertices: Floats, faces: Faces) -> float:
    """The area of all faces."""
    return float(np.linalg.norm(normals_of(vertices, faces), axis=1).sum() / 2)
