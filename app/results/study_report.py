"""The report on a study as one HTML file, and its data as files. They need no window and no display."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from spatial_workbench.app.results.report import drawn_charts
from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.reporting.contrasts import model_runs
from spatial_workbench.engine.reporting.psych_ds import write_psychds
from spatial_workbench.engine.reporting.short_report import short_sections
from spatial_workbench.engine.reporting.study_report import report_sections, study_html
from spatial_workbench.engine.reporting.study_sharing import shared_outcomes, tells_of_others
from spatial_workbench.engine.reporting.study_tables import Events, data_tables, write_tables
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.lines import study_lines
from spatial_workbench.engine.studies.files.publishing import public_form

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.analysis.figures import ModelRun
    from spatial_workbench.engine.studies.analysis.outcomes import Outcomes

Format = Literal["csv", "parquet", "psychds", "jsonl"]


@dataclass(frozen=True)
class Exported:
    """What an export wrote, and what the public form left out."""

    files: tuple[Path, ...]
    left_out: tuple[str, ...] = ()


def save_study_report(
    project: Project, study: str, path: Path, progress: Progress = silent, is_short: bool = False
) -> None:
    """Writes the report on a study.

    Args:
        is_short: The short form, for an appendix.

    Raises:
        OSError: It cannot be written.
        Cancelled: Raised by `progress`; nothing is written.
    """
    progress(0, 2, "Reading the study")
    outcomes = project.outcomes.of(study)
    runs = model_runs(project, outcomes)
    progress(1, 2, "Writing the report")
    text = _html(outcomes, runs, is_short)
    with replacing(path) as part:
        part.write_text(text, "utf-8")
    project.study_log.note_export(study, path.name, "report", _digest([path]))


def write_study_report(
    path: Path, study: str, target: Path, is_short: bool = False, progress: Progress = silent
) -> None:
    """Writes the report on a study of a project; runs in a background process, without a screen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with Project.open(path) as project:
        save_study_report(project, study, target, progress, is_short)


def write_study_export(path: Path, study: str, target: Path, form: Format, progress: Progress = silent) -> str:
    """Writes the data of a study of a project, for a background process; says where they are."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with Project.open(path) as project:
        exported = export_study(project, study, target, form)
    return f"{len(exported.files)} {'file is' if len(exported.files) == 1 else 'files are'} in {target}."


def export_study(
    project: Project, study: str, target: Path, form: Format, public: bool = False, raw: Sequence[Path] = ()
) -> Exported:
    """Writes the data of a study: a folder of tables, a Psych-DS folder, or a file of JSON lines.

    Args:
        public: Only what may be published, under new codes.
        raw: Results files that a Psych-DS folder is to hold.

    Raises:
        CannotRepresent: The package that writes Parquet is missing.
        OSError: It cannot be written.
    """
    outcomes = project.outcomes.of(study)
    runs = model_runs(project, outcomes)
    report = "" if public or form != "psychds" else _html(outcomes, runs)
    events: Events = {session.id: project.sessions.readable_events(session.id) for session in outcomes.sessions}
    left_out: tuple[str, ...] = ()
    if public:
        published = public_form(outcomes, events)
        left_out = (*published.left_out, *_report_left_out(outcomes))
        outcomes = published.outcomes
        events = published.events
    if form in ("csv", "parquet"):
        files = write_tables(target, data_tables(outcomes, events, runs), form)
    elif form == "psychds":
        files = write_psychds(target, outcomes, report, () if public else raw, events, left_out, runs, public)
    else:
        with replacing(target) as part, part.open("wb") as file:
            chained = {} if public else _chained(project, outcomes)
            file.writelines(study_lines(outcomes, events, chained, None if public else project.places.bundle_key))
        files = [target]
    if not public:
        project.study_log.note_export(study, target.name, form, _digest(files))
    return Exported(tuple(files), left_out)


def _report_left_out(outcomes: Outcomes) -> Iterator[str]:
    """What has to be known of the report where it would tell, beside the public data, how one or two people did."""
    if shared_outcomes(outcomes) is not None and tells_of_others(outcomes):
        yield (
            "The report on all people. Do not publish it beside these data: the difference would tell how one or two "
            "people did who do not share their answers."
        )


def _chained(project: Project, outcomes: Outcomes) -> Events:
    """The events of all sessions as their files hold them."""
    return {session.id: project.sessions.events(session.id) for session in outcomes.sessions}


def _html(outcomes: Outcomes, runs: Sequence[ModelRun], is_short: bool = False) -> str:
    sections = short_sections(outcomes, runs) if is_short else report_sections(outcomes, runs)
    return study_html(outcomes, sections, drawn_charts(sections), datetime.now(UTC))


def _digest(files: Sequence[Path]) -> str:
    """The SHA-256 of a file; of several, of their digests."""
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()
