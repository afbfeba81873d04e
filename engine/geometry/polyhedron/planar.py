"""From triangles to the fewest planar faces: welds vertices, merges coplanar triangles, and cuts faces with holes open.

A face is one loop, so a face with a hole becomes two or more, separated by cuts between existing vertices.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.polyhedron.faces import Face, flattened, newell, unit
from spatial_workbench.engine.geometry.welding import weld

WELD = 1e-6
"""Vertices closer than this are merged."""
FLAT = 1e-6
"""A triangle within this distance of a plane lies in it; relative to the size of the solid, where that is over 1."""

Region = tuple[list[Face], Floats]
"""The loops around a piece of a plane, outer ones and holes, and the piece's unit normal."""


def planar_faces(vertices: Floats, triangles: Ints) -> tuple[Floats, tuple[Face, ...]]:
    """The fewest planar faces of a closed triangle mesh, and the vertices that they need.

    Connected coplanar triangles are merged; vertices that are corners of no face are left out; a face with
    holes is cut open between its vertices. Loops are counter-clockwise from outside.
    """
    vertices, triangles = weld(np.asarray(vertices, float), np.asarray(triangles, np.int64), WELD)
    regions = planar_regions(vertices, triangles)
    faces = [face for loops, normal in regions for face in cut_open(vertices, loops, normal)]
    used = sorted({k for face in faces for k in face})
    place = {k: i for i, k in enumerate(used)}
    return vertices[used], tuple(tuple(place[k] for k in face) for face in faces)


def planar_regions(vertices: Floats, triangles: Ints) -> list[Region]:
    """The planar pieces of a closed triangle mesh, each with its loops, reduced to real corners."""
    labels, normals = _coplanar(vertices, triangles)
    outlines = _outlines(vertices, triangles, labels, normals)
    needed = _corners(vertices, outlines)
    simplified = [[tuple(k for k in loop if k in needed) for loop in loops] for loops in outlines]
    return [([loop for loop in loops if len(loop) > 2], normals[i]) for i, loops in enumerate(simplified)]


def _coplanar(vertices: Floats, triangles: Ints) -> tuple[Ints, Floats]:
    """The planar piece of each triangle, (n,), and the pieces' unit normals; pieces grow from the largest triangles."""
    corners = vertices[triangles]
    products = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(products, axis=1)
    tolerance = FLAT * max(1.0, float(np.ptp(vertices, axis=0).max()))
    beside = _neighbours(triangles)
    labels = np.full(len(triangles), -1)
    normals: list[Floats] = []
    for seed in np.argsort(-areas, kind="stable").tolist():
        if labels[seed] >= 0:
            continue
        normal = unit(products[seed])
        flat = (np.abs((corners - corners[seed, 0]) @ normal) <= tolerance).all(axis=1)
        flat &= (products @ normal > 0) | (areas <= tolerance**2)
        _flood(seed, flat & (labels < 0), beside, labels, len(normals))
        normals.append(normal)
    return labels, np.array(normals)


def _neighbours(triangles: Ints) -> list[list[int]]:
    users: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, corners in enumerate(triangles.tolist()):
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            users[(min(a, b), max(a, b))].append(i)
    beside: list[list[int]] = [[] for _ in triangles]
    for group in users.values():
        for i in group:
            beside[i] += [j for j in group if j != i]
    return beside


def _flood(seed: int, allowed: Floats, beside: list[list[int]], labels: Ints, label: int) -> None:
    labels[seed] = label
    front = [seed]
    while front:
        for other in beside[front.pop()]:
            if allowed[other] and labels[other] < 0:
                labels[other] = label
                front.append(other)


def _outlines(vertices: Floats, triangles: Ints, labels: Ints, normals: Floats) -> list[list[Face]]:
    """The loops around each planar piece: outer ones counter-clockwise, holes clockwise."""
    directed = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    piece = np.tile(labels, 3)
    outlines: list[list[Face]] = []
    for label, normal in enumerate(normals):
        edges = {(a, b) for a, b in directed[piece == label].tolist()}
        outlines.append(_loops(vertices, {(a, b) for a, b in edges if (b, a) not in edges}, normal))
    return outlines


