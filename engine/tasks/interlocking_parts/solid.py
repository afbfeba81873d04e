"""The solid of a part: its mesh, whether that bounds one body, and what is measured on it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.mesh_limits import MeshError
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.geometry.stl import Triangles, read_stl

WINDING_POINTS = 2000
_SEED = 29
_FLAT = 1 - 1e-7
"""Neighbouring triangles whose normals' cosine is larger are coplanar."""


@dataclass(frozen=True, eq=False)
class CageSolid:
    """A triangle mesh in mm: vertices (n, 3), triangles (m, 3). Compared by identity."""

    vertices: Floats
    triangles: Triangles

    @cached_property
    def corners(self) -> Floats:
        """Corners of the triangles, (m, 3, 3)."""
        return np.ascontiguousarray(self.vertices[self.triangles])

    @cached_property
    def areas_and_normals(self) -> tuple[Floats, Floats]:
        """Areas (m,) in mm² and outward unit normals (m, 3); a normal of zeros where there is no area."""
        a, b, c = self.corners.transpose(1, 0, 2)
        cross = np.cross(b - a, c - a)
        length = np.linalg.norm(cross, axis=1)
        return length / 2, np.divide(cross, length[:, None], out=np.zeros_like(cross), where=length[:, None] > 0)

    @cached_property
    def volume(self) -> float:
        """In mm³."""
        return float(self._tetrahedra.sum())

    @cached_property
    def center(self) -> Floats:
        """The centre of gravity, (3,)."""
        weights = self._tetrahedra
        return np.asarray((self.corners.sum(axis=1) / 4 * weights[:, None]).sum(axis=0) / weights.sum())

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the box around it."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)

    @cached_property
    def neighbours(self) -> Triangles:
        """Pairs of triangles with a common edge, (k, 2); of a closed mesh."""
        keys, _ = _edge_keys(self.triangles, len(self.vertices))
        order = np.argsort(keys, kind="stable")
        return np.asarray(order.reshape(-1, 2) // 3)

    @cached_property
    def facets(self) -> tuple[Triangles, ...]:
        """Connected coplanar triangles."""
        _, normals = self.areas_and_normals
        first, second = self.neighbours.T
        flat = np.einsum("ij,ij->i", normals[first], normals[second]) > _FLAT
        return groups(self.neighbours[flat], np.arange(len(self.triangles)))

    @cached_property
    def manifold(self) -> Any:
        """The solid for exact operations (manifold3d)."""
        import manifold3d

        mesh = manifold3d.Mesh64(self.vertices, self.triangles.astype(np.uint64))
        return manifold3d.Manifold(mesh)

    @cached_property
    def _tetrahedra(self) -> Floats:
        a, b, c = self.corners.transpose(1, 0, 2)
        return np.asarray(np.einsum("ij,ij->i", a, np.cross(b, c)) / 6)


@dataclass(frozen=True, eq=False)
class SolidResult:
    """The solid that a part's contents describe, or why there is none.

    Attributes:
        solid: The mesh, also where it is flawed; None where nothing could be read.
        problem: Why it is not a closed solid of one body; empty if it is one.
        crossing: Where its surface intersects itself; empty if it does not.
        waiting: Why it was not evaluated at all; empty if it was.
        open_edges: Ends of edges without a partner, (k, 2, 3), in the part's frame.
    """

    solid: CageSolid | None = None
    problem: str = ""
    crossing: str = ""
    waiting: str = ""
    open_edges: Floats = field(default_factory=lambda: np.zeros((0, 2, 3)))

    @property
    def is_valid(self) -> bool:
        """Whether there is one closed solid whose surface does not intersect itself."""
        return self.solid is not None and not self.problem and not self.crossing


@remember_solids(maxsize=64)
def mesh_of(data: bytes) -> SolidResult:
    """The mesh in STL data, not checked any further: enough to draw it."""
    try:
        solid = CageSolid(*read_stl(data))
    except MeshError as error:
        return SolidResult(problem=str(error))
    return (
        SolidResult(solid) if len(solid.triangles) else SolidResult(problem="All triangles of the mesh are degenerate")
    )


@remember_solids(maxsize=64)
def solid_of(data: bytes) -> SolidResult:
    """The solid in STL data, checked."""
    built = mesh_of(data)
    return built if built.solid is None else checked(built.solid)


def checked(solid: CageSolid) -> SolidResult:
    """Whether a mesh bounds one solid body."""
    keys, forward = _edge_keys(solid.triangles, len(solid.vertices))
    edges, place, count = np.unique(keys, return_inverse=True, return_counts=True)
    balance = np.bincount(place, weights=np.where(forward, 1, -1))
    wrong = (count != 2) | (balance != 0)
    if wrong.any():
        ends = np.column_stack(np.divmod(edges[wrong], len(solid.vertices)))
        return SolidResult(solid, _edge_words(count, wrong), open_edges=solid.vertices[ends])
    problem = _body_problem(solid)
    return SolidResult(solid, problem, "" if problem else _winding_problem(solid))


def groups(pairs: Triangles, members: Triangles) -> tuple[Triangles, ...]:
    """The members (numbers), grouped by what pairs connect."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    if not len(members):
        return ()
    size = int(members.max()) + 1
    pairs = pairs[(pairs < size).all(axis=1)]
    graph = coo_matrix((np.ones(len(pairs), bool), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    order = members[np.argsort(labels[members], kind="stable")]
    return tuple(np.split(order, np.flatnonzero(np.diff(labels[order])) + 1))


def _edge_keys(triangles: Triangles, count: int) -> tuple[Triangles, Any]:
    """A number for each triangle's three edges, the same in both directions, (3 m,); and whether low comes first."""
    starts = triangles.ravel()
    ends = np.roll(triangles, -1, axis=1).ravel()
    return np.minimum(starts, ends) * count + np.maximum(starts, ends), starts < ends


def _edge_words(count: Any, wrong: Any) -> str:
    open_edges = int((count == 1).sum())
    crowded = int((count > 2).sum())
    flipped = int(wrong.sum()) - open_edges - crowded
    kinds = (
        (open_edges, f"{counted(open_edges, 'edge')} that only one triangle uses"),
        (crowded, f"{counted(crowded, 'edge')} that more than two triangles share"),
        (flipped, f"{counted(flipped, 'edge')} whose two triangles are wound against each other"),
    )
    words = ", ".join(text for number, text in kinds if number)
    return f"the mesh is not closed and consistently wound: {words}"


def _body_problem(solid: CageSolid) -> str:
    """Why a closed mesh is not one body; empty if it is."""
    if solid.volume <= 0:
        return f"its volume is {solid.volume:.3g} mm³; it has to be positive (are the faces turned inside out?)"
    volumes = [float(solid._tetrahedra[shell].sum()) for shell in groups(solid.neighbours, _all(solid))]
    bodies = sum(volume > 0 for volume in volumes)
    return f"it consists of {bodies} separate bodies" if bodies != 1 else ""


def _all(solid: CageSolid) -> Triangles:
    return np.arange(len(solid.triangles))


def _winding_problem(solid: CageSolid) -> str:
    from spatial_workbench.engine.tasks.interlocking_parts.kernels import winding_numbers

    low, high = solid.bounds
    points = np.random.Generator(np.random.PCG64(_SEED)).uniform(low, high, (WINDING_POINTS, 3))
    points = points[np.argsort(points[:, 0])]
    windings = winding_numbers(points, solid.corners)
    wrong = np.flatnonzero((windings != 0) & (windings != 1))
    if not len(wrong):
        return ""
    place = ", ".join(f"{number:.1f}" for number in points[wrong[0]])
    return f"its surface intersects itself: it winds {windings[wrong[0]]} times around the point ({place})"
