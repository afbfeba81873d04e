"""The task: instances, prompt, verdicts and drawing. The rules stand in the package's docstring."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import Family, HasFileFormats, WritesBodies
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.bodies import Body
from spatial_workbench.engine.core.checks import Check, State, all_passed
from spatial_workbench.engine.core.contract import Difficulty, Outcome, Prompt, Task, vary_field, verifier
from spatial_workbench.engine.core.families import Bucket
from spatial_workbench.engine.core.instance import Instance, InstanceError
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.engine.core.solving.live import LiveRule
from spatial_workbench.engine.core.verdict import Verdict
from spatial_workbench.engine.core.words import beside, counted
from spatial_workbench.engine.tasks.lego_hemisphere import crosscheck, drawing, prompt, report, solver, volume
from spatial_workbench.engine.tasks.lego_hemisphere.answer import MAX_BRICKS, Structure, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.ldraw import LDRAW
from spatial_workbench.engine.tasks.lego_hemisphere.rules import Construction, checks
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell

RADII_CM = ((4, 7), (5, 8), (6, 9), (7, 10), (9, 13), (11, 15), (13, 16), (15, 18))
"""Inner and outer radius of the published shells."""
FULL_MARKS_RAW = 0.65
"""This raw score, or better, is perfect (SCBench B.2)."""

INNER_CHOICES_MM = tuple(range(40, 151, 5))
THICKNESS_CHOICES_MM = (25, 30, 35, 40)
VARIED_INNER_MM, VARIED_THICKNESS_MM = (40, 150), (25, 45)
"""Bounds of the radii of shells that vary, in whole millimetres."""
_MAX_DRAWS = 100


class ShellDifficulty(Difficulty):
    """What a generated shell is like. It grows with the outer radius, and with thinness below 24 mm."""

    inner_mm: float | None = Field(default=None, ge=20, le=280, description="Inner radius in mm; drawn if not given")
    outer_mm: float | None = Field(default=None, ge=30, le=300, description="Outer radius in mm; drawn if not given")
    target: Literal["faceted16", "smooth"] = Field(
        default="faceted16", description="16 flat facets around, as in the published scores, or a smooth shell"
    )
    vary: bool = vary_field("all radii in whole millimetres")


def shell_of(instance: Instance) -> BrickShell:
    """The shell that an instance asks for."""
    return BrickShell(**instance.parameters)


def score_of(raw: float) -> float:
    """The score of a raw score: 0.65 or better is 1, 0 or worse is 0."""
    return min(1.0, max(0.0, raw / FULL_MARKS_RAW))


class LegoHemisphere(HasCommands, HasFileFormats, WritesBodies, Task[Structure]):
    """Build a hemispherical shell of 2 x 4 bricks."""

    id = "lego_hemisphere"
    title = "Lego hemispherical shell"
    summary = "Build a hollow dome of 2 × 4 bricks that click, stand and hold together."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults(
        "A check applies the rules of building, and the score measures the volume. No answer is a key."
    )
    answer_type = Structure
    difficulty = ShellDifficulty
    file_formats: ClassVar = {"ldr": LDRAW, "mpd": LDRAW}
    score_tolerance = 0.01 / FULL_MARKS_RAW

    def instances(self) -> Sequence[Instance]:
        return tuple(
            Instance.published(self.id, number, _parameters(10.0 * inner, 10.0 * outer, "faceted16"))
            for number, (inner, outer) in enumerate(RADII_CM)
        )

    def generate(self, seed: int, **difficulty: Any) -> Instance:
        """A shell on which the strip solver reaches full marks; not one of the published ones unless asked for."""
        settings: ShellDifficulty = self.difficulty_of(difficulty)
        given = settings.model_dump(exclude_defaults=True)
        rng = np.random.Generator(np.random.PCG64(seed))
        for _ in range(1 if settings.inner_mm and settings.outer_mm else _MAX_DRAWS):
            inner, outer = _draw(rng, settings)
            refusal = _refusal(BrickShell(inner, outer, settings.target))
            published = not given.keys() - {"vary"} and (inner / 10, outer / 10) in RADII_CM
            if not refusal and not published:
                return Instance.generated(self.id, seed, _parameters(inner, outer, settings.target), given)
        raise InstanceError(f"A shell from {inner:g} to {outer:g} mm makes no instance: {refusal}")

    def caption(self, instance: Instance) -> str:
        shell = shell_of(instance)
        smooth = f", {marked('smooth')}" if shell.target == "smooth" else ""
        return f"{shell.inner_mm / 10:g}–{shell.outer_mm / 10:g} cm{smooth}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt.text(shell_of(instance)))

    def empty(self, instance: Instance) -> Structure:
        return Structure(bricks=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.lego_hemisphere.commands import commands

        return commands

    @verifier("default", "1.0", "The rules of the paper; overlaps fail, contacts follow the true footprints")
    def _verify(self, instance: Instance, answer: Structure, progress: Progress) -> Outcome:
        built = Construction(shell_of(instance), Poses(poses_of(answer.bricks)))
        rows = checks.run(built)
        measured = _measured(built, rows, progress)
        details = report.details(built, rows)
        if measured is None:
            return Outcome.failed(rows, figures=report.counts(built), details=details)
        score = score_of(measured.raw) if all_passed(rows) else 0.0
        return Outcome(score, rows, report.figures(built, measured), details=details, cost=_cost(measured.raw))

    def _crosscheck(self, instance: Instance, answer: Structure, progress: Progress) -> Outcome:
        rows, measured = crosscheck.judge(shell_of(instance), poses_of(answer.bricks), progress)
        if measured is None or not all_passed(rows):
            return Outcome.failed(rows)
        return Outcome(score_of(measured.raw), rows, crosscheck.figures(measured), cost=_cost(measured.raw))

    def bodies(self, instance: Instance, answer: Structure) -> Sequence[Body]:
        """Every brick as a plain block."""
        poses = Poses(poses_of(answer.bricks))
        blocks = []
        for i, (corners, center) in enumerate(zip(poses.footprints, poses.centers, strict=True)):
            block = Body.box(f"brick {i}", np.zeros(3), np.ones(3))
            heights = block.vertices[:, 2:] * HEIGHT + center[2] - HEIGHT / 2
            blocks.append(Body(block.name, np.hstack([np.vstack([corners, corners]), heights]), block.triangles))
        return blocks

    def solve(self, instance: Instance, progress: Progress = silent) -> Structure:
        """The strip solver's bricks."""
        return Structure(reasoning="Strip solver.", bricks=solver.solve(shell_of(instance), progress))

    def scene(self, instance: Instance, answer: Structure | None = None, verdict: Verdict | None = None) -> Scene:
        """The shell, the bricks coloured by layer or by their share inside, and what falls over."""
        return drawing.draw(shell_of(instance), answer.bricks if answer else (), verdict)


