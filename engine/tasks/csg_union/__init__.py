"""Union of solids: one closed polyhedron for two to six overlapping solids (SCBench, bucket Constructive, task q03).

Answer    vertices [x, y, z] in cm, and polygonal faces as loops of vertex indices, counter-clockwise from outside
Gate      closed, consistently wound, flat simple faces that nowhere cross, near each other, shells that look outwards
Score     min(common, answer) / union - 0.5 * what is farther than 0.05 cm / union; above 0.95 it is 1

The rules in full: docs/tasks/csg_union.md.

    answer        one polyhedron with polygonal faces, and its reader
    commands      what can be done to a polyhedron by editors, agents and other programs
    crosscheck    the same verdict by other methods: exact integers for the gate, sampled points for the volumes
    drawing       the solids as ghosts; the answer's faces, edges and vertices; what is missing or too much
    editing       what the editor needs to know: snap points, faults of a body, boolean operations
    exact         exact arithmetic on a polyhedron: coordinates as whole numbers times one power of two
    gate          what a polyhedron must satisfy before volumes are compared
    generator     new unions: solids on an integer lattice whose union is a clean manifold
    judging       the verifiers: the gate, then the volumes
    prompt        what a solver is told
    sampling      volumes by counting points, and crossings of vertical rays
    solid_words   the solids in words
    solids        the solids of a union: convex primitives with sizes, a turn and a place
    volumes       volumes of the union and of an answer, and the score that follows from them
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core import (
    Aid,
    Body,
    Bucket,
    CannotRepresent,
    Family,
    Instance,
    LiveRule,
    Outcome,
    Progress,
    Prompt,
    ReadsBodies,
    Scene,
    Task,
    Verdict,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron import planar_faces, triangles_of
from spatial_workbench.engine.tasks.csg_union.answer import MAX_ELEMENTS, Polyhedron
from spatial_workbench.engine.tasks.csg_union.crosscheck import judge_by_points
from spatial_workbench.engine.tasks.csg_union.generator import UnionDifficulty, draw
from spatial_workbench.engine.tasks.csg_union.judging import judge, judge_as_published
from spatial_workbench.engine.tasks.csg_union.prompt import prompt_text
from spatial_workbench.engine.tasks.csg_union.solids import Solid, faces_of, union_of

__all__ = ["CsgUnion", "Polyhedron", "Solid", "solids_of"]


PICTURED = 20
"""The instance on the catalogue's card."""


class CsgUnion(HasCommands, ReadsBodies, Task[Polyhedron]):
    """One polyhedron for the union of several."""

    id = "csg_union"
    title = "Union of solids"
    summary = "Give the union of overlapping solids as one watertight polyhedron: vertices and polygonal faces."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults("A check measures the solid that is built; it does not say where its corners belong.")
    answer_type = Polyhedron
    hidden = frozenset({"area", "faces", "volume"})
    difficulty = UnionDifficulty
    unit_mm = 10.0

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {key: row[key] for key in ("caption", "solids", "volume", "area", "faces")}

    def draw(self, rng: np.random.Generator, difficulty: UnionDifficulty) -> Mapping[str, Any]:
        """A new union that is a clean manifold."""
        return draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        return str(instance.parameters["caption"])

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_text(solids_of(instance)))

    def empty(self, instance: Instance) -> Polyhedron:
        return Polyhedron.of((), ())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.csg_union.commands import commands

        return commands

    def sight(self, instance: Instance, answer: Polyhedron, aids: Collection[Aid]) -> Scene:
        """The solids and the answer."""
        from spatial_workbench.engine.tasks.csg_union.drawing import framed, ghosts, polyhedron_items

        solids = solids_of(instance)
        shown = ghosts(solids, with_faces=not answer.faces)
        return framed(solids, [*shown, *polyhedron_items(answer.vertices, answer.faces, ())])

    def state(self, instance: Instance, answer: Polyhedron) -> Any:
        return {
            "vertices": [{"id": k, "xyz": vertex.xyz} for k, vertex in enumerate(answer.polyhedron.vertex)],
            "faces": [{"id": k, "vertices": face} for k, face in enumerate(answer.faces)],
        }

    @verifier("default", "1.1", "The documented rules: also crossing faces, simple loops and the winding of shells.")
    def _default(self, instance: Instance, answer: Polyhedron, progress: Progress) -> Outcome:
        return judge(solids_of(instance), answer, progress)

    @verifier(
        "published",
        "1",
        "The published rules: faces may cross, shells may be wound wrongly, vertices may join parts, loops need not be "
        "simple, and a face is flat if it is in the plane of its first three vertices. Read as in the default.",
    )
    def _as_published(self, instance: Instance, answer: Polyhedron, progress: Progress) -> Outcome:
        return judge_as_published(solids_of(instance), answer, progress)

    def _crosscheck(self, instance: Instance, answer: Polyhedron, progress: Progress) -> Outcome:
        return judge_by_points(solids_of(instance), answer, progress)

    def solve(self, instance: Instance, progress: Progress = silent) -> Polyhedron:
        """The union by manifold3d, with the fewest planar faces; those with holes are cut open."""
        return Polyhedron.of(*faces_of(union_of(solids_of(instance))))

    def bodies(self, instance: Instance, answer: Polyhedron) -> Sequence[Body]:
        """The polyhedron, its faces cut into triangles. Raises CannotRepresent where a face names no vertices."""
        vertices = answer.vertices
        faces = answer.faces
        if not faces:
            return ()
        if any(not 0 <= k < len(vertices) for face in faces for k in face):
            raise CannotRepresent("A face names a vertex that does not exist")
        triangles, _ = triangles_of(vertices, faces)
        return [Body("polyhedron", vertices, triangles)]

    def from_bodies(self, instance: Instance, bodies: Sequence[Body]) -> Polyhedron:
        """All bodies as one polyhedron; connected coplanar triangles become faces."""
        vertices: list[Floats] = []
        faces: list[tuple[int, ...]] = []
        for body in bodies:
            points, loops = planar_faces(body.vertices, body.triangles)
            start = sum(map(len, vertices))
            vertices.append(points)
            faces += [tuple(k + start for k in loop) for loop in loops]
        if sum(map(len, vertices)) > MAX_ELEMENTS or len(faces) > MAX_ELEMENTS:
            raise CannotRepresent(f"A polyhedron has at most {MAX_ELEMENTS:,} vertices and faces")
        return Polyhedron.of(np.vstack(vertices), faces)

    def scene(self, instance: Instance, answer: Polyhedron | None = None, verdict: Verdict | None = None) -> Scene:
        """The solids as ghosts, the answer, and where it differs from the union."""
        from spatial_workbench.engine.tasks.csg_union.drawing import draw as draw_scene

        return draw_scene(solids_of(instance), answer, verdict)

    def thumbnail(self) -> Scene:
        instance = self.instances()[PICTURED]
        return self.scene(instance, self.solve(instance))


def solids_of(instance: Instance) -> tuple[Solid, ...]:
    """The solids of an instance."""
    return tuple(map(Solid.of, instance.parameters["solids"]))
