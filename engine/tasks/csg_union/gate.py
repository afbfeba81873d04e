"""The gate: what a polyhedron must satisfy before volumes are compared, in the order of docs/tasks/csg_union.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import CheckList, Problem, Progress, silent
from spatial_workbench.engine.core.checks import MAX_PROBLEMS
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.polyhedron import (
    FLAT,
    Edge,
    EdgeTable,
    Face,
    crossings,
    deviation,
    flattened,
    loop_arrays,
    normals_of,
    shells_of,
    signed_volume,
    touching_distance,
)

MAX_ENTRIES = 200_000
"""The most entries in all faces together; longer answers are refused."""
DUPLICATE_DECIMALS = 6
FARTHEST_CM = 1e9
"""Coordinates beyond this are too large to calculate with."""
OUTLIER_CM, OUTLIER_TIMES = 100.0, 10.0
LEAST_NORMAL = 1e-10
LEAST_VOLUME = 1e-10
PLANAR_CM = 0.01
COLLINEAR = 1e-10


@dataclass(frozen=True, eq=False)
class UnionCandidate:
    """A polyhedron under judgement."""

    vertices: Floats
    faces: tuple[Face, ...]
    progress: Progress = silent

    @cached_property
    def edges(self) -> EdgeTable:
        """Who uses which edge."""
        return EdgeTable(self.faces)

    @cached_property
    def volume(self) -> float:
        """The signed volume in cm³."""
        return signed_volume(self.vertices, self.faces)

    @property
    def is_inverted(self) -> bool:
        """Whether the faces look inwards."""
        return self.volume < 0

    @cached_property
    def outward(self) -> tuple[Face, ...]:
        """The faces, turned over if the whole is inside out."""
        return tuple(face[::-1] for face in self.faces) if self.is_inverted else self.faces


OUTWARD = "faces outward"
GATE = CheckList()
"""The rules."""
PUBLISHED_GATE = CheckList()
"""The published verifier's rules: planarity by three vertices, and none of the later checks."""


def _vertices_and_faces(it: UnionCandidate) -> Iterator[Problem]:
    if not len(it.vertices):
        yield Problem("No vertices")
    elif not it.faces:
        yield Problem("No faces")


def _numbers(it: UnionCandidate) -> Iterator[Problem]:
    """Always holds: anything but three numbers is already refused on reading."""
    return iter(())


def _indices(it: UnionCandidate) -> Iterator[Problem]:
    last = len(it.vertices) - 1
    if sum(map(len, it.faces)) > MAX_ENTRIES:
        yield Problem(f"Too many entries in the faces (limit {MAX_ENTRIES})")
        return
    for i, face in enumerate(it.faces):
        if len(face) < 3:
            yield Problem(f"Face {i} has {counted(len(face), 'vertex', 'vertices')}; it needs 3", [face_id(i)])
        wrong = [k for k in face if not 0 <= k <= last]
        if wrong:
            yield Problem(f"Face {i} names vertex {wrong[0]}; there are 0 to {last}", [face_id(i)])
        elif len(set(face)) < len(face):
            twice = next(k for j, k in enumerate(face) if k in face[:j])
            words = f"Face {i} repeats vertex {twice}; split faces with holes"
            yield Problem(words, [face_id(i), vertex_id(twice)])


def _duplicates(it: UnionCandidate) -> Iterator[Problem]:
    with np.errstate(over="ignore"):
        rounded = np.round(it.vertices, DUPLICATE_DECIMALS) + 0.0
    first: dict[tuple[float, ...], int] = {}
    for i, place in enumerate(map(tuple, rounded.tolist())):
        other = first.setdefault(place, i)
        if other != i:
            yield Problem(f"Vertices {other} and {i} are at the same place", [vertex_id(other), vertex_id(i)])


