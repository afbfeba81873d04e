"""Commands of buttons and keys on the selection: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron import Edge, EdgeTable
from spatial_workbench.engine.geometry.polyhedron.modelling import (
    ModelledBody,
    ModellingError,
    beside,
    extruded,
    find_vertex,
    flipped,
    joined,
    merged,
    moved,
    part,
    split,
    with_face,
    with_hole,
    with_vertex,
    with_vertex_at,
    without,
)
from spatial_workbench.engine.tasks.csg_union.editing import Operation, combine, edges_of, oriented, primitive, turned
from spatial_workbench.engine.tasks.csg_union.solids import Solid
from spatial_workbench.widgets.editing.nudging import Way
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editors.csg_union.workpiece import Workpiece

LABELS: dict[Operation, str] = {"union": "Unite", "difference": "Subtract", "intersection": "Intersect"}


class Commands:
    """The commands on a workpiece.

    is_judged: Whether commands that break a rule of the task are refused.
    extrusion_cm: How far `extrude` pulls faces.
    """

    def __init__(self, piece: Workpiece, runner: Runner, is_judged: bool) -> None:
        self.extrusion_cm = 5.0
        self._piece = piece
        self._runner = runner
        self._is_judged = is_judged

    @property
    def body(self) -> ModelledBody:
        """The body being edited."""
        return self._piece.body

    def _try_change(self, label: str, change: Callable[[], ModelledBody], merge: str = "") -> bool:
        try:
            self._piece.replace_body(label, change(), merge)
        except ModellingError as error:
            self._piece.say(f"Not done: {error}.")
            return False
        return True

    # Vertices and faces ------------------------------------------------------------------------------------------

    def add_vertex(self, place: Floats) -> None:
        """Adds a vertex, unless there is one at that place."""
        existing = find_vertex(self.body, place)
        if existing is not None:
            self._piece.say(f"Vertex {existing} is already there.")
            return
        self._piece.replace_body("Place vertex", with_vertex(self.body, place)[0])

    def make_face(self) -> None:
        """Makes a face through the selected vertices, in the order in which they were selected."""
        loop = self._piece.chosen_vertices
        if len(loop) < 3:
            self._piece.say("Select three or more vertices in the order of the loop.")
        else:
            self._try_change("Face", lambda: self._with_face(self.body, loop, self._piece.sight))

    def add_loop(self, places: Sequence[Floats], sight: Floats) -> None:
        """Makes a face with corners at these places; vertices are added where there are none."""
        body: ModelledBody = self.body
        corners = []
        for place in places:
            body, index = with_vertex(body, place)
            corners.append(index)
        self._try_change("Face", lambda: self._with_face(body, corners, sight))

    def _with_face(self, body: ModelledBody, loop: Sequence[int], sight: Floats) -> ModelledBody:
        turned = oriented(body, loop, sight) if len(loop) > 2 else loop
        return with_face(body, turned, allows_any=not self._is_judged)

    def copy_face(self, face: ModelledBody) -> None:
        """Adds a face of a solid, unless it exists already."""
        whole = joined(self.body, face)
        if self._is_judged and set(whole.faces[-1]) in map(set, self.body.faces):
            self._piece.say("There is such a face already.")
        else:
            self._piece.replace_body("Copy face", whole)

    def delete(self) -> None:
        """Deletes the selected faces and vertices."""
        faces = self._piece.chosen_faces
        vertices = self._piece.chosen_vertices
        if faces or vertices:
            self._piece.select()
            self._piece.replace_body("Delete", without(self.body, faces, vertices))

    def flip(self) -> None:
        """Reverses the selected faces, or all."""
        self._piece.replace_body(
            "Flip", flipped(self.body, set(self._piece.chosen_faces or range(len(self.body.faces))))
        )

    def merge(self) -> None:
        """Merges the selected vertices into one, at the place of the first."""
        chosen = self._piece.chosen_vertices
        if self._try_change("Merge vertices", lambda: merged(self.body, chosen)):
            self._piece.select()

    def split_face(self) -> None:
        """Cuts a face between the two selected vertices."""
        chosen = self._piece.chosen_vertices
        faces = self._piece.chosen_faces or [i for i, f in enumerate(self.body.faces) if set(chosen) <= set(f)]
        if len(chosen) != 2 or not faces:
            self._piece.say("Select two vertices of one face (and the face, if there are several).")
        else:
            self._try_change("Split face", lambda: split(self.body, faces[0], *chosen))

    def extrude(self) -> None:
        """Pulls the selected faces out by `extrusion_cm`."""
        if self._piece.chosen_faces:
            self.pull(self._piece.chosen_faces, self.extrusion_cm)
        else:
            self._piece.say("Select a face to pull out.")

    def pull(self, faces: Sequence[int], distance_cm: float) -> None:
        """Pulls faces out by a distance."""
        self._try_change("Extrude", lambda: extruded(self.body, faces, distance_cm))

    def cut_hole(self) -> None:
        """Cuts a hole in the first selected face, with the loop of the second face or of the selected vertices."""
        faces, loop = self._hole()
        if not faces or len(loop) < 3:
            self._piece.say("Select the face, and then the vertices of the hole in order, or the face that fills it.")
            return

        def cut() -> ModelledBody:
            body = with_hole(self.body, faces[0], loop)
            return without(body, [faces[1]]) if len(faces) == 2 else body

        self._try_change("Face with hole", cut)

    def proposed_cuts(self) -> list[Edge]:
        """The cuts that `cut_hole` would make now; none if it cannot make a hole."""
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
        faces = self._piece.chosen_faces
        loop = self._piece.chosen_vertices
        return faces, list(self.body.faces[faces[1]]) if len(faces) == 2 else loop

    # Moving ------------------------------------------------------------------------------------------------------

    def move_selection(self, step: Sequence[float], merge: str = "") -> None:
        """Moves the selection by a step in cm."""
        chosen = self._piece.touched_vertices
        if chosen and any(step):
            self._piece.replace_body("Move", moved(self.body, chosen, step), merge and f"{merge} {chosen}")

    def nudge(self, way: Way, length_cm: float) -> None:
        """Moves the selection by a key."""
        self.move_selection([length_cm * part for part in way], "nudge")

    def turn_selection(self, axis: int, angle_deg: float) -> None:
        """Turns the selection about an axis through its middle."""
        chosen = self._piece.touched_vertices
        if chosen and angle_deg:
            self._piece.replace_body("Turn", turned(self.body, chosen, axis, angle_deg))

    def set_coordinate(self, vertex: int, axis: int, value: float) -> None:
        """Sets a coordinate of a vertex, as it was typed."""
        place = self.body.vertices[vertex].copy()
        place[axis] = value
        existing = find_vertex(self.body, place)
        if self._is_judged and existing not in (None, vertex):
            self._piece.say(f"Not done: vertex {existing} is at that place. Merge them instead.")
            return
        self._piece.replace_body("Type coordinate", with_vertex_at(self.body, vertex, place))

    # Solids ------------------------------------------------------------------------------------------------------

    def add_primitive(self, solid: Solid) -> None:
        """Adds a solid as a shell of its own in place of the ghost, and selects it."""
        self._piece.view.set_ghost(())
        count = len(self.body.faces)
        first = len(self.body.vertices)
        self._piece.replace_body(f"Add {solid.kind}", beside(self.body, primitive(solid)))
        self._piece.select(range(count, len(self.body.faces)), range(first, len(self.body.vertices)))

    def combine(self, operation: Operation) -> None:
        """Combines the selected shells (or all) in the background; the others are subtracted from the first."""
        shells = self._shells()
        if len(shells) < 2:
            self._piece.say("Combining takes two or more solids: add another, or select faces of two.")
            return
        bodies = tuple(part(self.body, faces) for faces in shells)
        if not all(EdgeTable(body.faces).is_closed for body in bodies):
            self._piece.say("Only closed solids can be combined; open edges are red.")
            return
        rest = without(self.body, {face for faces in shells for face in faces})
        revision = self._piece.document.revision

        def done(result: ModelledBody) -> None:
            if self._piece.document.revision == revision:
                self._piece.select()
                self._piece.replace_body(LABELS[operation], beside(rest, result))
            else:
                self._piece.say("Not done: the polyhedron has changed in the meantime.")

        label = LABELS[operation]
        say = self._piece.say
        self._runner.run(label, combine, operation, bodies, done=done, failed=lambda why: say(f"Not done: {why}"))

    def _shells(self) -> list[list[int]]:
        """The shells that have selected faces, in the order of the selection; all if none is selected."""
        shells = self._piece.findings.shells
        chosen = self._piece.chosen_faces
        if not chosen:
            return shells
        indices = [next(k for k, shell in enumerate(shells) if face in shell) for face in chosen]
        return [shells[k] for k in dict.fromkeys(indices)]

    def select_shell(self, face: int) -> None:
        """Selects the whole shell of a face."""
        self._piece.select(self._piece.findings.shell_of(face))
