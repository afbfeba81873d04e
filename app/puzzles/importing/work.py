"""Functions of background processes that look into files and plan imports. Free of Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.sets.folders import folder_name
from spatial_workbench.engine.puzzles.sets.import_plan import PuzzlesPlan, plan_import
from spatial_workbench.engine.puzzles.sets.import_survey import FoundPuzzle, PuzzleSurvey, survey


@dataclass(frozen=True)
class SourcesLook:
    """What sources hold, whether they could be listed as a set in their place, and the folder of a new set."""

    survey: PuzzleSurvey
    is_set: bool
    free_home: Path


def look(sources: Sequence[Path], join_pictures: bool, home: Path, progress: Progress = silent) -> SourcesLook:
    """Looks into files and folders.

    home: The folder in which new sets are made.

    Raises Cancelled where `progress` does.
    """
    found = survey(sources, join_pictures, progress)
    is_set = len(sources) == 1 and sources[0].is_dir() and not found.pairs
    return SourcesLook(found, is_set, free_home(home, sources[0].stem if sources else "Puzzles"))


def free_home(home: Path, name: str) -> Path:
    """A folder that does not exist yet, for a new set of that name."""
    stem = folder_name(name)
    names = (stem if i == 1 else f"{stem}_{i}" for i in range(1, 10_000))
    return next(home / name for name in names if not (home / name).exists())


def plan(puzzles: Sequence[FoundPuzzle], target: Path, progress: Progress = silent) -> PuzzlesPlan:
    """Finds what is there already. Raises what `plan_import` does."""
    return plan_import(puzzles, target, progress)
