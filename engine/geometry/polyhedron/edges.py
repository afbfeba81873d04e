"""Edges of polyhedra (open, crowded, or used twice in one direction), and shells and how they are nested."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.polyhedron.faces import Faces, fan_volumes, loop_arrays, triangles_of

Edge = tuple[int, int]
"""Two vertices, the lower index first; a directed edge in the order in which a face goes along it."""


@dataclass(frozen=True, eq=False)
class EdgeTable:
    """Who uses which edge, in which direction."""

    faces: Faces

    @cached_property
    def users(self) -> dict[Edge, list[tuple[int, bool]]]:
        """The faces at each edge, and whether they go along it from the lower to the higher vertex."""
        users: dict[Edge, list[tuple[int, bool]]] = defaultdict(list)
        start, end, owner = loop_arrays(self.faces)
        for a, b, face in zip(start.tolist(), end.tolist(), owner.tolist(), strict=True):
            users[(a, b) if a < b else (b, a)].append((face, a < b))
        return dict(users)

    @cached_property
    def open(self) -> list[Edge]:
        """Edges that only one face uses."""
        return [edge for edge, users in self.users.items() if len(users) == 1]

    @cached_property
    def crowded(self) -> dict[Edge, list[int]]:
        """Edges of three faces or more."""
        return {edge: [face for face, _ in users] for edge, users in self.users.items() if len(users) > 2}

    @cached_property
    def twice_one_way(self) -> dict[Edge, list[int]]:
        """Directed edges that several faces go along in the same direction."""
        doubled: dict[Edge, list[int]] = {}
        for (a, b), users in self.users.items():
            for forward in (True, False):
                same = [face for face, way in users if way is forward]
                if len(same) > 1:
                    doubled[(a, b) if forward else (b, a)] = same
        return doubled

    @property
    def is_closed(self) -> bool:
        """Whether every edge has two faces that go along it in opposite directions."""
        return bool(self.users) and all(len(u) == 2 and u[0][1] is not u[1][1] for u in self.users.values())

    @cached_property
    def shell_of(self) -> Ints:
        """The shell of each face, (n,): faces that share an edge are in one shell. Numbered by the lowest face."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        pairs = [(users[0][0], face) for users in self.users.values() for face, _ in users[1:]]
        rows, columns = np.array(pairs, np.int64).reshape(-1, 2).T
        count = len(self.faces)
        graph = coo_matrix((np.ones(len(rows)), (rows, columns)), (count, count))
        labels = connected_components(graph, directed=False)[1]
        _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[inverse], np.int64)

    @cached_property
    def torn_vertices(self) -> list[int]:
        """Vertices whose faces make several fans that only meet there."""
        fans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for face in self.faces:
            for before, corner, after in zip((face[-1], *face[:-1]), face, (*face[1:], face[0]), strict=True):
                fans[corner].append((before, after))
        return sorted(vertex for vertex, links in fans.items() if _parts(links) > 1)


def _parts(links: list[tuple[int, int]]) -> int:
    """How many pieces a graph has, given as a list of its links."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for a, b in links:
        parent[root(a)] = root(b)
    return len({root(node) for node in list(parent)})


@dataclass(frozen=True)
class Shell:
    """A closed surface of a polyhedron: its faces, its signed volume, and in how many others it lies."""

    faces: tuple[int, ...]
    volume: float
    depth: int

    @property
    def is_cavity(self) -> bool:
        """Whether it encloses a hollow."""
        return self.depth % 2 == 1

    @property
    def is_turned_right(self) -> bool:
        """Whether its faces look out of the material."""
        return (self.volume < 0) is self.is_cavity


def shells_of(vertices: Floats, faces: Faces, progress: Progress = silent) -> list[Shell]:
    """The shells of a closed polyhedron that does not cross itself, in the order of their lowest faces."""
    labels = EdgeTable(faces).shell_of
    volumes = fan_volumes(vertices, faces)
    groups = [np.flatnonzero(labels == i) for i in range(int(labels.max()) + 1)]
    depths = _depths(vertices, [[tuple(faces[i]) for i in group.tolist()] for group in groups], progress)
    return [
        Shell(tuple(group.tolist()), float(volumes[group].sum()), depth)
        for group, depth in zip(groups, depths, strict=True)
    ]


def _depths(vertices: Floats, shells: list[list[tuple[int, ...]]], progress: Progress) -> list[int]:
    corners = [vertices[sorted({k for face in shell for k in face})] for shell in shells]
    probes = np.array([points[points[:, 0].argmax()] for points in corners])
    depths = np.zeros(len(shells), int)
    for i, (shell, points) in enumerate(zip(shells, corners, strict=True)):
        progress(i, len(shells), "Looking which shell lies in which")
        near = ((probes > points.min(axis=0)) & (probes < points.max(axis=0))).all(axis=1)
        near[i] = False
        if near.any():
            triangles = vertices[triangles_of(vertices, shell)[0]]
            depths[near] += np.abs(winding_numbers(triangles, probes[near])) > 0.5
    return [int(depth) for depth in depths]


WINDING_BLOCK = 2_000_000
"""How many pairs of a point and a triangle are computed at once."""


def winding_numbers(triangles: Floats, points: Floats) -> Floats:
    """The generalised winding number of a triangle soup (m, 3, 3) around points (n, 3): 1 inside, 0 outside.

    Oosterom and Strackee's solid angles, added up.
    """
    angles = np.empty(len(points))
    block = max(1, WINDING_BLOCK // max(1, len(triangles)))
    for start in range(0, len(points), block):
        rays = triangles[None] - points[start : start + block, None, None]
        lengths = np.linalg.norm(rays, axis=3)
        a, b, c = rays[:, :, 0], rays[:, :, 1], rays[:, :, 2]
        la, lb, lc = lengths[:, :, 0], lengths[:, :, 1], lengths[:, :, 2]
        volume = np.einsum("ijk,ijk->ij", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("ijk,ijk->ij", x, y) for x, y in ((a, b), (b, c), (c, a)))
        angles[start : start + block] = np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb).sum(axis=1)
    return angles / (2 * np.pi)
