"""The body being edited: the answer as vertices and faces, what is wrong with it, and its selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron.modelling import ModelledBody
from spatial_workbench.engine.tasks.csg_union import Polyhedron
from spatial_workbench.engine.tasks.csg_union.answer import MAX_ELEMENTS
from spatial_workbench.engine.tasks.csg_union.editing import Findings, body_of
from spatial_workbench.engine.tasks.csg_union.gate import face_id, vertex_id
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import numbers_of
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D


class Workpiece:
    """The document's answer as a body, and what is selected of it in a view.

    say: shows a message in the status bar until the next change.
    """

    def __init__(self, document: AnswerDocument[Polyhedron], view: Viewport3D, say: Callable[[str], None]) -> None:
        self.document = document
        self.view = view
        self.say = say
        self._findings: tuple[int, Findings] | None = None

    @property
    def findings(self) -> Findings:
        """The body and what is wrong with it, computed once per answer."""
        if self._findings is None or self._findings[0] != self.document.revision:
            self._findings = self.document.revision, Findings(body_of(self.document.answer))
        return self._findings[1]

    @property
    def body(self) -> ModelledBody:
        """Vertices and faces."""
        return self.findings.body

    def replace_body(self, label: str, body: ModelledBody, merge: str = "") -> None:
        """Replaces the body as one step of the history, unless the new one is too large."""
        if max(len(body.vertices), len(body.faces)) > MAX_ELEMENTS:
            self.say(f"Not done: an answer may have at most {MAX_ELEMENTS} vertices and as many faces.")
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
        """The selected vertices, and the vertices of the selected faces."""
        faces = self.body.faces
        return sorted({*self.chosen_vertices, *(k for i in self.chosen_faces for k in faces[i])})

    def select(self, faces: Iterable[int] = (), vertices: Iterable[int] = ()) -> None:
        """Selects these faces and vertices, and nothing else."""
        self.view.set_selection([*map(face_id, faces), *map(vertex_id, vertices)])

    def drop_lost(self) -> None:
        """Deselects what no longer exists."""
        faces = numbers_of(self.view.selection, "face")
        vertices = numbers_of(self.view.selection, "vertex")
        lost = {*map(face_id, {*faces} - {*self.chosen_faces}), *map(vertex_id, {*vertices} - {*self.chosen_vertices})}
        if lost:
            self.view.set_selection(name for name in self.view.selection if name not in lost)

    @property
    def sight(self) -> Floats:
        """The viewing direction, (3,)."""
        away: Floats = -self.view.camera.axes[2]
        return away
