"""Inspects a project file without changing it, and says in plain words why it cannot be opened."""

import os
import shutil
import sqlite3
import stat
from enum import StrEnum
from pathlib import Path
from typing import Any

from spatial_workbench.engine.store.shape import SCHEMA
from spatial_workbench.engine.store.soundness import wrong_contents, wrong_tables

APPLICATION_ID = 0x53574231
"""Marks our files in SQLite's header ("SWB1")."""

MAX_STEPS = 2_000_000_000
"""The most steps of SQLite's virtual machine that a statement may take: about 20 seconds."""
MAX_VALUE_BYTES = 256_000_000
_STEPS_A_ROUND = 1_000_000
_PRIMARY_CODE = 0xFF
_MAYBE_NO_ROOM = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
_LEAST_ROOM_BYTES = 1 << 16
_HEADER_BYTES = 100


class ProjectProblem(StrEnum):
    """Why a file cannot be opened."""

    MISSING = "missing"
    FOREIGN = "foreign"
    NEWER = "newer"
    CORRUPT = "corrupt"
    READ_ONLY = "read-only"
    EXISTS = "exists"
    BUSY = "busy"
    DISK_FULL = "disk full"


class ProjectError(Exception):
    """The project file cannot be used; the message, for a person, says why.

    If a project cannot be opened, nothing in its file was changed.
    """

    def __init__(self, problem: ProjectProblem, message: str) -> None:
        self.problem = problem
        super().__init__(message)


def inspect(path: Path) -> None:
    """Checks that `path` is a project that this version can read and write. Does not change it.

    Raises:
        ProjectError: It is not; says why.
    """
    _refuse_what_is_no_database(path)
    _refuse_read_only(path)
    # SQLite reads the header: what was written last may still be in the journal beside the file.
    try:
        connection = connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.DatabaseError:
        raise _foreign(path) from None
    try:
        _refuse_others(path, connection)
        wrong = _fault_of(connection)
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise _foreign(path) from None
        refuse_if_disk_is_full(path, error)
        wrong = str(error)
    finally:
        connection.close()
    if wrong:
        raise ProjectError(
            ProjectProblem.CORRUPT,
            f"“{path.name}” is damaged and was not opened ({wrong.splitlines()[0]}). Nothing was changed.",
        )


def is_disk_full(path: Path) -> bool:
    """Whether less than 64 KiB are free on the disk of a project."""
    return shutil.disk_usage(path.parent).free < _LEAST_ROOM_BYTES


def refuse_if_disk_is_full(path: Path, error: BaseException) -> None:
    """Raises ProjectError if a full disk caused an error of SQLite; reading needs some room beside the file, too."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
    if code == sqlite3.SQLITE_FULL or (code in _MAYBE_NO_ROOM and is_disk_full(path)):
        raise ProjectError(
            ProjectProblem.DISK_FULL,
            f"The disk that holds “{path.name}” is full. What was stored before is still there; free some space, then "
            "try again.",
        ) from error


def connect(path: Path | str, uri: bool = False) -> sqlite3.Connection:
    """A connection that begins no transaction by itself, does not trust the file, and interrupts endless statements."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, uri=uri, factory=_Bounded)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    return connection


class _Bounded(sqlite3.Connection):
    """Interrupts a statement after MAX_STEPS; reading its rows slowly does not count."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._rounds = 0
        self.set_progress_handler(self._count_round, _STEPS_A_ROUND)

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        self._rounds = 0
        return super().execute(*arguments)

    def cursor(self, *arguments: Any) -> Any:
        self._rounds = 0
        return super().cursor(*arguments)

    def _count_round(self) -> bool:
        """Whether to interrupt the statement: SQLite calls this after every round of steps."""
        self._rounds += 1
        return self._rounds > MAX_STEPS // _STEPS_A_ROUND


def _fault_of(connection: sqlite3.Connection) -> str:
    """What is wrong with a file, in words; "" if nothing is. Tables come first, since unknown ones must not be read."""
    schema = connection.execute("PRAGMA user_version").fetchone()[0]
    wrong = wrong_tables(connection, schema)
    if wrong:
        return wrong
    answer: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    return wrong_contents(connection) if answer == "ok" else answer


def _refuse_others(path: Path, connection: sqlite3.Connection) -> None:
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    schema = connection.execute("PRAGMA user_version").fetchone()[0]
    if application_id != APPLICATION_ID:
        raise ProjectError(
            ProjectProblem.FOREIGN, f"“{path.name}” is a database of another program. Nothing was changed."
        )
    if schema < 1:
        raise ProjectError(ProjectProblem.CORRUPT, f"“{path.name}” was never finished: it holds no tables.")
    if schema > SCHEMA:
        raise ProjectError(
            ProjectProblem.NEWER,
            f"This project was made by a newer version (schema {schema}, this one reads up to {SCHEMA}). "
            "Nothing was changed.",
        )


def _refuse_what_is_no_database(path: Path) -> None:
    """Looks at the file without opening it: closing it would drop the locks that this process may have on it."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise ProjectError(ProjectProblem.MISSING, f"There is no file “{path}”.") from None
    except OSError as error:
        raise ProjectError(ProjectProblem.READ_ONLY, f"“{path.name}” cannot be read: {error.strerror}.") from None
    if not stat.S_ISREG(status.st_mode) or not os.access(path, os.R_OK):
        raise ProjectError(ProjectProblem.READ_ONLY, f"“{path.name}” cannot be read: it is not a readable file.")
    if status.st_size < _HEADER_BYTES:
        raise _foreign(path)


def _foreign(path: Path) -> ProjectError:
    return ProjectError(
        ProjectProblem.FOREIGN, f"“{path.name}” is not a project of Spatial Workbench. Nothing was changed."
    )


def _refuse_read_only(path: Path) -> None:
    # An administrator may write to anything, so the permission bits are checked as well.
    marked = not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    if marked or not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise ProjectError(
            ProjectProblem.READ_ONLY,
            f"“{path.name}” is read-only. Save a copy to a folder of your own and open that. Nothing was changed.",
        )
