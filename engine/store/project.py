"""A project file. Every change is a short transaction, so several processes may use one project at a time."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlite_utils import Database

from engine.core.instance import Instance
from engine.core.patch import Patch, apply
from engine.core.verdict import Verdict
from engine.store.opening import APPLICATION_ID, SCHEMA, ProjectError, ProjectProblem, inspect
from engine.store.records import Actor, Attempt, AttemptRow, Draft, Edit, Progressed, Transcript
from engine.store.schema import migrations

_ATTEMPT_ROWS = (
    "SELECT a.*, v.score, v.passed, t.attempt IS NOT NULL AS has_transcript FROM attempts a"
    " LEFT JOIN verdicts v ON v.attempt = a.id AND v.verifier = 'default'"
    " LEFT JOIN transcripts t ON t.attempt = a.id"
)
SNAPSHOT_EVERY = 200
"""Edits after which a draft's snapshot is written anew, so that opening it stays quick."""


class Project:
    """A project file, for use in the thread that opened it.

    Use `Project.create` and `Project.open`; it is a context manager.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._db = Database(connection)

    @classmethod
    def create(cls, path: Path | str) -> "Project":
        """A new, empty project.

        Raises:
            ProjectError: the file exists, or cannot be written.
        """
        path = Path(path)
        if path.exists():
            raise ProjectError(ProjectProblem.EXISTS, f"There is a file “{path.name}” already.")
        try:
            connection = _connect(path)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        except sqlite3.OperationalError as error:
            raise ProjectError(ProjectProblem.READ_ONLY, f"“{path}” cannot be written: {error}.") from None
        project = cls(path, connection)
        project._prepare()
        return project

    @classmethod
    def open(cls, path: Path | str) -> "Project":
        """An existing project.

        Raises:
            ProjectError: it is missing, newer, foreign, corrupt or read-only; it was not changed.
        """
        path = Path(path)
        inspect(path)
        project = cls(path, _connect(path))
        try:
            project._prepare()
        except sqlite3.OperationalError as error:
            raise ProjectError(ProjectProblem.BUSY, f"“{path.name}” is in use and cannot be opened: {error}.") from None
        return project

    def close(self) -> None:
        """Closes the file. The project cannot be used afterwards."""
        self._connection.close()

    def __enter__(self) -> "Project":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def save_copy(self, path: Path | str) -> None:
        """Writes a copy as it is now; the file may be in use meanwhile. An existing file is replaced."""
        target = sqlite3.connect(path)
        with target:
            self._connection.backup(target)
        target.close()

    def compact(self) -> None:
        """Moves everything from the journal into the one file, as small as it can be: for a project that is shipped."""
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def change_count(self) -> int:
        """A number that differs after another process (or thread) changed the file."""
        count: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return count

    @contextmanager
    def write_transaction(self) -> Iterator[None]:
        """A transaction that has the right to write from its start, so that it waits instead of failing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    # Drafts ------------------------------------------------------------------------------------------------------

    def draft(self, address: str) -> Draft | None:
        """The draft of an instance as it was after its last edit, or None."""
        row = self._one("SELECT * FROM drafts WHERE address = ?", address)
        if row is None:
            return None
        answer = json.loads(row["snapshot"])
        for edit in self.edits(address, after=row["snapshot_edit"]):
            answer = apply(answer, edit.patch)
        count = self._one("SELECT count(*) AS n FROM edits WHERE address = ? AND id > ?", address, row["first_edit"])
        return Draft(
            address=address,
            answer=answer,
            seconds=row["seconds"],
            edit_count=count["n"] if count else 0,
            updated_at=row["updated_at"],
        )

    def begin_draft(self, instance: Instance, answer: Any) -> None:
        """Starts a draft with this answer (plain data), in place of any that there is."""
        with self.write_transaction():
            self._remember(instance)
            last = self._last_edit(instance.address)
            self._upsert_draft(instance.address, answer, last, first_edit=last, seconds=0.0)

    def add_edit(self, address: str, label: str, patch: Patch) -> None:
        """Stores one edit of a draft, at once.

        Raises:
            KeyError: the instance has no draft.
        """
        with self.write_transaction():
            if self._one("SELECT 1 FROM drafts WHERE address = ?", address) is None:
                raise KeyError(address)
            now = _now()
            number = self._connection.execute(
                "INSERT INTO edits (address, label, patch, at) VALUES (?, ?, ?, ?)",
                (address, label, json.dumps(patch), now),
            ).lastrowid
            self._connection.execute("UPDATE drafts SET updated_at = ? WHERE address = ?", (now, address))
            self._refresh_snapshot(address, number or 0)

    def add_seconds(self, address: str, seconds: float) -> None:
        """Adds time to a draft's clock."""
        with self.write_transaction():
            self._connection.execute("UPDATE drafts SET seconds = seconds + ? WHERE address = ?", (seconds, address))

    def edits(self, address: str, after: int = 0, until: int | None = None) -> list[Edit]:
        """The edits of an instance's drafts with numbers in (after, until], in order."""
        rows = self._all(
            "SELECT * FROM edits WHERE address = ? AND id > ? AND id <= ? ORDER BY id",
            address,
            after,
            2**62 if until is None else until,
        )
        return [Edit(number=r["id"], label=r["label"], patch=json.loads(r["patch"]), at=r["at"]) for r in rows]

    def _refresh_snapshot(self, address: str, number: int) -> None:
        row = self._one("SELECT snapshot, snapshot_edit, first_edit, seconds FROM drafts WHERE address = ?", address)
        if row is None:
            return
        pending = self.edits(address, after=row["snapshot_edit"])
        if len(pending) < SNAPSHOT_EVERY:
            return
        answer = json.loads(row["snapshot"])
        for edit in pending:
            answer = apply(answer, edit.patch)
        self._upsert_draft(address, answer, number, row["first_edit"], row["seconds"])

    def _upsert_draft(self, address: str, answer: Any, number: int, first_edit: int, seconds: float) -> None:
        self._db.table("drafts").upsert(
            {
                "address": address,
                "snapshot": json.dumps(answer),
                "snapshot_edit": number,
                "first_edit": first_edit,
                "seconds": seconds,
                "updated_at": _now(),
            },
            pk="address",
        )

    def _last_edit(self, address: str) -> int:
        row = self._one("SELECT max(id) AS n FROM edits WHERE address = ?", address)
        return int(row["n"] or 0) if row else 0

    # Attempts ----------------------------------------------------------------------------------------------------

    def add_attempt(
        self,
        instance: Instance,
        answer: str,
        actor: Actor,
        actor_name: str = "",
        seconds: float | None = None,
        verdicts: tuple[Verdict, ...] = (),
        transcript: Transcript | None = None,
    ) -> int:
        """Stores a submitted answer (its text) and what was said of it; returns the attempt's number.

        A person's attempt takes over the edits of the instance's draft.
        """
        with self.write_transaction():
            self._remember(instance)
            draft = self._one("SELECT first_edit FROM drafts WHERE address = ?", instance.address)
            first = draft["first_edit"] if draft and actor is Actor.PERSON else None
            last = self._last_edit(instance.address) if first is not None else None
            count = self._one(
                "SELECT count(*) AS n FROM edits WHERE address = ? AND id > ?", instance.address, first or 0
            )
            number = self._connection.execute(
                "INSERT INTO attempts (address, task, actor, actor_name, answer, submitted_at, seconds,"
                " first_edit, last_edit, edit_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    instance.address,
                    instance.task,
                    actor.value,
                    actor_name,
                    answer,
                    _now(),
                    seconds,
                    first,
                    last,
                    count["n"] if count and first is not None else 0,
                ),
            ).lastrowid
            for verdict in verdicts:
                self._insert_verdict(number or 0, verdict)
            if transcript is not None:
                self._connection.execute(
                    "INSERT INTO transcripts (attempt, kind, record) VALUES (?, ?, ?)",
                    (number, transcript.kind, transcript.record),
                )
        return number or 0

    def transcript(self, attempt: int) -> Transcript | None:
        """How an agent came to this attempt, step by step; None where nobody wrote it down."""
        row = self._one("SELECT kind, record FROM transcripts WHERE attempt = ?", attempt)
        return Transcript(kind=row["kind"], record=row["record"]) if row else None

    def transcripts(self, kind: str) -> Iterator[tuple[AttemptRow, Transcript]]:
        """All transcripts of a kind with their attempts, the oldest first."""
        for row in self._connection.execute(
            "SELECT a.*, v.score, v.passed, 1 AS has_transcript, t.kind, t.record FROM transcripts t"
            " JOIN attempts a ON a.id = t.attempt"
            " LEFT JOIN verdicts v ON v.attempt = a.id AND v.verifier = 'default' WHERE t.kind = ? ORDER BY a.id",
            (kind,),
        ):
            yield AttemptRow(**_row_fields(row)), Transcript(kind=row["kind"], record=row["record"])

    def add_verdict(self, attempt: int, verdict: Verdict) -> None:
        """Stores one more verdict of an attempt; one of the same verifier and version is replaced."""
        with self.write_transaction():
            self._insert_verdict(attempt, verdict)

    def attempts(self, address: str | None = None, limit: int = 1000) -> list[AttemptRow]:
        """The newest attempts, of one instance or of all."""
        rows = self._all(
            f"{_ATTEMPT_ROWS} WHERE ?1 IS NULL OR a.address = ?1 ORDER BY a.id DESC LIMIT ?2",
            address,
            limit,
        )
        return [AttemptRow(**_row_fields(row)) for row in rows]

    def attempt(self, number: int) -> Attempt:
        """One attempt with its answer and all verdicts.

        Raises:
            KeyError: there is none of that number.
        """
        row = self._one(
            f"{_ATTEMPT_ROWS} WHERE a.id = ?",
            number,
        )
        if row is None:
            raise KeyError(number)
        verdicts = self._all("SELECT verdict FROM verdicts WHERE attempt = ? ORDER BY id", number)
        return Attempt(
            **_row_fields(row),
            answer=row["answer"],
            verdicts=tuple(Verdict.model_validate_json(found["verdict"]) for found in verdicts),
        )

    def edits_of_attempt(self, number: int) -> list[Edit]:
        """The edits that led to a person's attempt, in order."""
        row = self._one("SELECT address, first_edit, last_edit FROM attempts WHERE id = ?", number)
        if row is None or row["first_edit"] is None:
            return []
        return self.edits(row["address"], after=row["first_edit"], until=row["last_edit"])

    def progress(self) -> dict[str, Progressed]:
        """How far each task is, by the task's id."""
        solved: dict[str, set[str]] = {}
        best: dict[str, dict[str, float]] = {}
        drafts: dict[str, set[str]] = {}
        for row in self._all(
            "SELECT a.task, a.address, a.actor, max(v.score) AS score, max(v.passed) AS passed FROM attempts a"
            " JOIN verdicts v ON v.attempt = a.id AND v.verifier = 'default' GROUP BY a.address, a.actor"
        ):
            if row["passed"] and row["actor"] in (Actor.PERSON, Actor.IMPORT):
                solved.setdefault(row["task"], set()).add(row["address"])
            scores = best.setdefault(row["task"], {})
            scores[row["actor"]] = max(row["score"], scores.get(row["actor"], 0.0))
        for row in self._all("SELECT i.task, d.address FROM drafts d JOIN instances i ON i.address = d.address"):
            drafts.setdefault(row["task"], set()).add(row["address"])
        return {
            task: Progressed(
                solved=frozenset(solved.get(task, ())),
                drafts=frozenset(drafts.get(task, ())),
                best_person=best.get(task, {}).get(Actor.PERSON),
                best_model=best.get(task, {}).get(Actor.MODEL),
            )
            for task in best.keys() | drafts.keys()
        }

    def _insert_verdict(self, attempt: int, verdict: Verdict) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO verdicts (attempt, verifier, version, score, passed, verdict, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                attempt,
                verdict.verifier,
                verdict.version,
                verdict.score,
                verdict.passed,
                verdict.model_dump_json(),
                _now(),
            ),
        )

    # Plumbing ----------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        with self.write_transaction():
            migrations.apply(self._db)
            self._connection.execute(f"PRAGMA user_version = {SCHEMA}")

    def _remember(self, instance: Instance) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO instances (address, task, number, seed, parameters) VALUES (?, ?, ?, ?, ?)",
            (instance.address, instance.task, instance.number, instance.seed, instance.parameters_json),
        )

    def _one(self, sql: str, *arguments: Any) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._connection.execute(sql, arguments).fetchone()
        return row

    def _all(self, sql: str, *arguments: Any) -> list[sqlite3.Row]:
        return self._connection.execute(sql, arguments).fetchall()


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that begins transactions only when it is told to."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None)
    connection.row_factory = sqlite3.Row
    # Where the file system cannot share memory (a network drive), SQLite keeps its older journal by itself.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _row_fields(row: sqlite3.Row) -> dict[str, Any]:
    return {
        "number": row["id"],
        "address": row["address"],
        "actor": row["actor"],
        "actor_name": row["actor_name"] or "",
        "submitted_at": row["submitted_at"],
        "seconds": row["seconds"],
        "edit_count": row["edit_count"],
        "score": row["score"],
        "passed": row["passed"],
        "has_transcript": bool(row["has_transcript"]),
    }
