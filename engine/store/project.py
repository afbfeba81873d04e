"""A project file. Every change is a short transaction, so several processes may use one project at a time."""

import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from pydantic import ValidationError

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.store import sound_files
from spatial_workbench.engine.store.archive import ProjectArchive
from spatial_workbench.engine.store.attempts import Attempts
from spatial_workbench.engine.store.base import Database, Remembered
from spatial_workbench.engine.store.batches import Batches
from spatial_workbench.engine.store.drafts import Drafts
from spatial_workbench.engine.store.facts import Facts
from spatial_workbench.engine.store.inspect_logs import InspectLogs
from spatial_workbench.engine.store.inspection import (
    APPLICATION_ID,
    ProjectError,
    ProjectProblem,
    connect,
    inspect,
    refuse_if_disk_is_full,
)
from spatial_workbench.engine.store.items import Items
from spatial_workbench.engine.store.judgements import Judgements
from spatial_workbench.engine.store.puzzles import PuzzleRecords
from spatial_workbench.engine.store.remarks import Remarks
from spatial_workbench.engine.store.runs import Runs
from spatial_workbench.engine.store.searches import LaboratorySearches
from spatial_workbench.engine.store.shape import SCHEMA, bring_up_to_date
from spatial_workbench.engine.store.studies.documents import Studies
from spatial_workbench.engine.store.studies.exclusions import Exclusions
from spatial_workbench.engine.store.studies.keys import StudyKeys
from spatial_workbench.engine.store.studies.log import StudyLog
from spatial_workbench.engine.store.studies.merging import Merging
from spatial_workbench.engine.store.studies.outcomes import StudyOutcomes
from spatial_workbench.engine.store.studies.places import Places
from spatial_workbench.engine.store.studies.sessions import StudySessions
from spatial_workbench.engine.store.studies.withdrawals import Withdrawals

MAX_NAME = 80
"""How long the name of a person may be."""
_SIGNS_OF_DAMAGE = (sqlite3.Error, ValidationError, json.JSONDecodeError, UnicodeError)


class Project:
    """A project file, for use in the thread that opened it. Use `Project.create` and `Project.open`.

    It is a context manager, which raises ProjectError if the file is damaged or the disk is full. Its parts store and
    query the data, one for each subject, such as `attempts`; the package's docstring lists them.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._is_doubtful = False
        self.database = Database(connection)
        self.drafts = Drafts(self.database)
        self.facts = Facts(self.database)
        self.attempts = Attempts(self.database, self.drafts, self.facts)
        self.runs = Runs(self.database)
        self.judgements = Judgements(self.database, self.facts)
        self.remarks = Remarks(self.database)
        self.puzzles = PuzzleRecords(self.database)
        self.batches = Batches(self.database)
        self.items = Items(self.database)
        self.inspect_logs = InspectLogs(self.database)
        self.searches = LaboratorySearches(self.database)
        self.archive = ProjectArchive(
            self.database,
            self.drafts,
            self.attempts,
            self.facts,
            self.judgements,
            self.remarks,
            self.puzzles,
            self.batches,
            self.items,
            self.inspect_logs,
        )
        self.study_log = StudyLog(self.database)
        self.study_keys = StudyKeys(self.database)
        self.studies = Studies(self.database, self.study_log, self.study_keys)
        self.places = Places(self.database, self.studies, self.study_log, self.study_keys)
        remembered = Remembered(self.database)
        self.sessions = StudySessions(self.database, self.studies, self.study_keys, self.attempts, remembered)
        self.exclusions = Exclusions(self.database, self.studies, self.study_log, self.sessions, remembered)
        self.merging = Merging(
            self.database,
            self.studies,
            self.places,
            self.study_log,
            self.sessions,
            self.exclusions,
            self.study_keys,
        )
        self.outcomes = StudyOutcomes(
            self.database,
            self.studies,
            self.study_keys,
            self.places,
            self.study_log,
            self.sessions,
            self.exclusions,
            self.attempts,
            remembered,
        )
        self.withdrawals = Withdrawals(self.database, self.studies, self.study_log, self.sessions)
        self._seen_change = self.change_count
        self._identity = sound_files.identity_of(path)

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
    def open(cls, path: Path | str, progress: Progress = silent) -> "Project":
        """An existing project, which is checked if it has changed since it was last found sound or closed.

        Raises:
            ProjectError: It is missing, newer, foreign, corrupt, read-only or in use, or the disk is full; it was not
                changed.
            Cancelled: Raised by `progress`.
        """
        path = Path(path)
        inspect(path, progress)
        try:
            project = cls(path, _connect(path))
            project._prepare()
        except sqlite3.OperationalError as error:
            refuse_if_disk_is_full(path, error)
            raise ProjectError(ProjectProblem.BUSY, f"“{path.name}” is in use and cannot be opened: {error}.") from None
        return project

    def survive_power_cuts(self) -> None:
        """From now on, each transaction waits until it is on the disk, which takes three times as long.

        This is for data that cost money, such as answers of models.
        """
        self.database.sqlite.execute("PRAGMA synchronous = FULL")

    def close(self) -> None:
        """Closes the file. The project cannot be used afterwards.

        It is sound as before if nobody else has changed it.
        """
        with suppress(sqlite3.Error):
            self._is_doubtful = self._is_doubtful or self.change_count != self._seen_change
        self.database.sqlite.close()
        if not self._is_doubtful and sound_files.identity_of(self.path) == self._identity:
            sound_files.remember(self.path)

    def doubt(self) -> None:
        """From now on, the file counts as perhaps damaged: whoever opens it next checks all of it."""
        self._is_doubtful = True
        sound_files.forget(self.path)

    def __enter__(self) -> "Project":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, _SIGNS_OF_DAMAGE):
            self.doubt()
        self.close()
        if isinstance(error, sqlite3.Error):
            refuse_if_disk_is_full(self.path, error)
        if isinstance(error, _SIGNS_OF_DAMAGE):
            raise ProjectError(
                ProjectProblem.CORRUPT, f"“{self.path.name}” holds something that cannot be read: {_sentence(error)}."
            ) from error

    def save_copy(self, path: Path | str) -> None:
        """Writes a copy of the project as it is now, even while it is in use. An existing file is replaced."""
        target = sqlite3.connect(path)
        with target:
            self.database.sqlite.backup(target)
        target.close()

    def compact(self) -> None:
        """Moves everything from the journal into the file and makes it as small as possible, to ship the project."""
        self.database.sqlite.execute("VACUUM")
        self.database.sqlite.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def change_count(self) -> int:
        """A number that changes when another process (or thread) changes the file."""
        count: int = self.database.sqlite.execute("PRAGMA data_version").fetchone()[0]
        return count

    def people(self) -> list[str]:
        """The names of everybody who left a draft, a clock or an attempt, or takes part in a review, in order."""
        rows = self.database.rows(
            "SELECT person FROM drafts UNION SELECT person FROM clocks"
            " UNION SELECT actor_name FROM attempts WHERE actor = 'person'"
            " UNION SELECT person FROM puzzle_events WHERE kind NOT IN ('flagged', 'unreadable')"
            " UNION SELECT value FROM puzzle_events, json_each(event, '$.reviewers') WHERE kind = 'assigned'"
            " UNION SELECT value FROM puzzle_events, json_each(event, '$.annotators') WHERE kind = 'doubled'"
            " ORDER BY 1 COLLATE NOCASE"
        )
        return [row["person"] for row in rows if row["person"]]

    def _prepare(self) -> None:
        # Nothing is written if nothing is to be done, because other processes take every write for a change.
        if self._schema == SCHEMA:
            return
        with self.database.write_transaction():
            if self._schema != SCHEMA:
                bring_up_to_date(self.database.sqlite)

    @property
    def _schema(self) -> int:
        schema: int = self.database.sqlite.execute("PRAGMA user_version").fetchone()[0]
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
