"""Data that is deleted: of a person who withdraws, and what is no longer needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.records import Withdrawal
from spatial_workbench.engine.studies.sessions.session_file import SessionFileError
from spatial_workbench.engine.studies.sessions.this_machine import delete_local, delete_merged


def withdrawn(path: Path, study: str, code: str, is_pilot: bool, progress: Progress = silent) -> Withdrawal:
    """Deletes all data of a code, from this machine, too; what cannot be deleted there is named."""
    with Project.open(path) as project:
        done = project.withdrawals.withdraw(
            study, code, phase="pilot" if is_pilot else project.sessions.phase_of_record(study)
        )
        stone = project.sessions.tombstones(study)[-1]
    try:
        delete_local(stone.hash, code)
    except (SessionFileError, OSError) as error:
        return replace(done, elsewhere=(*done.elsewhere, f"the session on this machine ({error})"))
    return done


def purged(path: Path, study: str, with_data: bool, progress: Progress = silent) -> str:
    """Deletes the files of merged sessions on this machine, and all sessions of the project if wanted; says so."""
    with Project.open(path) as project:
        files = delete_merged(project.sessions.deliveries(study))
        sessions = project.withdrawals.purge(study) if with_data else 0
    words = f"{counted(len(files), 'file')} deleted on this machine"
    return f"{words}, and {counted(sessions, 'session')} from the project." if with_data else f"{words}."