def _finite(it: UnionCandidate) -> Iterator[Problem]:
    """NaN and infinity are already refused on reading; products of coordinates this large would overflow."""
    for i in np.flatnonzero((np.abs(it.vertices) > FARTHEST_CM).any(axis=1)).tolist():
        yield Problem(f"Vertex {i} is too far away to calculate with", [vertex_id(i)])


def _outliers(it: UnionCandidate) -> Iterator[Problem]:
    away = np.linalg.norm(it.vertices - it.vertices.mean(axis=0), axis=1)
    limit = max(OUTLIER_CM, OUTLIER_TIMES * float(away.mean()))
    for i in np.flatnonzero(away > limit).tolist():
        yield Problem(f"Vertex {i} is {away[i]:.4g} cm from the middle of all vertices", [vertex_id(i)])


def _degenerate(it: UnionCandidate) -> Iterator[Problem]:
    for i in np.flatnonzero(np.linalg.norm(normals_of(it.vertices, it.faces), axis=1) < LEAST_NORMAL).tolist():
        yield Problem(f"Face {i} has no area", [face_id(i)])


def _winding(it: UnionCandidate) -> Iterator[Problem]:
    for (a, b), faces in it.edges.twice_one_way.items():
        names = _listed(faces)
        yield Problem(
            f"Faces {names} go along edge {a}-{b} the same way: winding differs",
            [edge_id((a, b)), *map(face_id, faces)],
        )


def _edges(it: UnionCandidate) -> Iterator[Problem]:
    single = it.edges.open
    for a, b in single:
        face = it.edges.users[(a, b)][0][0]
        count = f"; {len(single)} open edges in all" if len(single) > 1 else ""
        yield Problem(f"Edge {a}-{b} of face {face} is open{count}", [edge_id((a, b))])
    for (a, b), faces in it.edges.crowded.items():
        ids = [edge_id((a, b)), *map(face_id, faces)]
        yield Problem(f"Edge {a}-{b} is used by {counted(len(faces), 'face')}: {_listed(faces)}", ids)


def _watertight(it: UnionCandidate) -> Iterator[Problem]:
    yield from _edges(it)
    if it.edges.is_closed:
        for vertex in it.edges.torn_vertices:
            yield Problem(f"Vertex {vertex} joins two separate parts", [vertex_id(vertex)])


def _has_volume(it: UnionCandidate) -> Iterator[Problem]:
    if abs(it.volume) < LEAST_VOLUME:
        yield Problem("The faces enclose no volume")


def _planar(it: UnionCandidate) -> Iterator[Problem]:
    for i, face in enumerate(it.faces):
        if len(face) > 3 and (away := deviation(it.vertices[list(face)])) > PLANAR_CM:
            yield Problem(f"Face {i} is not flat: a vertex is {away:.3g} cm off its plane", [face_id(i)])


def _planar_by_three(it: UnionCandidate) -> Iterator[Problem]:
    for i, face in enumerate(it.faces):
        points = it.vertices[list(face)]
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        length = float(np.linalg.norm(normal))
        if len(face) == 3 or length < COLLINEAR:
            continue
        away = float(np.abs((points - points[0]) @ normal).max() / length)
        if away > PLANAR_CM:
            yield Problem(f"Face {i} leaves the plane of its first three vertices by {away:.3g} cm", [face_id(i)])


def _simple(it: UnionCandidate) -> Iterator[Problem]:
    from shapely import is_valid, minimum_clearance, polygons

    normals = normals_of(it.vertices, it.faces)
    touching = touching_distance(it.vertices)
    for i, face in enumerate(it.faces):
        if len(face) == 3:
            continue
        loop = polygons(flattened(it.vertices[list(face)], normals[i]))
        # The last digit of a coordinate may open a spike that lies on its own edge.
        if not is_valid(loop) or minimum_clearance(loop) < touching:
            yield Problem(f"Face {i} crosses or touches itself", [face_id(i)])


