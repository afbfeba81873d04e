"""The body that is worked on: the answer as vertices and faces, what is wrong with it, and steps of the history."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.core.scene import Floats
from engine.geometry.polyhedron.modelling import Body
from engine.tasks.csg_union import Polyhedron
from engine.tasks.csg_union.answer import MAX_ELEMENTS
from engine.tasks.csg_union.editing import Findings, body_of
from engine.tasks.csg_union.gate import face_id, vertex_id
from widgets.editing.document import AnswerDocument
from widgets.viewport3d import Viewport3D


class Workpiece:
    """The document's answer as a body, worked out once an answer; and what of it is selected in a view.

    say: says something in the status bar until the next change.
    """

    def __init__(self, document: AnswerDocument[Polyhedron], view: Viewport3D, say: Callable[[str], None]) -> None:
        self.document = document
        self.view = view
        self.say = say
        self._of: tuple[int, Findings] | None = None

    @property
    def findings(self) -> Findings:
        """The body with what can be said of it at once."""
        if self._of is None or self._of[0] != self.document.revision:
            self._of = self.document.revision, Findings(body_of(self.document.answer))
        return self._of[1]

    @property
    def body(self) -> Body:
        """Vertices and faces."""
        return self.findings.body

    def put(self, label: str, body: Body, merge: str = "") -> None:
        """Makes this the body, as one step of the history, if it is not too large."""
        if max(len(body.vertices), len(body.faces)) > MAX_ELEMENTS:
            self.say(f"Not done: An answer holds {MAX_ELEMENTS} vertices and faces at most.")
            return
        self.say("")
        vertices = [[round(value, 12) + 0.0 for value in xyz] for xyz in body.vertices.tolist()]
        self.document.edit(label, Polyhedron.of(vertices, body.faces), merge)

    # What is selected --------------------------------------------------------------------------------------------

    @property
    def chosen_faces(self) -> list[int]:
        """The selected faces, in the order of the selection."""
        return [i for i in numbers_of(self.view.selection, "face") if i < len(self.body.faces)]

    @property
    def chosen_vertices(self) -> list[int]:
        """The selected vertices, in the order of the selection."""
        return [k for k in numbers_of(self.view.selection, "vertex") if k < len(self.body.vertices)]

    @property
    def touched_vertices(self) -> list[int]:
        """The selected vertices and those of the selected faces."""
        faces = self.body.faces
        return sorted({*self.chosen_vertices, *(k for i in self.chosen_faces for k in faces[i])})

    def select(self, faces: Iterable[int] = (), vertices: Iterable[int] = ()) -> None:
        """Selects these alone."""
        self.view.set_selection([*map(face_id, faces), *map(vertex_id, vertices)])

    def drop_lost(self) -> None:
        """Selects no more what is not there any more."""
        faces = numbers_of(self.view.selection, "face")
        vertices = numbers_of(self.view.selection, "vertex")
        lost = {*map(face_id, {*faces} - {*self.chosen_faces}), *map(vertex_id, {*vertices} - {*self.chosen_vertices})}
        if lost:
            self.view.set_selection(name for name in self.view.selection if name not in lost)

    @property
    def sight(self) -> Floats:
        """The direction in which the body is looked at, (3,)."""
        away: Floats = -self.view.camera.axes[2]
        return away


def numbers_of(ids: Iterable[str], kind: str) -> list[int]:
    """The numbers in ids of a kind: 3 in "face 3"."""
    parts = (name.partition(" ") for name in ids)
    return [int(number) for word, _, number in parts if word == kind and number.isdigit()]
