"""What the editor needs to know: snap points, the faults of a body, and the results of boolean operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.scene import Floats, Item
from spatial_workbench.engine.geometry.polyhedron import (
    Edge,
    EdgeTable,
    Face,
    Faces,
    crossings,
    deviation,
    loop_arrays,
    newell,
    normals_of,
    shells_of,
    signed_volume,
    triangles_of,
)
from spatial_workbench.engine.geometry.polyhedron.modelling import ModelledBody, ModellingError
from spatial_workbench.engine.tasks.csg_union.answer import Polyhedron
from spatial_workbench.engine.tasks.csg_union.gate import PLANAR_CM
from spatial_workbench.engine.tasks.csg_union.solids import Solid, faces_of, rotation, union_of
from spatial_workbench.engine.tasks.csg_union.volumes import NotASolid, manifold_from

if TYPE_CHECKING:
    from manifold3d import Manifold

ON_CM = 1e-9
SHOWN_CROSSINGS = 50

Operation = Literal["union", "difference", "intersection"]


def body_of(answer: Polyhedron) -> ModelledBody:
    """An answer as a body; faces with impossible indices are left out."""
    count = len(answer.polyhedron.vertex)
    usable = (face for face in answer.faces if len(set(face)) == len(face) > 2 and all(0 <= k < count for k in face))
    return ModelledBody(answer.vertices, tuple(usable))


# Snapping ------------------------------------------------------------------------------------------------------------


class Targets(NamedTuple):
    """Points (n, 3) that a vertex snaps to, and a word for each."""

    points: Floats
    names: tuple[str, ...]


@lru_cache(maxsize=8)
def snap_targets(solids: tuple[Solid, ...]) -> Targets:
    """Corners of the solids, where their edges meet edges and faces of others, and middles of edges."""
    points: list[Floats] = []
    names: list[str] = []
    for i, solid in enumerate(solids):
        points += list(solid.shape[0])
        names += [f"corner of solid {i}"] * len(solid.shape[0])
    for i, j, place in _edge_hits(solids):
        points.append(place)
        names.append(f"edge of solid {i} on solid {j}")
    for i, solid in enumerate(solids):
        middles = solid.shape[0][edges_of(solid.shape[1])].mean(axis=1)
        points += list(middles)
        names += [f"middle of an edge of solid {i}"] * len(middles)
    rounded = np.round(np.array(points), 7)
    _, first = np.unique(rounded, axis=0, return_index=True)
    order = np.sort(first)
    return Targets(np.array(points)[order], tuple(names[k] for k in order))


def edges_of(faces: Iterable[Face]) -> list[Edge]:
    """The edges of faces, each once."""
    return sorted({(min(e), max(e)) for f in faces for e in zip(f, (*f[1:], f[0]), strict=True)})


def _edge_hits(solids: tuple[Solid, ...]) -> Iterator[tuple[int, int, Floats]]:
    """Where edges of one solid enter or leave another."""
    for i, solid in enumerate(solids):
        vertices, faces = solid.shape
        ends = vertices[edges_of(faces)]
        for j, other in enumerate(solids):
            if i == j:
                continue
            for start, end, low, high in zip(ends[:, 0], ends[:, 1], *_clipped(ends, *other.shape), strict=True):
                for share in (low, high):
                    if low <= high and ON_CM < share < 1 - ON_CM:
                        yield i, j, start + share * (end - start)


def _clipped(ends: Floats, vertices: Floats, faces: Faces) -> tuple[Floats, Floats]:
    """The part of each edge that is in a convex solid, as shares of its length."""
    normals = normals_of(vertices, faces)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    heights = np.einsum("fk,fk->f", normals, vertices[[face[0] for face in faces]])
    start = ends[:, 0] @ normals.T - heights
    slope = (ends[:, 1] - ends[:, 0]) @ normals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share = -start / slope
    low = np.where(slope < -ON_CM, share, 0.0).max(axis=1)
    high = np.where(slope > ON_CM, share, 1.0).min(axis=1)
    outside = ((np.abs(slope) <= ON_CM) & (start > ON_CM)).any(axis=1)
    return np.where(outside, 1.0, np.maximum(low, 0)), np.where(outside, 0.0, np.minimum(high, 1))


# What is wrong -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Findings:
    """What can be found out about a body immediately."""

    body: ModelledBody
    far_from_flat: dict[int, float] = field(init=False)
    """Faces that are not flat, and by how much (cm)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "far_from_flat", dict(_not_flat(self.body)))

    @cached_property
    def edges(self) -> EdgeTable:
        """Who uses which edge."""
        return EdgeTable(self.body.faces)

    @property
    def open_edges(self) -> list[Edge]:
        """Edges that only one face uses."""
        return self.edges.open

    @property
    def crowded_edges(self) -> list[Edge]:
        """Edges of three faces or more."""
        return list(self.edges.crowded)

    @cached_property
    def turned_edges(self) -> list[Edge]:
        """Edges that two faces use in the same direction."""
        return [edge for edge, u in self.edges.users.items() if len(u) == 2 and u[0][1] is u[1][1]]

    @property
    def is_closed(self) -> bool:
        """Whether it is watertight and consistently wound."""
        return self.edges.is_closed

    @cached_property
    def is_inverted(self) -> bool:
        """Whether it is closed and looks inwards."""
        return self.is_closed and signed_volume(*self.body) < 0

    def shell_of(self, face: int) -> list[int]:
        """All faces of the shell that a face belongs to."""
        return np.flatnonzero(self.edges.shell_of == self.edges.shell_of[face]).tolist()

    @cached_property
    def shells(self) -> list[list[int]]:
        """The faces of each shell."""
        labels = self.edges.shell_of if self.body.faces else np.zeros(0, int)
        return [np.flatnonzero(labels == k).tolist() for k in range(int(labels.max(initial=-1)) + 1)]