def _measured(built: Construction, rows: Sequence[Check], progress: Progress) -> volume.BrickVolumes | None:
    """The volumes, if all checks up to 'no two bricks share volume' passed."""
    comparable = all(check.state is State.PASSED for check in rows[: report.CHECKS_BEFORE_VOLUMES])
    return volume.measure(built.shell, built.poses, progress) if comparable else None


def _parameters(inner_mm: float, outer_mm: float, target: str) -> dict[str, Any]:
    return {"inner_mm": inner_mm, "outer_mm": outer_mm, "target": target}


def _draw(rng: np.random.Generator, settings: ShellDifficulty) -> tuple[float, float]:
    """Inner and outer radius; drawn at random unless given."""
    if settings.vary:
        inner = float(rng.integers(*VARIED_INNER_MM, endpoint=True))
        thickness = float(rng.integers(*VARIED_THICKNESS_MM, endpoint=True))
    else:
        inner = float(rng.choice(INNER_CHOICES_MM))
        thickness = float(rng.choice(THICKNESS_CHOICES_MM))
    if settings.inner_mm is not None:
        inner = settings.inner_mm
    elif settings.outer_mm is not None:
        inner = settings.outer_mm - thickness
    return inner, inner + thickness if settings.outer_mm is None else settings.outer_mm


def _refusal(shell: BrickShell) -> str:
    """Why a shell is not accepted as an instance; empty if it is."""
    if not 0 < shell.inner_mm < shell.outer_mm:
        return "the outer radius must be larger than the inner one"
    bricks = solver.solve(shell)
    if not 0 < len(bricks) <= MAX_BRICKS:
        return f"it takes {counted(len(bricks), 'brick')}"
    poses = Poses(poses_of(bricks))
    if volume.least_raw(shell, poses) >= FULL_MARKS_RAW:
        return ""
    raw = volume.measure(shell, poses).raw
    return "" if raw >= FULL_MARKS_RAW else f"the reference solver reaches only {raw:.2f} of {FULL_MARKS_RAW}"


def _cost(raw: float) -> str:
    """What keeps a structure that breaks no rule from the full score."""
    shown = beside(raw, FULL_MARKS_RAW, 2)
    return (
        f"The bricks fill {shown} of the shell, less what is built outside of it; {FULL_MARKS_RAW:g} is the full score"
    )