def _loops(vertices: Floats, edges: set[tuple[int, int]], normal: Floats) -> list[Face]:
    """Chains directed edges into loops. Where several edges leave a vertex, the loop stays with its own piece."""
    leaving: dict[int, list[int]] = defaultdict(list)
    for a, b in sorted(edges):
        leaving[a].append(b)
    loops: list[Face] = []
    left = dict.fromkeys(sorted(edges))
    while left:
        first = next(iter(left))
        loop = [first[0]]
        before, corner = first
        del left[first]
        while True:
            ways = [b for b in leaving[corner] if (corner, b) in left or (corner, b) == first]
            after = ways[0] if len(ways) == 1 else _nearest_clockwise(vertices, before, corner, ways, normal)
            if (corner, after) == first:
                break
            del left[(corner, after)]
            loop.append(corner)
            before = corner
            corner = after
        loops.append(tuple(loop))
    return loops


def _nearest_clockwise(vertices: Floats, before: int, corner: int, ways: list[int], normal: Floats) -> int:
    back = vertices[before] - vertices[corner]

    def turn(way: int) -> float:
        step = vertices[way] - vertices[corner]
        angle = np.arctan2(float(np.cross(back, step) @ normal), float(back @ step))
        return float(-angle % (2 * np.pi))

    return min(ways, key=turn)


def _corners(vertices: Floats, outlines: list[list[Face]]) -> set[int]:
    """Vertices where some loop turns, or where more than two loops meet."""
    tolerance = FLAT * max(1.0, float(np.ptp(vertices, axis=0).max()))
    turned: set[int] = set()
    uses: dict[int, int] = defaultdict(int)
    for loop in (loop for loops in outlines for loop in loops):
        for before, corner, after in zip((loop[-1], *loop[:-1]), loop, (*loop[1:], loop[0]), strict=True):
            uses[corner] += 1
            if not is_straight(vertices[before], vertices[corner], vertices[after], tolerance):
                turned.add(corner)
    return turned | {vertex for vertex, count in uses.items() if count > 2}


def is_straight(before: Floats, corner: Floats, after: Floats, tolerance: float = FLAT) -> bool:
    """Whether a vertex lies between its neighbours on a straight line, within a distance."""
    way = after - before
    length = float(np.linalg.norm(way))
    if length <= tolerance:
        return False
    share = float((corner - before) @ way) / length**2
    return 0 < share < 1 and float(np.linalg.norm(corner - before - share * way)) <= tolerance


def cut_open(vertices: Floats, loops: Sequence[Face], normal: Floats | None = None) -> list[Face]:
    """Faces of one simple loop each that cover a planar piece with holes, and cuts between its vertices.

    loops: the outer loop counter-clockwise, holes clockwise (around `normal`, if given), in any order. A piece without
    holes is one face. One hole takes two cuts as a rule.
    """
    if len(loops) == 1 and len(set(loops[0])) == len(loops[0]):
        return [tuple(loops[0])]
    if normal is None:
        normal = unit(sum((newell(vertices[list(loop)]) for loop in loops), np.zeros(3)))
    from manifold3d import triangulate

    order = np.array([k for loop in loops for k in loop])
    origin = vertices[order[0]]
    flat = [flattened(np.concatenate([[origin], vertices[list(loop)]]), normal)[1:] for loop in loops]
    triangles = order[np.asarray(triangulate(flat), np.int64)]
    return _merged(vertices, [tuple(triangle) for triangle in triangles.tolist()])


def _merged(vertices: Floats, faces: list[Face]) -> list[Face]:
    """Joins faces across their common edges, the longest first, as long as no loop goes through a vertex twice."""
    owner = {(a, b): i for i, face in enumerate(faces) for a, b in zip(face, (*face[1:], face[0]), strict=True)}
    inner = [(a, b) for a, b in owner if a < b and (b, a) in owner]
    pool: dict[int, Face] = dict(enumerate(faces))
    for a, b in sorted(inner, key=lambda edge: -float(np.linalg.norm(vertices[edge[0]] - vertices[edge[1]]))):
        first, second = owner[(a, b)], owner[(b, a)]
        if first == second or set(pool[first]) & set(pool[second]) != {a, b}:
            continue
        joined = _joined(pool[first], pool.pop(second), a, b)
        pool[first] = joined
        for edge in zip(joined, (*joined[1:], joined[0]), strict=True):
            owner[edge] = first
    return list(pool.values())


def _joined(first: Face, second: Face, a: int, b: int) -> Face:
    """The loop around two loops that share the edge a -> b of the first."""
    i, j = first.index(b), second.index(a)
    return (*first[i:], *first[:i], *(second[j + 1 :] + second[:j])[:-1])