def _not_flat(body: ModelledBody) -> Iterator[tuple[int, float]]:
    if not body.faces:
        return
    start, _, owner = loop_arrays(body.faces)
    normals = normals_of(body.vertices, body.faces)
    heights = np.einsum("ij,ij->i", body.vertices[start], normals[owner])
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    spread = np.maximum.reduceat(heights, first) - np.minimum.reduceat(heights, first)
    # The best plane may deviate a little less than Newell's, so only faces that fail with Newell's are measured again.
    for i in np.flatnonzero(spread > PLANAR_CM * np.linalg.norm(normals, axis=1)).tolist():
        away = deviation(body.vertices[list(body.faces[i])])
        if away > PLANAR_CM:
            yield i, away


@dataclass(frozen=True)
class UnionComparison:
    """A closed body compared with the union: missing and excess volume (cm³), and how to draw them."""

    crossing: tuple[tuple[int, int], ...] = ()
    """Pairs of faces that cross. If there are any, the volumes are meaningless."""
    turned: tuple[int, ...] = ()
    """Faces of shells that are wound the wrong way; these make the volumes meaningless too."""
    union: float = 0.0
    missing: float = 0.0
    excess: float = 0.0
    raw: float | None = None
    """The score before the 0.05 cm and 95 % rules; None if the body is not a solid."""
    items: tuple[Item, ...] = ()


def compare_live(solids: tuple[Solid, ...], body: ModelledBody, progress: Progress = silent) -> UnionComparison:
    """Compares a closed body with the union, without the 0.05 cm allowance, which makes it fast and a lower bound."""
    from spatial_workbench.engine.tasks.csg_union.drawing import differences

    pairs = tuple((c.first, c.second) for c in islice(crossings(*body, progress), SHOWN_CROSSINGS))
    if pairs:
        return UnionComparison(crossing=pairs)
    if signed_volume(*body) < 0:
        body = ModelledBody(body.vertices, tuple(face[::-1] for face in body.faces))
    turned = tuple(i for shell in shells_of(*body) if not shell.is_turned_right for i in shell.faces)
    if turned:
        return UnionComparison(turned=turned)
    try:
        solid = manifold_from(*body)
    except NotASolid:
        return UnionComparison()
    union = union_of(solids)
    lacks = union - solid
    spare = solid - union
    whole = union.volume()
    missing = lacks.volume()
    excess = spare.volume()
    raw = min(whole - missing, solid.volume()) / whole - 0.5 * (missing + excess) / whole
    return UnionComparison((), (), whole, missing, excess, raw, tuple(differences(lacks, spare)))


# Solids --------------------------------------------------------------------------------------------------------------


