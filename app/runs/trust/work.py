"""Functions of background processes for trust in verifiers. Free of Qt, but for charts in reports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import write_whole

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.laboratory.agreement import AgreementChoice
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier
    from spatial_workbench.engine.evaluation.results.contents import ReportSection
    from spatial_workbench.engine.store import RunFilter

TABLE_SUFFIX = ".csv"
CALIBRATION = (
    "Calibration of verifiers",
    "Where verifiers really switch, for each tolerance of the rules that can be calibrated.",
)
AGREEMENT = ("Agreement of verifiers", "How far verifiers agree on whether attempts pass, and on which they do not.")
CHANGES = ("Another version", "What today's verifiers say otherwise than the stored verdicts.")
"""Titles and first sentences of reports."""


def calibration(tasks: Sequence[str], own: Sequence[OwnVerifier], progress: Progress = silent) -> ReportSection:
    """Where the verifiers of tasks switch, as a section.

    Raises:
        OwnVerifierError: The file of a verifier of the user's own cannot be read.
        Cancelled: Raised by `progress`.
    """
    from spatial_workbench.engine.evaluation.laboratory.calibrating import calibrate
    from spatial_workbench.engine.evaluation.laboratory.calibrating.summaries import calibration_section

    return calibration_section(tasks, calibrate(tasks, own, progress))


def agreement(path: Path, chosen: AgreementChoice, progress: Progress = silent) -> ReportSection:
    """How far the verifiers of a project agree on the chosen attempts, as a section.

    Raises:
        ProjectError: The project cannot be opened.
        Cancelled: Raised by `progress`.
    """
    from spatial_workbench.engine.evaluation.laboratory.agreement import judged_attempts
    from spatial_workbench.engine.evaluation.laboratory.agreement_tables import agreement_section
    from spatial_workbench.engine.store import Project

    with Project.open(path) as project:
        return agreement_section(judged_attempts(project, chosen, progress))


def changes(
    path: Path, chosen: RunFilter, own: Sequence[OwnVerifier], programs: bool, progress: Progress = silent
) -> ReportSection:
    """What today's verifiers change in the verdicts of the chosen attempts, as a section; see `version_diff`."""
    from spatial_workbench.engine.evaluation.laboratory.versions import changes_section, version_diff
    from spatial_workbench.engine.store import Project

    with Project.open(path) as project:
        numbers = project.runs.numbers(chosen, descending=False)
    return changes_section(version_diff(path, numbers, own, programs, progress))


def store_changes(
    path: Path, numbers: Sequence[int], own: Sequence[OwnVerifier], programs: bool, progress: Progress = silent
) -> ReportSection:
    """Stores what today's verifiers say of attempts; see `store_version`. Returns a section that says so."""
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.evaluation.laboratory.versions import store_version
    from spatial_workbench.engine.evaluation.results.contents import ReportSection

    stored = store_version(path, numbers, own, programs, progress)
    words = f"{counted(stored, 'verdict')} stored. Those that were there before stay beside them."
    return ReportSection("changes", "Changes", words=(words,))


def is_undone(section: ReportSection | None) -> bool:
    """Whether a section of changes shows some that could be stored."""
    return section is not None and any(line.attempts for table in section.tables[:1] for line in table.lines)


def save_section(path: Path, title: str, about: str, section: ReportSection, progress: Progress = silent) -> None:
    """Writes a section in a process without a screen; see `write_section`."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    write_section(path, title, about, section)


def write_section(path: Path, title: str, about: str, section: ReportSection) -> None:
    """Writes a section as an HTML page, or its first table as CSV if the file ends in “.csv”.

    about: A sentence under the title of the page.

    Raises:
        OSError: It cannot be written.
    """
    if path.suffix.lower() == TABLE_SUFFIX and section.tables:
        section.tables[0].save_csv(path)
        return
    from spatial_workbench.app.results.report import drawn_charts
    from spatial_workbench.engine.evaluation.results.html import sections_html

    text = sections_html(title, about, datetime.now(UTC), [section], drawn_charts([section]))
    write_whole(path, text.encode())
