"""The same verdict by other methods: exact integers for the gate, sampled points for the volumes.

A floating-point coordinate is a whole number times a power of two, so signs of volumes can be computed exactly.
Volumes are counted at 2 million points in columns: the union by the half-spaces of its solids, the answer by how often
a vertical ray crosses its triangles, which gives the winding number; where that is neither 0 nor 1, the
surface crosses itself or a shell is wound the wrong way. trimesh checks the edges and measures volume and area.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import dist

import numpy as np

from spatial_workbench.engine.core import Check, CheckList, Figure, Outcome, Problem, Progress, silent
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.polyhedron import triangles_of
from spatial_workbench.engine.tasks.csg_union.answer import Polyhedron
from spatial_workbench.engine.tasks.csg_union.exact import Exact
from spatial_workbench.engine.tasks.csg_union.gate import (
    FARTHEST_CM,
    LEAST_NORMAL,
    LEAST_VOLUME,
    MAX_ENTRIES,
    OUTLIER_CM,
    OUTLIER_TIMES,
    PLANAR_CM,
    UnionCandidate,
)
from spatial_workbench.engine.tasks.csg_union.sampling import Samples
from spatial_workbench.engine.tasks.csg_union.solids import Solid
from spatial_workbench.engine.tasks.csg_union.volumes import score_of

TRIMESH_TOLERANCE = 1e-9
"""Largest relative difference between trimesh's volume and the exact one."""

STEPS = CheckList()


@STEPS.step("faces can be followed")
def _readable(it: UnionCandidate) -> Iterator[Problem]:
    if not len(it.vertices) or not it.faces:
        yield Problem("No vertices or no faces")
        return
    known = range(len(it.vertices))
    if sum(map(len, it.faces)) > MAX_ENTRIES:
        yield Problem("Too many entries in the faces")
    for i, face in enumerate(it.faces):
        if len(set(face)) < max(3, len(face)) or not all(k in known for k in face):
            yield Problem(f"Face {i} is not a loop of three or more different vertices", [f"face {i}"])


@STEPS.step("vertices are apart and near")
def _places(it: UnionCandidate) -> Iterator[Problem]:
    places = [tuple(xyz) for xyz in it.vertices.tolist()]
    if max(abs(v) for xyz in places for v in xyz) > FARTHEST_CM:
        yield Problem("A vertex is too far away to calculate with")
        return
    for place, count in Counter(tuple(round(v, 6) + 0.0 for v in xyz) for xyz in places).items():
        if count > 1:
            yield Problem(f"{counted(count, 'vertex is', 'vertices are')} at {place}")
    middle = [sum(axis) / len(places) for axis in zip(*places, strict=True)]
    away = [dist(xyz, middle) for xyz in places]
    if max(away) > max(OUTLIER_CM, OUTLIER_TIMES * sum(away) / len(away)):
        yield Problem("A vertex is far from all others")


@STEPS.step("faces have an area")
def _areas(it: UnionCandidate) -> Iterator[Problem]:
    for i, face in enumerate(it.faces):
        around = [it.vertices[k] for k in (*face, face[0])]
        if (
            float(np.linalg.norm(sum(np.cross(a - around[0], b - around[0]) for a, b in pairwise(around))))
            < LEAST_NORMAL
        ):
            yield Problem(f"Face {i} has no area", [f"face {i}"])


@STEPS.step("closed (directed edges cancel out)")
def _closed(it: UnionCandidate) -> Iterator[Problem]:
    directed = Counter(edge for face in it.faces for edge in pairwise((*face, face[0])))
    for (a, b), count in directed.items():
        if count > 1 or directed[(b, a)] != 1:
            yield Problem(
                f"Edge {a}-{b} is used {counted(count, 'time')}, {counted(directed[(b, a)], 'time')} backwards",
                [f"edge {a}-{b}"],
            )


