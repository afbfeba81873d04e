"""Attempts as files for other programs: JSON lines with everything, tables without texts, and Inspect logs.

conversations  what was sent to a model and what came back, as messages and events of Inspect
inspect_log    logs of the evaluation framework Inspect, written by its own package, which is optional
kept_logs      logs of Inspect that were imported, as they were
lines          JSON lines: first the batches, then one line for each attempt, with everything
parquet        tables as Parquet files, with types
table          tables of attempts, and of results: a row for each attempt
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.dossiers import FAILED, UNANSWERED, dossiers, selected
from spatial_workbench.engine.evaluation.export.lines import write_lines
from spatial_workbench.engine.evaluation.export.table import write_attempts, write_attempts_parquet, write_rows
from spatial_workbench.engine.store import Project

__all__ = ["ExportOutcome", "Format", "export_runs", "write_rows"]

Format = Literal["jsonl", "csv", "parquet", "inspect"]


@dataclass(frozen=True)
class ExportOutcome:
    """How many attempts, and questions that ended without one, were written, and to which file or folder."""

    count: int
    path: Path


def export_runs(
    project: Project,
    path: Path | str,
    kind: Format,
    batches: Sequence[int] | None = None,
    progress: Progress = silent,
    attempts: Sequence[int] | None = None,
) -> ExportOutcome:
    """Writes all attempts, or those of some `batches`, or certain `attempts`; an existing file is replaced at the end.

    Questions that ended without an attempt are written with their errors. JSON lines and tables also hold the questions
    that are not finished yet; a batch can be resumed in another project.

    If there are several runs, their Inspect logs are written into a folder named after `path`, without ".eval".

    Raises:
        CannotRepresent: The package that writes Inspect logs, or Parquet, is missing, or there is nothing to log.
        OSError: The file cannot be written.
        Cancelled: Raised by `progress`; nothing is written then.
    """
    path = Path(path)
    if kind == "jsonl":
        selection = selected(project, batches, attempts, UNANSWERED)
        write_lines(project, selection, dossiers(project, selection, progress), path)
        return ExportOutcome(selection.count, path)
    selection = selected(project, batches, attempts, FAILED if kind == "inspect" else UNANSWERED)
    if kind == "csv":
        write_attempts(dossiers(project, selection, progress), path)
    elif kind == "parquet":
        write_attempts_parquet(dossiers(project, selection, progress), path)
    else:
        from spatial_workbench.engine.evaluation.export.inspect_log import write_logs

        path = write_logs(project, selection, path, progress)
    return ExportOutcome(selection.count, path)
