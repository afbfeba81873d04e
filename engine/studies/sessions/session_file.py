"""The file of a session on the participant's machine: what was done, stored as it is done.

A SQLite file that is written through to the disk with every commit, so that after a power cut at most the last second
is missing. Events are kept in chained chunks. At the end of each trial a copy is made, which replaces the file if it is
damaged. Deleting a session leaves a tombstone, which holds no more than study, code and time.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import ValidationError

from spatial_workbench.engine.core.formats.patch import apply
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS, canonical
from spatial_workbench.engine.studies.files.merging import chain_of
from spatial_workbench.engine.studies.sessions.edit_history import DraftEdit
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, Submission, TrialRecord

T = TypeVar("T")

APPLICATION_ID = int.from_bytes(b"SWS1", "big")
SCHEMA = 3
SUFFIX = ".session"
CHUNK_EVENTS = 64
CHUNK_MS = 10_000
MOST_EVENT_BYTES = 200_000_000
"""The size from which events are no longer stored; answers always are."""

_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE trials (position INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE submissions (position INTEGER, number INTEGER, data TEXT NOT NULL, PRIMARY KEY (position, number));
CREATE TABLE drafts (position INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE edits (id INTEGER PRIMARY KEY, position INTEGER NOT NULL, patch TEXT NOT NULL);
CREATE TABLE events (n INTEGER PRIMARY KEY, line TEXT NOT NULL);
CREATE TABLE chunks (number INTEGER PRIMARY KEY, digest TEXT NOT NULL, content BLOB NOT NULL);
"""
_NOTES = """
CREATE TABLE IF NOT EXISTS notes (
    position INTEGER, page TEXT, data TEXT NOT NULL, PRIMARY KEY (position, page)
) WITHOUT ROWID;
"""
"""Sketches by page, and the scratch pad under no page; since schema 2."""
_SEALED = """
CREATE TABLE IF NOT EXISTS sealed (
    name TEXT PRIMARY KEY, digest TEXT NOT NULL, content TEXT NOT NULL
) WITHOUT ROWID;
"""
"""What left this machine encrypted, with the digest of what was encrypted; since schema 3."""
SCRATCH = ""
"""The page under which the text of the scratch pad is stored."""


class SessionFileError(ValueError):
    """A session's file that cannot be used; says why."""


class InUse(SessionFileError):
    """Another window has the session open."""


class Damaged(SessionFileError):
    """The file is damaged and there is no copy; it was kept under another name."""


@dataclass(frozen=True)
class Changes:
    """What is stored in one commit.

    Attributes:
        head: The session without its trials.
        place: Where the person is, as plain data.
        trials: Those that changed, by position; their submissions are stored apart.
        begun: The drafts that begin, by position, as plain data.
        edits: Edits of drafts, each with the position of its trial.
        notes: Sketches (JSON) and scratch texts, by the position of their trial and their page.
        events: Lines without line ends.
        at_ms: Time since the session began, by the clock that runs on in suspend.
    """

    head: SessionRecord | None = None
    place: Mapping[str, Any] | None = None
    trials: Mapping[int, TrialRecord] = field(default_factory=dict)
    submissions: tuple[tuple[int, Submission], ...] = ()
    begun: Mapping[int, Any] = field(default_factory=dict)
    edits: tuple[tuple[int, DraftEdit], ...] = ()
    notes: Mapping[tuple[int, str], str] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    at_ms: int = 0

    def then(self, later: Changes) -> Changes:
        """These changes and later ones in one. A draft that begins later replaces the edits of the one before."""
        edits = tuple(edit for edit in self.edits if edit[0] not in later.begun)
        return replace(
            later,
            head=later.head or self.head,
            place=later.place or self.place,
            trials={**self.trials, **later.trials},
            submissions=self.submissions + later.submissions,
            begun={**self.begun, **later.begun},
            edits=edits + later.edits,
            notes={**self.notes, **later.notes},
            events=self.events + later.events,
        )


def folder_of(study_hash: str) -> Path:
    """Where the sessions of a study are kept on this machine."""
    from platformdirs import user_data_path

    return user_data_path("spatial-workbench", appauthor=False) / "studies" / study_hash[:SHOWN_CHARS]


