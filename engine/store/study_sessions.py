"""Sessions of studies: results are merged in any order and any number of times, and end in the same rows."""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spatial_workbench.engine.store.base import now
from spatial_workbench.engine.store.records import MissingRecord
from spatial_workbench.engine.store.studies import Studies, parsed_time
from spatial_workbench.engine.store.study_records import (
    Conflict,
    Merged,
    MergeRow,
    NoteKind,
    Phase,
    StudyError,
    Tombstone,
    VersionKind,
)
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS, canonical
from spatial_workbench.engine.studies.files.lines import LinesError, read_lines
from spatial_workbench.engine.studies.files.merging import (
    StudyDelivery,
    StudyMergeOutcome,
    content_digest,
    duplicates,
    settled,
)
from spatial_workbench.engine.studies.files.results_file import ResultError, read_results
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState

AS_A_WHOLE = -1
"""The position under which answers are stored that belong to no trial."""
_LINES = ".jsonl"
_UNJOINED = "SELECT s.id FROM sessions s WHERE s.study = ?"


class StudySessions(Studies):
    """The part of a project that holds the sessions of studies."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(path, connection)
        self._read: dict[tuple[str | None, ...], tuple[Any, ...]] = {}
        """What was read, each with what tells whether the file has changed since."""

    def merge_results(self, paths: Iterable[Path]) -> list[Merged]:
        """Takes results files over, and exports as JSON lines, each session in a transaction of its own."""
        return [merged for path in paths for merged in self._merge_file(Path(path))]

    def merge_log(self, study: str) -> list[MergeRow]:
        """The files that were merged, or refused, the oldest first."""
        rows = self._rows("SELECT * FROM merges WHERE study = ? ORDER BY id", study)
        names = ("file", "digest", "session", "code", "message")
        return [
            MergeRow(
                **{name: row[name] for name in names},
                outcome=StudyMergeOutcome(row["outcome"]),
                at=parsed_time(row["at"]),
            )
            for row in rows
        ]

    def study_sessions(self, study: str, phase: Phase | None = None, code: str | None = None) -> list[SessionRecord]:
        """The sessions of a study, in the order in which they began; the later ones of a code are marked as duplicates.

        Until outcomes are unsealed, they do not say what people were told about their answers to main items.
        """
        sessions: list[SessionRecord] = self._remembered(
            ("sessions", study, phase), lambda: self._in_order(study, phase)
        )
        return [session for session in sessions if code in (None, session.code)]

    def _remembered(self, key: tuple[str | None, ...], read: Callable[[], Any]) -> Any:
        """What was read before, unless this or another program has changed the file since."""
        stamp = (self._connection.total_changes, self._connection.execute("PRAGMA data_version").fetchone()[0])
        if self._read.get(key, (None,))[0] != stamp:
            self._read = {other: kept for other, kept in self._read.items() if kept[0] == stamp}
            self._read[key] = stamp, read()
        return self._read[key][1]

    def _in_order(self, study: str, phase: Phase | None) -> list[SessionRecord]:
        is_sealed = self.study_state(study) is not StudyState.UNSEALED
        sessions = [sealed(session) if is_sealed else session for session in self._sessions(study, phase)]
        return sorted(_marked(sessions), key=lambda session: (session.first_shown_at or "~", session.id))

    def study_events(self, session: str) -> list[bytes]:
        """The events of a session as JSON lines, in the pieces in which they are chained."""
        rows = self._rows("SELECT content FROM event_chunks WHERE session = ? ORDER BY number", session)
        return [gzip.decompress(row["content"]) for row in rows]

    def study_deliveries(self, study: str, phase: Phase | None = None) -> list[StudyDelivery]:
        """The sessions of a study with their events, as results files hold them."""
        return [self._states(session.id)[0] for session in self.study_sessions(study, phase)]

    def conflicts(self, study: str) -> list[Conflict]:
        """The sessions of which the leader decides which state stands."""
        rows = self._rows(
            "SELECT DISTINCT s.id, s.code, c.digest AS chosen FROM sessions s"
            " JOIN conflicting_states o ON o.session = s.id LEFT JOIN conflict_choices c ON c.session = s.id"
            " WHERE s.study = ? ORDER BY s.code, s.id",
            study,
        )
        return [
            Conflict(
                row["id"],
                row["code"],
                tuple(
                    (content_digest(state), f"{len(state.chain)} chunks of events, {state.session.state}")
                    for state in self._states(row["id"])
                ),
                row["chosen"] or "",
            )
            for row in rows
        ]

    def settle_conflict(self, session: str, digest: str, reason: str) -> None:
        """Lets one state of a session stand, from the beginning of its digest; the decision is logged.

        Raises:
            StudyError: There is no such state, no reason, or outcomes are unsealed.
        """
        if not reason.strip():
            raise StudyError("Say why this state stands.")
        with self.write_transaction():
            row = self._session_row(session)
            if self.study_state(row["study"]) is StudyState.UNSEALED:
                raise StudyError("Outcomes are unsealed; which state stands is decided before.")
            states = self._states(session)
            chosen = [state for state in states if content_digest(state).startswith(digest)]
            if len(chosen) != 1:
                raise StudyError(f"{len(chosen)} states of {row['code']} have a digest that begins with “{digest}”.")
            self._execute("DELETE FROM conflict_choices WHERE session = ?", session)
            self._insert(
                "conflict_choices",
                {"session": session, "digest": content_digest(chosen[0]), "chain": json.dumps(chosen[0].chain)}
                | {"reason": reason.strip(), "at": now()},
            )
            self._store(row["study"], states)
            text = f"The state {content_digest(chosen[0])[:SHOWN_CHARS]} stands: {reason.strip()}"
            self._note(row["study"], NoteKind.CONFLICT, text, row["code"])

    def tombstones(self, study: str) -> list[Tombstone]:
        """The codes whose data were deleted at the person's wish."""
        rows = self._rows("SELECT * FROM tombstones WHERE study = ? ORDER BY at, code", study)
        return [Tombstone(row["hash"], row["phase"], row["code"], parsed_time(row["at"])) for row in rows]

    def _merge_file(self, path: Path) -> list[Merged]:
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            deliveries = self._read_deliveries(path)
        except (ResultError, LinesError, OSError) as error:
            return [Merged(path.name, StudyMergeOutcome.REFUSED, message=_reason(error))]
        merged = []
        for delivery in deliveries:
            try:
                with self.write_transaction():
                    merged.append(self._merge_delivery(path.name, digest, _without_the_ineligible(delivery)))
            except (ValueError, OverflowError) as error:
                # Numbers that are none, or larger than can be stored, and text that is none.
                message = f"It holds values that cannot be: {error}."
                merged.append(Merged(path.name, StudyMergeOutcome.REFUSED, message=message))
        return merged

    def _read_deliveries(self, path: Path) -> list[StudyDelivery]:
        if path.suffix != _LINES:
            return [read_results(path, self.bundle_key)]
        with path.open("rb") as lines:
            return read_lines(lines)

    def _merge_delivery(self, name: str, digest: str, delivery: StudyDelivery) -> Merged:
        session = delivery.session
        version = self._version_of(session)
        if version is None:
            message = f"This project has no study {session.study[:SHOWN_CHARS]} with the code {session.code}."
            return Merged(name, StudyMergeOutcome.REFUSED, session.code, session.id, message)
        study = str(version["study"])
        outcome, message = self._take(study, delivery)
        self._insert(
            "merges",
            {"study": study, "file": name, "digest": digest, "session": session.id, "code": session.code}
            | {"phase": session.phase, "outcome": outcome.value, "message": message, "at": now()},
        )
        return Merged(name, outcome, session.code, session.id, message)

    def _version_of(self, session: SessionRecord) -> Any:
        """The version that a session met, if its code is one of its places."""
        kind = VersionKind.PILOT if session.phase == "pilot" else VersionKind.MAIN
        return self._row(
            "SELECT v.* FROM study_versions v JOIN slots s ON s.hash = v.hash AND s.kind = v.kind"
            " WHERE v.hash = ? AND v.kind = ? AND s.code = ?",
            session.study,
            kind.value,
            session.code,
        )

    def _take(self, study: str, delivery: StudyDelivery) -> tuple[StudyMergeOutcome, str]:
        """Takes a delivery over; returns what became of it, with a sentence if there is more to say."""
        session = delivery.session
        other = self._row("SELECT code, hash, phase FROM sessions WHERE id = ?", session.id)
        if other and tuple(other) != (session.code, session.study, session.phase):
            return StudyMergeOutcome.REFUSED, f"There is a session of {other['code']} with the same id."
        if self._is_buried(session):
            return StudyMergeOutcome.WITHDRAWN, "The data of this code were deleted and do not come back."
        if session.state is SessionState.WITHDRAWN:
            return self._bury(study, delivery)
        states, outcome = settled(self._states(session.id), delivery)
        if outcome is StudyMergeOutcome.OLDER:
            return outcome, ""
        if outcome is not StudyMergeOutcome.ALREADY_THERE and (reason := self._refusal(study, session)):
            return StudyMergeOutcome.REFUSED, reason
        self._store(study, states)
        if outcome in (StudyMergeOutcome.NEW, StudyMergeOutcome.EXTENDED):
            self._came_late(study, session)
        return outcome, ", ".join(session.file_faults)

    def _refusal(self, study: str, session: SessionRecord) -> str:
        """Why a session is not taken in the state that the study is in; "" if it is."""
        row = self._study(study)
        if self._row("SELECT 1 FROM study_notes WHERE study = ? AND kind = ?", study, NoteKind.PURGED.value):
            return "The data of this study were deleted."
        if row["state"] == StudyState.UNSEALED:
            return "Outcomes are unsealed; nothing is merged any more."
        if row["state"] == StudyState.CLOSED and not _is_before(session.began_at, row["closed_at"]):
            return "The session began after collection was closed."
        return ""

    def _came_late(self, study: str, session: SessionRecord) -> None:
        """What is done about a session that came after collection was closed."""

    def _is_buried(self, session: SessionRecord) -> bool:
        key = (session.study, session.phase, session.code)
        return self._row("SELECT 1 FROM tombstones WHERE hash = ? AND phase = ? AND code = ?", *key) is not None

    def _bury(self, study: str, delivery: StudyDelivery) -> tuple[StudyMergeOutcome, str]:
        """Takes over that a person withdrew on their machine; such a file holds nothing else."""
        session = delivery.session
        if {"altered", "unsigned"} & set(session.file_faults):
            return (
                StudyMergeOutcome.REFUSED,
                "It says that the person withdrew, but its signature is not that of its bundle.",
            )
        self._erase_sessions(
            [
                row["id"]
                for row in self._rows(
                    f"{_UNJOINED} AND s.hash = ? AND s.phase = ? AND s.code = ?",
                    study,
                    session.study,
                    session.phase,
                    session.code,
                )
            ]
        )
        self._add_tombstone(study, session.study, session.phase, session.code)
        return StudyMergeOutcome.WITHDRAWN, "The person withdrew on their machine."

    def _add_tombstone(self, study: str, version: str, phase: str, code: str) -> None:
        self._execute(
            "INSERT OR IGNORE INTO tombstones (hash, phase, code, study, at) VALUES (?, ?, ?, ?, ?)",
            version,
            phase,
            code,
            study,
            now(),
        )

    def _erase_sessions(self, sessions: Sequence[str]) -> int:
        """Deletes sessions with all that came of them; returns how many attempts that were."""
        attempts = [
            row["attempt"]
            for session in sessions
            for row in self._rows("SELECT attempt FROM study_attempts WHERE session = ?", session)
        ]
        for session in sessions:
            for table in _OF_SESSIONS:
                self._execute(f"DELETE FROM {table} WHERE session = ?", session)
            self._execute("DELETE FROM exclusions WHERE session = ?", session)
            self._execute("DELETE FROM sessions WHERE id = ?", session)
        self.erase_attempts(attempts)
        return len(attempts)

    def _session_row(self, session: str) -> Any:
        row = self._row("SELECT * FROM sessions WHERE id = ?", session)
        if row is None:
            raise MissingRecord(f"Session {session}")
        return row

    def _sessions(self, study: str, phase: Phase | None) -> list[SessionRecord]:
        """All sessions as their files say, by four queries."""
        where, arguments = (_UNJOINED, (study,)) if phase is None else (f"{_UNJOINED} AND s.phase = ?", (study, phase))
        rows = self._rows(f"SELECT id, record FROM sessions WHERE id IN ({where})", *arguments)
        parts = {
            table: _by_session(self._rows(f"SELECT * FROM {table} WHERE session IN ({where})", *arguments))
            for table in ("trials", "submissions", "responses")
        }
        return [_session(row, *(parts[table].get(row["id"], ()) for table in parts)) for row in rows]

    def _states(self, session: str) -> list[StudyDelivery]:
        """The states of a session, the one that stands first; empty if it is not here."""
        row = self._row("SELECT id, record, chain FROM sessions WHERE id = ?", session)
        if row is None:
            return []
        tables = ("trials", "submissions", "responses")
        parts = [self._rows(f"SELECT * FROM {table} WHERE session = ?", session) for table in tables]
        chain, chunks = tuple(json.loads(row["chain"])), tuple(self.study_events(session))
        others = self._rows("SELECT * FROM conflicting_states WHERE session = ? ORDER BY digest", session)
        return [StudyDelivery(_session(row, *parts), chain, chunks), *map(_conflicting, others)]

    def _store(self, study: str, states: Sequence[StudyDelivery]) -> None:
        """Replaces the rows of a session by the state that stands and those that conflict with it."""
        session = states[0].session.id
        standing = self._standing(session, states)
        record = standing.session
        for table in ("trials", "submissions", "responses", "event_chunks", "conflicting_states"):
            self._execute(f"DELETE FROM {table} WHERE session = ?", session)
        columns = {
            "id": session,
            "study": study,
            "hash": record.study,
            "code": record.code,
            "phase": record.phase,
            "state": record.state.value,
            "bundle": record.bundle,
            "digest": content_digest(standing),
            "chain": json.dumps(standing.chain),
            "record": _json(record.model_dump(mode="json", exclude={"trials", "covariates", "responses"})),
        }
        changes = ", ".join(f"{name} = excluded.{name}" for name in columns)
        self._connection.execute(
            f"INSERT INTO sessions ({', '.join(columns)}) VALUES ({', '.join(f':{name}' for name in columns)})"
            f" ON CONFLICT (id) DO UPDATE SET {changes}",
            columns,
        )
        self._store_trials(record)
        for number, (digest, chunk) in enumerate(zip(standing.chain, standing.chunks, strict=False), 1):
            content = gzip.compress(chunk, mtime=0)
            self._insert("event_chunks", {"session": session, "number": number, "digest": digest, "content": content})
        for state in states:
            if state is not standing:
                self._insert("conflicting_states", _row_of_conflict(state))

    def _standing(self, session: str, states: Sequence[StudyDelivery]) -> StudyDelivery:
        """The state that the leader chose, or what continues it; else the first."""
        row = self._row("SELECT digest, chain FROM conflict_choices WHERE session = ?", session)
        if row is None:
            return states[0]
        chain = tuple(json.loads(row["chain"]))
        continued = [state for state in states if state.chain[: len(chain)] == chain]
        chosen = [state for state in states if content_digest(state) == row["digest"]]
        return next(iter([*chosen, *continued, *states]))

    def _store_trials(self, session: SessionRecord) -> None:
        self._store_responses(session.id, AS_A_WHOLE, {"covariate": session.covariates, "response": session.responses})
        for trial in session.trials:
            place = {"session": session.id, "position": trial.position}
            shown = {"item": trial.item, "phase": trial.phase, "state": trial.state.value}
            record = _json(trial.model_dump(mode="json", exclude={"submissions", "responses"}))
            self._insert("trials", place | shown | {"active_ms": trial.active_ms, "record": record})
            self._store_responses(session.id, trial.position, {"response": trial.responses})
            for submission in trial.submissions:
                own = {"number": submission.number, "active_ms": submission.active_ms, "answer": submission.answer}
                record = _json(submission.model_dump(mode="json", exclude={"answer"}))
                self._insert("submissions", place | own | {"record": record})

    def _store_responses(self, session: str, position: int, answers: Mapping[str, Mapping[str, Any]]) -> None:
        for kind, values in answers.items():
            for name, value in values.items():
                row = {"session": session, "position": position, "kind": kind, "name": name, "value": _json(value)}
                self._insert("responses", row)


