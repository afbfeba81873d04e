"""A project file. Every change is a short transaction, so several processes may use one project at a time."""

import json
import sqlite3
from pathlib import Path
from types import TracebackType

from pydantic import ValidationError

from spatial_workbench.engine.store.inspection import (
    APPLICATION_ID,
    ProjectError,
    ProjectProblem,
    connect,
    inspect,
    refuse_if_disk_is_full,
)
from spatial_workbench.engine.store.restoring import Restoring
from spatial_workbench.engine.store.runs import Runs
from spatial_workbench.engine.store.shape import SCHEMA, bring_up_to_date
from spatial_workbench.engine.store.study_outcomes import StudyOutcomes


class Project(StudyOutcomes, Restoring):
    """A project file, for use in the thread that opened it.

    Use `Project.create` and `Project.open`; it is a context manager.
    `runs` lists attempts: numbers, rows, choices for filters, what results are made of.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(path, connection)
        self.runs = Runs(self.database)

    @classmethod
    def create(cls, path: Path | str) -> "Project":
        """A new, empty project.

        Raises:
            ProjectError: The file exists, or cannot be written.
        """
        path = Path(path)
        if path.exists():
            raise ProjectError(ProjectProblem.EXISTS, f"There is a file “{path.name}” already.")
        try:
            connection = _connect(path)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            project = cls(path, connection)
            project._prepare()
        except sqlite3.OperationalError as error:
            # What was begun would be taken for a damaged project later.
            path.unlink(missing_ok=True)
            refuse_if_disk_is_full(path, error)
            raise ProjectError(ProjectProblem.READ_ONLY, f"“{path}” cannot be written: {error}.") from None
        return project

    @classmethod
    def open(cls, path: Path | str) -> "Project":
        """An existing project.

        Raises:
            ProjectError: It is missing, newer, foreign, corrupt or read-only; it was not changed.
        """
        path = Path(path)
        inspect(path)
        try:
            project = cls(path, _connect(path))
            project._prepare()
        except sqlite3.OperationalError as error:
            refuse_if_disk_is_full(path, error)
            raise ProjectError(ProjectProblem.BUSY, f"“{path.name}” is in use and cannot be opened: {error}.") from None
        return project

    def survive_power_cuts(self) -> None:
        """Waits until each transaction is on the disk: for what costs money. Transactions take three times as long."""
        self._connection.execute("PRAGMA synchronous = FULL")

    def close(self) -> None:
        """Closes the file. The project cannot be used afterwards."""
        self._connection.close()

    def __enter__(self) -> "Project":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):
            refuse_if_disk_is_full(self.path, error)
        if isinstance(error, sqlite3.Error | ValidationError | json.JSONDecodeError | UnicodeError):
            raise ProjectError(
                ProjectProblem.CORRUPT, f"“{self.path.name}” holds something that cannot be read: {_sentence(error)}."
            ) from error

    def save_copy(self, path: Path | str) -> None:
        """Writes a copy of the project as it is now, even while it is in use. An existing file is replaced."""
        target = sqlite3.connect(path)
        with target:
            self._connection.backup(target)
        target.close()

    def compact(self) -> None:
        """Moves everything from the journal into the file and makes it as small as possible, to ship the project."""
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def change_count(self) -> int:
        """A number that changes when another process (or thread) changes the file."""
        count: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return count

    def _prepare(self) -> None:
        # Nothing is written if nothing is to be done, because other processes take every write for a change.
        if self._schema == SCHEMA:
            return
        with self.write_transaction():
            if self._schema != SCHEMA:
                bring_up_to_date(self._connection)

    @property
    def _schema(self) -> int:
        schema: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
        return schema


def _sentence(error: BaseException) -> str:
    """The first line of an error; for an invalid record, its kind, the place and what is wrong."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{error.title}, {'.'.join(map(str, first['loc'])) or 'as a whole'}: {first['msg']}"
    return str(error).partition("\n")[0].rstrip(".")


def _connect(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    connection.row_factory = sqlite3.Row
    # If the file system cannot share memory (a network drive), SQLite keeps to its older journal by itself.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection
