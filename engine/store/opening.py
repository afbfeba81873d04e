"""Looks at a project file without changing it, and says in plain words why it cannot be opened."""

import os
import sqlite3
import stat
from enum import StrEnum
from pathlib import Path

APPLICATION_ID = 0x53574231
"""Marks our files in SQLite's header ("SWB1")."""

SCHEMA = 4
"""The newest schema that this version reads and writes."""

_MAGIC = b"SQLite format 3\0"


class ProjectProblem(StrEnum):
    """Why a file cannot be opened."""

    MISSING = "missing"
    FOREIGN = "foreign"
    NEWER = "newer"
    CORRUPT = "corrupt"
    READ_ONLY = "read-only"
    EXISTS = "exists"
    BUSY = "busy"


class ProjectError(Exception):
    """A project file that cannot be used; the message is for a person. Nothing was changed."""

    def __init__(self, problem: ProjectProblem, message: str) -> None:
        self.problem = problem
        super().__init__(message)


def inspect(path: Path) -> None:
    """Makes sure that `path` is a project which this version can open and write. Reads only.

    Raises:
        ProjectError: with the reason.
    """
    _refuse_what_is_no_database(path)
    _refuse_read_only(path)
    # The header alone would not do: what was written last may still be in the journal beside the file.
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)
    try:
        _refuse_others(path, connection)
        answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        answer = str(error)
    finally:
        connection.close()
    if answer != "ok":
        raise ProjectError(
            ProjectProblem.CORRUPT,
            f"“{path.name}” is damaged and was not opened ({answer.splitlines()[0]}). Nothing was changed.",
        )


def _refuse_others(path: Path, connection: sqlite3.Connection) -> None:
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    schema = connection.execute("PRAGMA user_version").fetchone()[0]
    if application_id != APPLICATION_ID:
        raise ProjectError(
            ProjectProblem.FOREIGN, f"“{path.name}” is a database of another program. Nothing was changed."
        )
    if schema > SCHEMA:
        raise ProjectError(
            ProjectProblem.NEWER,
            f"This project was made by a newer version (schema {schema}, this one reads up to {SCHEMA}). "
            "Nothing was changed.",
        )


def _refuse_what_is_no_database(path: Path) -> None:
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        raise ProjectError(ProjectProblem.MISSING, f"There is no file “{path}”.") from None
    except OSError as error:
        raise ProjectError(ProjectProblem.READ_ONLY, f"“{path.name}” cannot be read: {error.strerror}.") from None
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise ProjectError(
            ProjectProblem.FOREIGN, f"“{path.name}” is not a project of Spatial Workbench. Nothing was changed."
        )


def _refuse_read_only(path: Path) -> None:
    # An administrator may write anything, so the permission bits are asked as well as the system.
    marked = not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    if marked or not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise ProjectError(
            ProjectProblem.READ_ONLY,
            f"“{path.name}” is read-only here. Save a copy of it to a folder of yours and open that. "
            "Nothing was changed.",
        )
