"""Reviews that travel between machines as files: what the window says about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.puzzles.reviews import MergeOutcome, export_review, merge_review, sets_in
from spatial_workbench.engine.store import ProjectError

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

FILES = "Reviews (*.jsonl)"
SOURCES = "Reviews and projects (*.jsonl *.workbench);;All files (*)"
MOST_NAMED = 10
"""How many damaged lines a message names."""


@dataclass(frozen=True)
class PuzzleMerged:
    """The result of merging a file: its outcome, or why it could not be read."""

    path: Path
    outcome: MergeOutcome | None = None
    trouble: str = ""

    @property
    def summary(self) -> str:
        """The counts in a sentence."""
        if self.outcome is None:
            return f"{self.path.name} cannot be read: {self.trouble}."
        conflicts = f" {len(self.outcome.conflicts)} do not count." if self.outcome.conflicts else ""
        new = counted(self.outcome.new, "new entry", "new entries")
        return f"{self.path.name}: {new} in the log of reviews, {self.outcome.known} known.{conflicts}"

    @property
    def damage(self) -> tuple[str, ...]:
        """A sentence for each damaged line."""
        lines = () if self.outcome is None else self.outcome.damaged
        return tuple(f"{self.path.name}, line {number} cannot be read: {why}" for number, why in lines)

    @property
    def conflicts(self) -> tuple[str, ...]:
        """A sentence for each event that does not count."""
        return () if self.outcome is None else self.outcome.conflicts


def write_log(project: Project, path: Path, puzzle_set: str) -> str:
    """Writes the log of a set to a file, and reports the result."""
    try:
        count = export_review(project, path, puzzle_set)
    except OSError as error:
        return f"Nothing was written. {path.name}: {error.strerror}."
    return f"{count} events written to {path.name}."


def other_sets(paths: Sequence[Path], puzzle_set: str) -> tuple[str, ...]:
    """The sets that files are about if none of them is the given one."""
    names: set[str] = set()
    for path in paths:
        try:
            names.update(sets_in(path))
        except (OSError, ProjectError):
            continue
    return () if puzzle_set in names else tuple(sorted(names))


def merge_logs(project: Project, paths: Sequence[Path], puzzle_set: str | None) -> list[PuzzleMerged]:
    """Adds the events of files to the log; `puzzle_set` is the set that they are about, if they name another."""
    return [_merge(project, path, puzzle_set) for path in paths]


def _merge(project: Project, path: Path, puzzle_set: str | None) -> PuzzleMerged:
    try:
        return PuzzleMerged(path, merge_review(project, path, puzzle_set))
    except OSError as error:
        return PuzzleMerged(path, trouble=str(error.strerror))
    except ProjectError as error:
        return PuzzleMerged(path, trouble=str(error).rstrip("."))


def damage_words(merged: Sequence[PuzzleMerged]) -> str:
    """The damaged lines of all files, the first of them by name."""
    return _first_of([line for file in merged for line in file.damage], "more lines cannot be read.")


def conflict_words(merged: Sequence[PuzzleMerged]) -> str:
    """What does not count, since somebody else was earlier, the first of it by name."""
    return _first_of([line for file in merged for line in file.conflicts], "more do not count.")


def _first_of(lines: Sequence[str], more: str) -> str:
    rest = [f"{len(lines) - MOST_NAMED} {more}"] if len(lines) > MOST_NAMED else []
    return "\n".join([*lines[:MOST_NAMED], *rest])