_OF_SESSIONS = (
    *("trials", "submissions", "responses", "event_chunks", "conflicting_states", "conflict_choices"),
    "study_attempts",
)


def _json(value: Any) -> str:
    return canonical(value).decode()


def _by_session(rows: Iterable[Any]) -> dict[str, list[Any]]:
    grouped = defaultdict(list)
    for row in rows:
        grouped[row["session"]].append(row)
    return grouped


def _session(row: Any, trials: Iterable[Any], submissions: Iterable[Any], responses: Iterable[Any]) -> SessionRecord:
    """A session put together from its rows. Their JSON is joined as text, since reading each piece alone is slow."""
    handed_in: dict[int, list[str]] = defaultdict(list)
    for one in sorted(submissions, key=lambda one: (one["position"], one["number"])):
        handed_in[one["position"]].append(_joined(one["record"], answer=json.dumps(one["answer"])))
    given: dict[tuple[int, str], list[str]] = defaultdict(list)
    for one in responses:
        given[one["position"], one["kind"]].append(f"{json.dumps(one['name'])}:{one['value']}")
    shown = [
        _joined(
            one["record"],
            submissions=f"[{','.join(handed_in[one['position']])}]",
            responses=_braced(given[one["position"], "response"]),
        )
        for one in sorted(trials, key=lambda one: one["position"])
    ]
    return SessionRecord.model_validate_json(
        _joined(
            row["record"],
            covariates=_braced(given[AS_A_WHOLE, "covariate"]),
            responses=_braced(given[AS_A_WHOLE, "response"]),
            trials=f"[{','.join(shown)}]",
        )
    )


