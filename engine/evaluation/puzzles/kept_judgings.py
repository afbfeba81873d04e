"""Judgings of steps that were begun and have not ended: a project keeps them, so that they go on after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from spatial_workbench.engine.evaluation.lock import judging_lock
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging
from spatial_workbench.engine.evaluation.puzzles.judging import StepJudgingOutcome, judge_steps
from spatial_workbench.engine.store import ProjectError, ProjectProblem

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Progress
    from spatial_workbench.engine.store import Project

ELSEWHERE = "Another window judges these steps already."


class KeptJudging(BaseModel):
    """A judge, and what it is asked about.

    Attributes:
        id: Of this judging, wherever the project is.
        scope: What is judged, in words.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    judge: Contender
    what: StepJudging
    scope: str


def keep_judging(project: Project, judging: KeptJudging) -> None:
    """Stores a judging until it is dropped."""
    project.puzzles.keep_judging(judging.id, judging.model_dump_json())


def kept_judgings(project: Project) -> list[KeptJudging]:
    """The judgings that have not ended, in the order in which they began; what cannot be read is left out."""
    return [read for text in project.puzzles.judgings() if (read := _read(text)) is not None]


def _read(text: str) -> KeptJudging | None:
    try:
        return KeptJudging.model_validate_json(text)
    except ValidationError:
        return None


def judge_kept(path: Path, judging: KeptJudging, progress: Progress, drain_s: float) -> StepJudgingOutcome:
    """Goes on with a judging. See `judge_steps`.

    Raises:
        ProjectError: The project cannot be used, or another process goes on with this judging.
        ModelError: The judge cannot be opened.
        Cancelled: Raised by `progress`.
    """
    from filelock import Timeout

    try:
        with judging_lock(path, judging.id).acquire(timeout=0):
            return judge_steps(path, judging.judge, judging.what, progress, drain_s)
    except Timeout:
        raise ProjectError(ProjectProblem.BUSY, ELSEWHERE) from None
