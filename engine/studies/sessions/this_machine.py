"""The sessions of a study on this machine, read from their files while windows may work on them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.studies.files.merging import StudyDelivery
from spatial_workbench.engine.studies.files.sealed_parts import SEALED_SESSION, outcomes_in, without_outcomes
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState
from spatial_workbench.engine.studies.sessions.session_file import (
    SessionFileError,
    folder_of,
    read_session,
    sealed_before,
)

STANDS_STILL_S = 10.0
"""A session that works stores something every second; after so long without, it is interrupted."""
_PATTERN = "P*.session"
_WORKING = (SessionState.PRACTISING, SessionState.RUNNING)


@dataclass(frozen=True)
class LocalSessions:
    """Sessions of this machine, the ids of those that stand still, and what all files take, in bytes."""

    sessions: tuple[SessionRecord, ...] = ()
    interrupted: tuple[str, ...] = ()
    size: int = 0


def local_sessions(hashes: Iterable[str]) -> LocalSessions:
    """The sessions of these versions on this machine; files that cannot be read are left out."""
    sessions = []
    interrupted = []
    size = 0
    for folder in dict.fromkeys(map(folder_of, hashes)):
        size += sum(path.stat().st_size for path in folder.glob("*") if path.is_file()) if folder.is_dir() else 0
        for path in sorted(folder.glob(_PATTERN)):
            try:
                session = read_session(path)
            except (SessionFileError, OSError):
                continue
            sessions.append(session)
            if session.state in _WORKING and time.time() - _changed_at(path) > STANDS_STILL_S:
                interrupted.append(session.id)
    return LocalSessions(tuple(sessions), tuple(interrupted), size)


def changed_at(hashes: Iterable[str]) -> float:
    """When something was last stored in a session of these versions on this machine; 0 if there is none.

    A session that works and stands still changes the number once, when it becomes an interrupted one.
    """
    paths = [path for folder in dict.fromkeys(map(folder_of, hashes)) for path in folder.glob(_PATTERN)]
    times = [_changed_at(path) for path in paths]
    standing = sum(time.time() - moment > STANDS_STILL_S for moment in times)
    return max(times, default=0.0) + len(times) + standing


def delete_local(study_hash: str, code: str) -> list[str]:
    """Deletes all files about a session on this machine; returns their names.

    Raises:
        SessionFileError: A window works on it.
        OSError: They cannot be deleted.
    """
    from filelock import FileLock, Timeout

    folder = folder_of(study_hash)
    paths = [path for path in folder.glob(f"{code}.*") if path.suffix not in (".lock", ".tombstone")]
    if not paths:
        return []
    try:
        with FileLock((folder / code).with_suffix(".lock")).acquire(timeout=0):
            for path in paths:
                path.unlink(missing_ok=True)
    except Timeout:
        raise SessionFileError(f"{code} is in use in another window.") from None
    return sorted(path.name for path in paths if not path.name.endswith(("-wal", "-shm")))


def delete_merged(merged: Iterable[StudyDelivery]) -> list[str]:
    """Deletes the files of sessions on this machine that a project holds completely; returns their names."""
    deleted: list[str] = []
    for delivery in merged:
        session = delivery.session
        path = folder_of(session.study) / f"{session.code}.session"
        try:
            if path.exists() and _is_held(path, session):
                deleted += delete_local(session.study, session.code)
        except (SessionFileError, OSError):
            continue
    return deleted


def _is_held(path: Path, merged: SessionRecord) -> bool:
    """Whether nothing was done on this machine since the results were merged."""
    here = read_session(path)
    if merged.sealed:
        if sealed_before(path, SEALED_SESSION, outcomes_in(here)) != merged.sealed:
            return False
        here = without_outcomes(here)
    return here.id == merged.id and here.state == merged.state and here.trials == merged.trials


def _changed_at(path: Path) -> float:
    """When something was last stored in a session's file or its journal."""
    files = [path, *path.parent.glob(f"{path.name}-*")]
    return max(file.stat().st_mtime for file in files if file.exists())
