"""What of a set can be exported for fine-tuning, and the export in a background process. Free of Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.evaluation.puzzles.reviews import no_longer_verified, verified
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.tuning import TuningExport, TuningForm, export_for_tuning
from spatial_workbench.engine.store import Project


@dataclass(frozen=True)
class ExportOrder:
    """A set for fine-tuning that a person asks for."""

    path: Path
    names: tuple[str, ...]
    target: Path
    form: TuningForm
    dropped: Mapping[str, str]


def verified_in(path: Path, project: Project) -> tuple[list[str], dict[str, str]]:
    """The puzzles of a set that are verified, and those that were but hold something else now, with the reason."""
    puzzles = PuzzleSet(path)
    return verified(project, puzzles), no_longer_verified(project, puzzles)


def run_export(order: ExportOrder, progress: Progress = silent) -> TuningExport:
    """Writes a set for fine-tuning.

    Raises:
        SetError: The folder holds something else.
        OSError: It cannot be written.
        Cancelled: Raised by `progress`.
    """
    puzzles = PuzzleSet(order.path)
    return export_for_tuning(puzzles, order.names, order.target, order.form, order.dropped, progress)
