"""What can be done to a polyhedron: the commands of editors, agents and other programs. Lengths in cm.

Faces may be open, crossed or flat: that is for the verdict to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, Number, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.core.acting.elements import chosen
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.polyhedron.modelling import (
    ModelledBody,
    ModellingError,
    beside,
    extruded,
    find_vertex,
    flipped,
    merged,
    moved,
    part,
    split,
    with_face,
    with_hole,
    with_vertex_at,
    without,
)
from spatial_workbench.engine.tasks.csg_union.answer import MAX_ELEMENTS, Polyhedron
from spatial_workbench.engine.tasks.csg_union.editing import Findings, body_of, combine, primitive, turned
from spatial_workbench.engine.tasks.csg_union.solids import SIZES, Solid

commands = CommandList()

FARTHEST_CM = 1000.0
LEAST_CM = 0.001
LEAST_APART_CM = 0.01
MOST_CORNERS = 96
Cm = Annotated[Number, Field(ge=-FARTHEST_CM, le=FARTHEST_CM)]
Place = Annotated[tuple[Cm, ...], Field(strict=False, min_length=3, max_length=3)]
Angles = Annotated[tuple[Number, ...], Field(strict=False, min_length=3, max_length=3)]
VertexLoop = Annotated[tuple[WholeNumber, ...], at_most(MAX_ELEMENTS, "entries in a face")]
Chosen = Annotated[tuple[WholeNumber, ...], at_most(MAX_ELEMENTS, "numbers")]


class NewVertices(CommandArguments):
    """Places of vertices."""

    points_cm: Annotated[tuple[Place, ...], at_most(MAX_ELEMENTS, "points"), Field(min_length=1)] = Field(
        description="x, y, z of each vertex"
    )


class NewFaces(CommandArguments):
    """Loops of vertices."""

    loops: Annotated[tuple[VertexLoop, ...], at_most(MAX_ELEMENTS, "loops"), Field(min_length=1)] = Field(
        description="ids of the vertices of each face, counter-clockwise seen from outside"
    )


class NewPrimitive(CommandArguments):
    """A solid with its sizes, its turn and its place, as the task describes its solids."""

    kind: Literal["box", "prism", "cone", "wedge", "tetrahedron", "sphere24"] = Field(description="kind of solid")
    size_cm: Annotated[tuple[Annotated[Number, Field(gt=0, le=FARTHEST_CM)], ...], at_most(3, "sizes")] = Field(
        description="box, wedge: lengths along x, y, z; prism, cone: number of corners, radius, height; sphere24: "
        "radius; tetrahedron: the edges along x, y, z that meet at its right-angled corner"
    )
    at_cm: Place = Field(default=(0.0, 0.0, 0.0), description="how far it is moved along x, y, z")
    turn_deg: Angles = Field(default=(0.0, 0.0, 0.0), description="turns about fixed x, then y, then z")


class ChosenElements(CommandArguments):
    """Some vertices and faces."""

    vertices: Chosen = Field(default=(), description="ids of vertices")
    faces: Chosen = Field(default=(), description="ids of faces; all their vertices are meant")


class MovedElements(ChosenElements):
    """A step of some vertices and faces."""

    x_cm: Cm = Field(default=0.0, description="step along x")
    y_cm: Cm = Field(default=0.0, description="step along y")
    z_cm: Cm = Field(default=0.0, description="step along z")


class TurnedElements(ChosenElements):
    """A turn of some vertices and faces."""

    axis: Literal["x", "y", "z"] = Field(description="direction of the axis, which goes through their common middle")
    turn_deg: Number = Field(description="how far, counter-clockwise as seen against the axis")


class PutVertex(CommandArguments):
    """A vertex and where it goes."""

    vertex: WholeNumber = Field(description="id of the vertex")
    point_cm: Place = Field(description="x, y, z")


class ChosenFaces(CommandArguments):
    """Some faces."""

    faces: Annotated[Chosen, Field(min_length=1)] = Field(description="ids of faces")


class CopiedFaces(ChosenFaces):
    """A step of copies."""

    x_cm: Cm = Field(default=0.0, description="step along x")
    y_cm: Cm = Field(default=0.0, description="step along y")
    z_cm: Cm = Field(default=0.0, description="step along z")


class PulledFaces(ChosenFaces):
    """How far faces are pulled out."""

    distance_cm: Cm = Field(description="how far outwards; inwards if < 0")


class MergedVertices(CommandArguments):
    """Vertices that become one."""

    vertices: Annotated[Chosen, Field(min_length=2)] = Field(description="ids of vertices; the first one stays")


class CutFace(CommandArguments):
    """A cut through a face."""

    face: WholeNumber = Field(description="id of the face")
    first: WholeNumber = Field(description="id of a vertex of the face")
    second: WholeNumber = Field(description="id of another one")


class FaceWithHole(CommandArguments):
    """A face and its hole."""

    face: WholeNumber = Field(description="id of the face")
    loop: VertexLoop = Field(description="ids of the vertices of the hole, in order")


class CombinedShells(CommandArguments):
    """What is combined."""

    operation: Literal["union", "difference", "intersection"] = Field(
        description="difference: the first shell without the others"
    )
    faces: Chosen = Field(default=(), description="one face of each shell, in order; none: all shells")


@commands.add("Place vertices", NewVertices)
def vertices(instance: Instance, answer: Polyhedron, given: NewVertices) -> Polyhedron:
    """Adds vertices."""
    body = _body(answer)
    for place, point in enumerate(given.points_cm):
        existing = find_vertex(body, point)
        if existing is not None:
            raise AnswerError(f"Vertex {existing} is already there", ("points_cm", place))
    return _of(ModelledBody(np.concatenate([body.vertices, np.array(given.points_cm, float)]), body.faces))


@commands.add("Faces", NewFaces)
def faces(instance: Instance, answer: Polyhedron, given: NewFaces) -> Polyhedron:
    """Adds faces through vertices."""
    body = _body(answer)
    for loop in given.loops:
        chosen(loop, len(body.vertices), "vertex", "loops")
        with _refusals():
            body = with_face(body, loop, allows_any=True)
    return _of(body)


@commands.add("Add solid", NewPrimitive)
def place(instance: Instance, answer: Polyhedron, given: NewPrimitive) -> Polyhedron:
    """Adds a solid with vertices and faces of its own."""
    names = SIZES[given.kind] or ("x", "y", "z")
    if len(given.size_cm) != len(names):
        raise AnswerError(f"A {given.kind} has {counted(len(names), 'size')}: {', '.join(names)}", ("size_cm",))
    if names[0] == "n" and (given.size_cm[0] != int(given.size_cm[0]) or not 3 <= given.size_cm[0] <= MOST_CORNERS):
        raise AnswerError(f"The number of corners is a whole number from 3 to {MOST_CORNERS}", ("size_cm", 0))
    if min(given.size_cm) < LEAST_CM:
        raise AnswerError(f"Sizes are at least {LEAST_CM:g} cm", ("size_cm",))
    row: dict[str, Any] = {"kind": given.kind, "size": given.size_cm, "at": given.at_cm, "turn": given.turn_deg}
    if given.kind == "tetrahedron":
        x, y, z = given.size_cm
        row |= {"size": (), "points": ((0, 0, 0), (x, 0, 0), (0, y, 0), (0, 0, z))}
    return _of(beside(_body(answer), primitive(Solid.of(row))))


@commands.add("Move", MovedElements)
def move(instance: Instance, answer: Polyhedron, given: MovedElements) -> Polyhedron:
    """Moves vertices by a step."""
    body = _body(answer)
    return _of(moved(body, _touched(body, given), (given.x_cm, given.y_cm, given.z_cm)))


@commands.add("Turn", TurnedElements)
def turn(instance: Instance, answer: Polyhedron, given: TurnedElements) -> Polyhedron:
    """Turns vertices together."""
    body = _body(answer)
    return _of(turned(body, _touched(body, given), "xyz".index(given.axis), given.turn_deg))


@commands.add("Type coordinates", PutVertex)
def put(instance: Instance, answer: Polyhedron, given: PutVertex) -> Polyhedron:
    """Puts a vertex at a point."""
    body = _body(answer)
    chosen([given.vertex], len(body.vertices), "vertex", "vertex")
    return _of(with_vertex_at(body, given.vertex, given.point_cm))


@commands.add("Delete", ChosenElements)
def delete(instance: Instance, answer: Polyhedron, given: ChosenElements) -> Polyhedron:
    """Deletes faces, and vertices with all their faces; the ids of later ones become smaller."""
    body = _body(answer)
    _touched(body, given)
    return _of(without(body, given.faces, given.vertices))


@commands.add("Duplicate", CopiedFaces)
def duplicate(instance: Instance, answer: Polyhedron, given: CopiedFaces) -> Polyhedron:
    """Adds copies of faces with vertices of their own, a step away."""
    body = _body(answer)
    copy = part(body, chosen(given.faces, len(body.faces), "face", "faces"))
    return _of(beside(body, moved(copy, range(len(copy.vertices)), (given.x_cm, given.y_cm, given.z_cm))))


@commands.add("Flip", ChosenFaces)
def flip(instance: Instance, answer: Polyhedron, given: ChosenFaces) -> Polyhedron:
    """Turns faces over."""
    body = _body(answer)
    return _of(flipped(body, set(chosen(given.faces, len(body.faces), "face", "faces"))))


@commands.add("Extrude", PulledFaces)
def pull(instance: Instance, answer: Polyhedron, given: PulledFaces) -> Polyhedron:
    """Pulls faces out along their normals, with side walls."""
    body = _body(answer)
    pulled = chosen(given.faces, len(body.faces), "face", "faces")
    with _refusals():
        return _of(extruded(body, pulled, given.distance_cm))


@commands.add("Merge vertices", MergedVertices)
def merge(instance: Instance, answer: Polyhedron, given: MergedVertices) -> Polyhedron:
    """Merges vertices into the first of them."""
    body = _body(answer)
    chosen(given.vertices, len(body.vertices), "vertex", "vertices")
    with _refusals():
        return _of(merged(body, given.vertices))


@commands.add("Split face", CutFace)
def cut(instance: Instance, answer: Polyhedron, given: CutFace) -> Polyhedron:
    """Cuts a face in two from one of its vertices to another."""
    body = _body(answer)
    chosen([given.face], len(body.faces), "face", "face")
    with _refusals():
        return _of(split(body, given.face, given.first, given.second))


@commands.add("Face with hole", FaceWithHole)
def hole(instance: Instance, answer: Polyhedron, given: FaceWithHole) -> Polyhedron:
    """Cuts a hole into a face, which becomes several faces."""
    body = _body(answer)
    chosen([given.face], len(body.faces), "face", "face")
    chosen(given.loop, len(body.vertices), "vertex", "loop")
    with _refusals():
        return _of(with_hole(body, given.face, given.loop))


@commands.add("Combine solids", CombinedShells, Aid.SOLVING)
def combine_solids(instance: Instance, answer: Polyhedron, given: CombinedShells) -> Polyhedron:
    """Replaces closed shells by their union, difference or intersection."""
    body = _body(answer)
    findings = Findings(body)
    chosen(given.faces, len(body.faces), "face", "faces")
    shells = [findings.shell_of(face) for face in given.faces] or findings.shells
    if len({shell[0] for shell in shells}) < 2:
        raise AnswerError("Combining takes two or more shells", ("faces",))
    shells = list({shell[0]: shell for shell in shells}.values())
    with _refusals():
        result = combine(given.operation, tuple(part(body, shell) for shell in shells))
    return _of(beside(without(body, {face for shell in shells for face in shell}), result))


@commands.leading
def calls_between(instance: Instance, before: Polyhedron, after: Polyhedron) -> Iterator[Sequence[Call]]:
    """Calls that move, delete or add vertices and faces, or build everything anew."""
    old, new = before.vertices.tolist(), after.vertices.tolist()
    old_faces, new_faces = set(before.faces), set(after.faces)
    gone = [k for k, face in enumerate(before.faces) if face not in new_faces]
    if gone:
        yield [("delete", {"faces": gone})]
        yield [("flip", {"faces": gone})]
    if len(old) == len(new):
        yield from _moving(old, new)
    if lost := [k for k, point in enumerate(old) if point not in new]:
        yield [("delete", {"vertices": lost})]
    if new[: len(old)] == old:
        added = list(_adding(old, new, [list(face) for face in after.faces if face not in old_faces]))
        yield [*added, *([("delete", {"faces": gone})] if gone else [])]
    emptied: list[Call] = [("delete", {"vertices": list(range(len(old)))})] if old else []
    yield [*emptied, *_adding([], new, [list(face) for face in after.faces])]


def _moving(old: Sequence[list[float]], new: Sequence[list[float]]) -> Iterator[Sequence[Call]]:
    """Ways to move vertices: all by one step, or one after the other."""
    if changed := [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]:
        x, y, z = (round(b - a, 9) for a, b in zip(old[changed[0]], new[changed[0]], strict=True))
        yield [("move", {"vertices": changed, "x_cm": x, "y_cm": y, "z_cm": z})]
    yield [("put", {"vertex": k, "point_cm": new[k]}) for k in changed]


def _adding(old: Sequence[list[float]], new: Sequence[list[float]], loops: Sequence[list[int]]) -> Iterator[Call]:
    """Calls that add later vertices, and faces; a vertex in the place of another one is put there from far away."""
    body = ModelledBody.of(old, ())
    places: list[list[float]] = []
    put_there: list[Call] = []
    for k, point in enumerate(new[len(old) :], len(old)):
        place = point
        if find_vertex(body, point) is not None:
            place = [FARTHEST_CM, FARTHEST_CM, FARTHEST_CM - LEAST_APART_CM * k]
            put_there.append(("put", {"vertex": k, "point_cm": point}))
        places.append(place)
        body = ModelledBody(np.concatenate([body.vertices, [place]]), ())
    if places:
        yield "vertices", {"points_cm": places}
    yield from put_there
    if loops:
        yield "faces", {"loops": loops}


def _body(answer: Polyhedron) -> ModelledBody:
    """The answer as a body.

    Raises:
        AnswerError: A face names no vertices, so that nothing can be done with it.
    """
    body = body_of(answer)
    if len(body.faces) != len(answer.faces):
        raise AnswerError("A face names a vertex twice, or one that does not exist")
    return body


def _touched(body: ModelledBody, given: ChosenElements) -> list[int]:
    """The chosen vertices, and those of the chosen faces."""
    own = chosen(given.vertices, len(body.vertices), "vertex", "vertices")
    of_faces = [k for face in chosen(given.faces, len(body.faces), "face", "faces") for k in body.faces[face]]
    if not own and not of_faces:
        raise AnswerError("Name vertices or faces", ("vertices",))
    return sorted({*own, *of_faces})


@contextmanager
def _refusals() -> Iterator[None]:
    """Makes what cannot be modelled an AnswerError."""
    try:
        yield
    except ModellingError as error:
        raise AnswerError(str(error)) from None


def _of(body: ModelledBody) -> Polyhedron:
    if max(len(body.vertices), len(body.faces)) > MAX_ELEMENTS:
        raise AnswerError(f"That would be more than {MAX_ELEMENTS} vertices or faces")
    return Polyhedron.of(body.vertices, body.faces)
