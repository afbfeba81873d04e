"""The report, and the points of the checklist."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.store import Project

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.contents import ReportSection
    from spatial_workbench.engine.studies.analysis.checklist import StudyAnswer


def report(path: Path, study: str, progress: Progress = silent) -> tuple[ReportSection, ...]:
    """The sections of the report; without outcomes as long as they are sealed."""
    from spatial_workbench.engine.reporting.contrasts import model_runs
    from spatial_workbench.engine.reporting.study_report import report_sections

    with Project.open(path) as project:
        outcomes = project.outcomes.of(study)
        return tuple(report_sections(outcomes, model_runs(project, outcomes)))


def checklist(path: Path, study: str, progress: Progress = silent) -> tuple[StudyAnswer, ...]:
    """The points of the checklist with the answers of the software and the leader."""
    from spatial_workbench.engine.reporting.contrasts import model_runs
    from spatial_workbench.engine.studies.analysis.checklist import answers

    with Project.open(path) as project:
        outcomes = project.outcomes.of(study)
        return tuple(answers(outcomes, model_runs(project, outcomes)))


def answered(
    path: Path, study: str, answers: Mapping[str, str], reason: str, progress: Progress = silent
) -> tuple[StudyAnswer, ...]:
    """Stores the leader's answers by the numbers of the points; returns all points.

    Raises:
        StudyError: A point does not take this answer.
    """
    with Project.open(path) as project:
        for number, answer in answers.items():
            project.study_log.answer_checklist(study, number, answer, reason)
    return checklist(path, study)
