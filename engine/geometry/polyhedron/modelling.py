"""Modelling with polygonal faces: pure functions that return a new body.

Each raises `ModellingError` with a readable message if the operation is impossible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron.edges import EdgeTable
from spatial_workbench.engine.geometry.polyhedron.faces import Face, deviation, flattened, newell, normals_of, unit
from spatial_workbench.engine.geometry.polyhedron.planar import WELD, cut_open

HOLE_FLAT = 0.01
"""A hole may be this far from the plane of its face."""


class ModellingError(ValueError):
    """An operation that is impossible; the message says why."""


class ModelledBody(NamedTuple):
    """Vertices (n, 3) and faces as loops of indices; not necessarily closed."""

    vertices: Floats
    faces: tuple[Face, ...]

    @classmethod
    def of(cls, vertices: Iterable[Iterable[float]], faces: Iterable[Iterable[int]]) -> ModelledBody:
        """A body from plain data."""
        return cls(np.array([tuple(v) for v in vertices], float).reshape(-1, 3), tuple(tuple(f) for f in faces))


NOTHING = ModelledBody.of((), ())


def find_vertex(body: ModelledBody, point: Sequence[float] | Floats) -> int | None:
    """The vertex at a place, within WELD."""
    if not len(body.vertices):
        return None
    gaps = np.linalg.norm(body.vertices - np.asarray(point, float), axis=1)
    nearest = int(gaps.argmin())
    return nearest if gaps[nearest] <= WELD else None


def with_vertex(body: ModelledBody, point: Sequence[float] | Floats) -> tuple[ModelledBody, int]:
    """Adds a vertex unless there is one at that point. Returns the body and the index of the vertex."""
    index = find_vertex(body, point)
    if index is not None:
        return body, index
    return ModelledBody(np.concatenate([body.vertices, [np.asarray(point, float)]]), body.faces), len(body.vertices)


def with_face(body: ModelledBody, loop: Sequence[int], allows_any: bool = False) -> ModelledBody:
    """Adds a face through vertices; with `allows_any`, even a duplicate or one without area."""
    if len(set(loop)) < max(3, len(loop)):
        raise ModellingError("A face needs three or more different vertices")
    if allows_any:
        return ModelledBody(body.vertices, (*body.faces, tuple(loop)))
    if np.linalg.norm(newell(body.vertices[list(loop)])) < WELD:
        raise ModellingError("These vertices are on one line")
    if set(loop) in map(set, body.faces):
        raise ModellingError("There is a face through these vertices already")
    return ModelledBody(body.vertices, (*body.faces, tuple(loop)))


def joined(body: ModelledBody, other: ModelledBody) -> ModelledBody:
    """Both bodies; vertices at the same place become one."""
    places = []
    for point in other.vertices.tolist():
        body, index = with_vertex(body, point)
        places.append(index)
    return ModelledBody(body.vertices, (*body.faces, *(tuple(places[k] for k in face) for face in other.faces)))


def beside(body: ModelledBody, other: ModelledBody) -> ModelledBody:
    """Both bodies, each with its own vertices."""
    moved = tuple(tuple(k + len(body.vertices) for k in face) for face in other.faces)
    return ModelledBody(np.concatenate([body.vertices, other.vertices]), body.faces + moved)


def part(body: ModelledBody, faces: Iterable[int]) -> ModelledBody:
    """Some faces with the vertices that they use."""
    return tidy(ModelledBody(body.vertices, tuple(body.faces[i] for i in sorted(set(faces)))))


def tidy(body: ModelledBody) -> ModelledBody:
    """Without vertices that no face uses."""
    used = sorted({k for face in body.faces for k in face})
    place = {k: i for i, k in enumerate(used)}
    return ModelledBody(body.vertices[used], tuple(tuple(place[k] for k in face) for face in body.faces))


def without(body: ModelledBody, faces: Collection[int], vertices: Collection[int] = ()) -> ModelledBody:
    """Removes faces, and vertices along with all their faces, then any vertices that only these faces used."""
    gone = set(faces)
    dropped = set(vertices)
    remaining = tuple(f for i, f in enumerate(body.faces) if i not in gone and not dropped & set(f))
    still = {k for f in remaining for k in f}
    before = {k for f in body.faces for k in f}
    stays = [k for k in range(len(body.vertices)) if k not in dropped and (k in still or k not in before)]
    place = {k: i for i, k in enumerate(stays)}
    return ModelledBody(body.vertices[stays], tuple(tuple(place[k] for k in face) for face in remaining))


def flipped(body: ModelledBody, faces: Collection[int]) -> ModelledBody:
    """Turns faces over."""
    return ModelledBody(body.vertices, tuple(f[::-1] if i in set(faces) else f for i, f in enumerate(body.faces)))


def moved(body: ModelledBody, vertices: Collection[int], step: Sequence[float]) -> ModelledBody:
    """Moves vertices."""
    places = body.vertices.copy()
    places[sorted(vertices)] += np.asarray(step, float)
    return ModelledBody(places, body.faces)


def with_vertex_at(body: ModelledBody, vertex: int, place: Sequence[float] | Floats) -> ModelledBody:
    """Gives a vertex other coordinates."""
    places = body.vertices.copy()
    places[vertex] = place
    return ModelledBody(places, body.faces)


def extruded(body: ModelledBody, faces: Sequence[int], distance: float) -> ModelledBody:
    """Extrudes faces along their normals, with side walls; a face without neighbours also leaves its base."""
    if abs(distance) < WELD:
        raise ModellingError("The distance is 0")
    users = EdgeTable(body.faces).users
    vertices = [body.vertices]
    loops = list(body.faces)
    count = len(body.vertices)
    normals = normals_of(body.vertices, [body.faces[face] for face in faces])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    for face, normal in zip(faces, normals, strict=True):
        loop = body.faces[face]
        is_free = all(len(users[(min(edge), max(edge))]) == 1 for edge in _ring(loop))
        top, *walls = _box_on(loop, count, is_free, distance > 0)
        vertices.append(body.vertices[list(loop)] + distance * normal)
        loops[face] = top
        loops += walls
        count += len(loop)
    return ModelledBody(np.concatenate(vertices), tuple(loops))


def _box_on(loop: Face, first: int, is_free: bool, outwards: bool) -> list[Face]:
    """The lid over a loop, with vertices numbered from `first`, its walls, and a base if the loop is free."""
    top = tuple(range(first, first + len(loop)))
    walls = [(a, b, d, c) for (a, b), (c, d) in zip(_ring(loop), _ring(top), strict=True)]
    if is_free and not outwards:
        walls = [wall[::-1] for wall in walls]
        top = top[::-1]
    base = [loop[::-1] if outwards else loop] if is_free else []
    return [top, *walls, *base]


def _ring(loop: Face) -> list[tuple[int, int]]:
    """The edges of a loop in turn."""
    return list(zip(loop, (*loop[1:], loop[0]), strict=True))


def split(body: ModelledBody, face: int, a: int, b: int) -> ModelledBody:
    """Cuts a face in two from one of its vertices to another."""
    loop = body.faces[face]
    if a not in loop or b not in loop or a == b:
        raise ModellingError("Choose two vertices of the face")
    i, j = sorted((loop.index(a), loop.index(b)))
    first = loop[i : j + 1]
    second = loop[j:] + loop[: i + 1]
    if min(len(first), len(second)) < 3:
        raise ModellingError("These two vertices are joined by an edge already")
    return ModelledBody(body.vertices, (*body.faces[:face], first, *body.faces[face + 1 :], second))


def merged(body: ModelledBody, vertices: Sequence[int]) -> ModelledBody:
    """Merges vertices into the first of them; faces left with too few corners are removed."""
    if len(set(vertices)) < 2:
        raise ModellingError("Choose two or more vertices to merge")
    keep = vertices[0]
    gone = set(vertices) - {keep}
    faces = []
    for face in body.faces:
        loop = [keep if k in gone else k for k in face]
        loop = [k for i, k in enumerate(loop) if k != loop[i - 1]]
        if len(loop) > 2:
            faces.append(tuple(loop))
    return without(ModelledBody(body.vertices, tuple(faces)), (), sorted(gone))


def with_hole(body: ModelledBody, face: int, hole: Sequence[int]) -> ModelledBody:
    """Cuts a hole into a face, which becomes two or more faces joined by cuts between its corners and the hole's.

    The hole may run in either direction. A face that fills it stays; remove it to open the hole.
    """
    loop = body.faces[face]
    if len(set(hole)) < 3 or set(hole) & set(loop):
        raise ModellingError("A hole needs three or more vertices that are not corners of its face")
    normal = unit(newell(body.vertices[list(loop)]))
    inner = tuple(hole) if float(newell(body.vertices[list(hole)]) @ normal) < 0 else tuple(hole)[::-1]
    if deviation(body.vertices[[*loop, *inner]]) > HOLE_FLAT:
        raise ModellingError("The hole is not in the plane of the face")
    if not _contains(body.vertices[list(loop)], body.vertices[list(inner)], normal):
        raise ModellingError("The hole is not inside the face")
    first, *others = cut_open(body.vertices, [loop, inner], normal)
    return ModelledBody(body.vertices, (*body.faces[:face], first, *body.faces[face + 1 :], *others))


def _contains(outer: Floats, inner: Floats, normal: Floats) -> bool:
    from shapely import Polygon

    flat = flattened(np.concatenate([outer, inner]), normal)
    return bool(Polygon(flat[: len(outer)]).contains_properly(Polygon(flat[len(outer) :])))