def combine(operation: Operation, bodies: tuple[ModelledBody, ...], progress: Progress = silent) -> ModelledBody:
    """The union, difference (the first without the rest) or intersection of closed bodies, with planar faces.

    Raises:
        ModellingError: one is not closed, or nothing is left.
    """
    from manifold3d import Manifold, OpType

    progress(0, 1, "Combining solids")
    solids = [_solid(body) for body in bodies]
    kinds = {"union": OpType.Add, "difference": OpType.Subtract, "intersection": OpType.Intersect}
    result = Manifold.batch_boolean(solids, kinds[operation])
    if result.is_empty() or result.volume() <= 0:
        raise ModellingError("Nothing is left")
    return ModelledBody(*faces_of(result))


def _solid(body: ModelledBody) -> Manifold:
    if not EdgeTable(body.faces).is_closed:
        raise ModellingError("Only closed solids can be combined; open edges are red")
    if signed_volume(*body) < 0:
        body = ModelledBody(body.vertices, tuple(face[::-1] for face in body.faces))
    try:
        return manifold_from(*body)
    except NotASolid as error:
        raise ModellingError(f"manifold3d takes no solid from these faces: {error}") from None


def turned(body: ModelledBody, vertices: Sequence[int], axis: int, angle_deg: float) -> ModelledBody:
    """A body with vertices turned about an axis (0, 1, 2) through the middle of the box around them."""
    x, y, z = (np.arange(3) == axis) * angle_deg
    places = body.vertices.copy()
    chosen = list(vertices)
    middle = (places[chosen].min(axis=0) + places[chosen].max(axis=0)) / 2
    places[chosen] = (places[chosen] - middle) @ rotation((x, y, z)).T + middle
    return ModelledBody(np.round(places, 12), body.faces)


def primitive(solid: Solid) -> ModelledBody:
    """A solid as a body."""
    return ModelledBody(*solid.shape)


# Faces under the pointer, and which way loops go ---------------------------------------------------------------------


def ghost_face_at(solids: Sequence[Solid], origin: Floats, direction: Floats) -> tuple[int, int] | None:
    """The first solid that a line of sight meets, and which face of it."""
    hits: list[tuple[float, int, int]] = []
    for i, solid in enumerate(solids):
        vertices, faces = solid.shape
        normals = normals_of(vertices, faces)
        slope = normals @ direction
        room = np.einsum("fk,fk->f", normals, vertices[[face[0] for face in faces]]) - normals @ origin
        with np.errstate(divide="ignore", invalid="ignore"):
            share = room / slope
        entering = np.where(slope < 0, share, -np.inf)
        leaves = np.where(slope > 0, share, np.inf).min()
        if 0 < entering.max() <= leaves and not ((slope == 0) & (room < 0)).any():
            hits.append((float(entering.max()), i, int(entering.argmax())))
    return min(hits)[1:] if hits else None


def face_at(body: ModelledBody, origin: Floats, direction: Floats) -> tuple[int, Floats] | None:
    """The face of a body that a line of sight meets first, and where, (3,)."""
    triangles, owners = triangles_of(body.vertices, body.faces)
    if not len(triangles):
        return None
    corner, second, third = body.vertices[triangles].transpose(1, 0, 2)
    u, v, way = second - corner, third - corner, origin - corner
    across = np.cross(direction, v)
    over = np.cross(way, u)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1.0 / np.einsum("ij,ij->i", u, across)
        a = scale * np.einsum("ij,ij->i", way, across)
        b = scale * (over @ direction)
        share = np.where((a >= 0) & (b >= 0) & (a + b <= 1), scale * np.einsum("ij,ij->i", v, over), np.inf)
    share[~(share > 0)] = np.inf
    nearest = int(np.argmin(share))
    return (int(owners[nearest]), origin + share[nearest] * direction) if np.isfinite(share[nearest]) else None


def oriented(body: ModelledBody, loop: Sequence[int], sight: Floats) -> Face:
    """A new loop oriented to match its neighbours; without any, counter-clockwise as seen along `sight`."""
    users = EdgeTable(body.faces).users
    votes = 0
    for a, b in zip(loop, (*loop[1:], loop[0]), strict=True):
        ways = [forward for _, forward in users.get((min(a, b), max(a, b)), [])]
        votes += sum(1 if way is not (a < b) else -1 for way in ways)
    if votes == 0:
        votes = -1 if float(newell(body.vertices[list(loop)]) @ sight) > 0 else 1
    return tuple(loop) if votes > 0 else tuple(loop)[::-1]