class SessionFile:
    """The file of a session, open and locked for this process. A path of None keeps it in memory and leaves nothing.

    Attributes:
        note: What was lost, if the file was damaged and its copy was taken.
        fault: Why nothing can be written at present, where that is only known after a commit.
    """

    fault: OSError | sqlite3.Error | None = None

    def __init__(self, connection: sqlite3.Connection, path: Path | None, lock: Any = None, note: str = "") -> None:
        self.path = path
        self.note = note
        connection.row_factory = sqlite3.Row
        self._connection = connection
        self._lock = lock
        rows = connection.execute("SELECT line FROM events ORDER BY n").fetchall()
        self._open = [str(line) for (line,) in rows]
        self._open_since: int | None = None
        self._bytes = connection.execute("SELECT coalesce(sum(length(content)), 0) FROM chunks").fetchone()[0]
        last = connection.execute("SELECT number, digest FROM chunks ORDER BY number DESC LIMIT 1").fetchone()
        self._chunk_count: int = last["number"] if last else 0
        self._digest: bytes = bytes.fromhex(last["digest"]) if last else bytes(32)

    @classmethod
    def create(cls, path: Path | None, head: SessionRecord) -> Self:
        """A new file that holds no more than the session's head.

        Raises:
            InUse: Another window is making it.
            OSError, sqlite3.Error: It cannot be written.
        """
        lock = _locked(path)
        try:
            connection = _connected(path)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
            connection.executescript(_TABLES + _NOTES + _SEALED)
            SessionFile(connection, None).commit(Changes(head=head))
            file = cls(connection, path, lock)
        except (OSError, sqlite3.Error):
            _release(lock)
            raise
        return file

    @classmethod
    def open(cls, path: Path) -> Self:
        """A session that was begun before; a damaged file is replaced by its copy.

        Raises:
            InUse: Another window has it open.
            Damaged: It is damaged, and there is no copy.
            SessionFileError: It is no session, or was made by a newer version.
            OSError: It cannot be read.
        """
        lock = _locked(path)
        try:
            connection, note = _sound_or_restored(path)
            return cls(connection, path, lock, note)
        except (SessionFileError, OSError):
            _release(lock)
            raise

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def head(self) -> SessionRecord:
        """The session without its trials."""
        return SessionRecord.model_validate_json(self._fact("head"))

    @property
    def place(self) -> dict[str, Any]:
        """Where the person was; empty for a new session."""
        data: dict[str, Any] = json.loads(self._fact("place") or "{}")
        return data

    def trials(self) -> list[TrialRecord]:
        """The trials with their submissions, in order."""
        handed_in: dict[int, list[Submission]] = {}
        for row in self._connection.execute("SELECT position, data FROM submissions ORDER BY 1, number"):
            handed_in.setdefault(row["position"], []).append(Submission.model_validate_json(row["data"]))
        notes = self._notes()
        rows = self._connection.execute("SELECT position, data FROM trials ORDER BY position")
        records = [(row["position"], TrialRecord.model_validate_json(row["data"])) for row in rows]
        return [
            record.model_copy(update={"submissions": tuple(handed_in.get(p, ())), **notes.get(p, {})})
            for p, record in records
        ]

    def record(self) -> SessionRecord:
        """All of the session but its events."""
        return self.head.model_copy(update={"trials": tuple(self.trials())})

    def draft(self, position: int) -> Any:
        """The draft of a trial as plain data after its last edit; None if it has not begun."""
        data, edits = self.draft_and_edits(position)
        for edit in edits:
            data = apply(data, edit.patch)
        return data

    def draft_and_edits(self, position: int) -> tuple[Any, list[DraftEdit]]:
        """The draft with which a trial began, as plain data, and its edits; None and nothing if it has not begun."""
        row = self._connection.execute("SELECT data FROM drafts WHERE position = ?", (position,)).fetchone()
        return (None, []) if row is None else (json.loads(row["data"]), list(self._edits(position)))

    def _edits(self, position: int) -> Iterator[DraftEdit]:
        rows = self._connection.execute("SELECT patch FROM edits WHERE position = ? ORDER BY id", (position,))
        for (text,) in rows:
            stored = json.loads(text)
            # Earlier versions stored the patch alone.
            yield DraftEdit(stored) if isinstance(stored, list) else DraftEdit(**stored)

    def chunks(self) -> tuple[bytes, ...]:
        """All events in the pieces in which they are chained. The piece that was open is closed."""
        if self._open:
            with self._connection:
                self._close_chunk()
        rows = self._connection.execute("SELECT content FROM chunks ORDER BY number")
        return tuple(bytes(content) for (content,) in rows)

    def sealed_before(self, name: str, content: bytes) -> str:
        """What was sealed of these contents under a name; "" if nothing was, or other contents."""
        if not self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sealed'").fetchone():
            return ""
        row = self._connection.execute("SELECT digest, content FROM sealed WHERE name = ?", (name,)).fetchone()
        return str(row["content"]) if row is not None and row["digest"] == _sha256(content) else ""

    def sealed(self, name: str, content: bytes, seal: Callable[[bytes], str]) -> str:
        """What leaves this machine in place of contents, encrypted.

        Contents that were sealed before under this name give the same text again, so that a state of a session that is
        written twice is the same.

        Raises:
            OSError, sqlite3.Error: It cannot be written.
        """
        before = self.sealed_before(name, content)
        if before:
            return before
        text = seal(content)
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO sealed VALUES (?, ?, ?)", (name, _sha256(content), text))
        return text

    @property
    def events_stopped(self) -> bool:
        """Whether there are so many events that no more are stored."""
        return bool(self._bytes >= MOST_EVENT_BYTES)

    # Writing -----------------------------------------------------------------------------------------------------

    def commit(self, changes: Changes) -> None:
        """Stores changes, all of them or none; they are on the disk when this returns.

        Raises:
            OSError, sqlite3.Error: They cannot be written; nothing was changed.
        """
        before = list(self._open), self._open_since, self._bytes, self._chunk_count, self._digest
        try:
            with self._connection:
                self._store(changes)
        except (OSError, sqlite3.Error):
            self._open, self._open_since, self._bytes, self._chunk_count, self._digest = before
            raise

    def flush(self) -> None:
        """Waits until everything that was committed is on the disk; here it always is."""

    def keep_copy(self) -> None:
        """Makes the copy that replaces the file if it is damaged."""
        if self.path is None:
            return
        temporary = self.path.with_suffix(".copy.part")
        temporary.unlink(missing_ok=True)
        target = sqlite3.connect(temporary)
        try:
            self._connection.backup(target)
        finally:
            target.close()
        os.replace(temporary, self.path.with_suffix(".copy"))

    def erase(self, at: str, leaves_tombstone: bool = True) -> None:
        """Deletes the session from this machine; a tombstone holds study, code and the time `at`."""
        head = self.head
        self.close()
        if self.path is None:
            return
        for path in self.path.parent.glob(f"{self.path.stem}.*"):
            if path.suffix not in (".tombstone", ".lock"):
                path.unlink()
        if leaves_tombstone:
            stone = {"study": head.study, "code": head.code, "at": at}
            self.path.with_suffix(".tombstone").write_bytes(canonical(stone))

    def close(self) -> None:
        """Closes the file, and lets another window have it."""
        self._connection.close()
        _release(self._lock)

    # Internal ----------------------------------------------------------------------------------------------------

    def _notes(self) -> dict[int, dict[str, Any]]:
        """Sketches and scratch by the position of their trial, as fields of its record."""
        if not self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'notes'").fetchone():
            return {}
        notes: dict[int, dict[str, Any]] = {}
        for row in self._connection.execute("SELECT position, page, data FROM notes"):
            own = notes.setdefault(row["position"], {"sketches": {}})
            if row["page"] == SCRATCH:
                own["scratch"] = row["data"]
            else:
                own["sketches"][row["page"]] = row["data"]
        return notes

    def _fact(self, name: str) -> str:
        row = self._connection.execute("SELECT data FROM facts WHERE name = ?", (name,)).fetchone()
        return "" if row is None else str(row["data"])

    def _store(self, changes: Changes) -> None:
        execute = self._connection.execute
        if changes.head is not None:
            self._store_fact("head", changes.head.model_copy(update={"trials": ()}).model_dump_json())
        if changes.place is not None:
            self._store_fact("place", json.dumps(changes.place))
        for position, trial in changes.trials.items():
            data = trial.model_copy(update={"submissions": (), "sketches": {}, "scratch": ""}).model_dump_json()
            execute("INSERT OR REPLACE INTO trials VALUES (?, ?)", (position, data))
        for position, submission in changes.submissions:
            row = (position, submission.number, submission.model_dump_json())
            execute("INSERT OR REPLACE INTO submissions VALUES (?, ?, ?)", row)
        for position, data in changes.begun.items():
            execute("INSERT OR REPLACE INTO drafts VALUES (?, ?)", (position, json.dumps(data)))
            execute("DELETE FROM edits WHERE position = ?", (position,))
        for position, edit in changes.edits:
            execute("INSERT INTO edits (position, patch) VALUES (?, ?)", (position, json.dumps(vars(edit))))
        for (position, page), data in changes.notes.items():
            execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (position, page, data))
        for line in changes.events:
            self._add_event(line, changes.at_ms)
        if self._open_since is not None and changes.at_ms - self._open_since >= CHUNK_MS:
            self._close_chunk()

    def _store_fact(self, name: str, data: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, data))

    def _add_event(self, line: str, at_ms: int) -> None:
        if self.events_stopped:
            return
        self._connection.execute("INSERT INTO events (line) VALUES (?)", (line,))
        self._open.append(line)
        self._open_since = at_ms if self._open_since is None else self._open_since
        if len(self._open) >= CHUNK_EVENTS:
            self._close_chunk()

    def _close_chunk(self) -> None:
        content = "".join(f"{line}\n" for line in self._open).encode()
        self._chunk_count += 1
        (digest,) = chain_of([content], self._digest)
        row = (self._chunk_count, digest, content)
        self._connection.execute("INSERT INTO chunks VALUES (?, ?, ?)", row)
        self._connection.execute("DELETE FROM events")
        self._digest = bytes.fromhex(digest)
        self._bytes = self._bytes + len(content)
        self._open = []
        self._open_since = None