@STEPS.step("trimesh: watertight, one volume")
def _trimesh(it: UnionCandidate) -> Iterator[Problem]:
    import trimesh

    mesh = trimesh.Trimesh(it.vertices, triangles_of(it.vertices, it.faces)[0], process=False)
    if not (mesh.is_watertight and mesh.is_winding_consistent):
        yield Problem("trimesh does not take the mesh for watertight and consistently wound")
    exact = Exact(it.vertices).volume(triangles_of(it.vertices, it.faces)[0])
    if abs(exact) < LEAST_VOLUME:
        yield Problem("The faces enclose no volume")
        return
    scale = max(abs(exact), float(np.ptp(it.vertices, axis=0).max()) ** 3)
    if abs(mesh.volume - exact) > TRIMESH_TOLERANCE * scale:
        yield Problem(f"trimesh finds {mesh.volume:.12g} cm³, exact arithmetic {exact:.12g} cm³")


@STEPS.step("one fan of faces at each vertex")
def _fans(it: UnionCandidate) -> Iterator[Problem]:
    after: dict[int, dict[int, int]] = {}
    for face in it.faces:
        for before, corner, following in zip((face[-1], *face[:-1]), face, (*face[1:], face[0]), strict=True):
            after.setdefault(corner, {})[following] = before
    for vertex, ways in after.items():
        start = next(iter(ways))
        corner = ways[start]
        count = 1
        while corner != start:
            corner = ways[corner]
            count = count + 1
        if count < len(ways):
            yield Problem(f"Vertex {vertex} joins separate parts", [f"vertex {vertex}"])


@STEPS.step("faces are flat")
def _flat(it: UnionCandidate) -> Iterator[Problem]:
    for i, face in enumerate(it.faces):
        points = it.vertices[list(face)] - it.vertices[list(face)].mean(axis=0)
        normal = np.linalg.eigh(points.T @ points)[1][:, 0]
        if len(face) > 3 and np.abs(points @ normal).max() > PLANAR_CM:
            yield Problem(f"Face {i} is not flat", [f"face {i}"])


@STEPS.step("no edge goes through a face (exact)")
def _pierced(it: UnionCandidate) -> Iterator[Problem]:
    triangles, owners = triangles_of(it.vertices, it.faces)
    for (a, b), triangle in Exact(it.vertices).pierced(it.faces, triangles, it.progress):
        face = int(owners[triangle])
        yield Problem(f"Edge {a}-{b} goes through face {face}", [f"face {face}"])


def judge_by_points(solids: tuple[Solid, ...], answer: Polyhedron, progress: Progress = silent) -> Outcome:
    """The verdict of the cross-check; its score comes from counted points."""
    it = UnionCandidate(answer.vertices, answer.faces, progress)
    checks = STEPS.run(it)
    names = ("winding number 0 or 1 everywhere", "volumes agree with the union")
    if not all_passed(checks):
        return Outcome.failed([*checks, *map(Check.not_reached, names)])
    samples = Samples.taken(solids, it.vertices, triangles_of(it.vertices, it.outward)[0], progress)
    wound = Check.of(names[0], _odd_windings(samples))
    if not all_passed([wound]):
        return Outcome.failed([*checks, wound, Check.not_reached(names[1])])
    score = score_of(samples.raw)
    words = f"Missing {samples.missing:.4g} cm³, too much {samples.excess:.4g} cm³, give or take {samples.error:.2g}"
    row = Check.of(names[1], [] if score >= 1 else [Problem(words)], passed=words)
    return Outcome(score, [*checks, wound, row], _figures(samples, solids, it.vertices))


def _odd_windings(samples: Samples) -> Iterator[Problem]:
    for winding, point in samples.odd:
        place = ", ".join(f"{value:.3g}" for value in point)
        yield Problem(f"The surface winds {winding} times around ({place})")


def _figures(samples: Samples, solids: tuple[Solid, ...], vertices: Floats) -> list[Figure]:
    from spatial_workbench.engine.tasks.csg_union.sampling import distance_to_surface

    return [
        Figure("raw score", samples.raw),
        Figure("volume of the union", samples.union, "cm³"),
        Figure("volume of the answer", samples.answer, "cm³"),
        Figure("missing", samples.missing, "cm³"),
        Figure("excess", samples.excess, "cm³"),
        Figure("three sigma", samples.error, "cm³"),
        Figure("farthest vertex from the union's surface", distance_to_surface(solids, vertices), "cm"),
    ]
