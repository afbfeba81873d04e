"""The scene: the solids as ghosts, the answer's faces, edges and vertices, what is missing and what is too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from spatial_workbench.engine.core import Scene, Verdict
from spatial_workbench.engine.core.scene import Floats, Ground, Ints, Item, Mesh, Points, Polygon, Polyline
from spatial_workbench.engine.geometry.polyhedron import Face, normals_of, triangles_of
from spatial_workbench.engine.tasks.csg_union.answer import Polyhedron
from spatial_workbench.engine.tasks.csg_union.gate import FARTHEST_CM, face_id, vertex_id
from spatial_workbench.engine.tasks.csg_union.solids import Solid, mesh_of, union_of
from spatial_workbench.engine.tasks.csg_union.volumes import NotASolid, manifold_from

if TYPE_CHECKING:
    from manifold3d import Manifold

MOST_POLYGONS = 800
"""The number of faces beyond which all are drawn as one item."""
FEW_VERTICES = 60
"""The number of vertices beyond which they are drawn smaller."""
GHOST_OPACITY = 0.16
SHRINK = 0.002
"""Each ghost is shrunk by this much more than the one before, because coplanar faces would flicker."""
BACK_COLOR = "series 3"
"""Colour of the inner side of a face, which should not be visible."""


def solid_id(i: int) -> str:
    """The id of a ghost."""
    return f"solid {i}"


def draw(solids: tuple[Solid, ...], answer: Polyhedron | None, verdict: Verdict | None) -> Scene:
    """The instance, and an answer with the problems that a verdict names."""
    faces = answer.faces if answer is not None else ()
    items: list[Item] = []
    if not faces or (verdict is not None and not verdict.passed):
        items += ghosts(solids, with_faces=not faces)
    if answer is not None:
        vertices = answer.vertices
        items += polyhedron_items(vertices, faces, verdict.failed_elements if verdict is not None else ())
        if verdict is not None:
            items += named_edges(vertices, verdict.failed_elements)
            items += difference_items(solids, answer, verdict)
    return framed(solids, items)


def framed(solids: tuple[Solid, ...], items: Sequence[Item]) -> Scene:
    """A scene of these items that shows the solids."""
    corners = np.concatenate([solid.corners for solid in solids])
    low, high = corners.min(axis=0), corners.max(axis=0)
    reach = 5 * (np.ceil(np.abs(corners[:, :2]).max() / 5) + 1)
    ground = Ground(5.0, (-reach, -reach, reach, reach), float(low[2]))
    return Scene(items=tuple(items), unit="cm", ground=ground, bounds=(low.tolist(), high.tolist()))


def ghosts(solids: tuple[Solid, ...], with_faces: bool = True) -> Iterator[Item]:
    """The solids of the union: translucent, with their edges. Beside an answer only the edges are drawn."""
    for i, solid in enumerate(solids):
        color = f"series {i % 7}"
        corners, faces = solid.shape
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        vertices = middle + (1 - SHRINK * (i + 1)) * (corners - middle)
        if with_faces:
            triangles, _ = triangles_of(vertices, faces)
            yield Mesh(
                id=solid_id(i),
                vertices=vertices,
                faces=triangles,
                color=color,
                opacity=GHOST_OPACITY,
                pickable=False,
            )
        yield wire(f"edges of {solid_id(i)}", vertices, faces, color)


def wire(name: str, vertices: Floats, faces: Sequence[Face], color: str) -> Mesh:
    """The edges of a polyhedron as one item of thin lines; each edge is a degenerate triangle."""
    edges = sorted({(min(e), max(e)) for face in faces for e in zip(face, (*face[1:], face[0]), strict=True)})
    flat = np.array([(a, b, b) for a, b in edges]).reshape(-1, 3)
    return Mesh(id=name, vertices=vertices, faces=flat, color=color, wireframe=True, pickable=False)


def polyhedron_items(vertices: Floats, faces: Sequence[Face], named: Sequence[str]) -> Iterator[Item]:
    """The vertices and faces of an answer; what cannot be drawn is left out.

    If there are many faces, only the named ones are elements of their own.
    """
    whole = drawable(vertices, faces)
    for i in whole if len(whole) <= MOST_POLYGONS else sorted({*whole} & {*_numbers(named)}):
        yield Polygon(id=face_id(i), points=vertices[list(faces[i])], color="neutral", outline="text")
    yield from vertices_and_backs(vertices, [faces[i] for i in whole])


def vertices_and_backs(vertices: Floats, faces: Sequence[Face]) -> Iterator[Item]:
    """The vertices, the back sides in a strong colour and, if there are many faces, all of them as one item."""
    triangles, owners = triangles_of(vertices, faces)
    if len(faces) > MOST_POLYGONS:
        yield Mesh(id="faces", vertices=vertices, faces=triangles, edges=True, pickable=False)
    if faces:
        yield _back_sides(vertices, faces, triangles, owners)
    near = np.flatnonzero(np.abs(vertices).max(axis=1) <= FARTHEST_CM).tolist() if len(vertices) else []
    if near:
        names = [vertex_id(i) for i in near]
        size_px = 7.0 if len(near) <= FEW_VERTICES else 4.0
        yield Points(name="vertices", ids=names, positions=vertices[near], colors="text", size_px=size_px)


def _numbers(names: Sequence[str]) -> Iterator[int]:
    for name in names:
        kind, _, number = name.partition(" ")
        if kind == "face":
            yield int(number)


def drawable(vertices: Floats, faces: Sequence[Face]) -> list[int]:
    """The faces with at least three vertices that exist and are not too far away."""
    sizes = np.array([len(face) for face in faces], np.int64)
    corners = np.fromiter((k for face in faces for k in face), np.int64, int(sizes.sum()))
    is_there = np.append(np.abs(vertices).max(axis=1) <= FARTHEST_CM, False)
    is_good = is_there[np.where((corners >= 0) & (corners < len(vertices)), corners, -1)]
    owner = np.repeat(np.arange(len(faces)), sizes)
    spoiled = set(owner[~is_good].tolist())
    return [i for i, face in enumerate(faces) if i not in spoiled and len(set(face)) > 2]


def _back_sides(vertices: Floats, faces: Sequence[Face], triangles: Ints, owners: Ints) -> Mesh:
    """The back sides of faces, slightly behind them: their triangles, and the face of each."""
    normals = normals_of(vertices, faces)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    hair = 1.5e-3 * float(np.ptp(vertices[triangles.ravel()], axis=0).max()) if len(triangles) else 0.0
    corners = vertices[triangles] - hair * normals[owners][:, None]
    count = np.arange(3 * len(triangles)).reshape(-1, 3)
    return Mesh(
        id="inner sides", vertices=corners.reshape(-1, 3), faces=count[:, ::-1], color=BACK_COLOR, pickable=False
    )


def named_edges(vertices: Floats, elements: Sequence[str]) -> Iterator[Item]:
    """The edges that a verdict names."""
    for name in elements:
        kind, _, ends = name.partition(" ")
        if kind == "edge":
            a, b = (int(end) for end in ends.split("-"))
            yield Polyline(id=name, points=vertices[[a, b]], color="failed", width_px=4.0)


def difference_items(solids: tuple[Solid, ...], answer: Polyhedron, verdict: Verdict) -> Iterator[Item]:
    """The missing and the excess volume, if the gate was passed."""
    if not any(figure.name == "missing" for figure in verdict.figures) or verdict.verifier == "crosscheck":
        return
    try:
        solid = manifold_from(answer.vertices, answer.faces)
    except NotASolid:
        return
    union = union_of(solids)
    yield from differences(union - solid, solid - union)


def differences(missing: Manifold, excess: Manifold) -> Iterator[Item]:
    """Both differences as items, unless they are empty."""
    for name, solid, color, scale in (("missing", missing, "accent", 0.996), ("excess", excess, "warning", 1.004)):
        if solid.volume() > 1e-6:
            vertices, triangles = mesh_of(solid)
            middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
            # Slightly offset from the faces that they share with the answer.
            vertices = middle + scale * (vertices - middle)
            yield Mesh(id=name, vertices=vertices, faces=triangles, color=color, opacity=0.45, edges=True)
