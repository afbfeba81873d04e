"""Drafts of studies: made, read from a file, deleted, restored."""

from __future__ import annotations

from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.records import DeletedDraft
from spatial_workbench.engine.studies.planning.document import read_study
from spatial_workbench.engine.studies.planning.drafting import Wish, drafted


def new_study(path: Path, wish: Wish, progress: Progress = silent) -> str:
    """Stores a draft; returns its id.

    Raises:
        InstanceError: An address does not resolve.
        ValueError: The passphrase is too short, or the name too long.
    """
    with Project.open(path) as project:
        return project.studies.add(drafted(wish))


def taken_over(path: Path, source: Path, progress: Progress = silent) -> str:
    """Stores the document in a file as a draft; returns its id.

    Raises:
        DocumentError: It cannot be read.
        StudyError: There is a study of that id.
    """
    with Project.open(path) as project:
        return project.studies.add(read_study(source.read_bytes()))


def deleted(path: Path, study: str, progress: Progress = silent) -> DeletedDraft:
    """Deletes a draft; returns the data needed to restore it."""
    with Project.open(path) as project:
        return project.studies.delete_draft(study)


def restored(path: Path, draft: DeletedDraft, progress: Progress = silent) -> str:
    """Restores a deleted draft; returns its id."""
    with Project.open(path) as project:
        return project.studies.restore_draft(draft)
