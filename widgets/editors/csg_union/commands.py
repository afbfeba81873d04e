"""What buttons and keys do to what is selected: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.core.scene import Floats
from engine.geometry.polyhedron import Edge, EdgeTable
from engine.geometry.polyhedron.modelling import (
    Body,
    ModellingError,
    beside,
    extruded,
    find_vertex,
    flipped,
    merged,
    moved,
    part,
    put,
    split,
    with_face,
    with_hole,
    with_vertex,
    without,
)
from engine.tasks.csg_union.editing import Operation, combine, edges_of, oriented, primitive
from engine.tasks.csg_union.gate import face_id, vertex_id
from engine.tasks.csg_union.solids import Solid, rotation

if TYPE_CHECKING:
    from widgets.editors.csg_union.editor import CsgUnionEditor

LABELS: dict[Operation, str] = {"union": "Unite", "difference": "Subtract", "intersection": "Intersect"}


class Commands:
    """The editor's commands."""

    def __init__(self, editor: CsgUnionEditor) -> None:
        self.editor = editor

    @property
    def body(self) -> Body:
        """The body that is worked on."""
        return self.editor.piece.body

    def _try(self, label: str, change: Callable[[], Body], merge: str = "") -> bool:
        try:
            self.editor.put(label, change(), merge)
        except ModellingError as error:
            self.editor.say(f"Not done: {error}.")
            return False
        return True

    # Vertices and faces ------------------------------------------------------------------------------------------

    def add_vertex(self, place: Floats) -> None:
        """Adds a vertex, unless one is there."""
        there = find_vertex(self.body, place)
        if there is not None:
            self.editor.say(f"Vertex {there} is there already.")
            return
        self.editor.put("Place vertex", with_vertex(self.body, place)[0])

    def make_face(self) -> None:
        """A face through the selected vertices, in the order in which they were selected."""
        loop = self.editor.chosen_vertices
        if len(loop) < 3:
            self.editor.say("Select three or more vertices in the order of the loop.")
            return
        sight = -self.editor.view.camera.axes[2]
        self._try("Face", lambda: with_face(self.body, oriented(self.body, loop, sight)))

    def delete(self) -> None:
        """Takes the selection away, faces with their vertices; while a loop is clicked, its last corner."""
        if self.editor.face_tool.back():
            return
        faces, vertices = self.editor.chosen_faces, self.editor.chosen_vertices
        if faces or vertices:
            self.editor.view.set_selection(())
            self.editor.put("Delete", without(self.body, faces, vertices))

    def flip(self) -> None:
        """Turns the selected faces over, or all."""
        faces = self.editor.chosen_faces or range(len(self.body.faces))
        self.editor.put("Flip", flipped(self.body, set(faces)))

    def merge(self) -> None:
        """Makes one of the selected vertices, at the place of the first."""
        chosen = self.editor.chosen_vertices
        if self._try("Merge vertices", lambda: merged(self.body, chosen)):
            self.editor.view.set_selection(())

    def split_face(self) -> None:
        """Cuts a face between the two selected vertices."""
        chosen = self.editor.chosen_vertices
        faces = self.editor.chosen_faces or [i for i, f in enumerate(self.body.faces) if set(chosen) <= set(f)]
        if len(chosen) != 2 or not faces:
            self.editor.say("Select two vertices of one face (and the face, if there are several).")
            return
        self._try("Split face", lambda: split(self.body, faces[0], *chosen))

    def extrude(self, faces: Sequence[int] | None = None, distance: float | None = None) -> None:
        """Pulls faces out by a distance in cm."""
        chosen = list(faces if faces is not None else self.editor.chosen_faces)
        length = self.editor.extrusion_cm if distance is None else distance
        if not chosen:
            self.editor.say("Select a face to pull out.")
            return

        self._try("Extrude", lambda: extruded(self.body, chosen, length))

    def cut_hole(self) -> None:
        """Makes a hole in the first selected face: the second face's loop, or that of the selected vertices."""
        faces, loop = self._hole()
        if not faces or len(loop) < 3:
            self.editor.say("Select the face, and then the vertices of the hole in order, or the face that fills it.")
            return

        def cut() -> Body:
            body = with_hole(self.body, faces[0], loop)
            return without(body, [faces[1]]) if len(faces) == 2 else body

        self._try("Face with hole", cut)

    def proposed_cuts(self) -> list[Edge]:
        """The cuts that a hole would take, for the present selection; none where no hole can be made."""
        faces, loop = self._hole()
        if not faces or len(loop) < 3:
            return []
        try:
            body = with_hole(self.body, faces[0], loop)
        except ModellingError:
            return []
        rim = set(edges_of([self.body.faces[faces[0]], tuple(loop)]))
        return [edge for edge in edges_of(set(body.faces) - set(self.body.faces)) if edge not in rim]

    def _hole(self) -> tuple[list[int], list[int]]:
        """The selected faces, and the loop of the hole in the first of them."""
        faces, loop = self.editor.chosen_faces, self.editor.chosen_vertices
        return faces, list(self.body.faces[faces[1]]) if len(faces) == 2 else loop

    # Moving ------------------------------------------------------------------------------------------------------

    def move(self, step: Sequence[float], merge: str = "") -> None:
        """Moves the selection by a step in cm."""
        chosen = self.editor.touched_vertices
        if chosen and any(step):
            self.editor.put("Move", moved(self.body, chosen, step), merge and f"{merge} {chosen}")

    def turn(self, axis: int, angle_deg: float) -> None:
        """Turns the selection about its middle and an axis."""
        chosen = self.editor.touched_vertices
        if not chosen or not angle_deg:
            return
        turns = [0.0, 0.0, 0.0]
        turns[axis] = angle_deg
        places = self.body.vertices.copy()
        middle = (places[chosen].min(axis=0) + places[chosen].max(axis=0)) / 2
        places[chosen] = (places[chosen] - middle) @ rotation((turns[0], turns[1], turns[2])).T + middle
        self.editor.put("Turn", Body(np.round(places, 12), self.body.faces))

    def set_coordinate(self, vertex: int, axis: int, value: float) -> None:
        """Gives a vertex a typed coordinate."""
        place = self.body.vertices[vertex].copy()
        place[axis] = value
        there = find_vertex(self.body, place)
        if there not in (None, vertex):
            self.editor.say(f"Not done: vertex {there} is at that place. Merge them instead.")
            return
        self.editor.put("Type coordinate", put(self.body, vertex, place))

    # Solids ------------------------------------------------------------------------------------------------------

    def add_primitive(self, solid: Solid) -> None:
        """Adds a solid as a shell of its own, and selects it."""
        count, first = len(self.body.faces), len(self.body.vertices)
        self.editor.put(f"Add {solid.kind}", beside(self.body, primitive(solid)))
        added = self.body
        faces, vertices = range(count, len(added.faces)), range(first, len(added.vertices))
        self.editor.view.set_selection([*map(face_id, faces), *map(vertex_id, vertices)])

    def combine(self, operation: Operation) -> None:
        """Combines the shells of the selection (or all) in the background; the first one stays in a subtraction."""
        shells = self._shells()
        if len(shells) < 2:
            self.editor.say("Combining takes two solids or more: add another, or select faces of two.")
            return
        bodies = tuple(part(self.body, faces) for faces in shells)
        if not all(EdgeTable(body.faces).is_closed for body in bodies):
            self.editor.say("Only closed solids can be combined; open edges are red.")
            return
        used = {face for faces in shells for face in faces}
        self.editor.combine(LABELS[operation], combine, operation, bodies, without(self.body, used))

    def _shells(self) -> list[list[int]]:
        """The shells that are meant, in the order of the selection."""
        shells = self.editor.piece.findings.shells
        chosen = self.editor.chosen_faces
        if not chosen:
            return shells
        found = [next(k for k, shell in enumerate(shells) if face in shell) for face in chosen]
        return [shells[k] for k in dict.fromkeys(found)]

    def select_shell(self, face: int) -> None:
        """Selects all of the shell of a face."""
        faces = self.editor.piece.findings.shell_of(face)
        self.editor.view.set_selection(map(face_id, faces))
