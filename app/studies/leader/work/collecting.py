"""What is stored while results come in: results, decisions on conflicts, reserves, needs, notes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.records import Merged
from spatial_workbench.engine.studies.sessions.schema import Accommodations


def merged(path: Path, files: Sequence[Path], progress: Progress = silent) -> tuple[Merged, ...]:
    """Merges results, including those in folders."""
    results = [file for source in files for file in (sorted(source.glob("*.studyresult")) or [source])]
    done: list[Merged] = []
    with Project.open(path) as project:
        for number, file in enumerate(results):
            progress(number, len(results), file.name)
            done += project.merging.merge([file])
    return tuple(done)


def settled(path: Path, session: str, number: int, reason: str, progress: Progress = silent) -> str:
    """Decides which state of a session counts."""
    with Project.open(path) as project:
        project.merging.settle(session, number, reason)
    return "The decision is in the log."


def replaced(path: Path, study: str, code: str, reason: str, progress: Progress = silent) -> str:
    """Replaces a place by a reserve; returns its code."""
    with Project.open(path) as project:
        return f"{project.places.replace(study, code, reason)} stands in for {code}."


def accommodated(path: Path, study: str, code: str, needs: Accommodations, progress: Progress = silent) -> str:
    """Sets the accommodations of a place; says so."""
    with Project.open(path) as project:
        project.places.accommodate(study, code, needs)
    return f"The needs of {code} are in the log, and will be in its bundle."


def noted(path: Path, study: str, text: str, code: str, progress: Progress = silent) -> str:
    """Adds a note to the log."""
    with Project.open(path) as project:
        project.study_log.add_note(study, text, code)
    return "The note is in the log."