def _crossings(it: UnionCandidate) -> Iterator[Problem]:
    for crossing in islice(crossings(it.vertices, it.faces, it.progress), MAX_PROBLEMS):
        place = ", ".join(f"{value:.4g}" for value in crossing.point)
        how = "cover each other" if crossing.is_overlap else "cross or touch"
        ids = [face_id(crossing.first), face_id(crossing.second)]
        yield Problem(f"Faces {crossing.first} and {crossing.second} {how} at ({place})", ids)


def _orientation(it: UnionCandidate) -> Iterator[Problem]:
    """If all faces look inwards, the polyhedron is turned inside out with a remark; this is not a failure."""
    return iter(())


def _shells(it: UnionCandidate) -> Iterator[Problem]:
    for k, shell in enumerate(shells_of(it.vertices, it.outward, it.progress)):
        if not shell.is_turned_right:
            cavity = f"Cavity shell {k} is wound the wrong way"
            outer = f"Shell {k} is wound the wrong way"
            yield Problem(cavity if shell.is_cavity else outer, map(face_id, shell.faces))


for _name, _step, _published in (
    ("vertices and faces", _vertices_and_faces, _vertices_and_faces),
    ("three numbers a vertex", _numbers, _numbers),
    ("faces name their vertices", _indices, _indices),
    ("no vertex twice", _duplicates, _duplicates),
    (marked("finite"), _finite, _finite),
    ("no outliers", _outliers, _outliers),
    ("no face without area", _degenerate, _degenerate),
    ("winding agrees", _winding, _winding),
    ("watertight and manifold", _watertight, _edges),
    ("encloses a volume", _has_volume, _has_volume),
    ("flat faces", _planar, _planar_by_three),
    ("simple loops", _simple, None),
    ("no faces cross", _crossings, None),
    (OUTWARD, _orientation, _orientation),
    ("shells wound right", _shells, None),
):
    GATE.step(_name)(_step)
    if _published is not None:
        PUBLISHED_GATE.step(_name)(_published)


def remarks(it: UnionCandidate) -> list[str]:
    """Flaws that do not affect the score: unnecessary vertices."""
    problems = []
    start, _, _ = loop_arrays(it.faces)
    count = len(it.vertices)
    turns = np.bincount(start[~_straight(it)], minlength=count)
    uses = np.bincount(start, minlength=count)
    unused = np.flatnonzero(uses == 0).tolist()
    straight = np.flatnonzero((uses > 0) & (turns == 0)).tolist()
    if unused:
        problems.append(f"No face uses {_vertices(unused)}")
    if straight:
        problems.append(f"No corner needs {_vertices(straight)}, on a straight edge")
    return problems


def _straight(it: UnionCandidate) -> NDArray[np.bool_]:
    """For each entry of the faces, in order, whether it lies on a straight line between its neighbours."""
    start, end, owner = loop_arrays(it.faces)
    corner = it.vertices[start]
    after = it.vertices[end]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    last = np.append(first[1:], len(start)) - 1
    previous = np.arange(len(start)) - 1
    previous[first] = last
    before = corner[previous]
    way = after - before
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-300)
    share = np.einsum("ij,ij->i", corner - before, way) / length**2
    away = np.linalg.norm(corner - before - share[:, None] * way, axis=1)
    return np.asarray((length > FLAT) & (share > 0) & (share < 1) & (away <= FLAT))


def _vertices(which: list[int]) -> str:
    return f"vertices {_listed(which)}" if len(which) > 1 else f"vertex {which[0]}"


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:8]))
    return shown if len(numbers) <= 8 else f"{shown} and {len(numbers) - 8} more"


def vertex_id(k: int) -> str:
    """The id of a vertex in checks and drawings."""
    return f"vertex {k}"


def face_id(i: int) -> str:
    """The id of a face in checks and drawings."""
    return f"face {i}"


def edge_id(edge: Edge) -> str:
    """The id of an edge in checks and drawings."""
    return f"edge {min(edge)}-{max(edge)}"
