"""The annotated steps of a puzzle beside what an attempt wrote, and who judged them. Free of Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import InstanceError, resolve
from spatial_workbench.engine.evaluation.puzzles.candidates import TASK, text_of
from spatial_workbench.engine.puzzles.judging import StepsJudgement, StepVerdict, stored_judgement, verdict_by_rule
from spatial_workbench.engine.puzzles.passages import closest_passages
from spatial_workbench.engine.store import RunRow
from spatial_workbench.engine.store.step_judges import judge_titles
from spatial_workbench.engine.tasks.puzzle_hunt.source import source_of

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project, StepJudgement


@dataclass(frozen=True)
class JudgedSteps:
    """A stored judgement.

    Attributes:
        judge: What the judge is called, in a way that no other judge of the project is.
        steps: None if the attempt could not be judged, or if the puzzle has other steps now.
        is_outdated: Whether it is about an earlier version of the puzzle.
    """

    stored: StepJudgement
    judge: str
    steps: StepsJudgement | None
    is_outdated: bool

    @property
    def settings(self) -> str:
        """The endpoint and settings of a model that judged; empty for a person."""
        return "" if self.stored.judge.is_person else self.stored.judge.words

    @property
    def title(self) -> str:
        """Who judged, when, and the score."""
        at = self.stored.at.astimezone().strftime("%d %b %Y %H:%M")
        what = "not judged"
        if self.steps is not None:
            what = f"stepwise {self.steps.score:.2f}, met {self.steps.share:.2f}"
            if self.steps.score_by_rule != self.steps.score:
                what += f", by answer {self.steps.score_by_rule:.2f}"
        version = ["earlier version of the puzzle"] if self.is_outdated else []
        return " · ".join((self.judge, at, what, *version))


@dataclass(frozen=True)
class StepSheet:
    """The steps of a puzzle with the closest passages of an attempt, and the judgements, the newest first."""

    attempt: int
    version: str
    steps: tuple[str, ...]
    passages: tuple[str, ...]
    by_rule: StepVerdict | None
    judgements: tuple[JudgedSteps, ...]
    trouble: str = ""


def read_steps(project: Project, row: RunRow) -> StepSheet | None:
    """The sheet of an attempt; None if it is not about a puzzle."""
    if row.task != TASK:
        return None
    stored = tuple(reversed(project.puzzles.step_judgements(row.number)))
    titles = judge_titles(project.puzzles.step_judges())
    try:
        instance = resolve(row.address)[1]
        puzzle = source_of(instance).puzzle
    except InstanceError as error:
        return StepSheet(row.number, "", (), (), None, (), str(error))
    text = text_of(project, row)
    version = str(instance.parameters["version"])
    steps = tuple(step.explanation for step in puzzle.reasoning)
    return StepSheet(
        row.number,
        version,
        steps,
        tuple(closest_passages(text, steps)),
        verdict_by_rule(puzzle, text),
        tuple(_judged(judgement, titles[judgement.judge], len(steps), version) for judgement in stored),
    )


def _judged(stored: StepJudgement, judge: str, count: int, version: str) -> JudgedSteps:
    read = stored_judgement(stored.steps)
    fits = read if read is not None and len(read.steps) == count else None
    return JudgedSteps(stored, judge, fits, stored.version != version)