def _joined(record: str, **more: str) -> str:
    """A JSON object, which has parts already, with more of them."""
    parts = ",".join(f'"{name}":{value}' for name, value in more.items())
    return f"{record[:-1]},{parts}}}"


def _braced(parts: Sequence[str]) -> str:
    return "{" + ",".join(parts) + "}"


def _row_of_conflict(state: StudyDelivery) -> dict[str, Any]:
    # Latin 1 takes any bytes; chunks of a file that somebody altered may be no UTF-8.
    chunks = canonical([chunk.decode("latin-1") for chunk in state.chunks])
    return {
        "session": state.session.id,
        "digest": content_digest(state),
        "record": _json(state.session.model_dump(mode="json")),
        "chain": json.dumps(state.chain),
        "chunks": gzip.compress(chunks, mtime=0),
    }


def _conflicting(row: Any) -> StudyDelivery:
    chunks = [chunk.encode("latin-1") for chunk in json.loads(gzip.decompress(row["chunks"]))]
    return StudyDelivery(
        SessionRecord.model_validate_json(row["record"]), tuple(json.loads(row["chain"])), tuple(chunks)
    )


def _without_the_ineligible(delivery: StudyDelivery) -> StudyDelivery:
    """Of who may not take part only the number of the rule is kept."""
    session = delivery.session
    if session.state is not SessionState.INELIGIBLE:
        return delivery
    emptied = session.model_copy(update={"covariates": {}, "responses": {}, "trials": (), "boxes": {}})
    return StudyDelivery(emptied, delivery.chain)


