"""Tetrahedra shadow: cast a given shape with the shadows of unit tetrahedra (SCBench B.4).

Rules     any number of regular tetrahedra with edges of 1 are turned and moved; light falls straight down on z = 0
Answer    tetrahedrons, each x, y, z and a unit quaternion q0 (scalar), q1, q2, q3: turned about the first corner, moved
Score     raw / f, clamped to 0..1, with raw = p I/T - D / 2T: T the area of the target, I what is covered of it, D what
          is shaded or wanted but not within 0.05 of what is covered; p = 0.25 if a quaternion is not normalised, else
          0.5 if two tetrahedra intersect, else 1; f, at most 1, belongs to the target

    answer                where each tetrahedron is, and how it is turned
    collisions            which tetrahedra share volume: the separating axis test on many pairs at once
    commands              what can be done to an arrangement by editors, agents and other programs
    crosscheck            the same rules by other methods: quaternion products, solids, cells
    drawing               the pieces in space, and covered, missing and excess areas on the ground
    editing               edits of pieces: snapping, turning, mirroring, arrays, stacking
    generator             new targets: polygons with holes that the solver covers well
    judging               the checks of an arrangement, its score, and the rest of the verdict
    live                  how pieces fill the target while some of them move
    overlap               what pieces have in common: volume in space, and shadow on the ground
    presets               orientations with simple shadows, and how pieces of them are stacked
    prompt                what a solver is told
    published_verifier    the published verifier, as far as its faults are known
    shadow                shadows on the ground, and how well they fill the target
    solid                 the unit tetrahedron, and its poses
    solver                covers a target with stacked tetrahedra, where the gain is largest
    target                the shape that the shadow has to fill, and how the published shapes are written down
"""

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
from spatial_workbench.engine.geometry.pieces import apart
from spatial_workbench.engine.tasks.tetrahedra_shadow import drawing, generator, prompt
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import Tetrahedra, Tetrahedron, pieces_at, poses_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import (
    Arrangement,
    details,
    figures,
    judge,
    remarks,
    score_of,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import arranged
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import FACES, pose_of, vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget, ring_of

__all__ = ["Arrangement", "Tetrahedra", "TetrahedraShadow", "TetrahedraTarget", "Tetrahedron", "target_of"]


def target_of(instance: Instance) -> TetrahedraTarget:
    """The shape that an instance asks for."""
    return TetrahedraTarget.of(instance.parameters)


class TetrahedraShadow(HasCommands, ReadsBodies, Task[Tetrahedra]):
    """Cast a shape with the shadows of tetrahedra."""

    id = "tetrahedra_shadow"
    title = "Tetrahedra shadow"
    summary = "Stack regular tetrahedra so that their shadows together fill a given shape."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults(
        "The score compares a shadow with its square, as the drawing does. "
        "There are endless answers, and none of them is a key."
    )
    answer_type = Tetrahedra
    hidden = frozenset({"reference"})
    difficulty = generator.ShapeDifficulty
    unit_mm = 10.0
    score_tolerance = 0.0045 / 0.4
    """Areas that are counted in cells may be off by 0.3 %; the smallest divisor is 0.4."""

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The shape with its corners; the reference placement stays in the resources."""
        return {
            "name": row["name"],
            "description": row["description"],
            "outline": ring_of(row["outline"]),
            "holes": [ring_of(hole) for hole in row["holes"]],
            "divisor": float(row["divisor"]),
        }

    def draw(self, rng: np.random.Generator, difficulty: generator.ShapeDifficulty) -> Mapping[str, Any]:
        """A shape, the solver's cover of it, and the solver's raw score as the divisor."""
        return generator.draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        return str(instance.parameters["name"])

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt.text(target_of(instance)))

    def empty(self, instance: Instance) -> Tetrahedra:
        return Tetrahedra(tetrahedrons=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.tetrahedra_shadow.commands import commands

        return commands

    def sight(self, instance: Instance, answer: Tetrahedra, aids: Collection[Aid]) -> Scene:
        """The target and the tetrahedra; what is covered of it only for who may have judgements."""
        if Aid.JUDGING in aids:
            return self.scene(instance, answer)
        vertices = vertices_of(poses_of(answer.tetrahedrons))
        return drawing.draw(target_of(instance), vertices, None, drawing.colors_by_level(vertices))

    @verifier("default", "1.1", "Exact areas, true rotations; tetrahedra may touch")
    def _verify(self, instance: Instance, answer: Tetrahedra, progress: Progress) -> Outcome:
        built = Arrangement(target_of(instance), poses_of(answer.tetrahedrons), progress)
        rows = judge(built)
        if not len(built.poses):
            return Outcome.failed(rows)
        raw = built.fit.raw(built.factor)
        return Outcome(
            score_of(raw, built.target), rows, figures(built, raw), warnings=remarks(built), details=details(built)
        )

    @verifier("published", "1.1", "The published verifier: inflated heights, contact counts as intersection")
    def _published(self, instance: Instance, answer: Tetrahedra, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.tetrahedra_shadow import published_verifier

        return published_verifier.judge(Arrangement(target_of(instance), poses_of(answer.tetrahedrons), progress))

    def _crosscheck(self, instance: Instance, answer: Tetrahedra, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.tetrahedra_shadow import crosscheck

        target = target_of(instance)
        rows, raster, factor = crosscheck.judge(target, poses_of(answer.tetrahedrons), progress)
        if raster is None:
            return Outcome.failed(rows)
        return Outcome(score_of(raster.raw(factor), target), rows)

    def solve(self, instance: Instance, progress: Progress = silent) -> Tetrahedra:
        """The stored cover: found by the solver, or laid by hand where squares or triangles tile the shape."""
        if instance.number is not None:
            rows = self.published_rows()[instance.number]["reference"]
        else:
            rows = instance.parameters["reference"]
        return Tetrahedra(reasoning="A stored cover.", tetrahedrons=pieces_at(arranged(rows)))

    def bodies(self, instance: Instance, answer: Tetrahedra) -> Sequence[Body]:
        corners = vertices_of(poses_of(answer.tetrahedrons))
        return [Body(f"tetrahedron {i}", points, FACES) for i, points in enumerate(corners)]

    def from_bodies(self, instance: Instance, bodies: Sequence[Body]) -> Tetrahedra:
        """A tetrahedron for every body. Raises CannotRepresent for anything but regular ones with edges of 1."""
        pieces = [piece for body in bodies for piece in apart(body)]
        poses = [pose_of(piece.vertices) for piece in pieces]
        for piece, pose in zip(pieces, poses, strict=True):
            if pose is None:
                raise CannotRepresent(f"“{piece.name}” is not a regular tetrahedron with edges of 1")
        return Tetrahedra(tetrahedrons=pieces_at(np.array(poses)))

    def scene(self, instance: Instance, answer: Tetrahedra | None = None, verdict: Verdict | None = None) -> Scene:
        """The target on the ground with what is covered of it, and the tetrahedra above it."""
        poses = poses_of(answer.tetrahedrons if answer else ())
        built = Arrangement(target_of(instance), poses)
        vertices = vertices_of(poses)
        fit = built.fit if len(poses) else None
        return drawing.draw(built.target, vertices, fit, drawing.colors_by_level(vertices))

    def thumbnail(self) -> Scene:
        instance = self.instances()[11]
        return self.scene(instance, self.solve(instance))
