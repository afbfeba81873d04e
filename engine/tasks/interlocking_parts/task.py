"""The task: instances, prompt, verdicts and drawing. The rules stand in the package's docstring."""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Aid, Family, MakesFilm, ReadsBodies, SharesPrompts
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.bodies import Body, CannotRepresent
from spatial_workbench.engine.core.checks import State
from spatial_workbench.engine.core.contract import Outcome, Prompt, Task, verifier
from spatial_workbench.engine.core.families import Bucket
from spatial_workbench.engine.core.instance import Instance
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.solving.live import LiveRule
from spatial_workbench.engine.core.verdict import Verdict
from spatial_workbench.engine.tasks.interlocking_parts.answer import MAX_PARTS, Form, Part, Parts
from spatial_workbench.engine.tasks.interlocking_parts.cage import CRITERIA, Cage
from spatial_workbench.engine.tasks.interlocking_parts.generator import CageDifficulty, draw
from spatial_workbench.engine.tasks.interlocking_parts.making import contents_of
from spatial_workbench.engine.tasks.interlocking_parts.prompt import text


class InterlockingParts(HasCommands, MakesFilm, ReadsBodies, SharesPrompts, Task[Parts]):
    """Design a cage as printable parts that four threaded rods hold together."""

    id = "interlocking_parts"
    title = "Interlocking parts"
    summary = "Design a cage in parts that a 3D printer can make and four threaded rods hold together."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults("A check measures what is built. There are endless answers, and none of them is a key.")
    answer_type = Parts
    difficulty = CageDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"cage": _published_cage(), "criterion": row["criterion"]}

    def draw(self, rng: np.random.Generator, difficulty: CageDifficulty) -> Mapping[str, Any]:
        """A cage that the reference construction solves."""
        return draw(rng, difficulty)

    def answer_group(self, instance: Instance) -> str:
        """The cage: the instances of all criteria share prompt and answer."""
        return json.dumps(instance.parameters["cage"], sort_keys=True)

    def caption(self, instance: Instance) -> str:
        cage = Cage.of(instance.parameters)
        criterion = criterion_of(instance)
        if criterion is not None and instance.number is not None:
            return CRITERIA[criterion]
        size = f"{cage.width:g} × {cage.width:g} × {cage.height:g}"
        return size if criterion is None else f"{size}, {CRITERIA[criterion]}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(text(Cage.of(instance.parameters)))

    def empty(self, instance: Instance) -> Parts:
        return Parts(parts=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.interlocking_parts.commands import commands

        return commands

    def sight(self, instance: Instance, answer: Parts, aids: Collection[Aid]) -> Scene:
        """The parts; rods, inside and limit only for who may measure."""
        from spatial_workbench.engine.tasks.interlocking_parts.drawing import draw as draw_scene
        from spatial_workbench.engine.tasks.interlocking_parts.drawing import matrix_of, part_items, scene_of

        cage = Cage.of(instance.parameters)
        if Aid.MEASURING in aids:
            return draw_scene(cage, answer.parts)
        return scene_of(cage, list(part_items(answer.parts, [matrix_of(part) for part in answer.parts])))

    def state(self, instance: Instance, answer: Parts) -> Any:
        """The parts with their places; long contents are left out."""
        from spatial_workbench.engine.tasks.interlocking_parts.commands import summary

        return summary(answer)

    def bodies(self, instance: Instance, answer: Parts) -> Sequence[Body]:
        """The parts in the assembly whose solids are known without running programs."""
        from spatial_workbench.engine.tasks.interlocking_parts.making import known

        bodies = []
        for i, part in enumerate(answer.parts):
            solid = known(part).solid
            matrix = part.matrix
            if solid is None or matrix is None:
                raise CannotRepresent(f"The solid of part {i} is not known; run its program first")
            bodies.append(Body(f"part {i}", solid.vertices @ matrix[:3, :3].T + matrix[:3, 3], solid.triangles))
        return bodies

    def from_bodies(self, instance: Instance, bodies: Sequence[Body]) -> Parts:
        """A part for every body, placed as in the file."""
        if len(bodies) > MAX_PARTS:
            raise CannotRepresent(f"The file holds {len(bodies)} bodies; an answer has at most {MAX_PARTS} parts")
        place = tuple(np.eye(4).ravel().tolist())
        contents = [contents_of(body.vertices, np.asarray(body.triangles, np.int64)) for body in bodies]
        return Parts(parts=tuple(Part(fileContents=text, fileType=Form.STL, transform=place) for text in contents))

    @verifier("default", "1", "The nine criteria as the paper means them, with exact volumes and fixed seeds")
    def _default(self, instance: Instance, answer: Parts, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.interlocking_parts import report, rules
        from spatial_workbench.engine.tasks.interlocking_parts.study import study

        result = study(Cage.of(instance.parameters), answer.parts, progress)
        rows = rules.so_far(result)
        counted = rules.strict(rows, result)
        scores = [float(state is State.PASSED) for state in rules.states(counted)]
        return _outcome(instance, counted, scores, figures=report.figures(result, counted),
                        warnings=tuple(report.warnings(result)), details=report.details(result, rows))  # fmt: skip

    @verifier(
        "published",
        "1",
        "The published tests with their faults: any transform goes, thinner rods up to z = 180, a smaller inside, a "
        "tenth of criterion 1 for each part on the bed, and criterion 5 fails for every two separate parts.",
    )
    def _as_published(self, instance: Instance, answer: Parts, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.interlocking_parts import published_verifier, rules
        from spatial_workbench.engine.tasks.interlocking_parts.study import study

        result = study(Cage.of(instance.parameters), answer.parts, progress, lenient=True)
        rows, scores = published_verifier.judge(result)
        if result.waiting and rows[0].state is State.PASSED:
            return Outcome.failed([rules.unevaluated(row.name, result) for row in rows])
        return _outcome(instance, rows, scores)

    def _crosscheck(self, instance: Instance, answer: Parts, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.interlocking_parts import crosscheck, rules
        from spatial_workbench.engine.tasks.interlocking_parts.study import study

        result = study(Cage.of(instance.parameters), answer.parts, progress)
        rows, figures = crosscheck.judge(result, progress)
        scores = [float(state is State.PASSED) for state in rules.states(rows)]
        return _outcome(instance, rows, scores, figures=figures)

    def solve(self, instance: Instance, progress: Progress = silent) -> Parts:
        """Plates and hinged panels."""
        from spatial_workbench.engine.tasks.interlocking_parts.solver import construct

        return Parts(reasoning="Two plates, and panels whose corners stack like a hinge's.",
                     parts=construct(Cage.of(instance.parameters), progress))  # fmt: skip

    def scene(self, instance: Instance, answer: Parts | None = None, verdict: Verdict | None = None) -> Scene:
        from spatial_workbench.engine.tasks.interlocking_parts.drawing import draw as draw_scene

        parts = answer.parts if answer is not None else ()
        return draw_scene(Cage.of(instance.parameters), parts, verdict.details if verdict else None)

    def film(self, instance: Instance, answer: Parts, progress: Progress = silent) -> Scene:
        """The parts coming together from all sides."""
        from spatial_workbench.engine.tasks.interlocking_parts.drawing import draw_joining

        return draw_joining(Cage.of(instance.parameters), answer.parts)

    def thumbnail(self) -> Scene:
        from spatial_workbench.engine.tasks.interlocking_parts.drawing import draw as draw_scene

        instance = self.instances()[0]
        return draw_scene(Cage.of(instance.parameters), self.solve(instance).parts, apart=0.25)


def criterion_of(instance: Instance) -> int | None:
    """The criterion that an instance asks about; None: all nine."""
    criterion: int | None = instance.parameters["criterion"]
    return criterion


def _outcome(instance: Instance, rows: Sequence[Any], scores: Sequence[float], **rest: Any) -> Outcome:
    """The outcome of the instance's criterion, or the mean of all; the other rows are included for information."""
    criterion = criterion_of(instance)
    score = float(np.mean(scores)) if criterion is None else scores[criterion]
    return Outcome(score, rows, passed=score > 1 - 1e-9, **rest)


@cache
def _published_cage() -> dict[str, Any]:
    text = resource("tasks", "interlocking_parts.json").read_text("utf-8")
    cage: dict[str, Any] = json.loads(text)["cage"]
    return cage