def tombstone(folder: Path, code: str) -> bool:
    """Whether the session of a code was deleted on this machine."""
    return (folder / f"{code}.tombstone").exists()


def read_session(path: Path) -> SessionRecord:
    """A session as it is stored now, even while a window works on it.

    Raises:
        SessionFileError: It cannot be read.
    """
    return _read(path, SessionFile.record)


def sealed_before(path: Path, name: str, content: bytes) -> str:
    """What was sealed of these contents under a name; "" if nothing was, or other contents.

    Raises:
        SessionFileError: It cannot be read.
    """
    return _read(path, lambda file: file.sealed_before(name, content))


def _read(path: Path, read: Callable[[SessionFile], T]) -> T:
    """Reads a session's file, even while a window works on it."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            _check(connection, path)
            return read(SessionFile(connection, None))
        finally:
            connection.close()
    except (sqlite3.Error, ValidationError) as error:
        raise SessionFileError(tr("{file} cannot be read: {reason}", file=path.name, reason=error)) from None


def _locked(path: Path | None) -> Any:
    from filelock import FileLock, Timeout

    if path is None:
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_suffix(".lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InUse(tr("{code} is in use in another window.", code=path.stem)) from None
    return lock


def _release(lock: Any) -> None:
    if lock is not None:
        lock.release()


def _connected(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:" if path is None else path, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _sound_or_restored(path: Path) -> tuple[sqlite3.Connection, str]:
    """The connection to a session's file, or to its copy if the file is damaged, and what was lost."""
    try:
        return _opened(path), ""
    except (sqlite3.DatabaseError, ValidationError, json.JSONDecodeError):
        damaged = path.with_suffix(".damaged")
        path.replace(damaged)
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    copy = path.with_suffix(".copy")
    if not copy.exists():
        reason = tr(
            "The file of this session is damaged, and there is no copy. It was kept as {file}.", file=damaged.name
        )
        raise Damaged(reason)
    copy.replace(path)
    try:
        connection = _opened(path)
    except (sqlite3.DatabaseError, ValidationError, json.JSONDecodeError):
        reason = tr("The file of this session and its copy are damaged. It was kept as {file}.")
        raise Damaged(reason.format(file=damaged.name)) from None
    return connection, tr("The file of this session was damaged. What was done since the end of the last item is lost.")


def _opened(path: Path) -> sqlite3.Connection:
    connection = _connected(path)
    try:
        _check(connection, path)
        session = SessionFile(connection, None)
        session.record(), session.place
        connection.executescript(_NOTES + _SEALED)
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
        return connection
    except BaseException:
        connection.close()
        raise


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raises an error if a file is damaged, newer, or something else."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise sqlite3.DatabaseError("it is not the file of a session")
    schema = connection.execute("PRAGMA user_version").fetchone()[0]
    if schema > SCHEMA:
        reason = tr("{file} was made by a newer version (schema {schema}, this one reads {known}).")
        raise SessionFileError(reason.format(file=path.name, schema=schema, known=SCHEMA))
    (state,) = connection.execute("PRAGMA quick_check").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(str(state))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def lines(chunks: Sequence[bytes]) -> list[dict[str, Any]]:
    """The events in chunks, as plain data."""
    return [json.loads(line) for chunk in chunks for line in chunk.decode().splitlines()]