def sealed(session: SessionRecord) -> SessionRecord:
    """A session without what the person was told about answers to main items."""
    told = {"told_score": None, "told_passed": None}
    if not any(
        one.told_score is not None or one.told_passed is not None
        for trial in session.trials
        for one in trial.submissions
    ):
        return session
    trials = tuple(
        trial.model_copy(update={"submissions": tuple(one.model_copy(update=told) for one in trial.submissions)})
        if trial.phase == "main"
        else trial
        for trial in session.trials
    )
    return session.model_copy(update={"trials": trials})


def _marked(sessions: Sequence[SessionRecord]) -> Iterator[SessionRecord]:
    """Sessions with “duplicate” among their faults where an earlier one has the same version, phase and code."""
    groups: dict[tuple[str, str], list[SessionRecord]] = defaultdict(list)
    for session in sessions:
        groups[session.study, session.phase].append(session)
    for group in groups.values():
        taking_part = [session for session in group if session.state is not SessionState.INELIGIBLE]
        later = duplicates(taking_part, {one.id: one.first_shown_at for one in group if one.first_shown_at})
        for session in group:
            faults = tuple(dict.fromkeys((*session.file_faults, "duplicate")))
            yield session.model_copy(update={"file_faults": faults}) if session.id in later else session


def _is_before(began_at: str, closed_at: str) -> bool:
    """Whether a session began before that time; a time without a zone is taken as UTC, none at all as too late."""
    try:
        began = datetime.fromisoformat(began_at)
    except ValueError:
        return False
    return (began if began.tzinfo else began.replace(tzinfo=UTC)) <= parsed_time(closed_at)


def _reason(error: Exception) -> str:
    return f"It cannot be read: {error.strerror}." if isinstance(error, OSError) and error.strerror else str(error)
