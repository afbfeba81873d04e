"""Inspects a project file without changing it, and says in plain words why it cannot be opened."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, suppress
from enum import StrEnum
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.store import sound_files
from spatial_workbench.engine.store.shape import SCHEMA
from spatial_workbench.engine.store.soundness import SoundnessCheck, checks_of, wrong_tables

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
_WORKERS = 4
"""How many checks of a large file run side by side, at most."""
_TICK_S = 0.1
"""How often the progress of the checks is told."""


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


def inspect(path: Path, progress: Progress = silent) -> None:
    """Checks that `path` is a project that this version can read and write. Does not change it.

    The contents of a large file that was found sound are checked again only once it has changed.

    Raises:
        ProjectError: It is not; says why.
        Cancelled: Raised by `progress`.
    """
    _refuse_what_is_no_database(path)
    _refuse_read_only(path)
    stamp = sound_files.stamp_of(path)
    # SQLite reads the header: what was written last may still be in the journal beside the file.
    try:
        connection = _connect_to_read(path)
    except sqlite3.DatabaseError:
        raise _foreign(path) from None
    try:
        _refuse_others(path, connection)
        wrong = wrong_tables(connection, connection.execute("PRAGMA user_version").fetchone()[0])
        if not wrong and not sound_files.is_remembered(path, stamp):
            wrong = _fault_in_contents(path, connection, progress)
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
    if sound_files.stamp_of(path) == stamp:
        sound_files.remember(path, stamp)


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


def _connect_to_read(path: Path) -> sqlite3.Connection:
    return connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _quick_check(connection: sqlite3.Connection) -> str:
    answer: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    return "" if answer == "ok" else answer


def _fault_in_contents(path: Path, connection: sqlite3.Connection, progress: Progress) -> str:
    """What is wrong with the contents of a file whose tables are known, in words; "" if nothing is."""
    checks = (_quick_check, *checks_of(connection))
    if not sound_files.is_large(path):
        return next((wrong for check in checks if (wrong := check(connection))), "")
    return _first_fault(path, checks, progress)


def _first_fault(path: Path, checks: Sequence[SoundnessCheck], progress: Progress) -> str:
    """The first fault that checks find, which run side by side: SQLite leaves the interpreter's lock while it reads."""
    checking = _SideBySide(path, checks)
    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="check") as pool:
        running = [pool.submit(checking.work) for _ in range(_WORKERS)]
        try:
            is_running = True
            while is_running:
                progress(len(checking.found), len(checks), "Checking")
                is_running = bool(wait(running, timeout=_TICK_S).not_done)
        except BaseException:
            checking.stop()
            raise
    for future in running:
        future.result()
    return checking.first_fault()


class _SideBySide:
    """Checks of a file that several threads share out among themselves.

    found: What each check that has ended found, by its place: a sentence, "" or the error that it raised.
    """

    def __init__(self, path: Path, checks: Sequence[SoundnessCheck]) -> None:
        self.found: dict[int, str | sqlite3.Error] = {}
        self._path = path
        self._left = iter(list(enumerate(checks)))
        self._connections: list[sqlite3.Connection] = []
        self._is_stopped = False

    def work(self) -> None:
        """Takes one check after the other until none is left."""
        with closing(_connect_to_read(self._path)) as connection:
            self._connections.append(connection)
            for place, check in self._left:
                if self._is_stopped:
                    return
                try:
                    self.found[place] = check(connection)
                except sqlite3.Error as error:
                    self.found[place] = error

    def stop(self) -> None:
        """Ends the check that each thread is at, and begins no other."""
        self._is_stopped = True
        for connection in self._connections:
            with suppress(sqlite3.ProgrammingError):
                connection.interrupt()

    def first_fault(self) -> str:
        """What the first check in order found that found something."""
        for _, found in sorted(self.found.items()):
            if isinstance(found, sqlite3.Error):
                raise found
            if found:
                return found
        return ""


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
