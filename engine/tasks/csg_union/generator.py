"""New unions: solids on an integer lattice, each attached to the others, whose union is a clean manifold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Difficulty, InstanceError
from spatial_workbench.engine.geometry.polyhedron import EdgeTable, planar_regions
from spatial_workbench.engine.tasks.csg_union.answer import Polyhedron
from spatial_workbench.engine.tasks.csg_union.solids import Point, Solid, faces_of, manifold_of, mesh_of, union_of

TRIES, PLACES = 60, 40
"""How many unions are tried before the request is refused, and how many places for each solid."""
SHORTEST_CM = 0.05
APART, NESTED = 0.05, 0.05
"""How often a solid stands apart from the rest, or lies wholly inside it."""
FLAT_KINDS = ("box", "box", "prism", "wedge", "tetrahedron")
CURVED_KINDS = ("prism", "cone", "sphere24")
FEW_SIDES = (3, 4, 5, 6, 8)
MANY_SIDES = (12, 24)
TURNS = {"none": 360, "quarter": 90, "fifteen": 15}


class UnionDifficulty(Difficulty):
    """What a new union is made of."""

    solids: int = Field(default=3, ge=2, le=6, description="Solids")
    curved: int = Field(default=0, ge=0, le=3, description="Of these, round ones: 12 or 24 sides, or spheres")
    turns: Literal["none", "quarter", "fifteen"] = Field(
        default="quarter", description="Turns of solids: none, by 90 degrees, or by multiples of 15 degrees"
    )
    most_faces: int = Field(default=150, ge=6, le=600, description="Planar faces of the union at most")
    ring: bool = Field(default=False, description="Whether a face has to have a hole")
    cavity: bool = Field(default=False, description="A closed hollow box of six slabs")


def draw(rng: np.random.Generator, difficulty: UnionDifficulty) -> Mapping[str, Any]:
    """The parameters of a new union.

    Raises:
        InstanceError: none was found for this difficulty.
    """
    if difficulty.curved > difficulty.solids:
        raise InstanceError("curved: there cannot be more curved solids than solids")
    if difficulty.cavity and (difficulty.solids != 6 or difficulty.curved or difficulty.ring):
        raise InstanceError("cavity: a hollow box takes 6 solids, none of them curved, and has no holes in its faces")
    for _ in range(TRIES):
        rows = _hollow_box(rng) if difficulty.cavity else _cluster(rng, difficulty)
        if rows is not None and (accepted := _accepted(rows, difficulty)) is not None:
            return accepted
    raise InstanceError("No union with these wishes was found; try another seed, or allow more faces")


def _cluster(rng: np.random.Generator, difficulty: UnionDifficulty) -> list[dict[str, Any]] | None:
    curved = set(rng.permutation(difficulty.solids)[: difficulty.curved].tolist())
    rows: list[dict[str, Any]] = []
    for i in range(difficulty.solids):
        row = _placed(rng, _primitive(rng, i in curved, difficulty.turns), rows)
        if row is None:
            return None
        rows.append(row)
    return rows


def _primitive(rng: np.random.Generator, curved: bool, turns: str) -> dict[str, Any]:
    kind = str(rng.choice(CURVED_KINDS if curved else FLAT_KINDS))
    row: dict[str, Any] = {"kind": kind}
    if kind in ("box", "wedge"):
        row["size"] = rng.integers(4, 31, 3).tolist()
    elif kind == "sphere24":
        row["size"] = [int(rng.integers(5, 13))]
    elif kind == "tetrahedron":
        row["points"] = _tetrahedron(rng)
    else:
        sides = int(rng.choice(MANY_SIDES if curved else FEW_SIDES))
        row["size"] = [sides, int(rng.integers(4, 13)), int(rng.integers(6, 31))]
    step = TURNS[turns]
    if kind != "sphere24" and rng.random() < 0.5 and step < 360:
        turn = [0, 0, 0]
        turn[int(rng.integers(3))] = step * int(rng.integers(1, 360 // step if step == 90 else 12))
        row["turn"] = turn
    return row


def _tetrahedron(rng: np.random.Generator) -> list[list[int]]:
    while True:
        points = rng.integers(-8, 9, (4, 3))
        volume = abs(float(np.linalg.det((points[1:] - points[0]).astype(float)))) / 6
        if volume > 80:
            return [[int(v) for v in point] for point in points.tolist()]


def _placed(rng: np.random.Generator, row: dict[str, Any], before: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The solid at a place that fits the solids so far; None if none was found."""
    if not before:
        return row
    union = union_of(tuple(map(Solid.of, before)))
    way = rng.random()
    low, high = np.array(union.bounding_box()).reshape(2, 3)
    for _ in range(PLACES):
        at = rng.integers(np.floor(low) - 5, np.ceil(high) + 6).tolist()
        placed = row | {"at": at}
        solid = manifold_of(Solid.of(placed))
        common = (union ^ solid).volume()
        own = solid.volume()
        if way < APART:
            fits = union.min_gap(solid, 50.0) >= 1
        elif way < APART + NESTED:
            fits = common > 0.999 * own
        else:
            fits = 0.02 * own < common < 0.9 * own or (common == 0 and _touches(union, solid))
        if fits:
            return placed
    return None


def _touches(union: Any, solid: Any) -> bool:
    return len((union + solid).decompose()) == len(union.decompose())


def _hollow_box(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Six slabs around a hollow."""
    hollow = rng.integers(4, 15, 3) * 2
    wall = int(rng.integers(1, 4)) * 2
    x, y, _ = (hollow + 2 * wall).tolist()
    ix, iy, iz = hollow.tolist()
    slabs: list[tuple[list[int], Point]] = [
        ([x, y, wall], (0, 0, -(iz + wall) / 2)),
        ([x, y, wall], (0, 0, (iz + wall) / 2)),
        ([x, wall, iz], (0, -(iy + wall) / 2, 0)),
        ([x, wall, iz], (0, (iy + wall) / 2, 0)),
        ([wall, iy, iz], (-(ix + wall) / 2, 0, 0)),
        ([wall, iy, iz], ((ix + wall) / 2, 0, 0)),
    ]
    return [{"kind": "box", "size": size, "at": [int(v) for v in at]} for size, at in slabs]


def _accepted(rows: list[dict[str, Any]], difficulty: UnionDifficulty) -> dict[str, Any] | None:
    """The parameters, if the union is a clean manifold of the requested kind."""
    from spatial_workbench.engine.core.progress import silent
    from spatial_workbench.engine.tasks.csg_union.judging import judge

    solids = tuple(map(Solid.of, rows))
    union = union_of(solids)
    vertices, triangles = mesh_of(union)
    table = EdgeTable([tuple(corners) for corners in triangles.tolist()])
    if not table.is_closed or table.torn_vertices or _shortest(vertices, list(table.users)) < SHORTEST_CM:
        return None
    regions = planar_regions(vertices, triangles)
    has_ring = any(len(loops) > 1 for loops, _ in regions)
    if len(regions) > difficulty.most_faces or (difficulty.ring and not has_ring):
        return None
    if judge(solids, Polyhedron.of(*faces_of(union)), silent).score < 1:
        return None
    kinds = ", ".join(dict.fromkeys(solid.kind for solid in solids))
    return {
        "caption": f"{len(solids)} solids: {kinds}",
        "solids": rows,
        "volume": union.volume(),
        "area": union.surface_area(),
        "faces": len(regions),
    }


def _shortest(vertices: Any, edges: list[tuple[int, int]]) -> float:
    ends = vertices[np.array(edges)]
    return float(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).min())
