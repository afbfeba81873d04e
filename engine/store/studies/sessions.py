"""The sessions of studies, as stored from their results files."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spatial_workbench.engine.store.attempts import Attempts
from spatial_workbench.engine.store.base import Database, ProjectPart, Remembered, now
from spatial_workbench.engine.store.studies.documents import Studies
from spatial_workbench.engine.store.studies.keys import StudyKeys
from spatial_workbench.engine.store.studies.records import (
    Phase,
    Tombstone,
    require,
)
from spatial_workbench.engine.store.studies.rows import parsed_time
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.canonical import canonical
from spatial_workbench.engine.studies.files.merging import (
    StudyDelivery,
    content_digest,
    duplicates,
)
from spatial_workbench.engine.studies.files.sealed_parts import open_session, readable_chunk
from spatial_workbench.engine.studies.files.sealing import SealError
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState

UNREADABLE = "sealed part unreadable"
"""The fault of a session whose outcomes cannot be opened."""
AS_A_WHOLE = -1
"""The position under which answers are stored that belong to no trial."""
_NOT_BEGUN = (SessionState.NEW, SessionState.INELIGIBLE)
OF_STUDY = "SELECT s.id FROM sessions s WHERE s.study = ?"
"""The ids of a study's sessions; conditions may follow."""


class StudySessions(ProjectPart):
    """The sessions of studies."""

    def __init__(
        self, database: Database, studies: Studies, keys: StudyKeys, attempts: Attempts, remembered: Remembered
    ) -> None:
        super().__init__(database)
        self._studies = studies
        self._keys = keys
        self._attempts = attempts
        self._remembered = remembered

    def all(self, study: str, phase: Phase | None = None, code: str | None = None) -> list[SessionRecord]:
        """The sessions of a study, in the order in which they began; the later ones of a code are marked as duplicates.

        Until outcomes are unsealed, they do not say what people were told about their answers to main items.
        """
        sessions: list[SessionRecord] = self._remembered.of(
            ("sessions", study, phase), lambda: self._in_order(study, phase)
        )
        return [session for session in sessions if code in (None, session.code)]

    def of_record(self, study: str) -> list[SessionRecord]:
        """The sessions that are analysed: those that began, of phase main, of the newest version and comparable ones.

        A study that only simulated people took part in is analysed as a rehearsal.
        """
        versions = {version.hash for version in self._studies.pooled_versions(study)}
        return [
            session
            for session in self.all(study, self.phase_of_record(study))
            if session.state not in _NOT_BEGUN and session.study in versions
        ]

    def unpooled(self, study: str) -> int:
        """How many sessions met an earlier version and are not analysed with the newest one."""
        versions = [version.hash for version in self._studies.pooled_versions(study)]
        marks = ", ".join("?" * len(versions))
        row = self._row(
            f"SELECT count(*) AS n FROM sessions WHERE study = ? AND phase != 'pilot' AND hash NOT IN ({marks})",
            study,
            *versions,
        )
        return int(row["n"]) if row else 0

    def phase_of_record(self, study: str) -> Phase:
        """The phase that is analysed: main, or rehearsal if there are simulated people only."""
        phases = {row["phase"] for row in self._rows("SELECT DISTINCT phase FROM sessions WHERE study = ?", study)}
        return "rehearsal" if "rehearsal" in phases and "main" not in phases else "main"

    def events(self, session: str) -> list[bytes]:
        """The events of a session as JSON lines, in the pieces in which they are chained, as its file holds them."""
        rows = self._rows("SELECT content FROM event_chunks WHERE session = ? ORDER BY number", session)
        return [gzip.decompress(row["content"]) for row in rows]

    def readable_events(self, session: str) -> list[bytes]:
        """The events of a session: with their sealed data once outcomes are open, without them before."""
        row = self._row("SELECT hash FROM sessions WHERE id = ?", session)
        private = None if row is None else self._keys.private(row["hash"])
        return [readable_chunk(chunk, private) for chunk in self.events(session)]

    def deliveries(self, study: str, phase: Phase | None = None) -> list[StudyDelivery]:
        """The sessions of a study with their events, as results files hold them."""
        return [self.states(session.id)[0] for session in self.all(study, phase)]

    def states(self, session: str) -> list[StudyDelivery]:
        """The states of a session, the one that counts first; empty if the project does not have the session."""
        row = self._row("SELECT id, record, chain FROM sessions WHERE id = ?", session)
        if row is None:
            return []
        tables = ("trials", "submissions", "responses")
        parts = [self._rows(f"SELECT * FROM {table} WHERE session = ?", session) for table in tables]
        chain = tuple(json.loads(row["chain"]))
        chunks = tuple(self.events(session))
        others = self._rows("SELECT * FROM conflicting_states WHERE session = ? ORDER BY digest", session)
        return [StudyDelivery(_session(row, *parts), chain, chunks), *map(_conflicting, others)]

    def require_settled(self, study: str) -> None:
        """Requires a decision for each session that arrived in conflicting states.

        Raises:
            StudyError: It is missing for some sessions; names their codes.
        """
        rows = self._rows(
            "SELECT DISTINCT s.code FROM sessions s JOIN conflicting_states o ON o.session = s.id"
            " LEFT JOIN conflict_choices c ON c.session = s.id WHERE s.study = ? AND c.session IS NULL ORDER BY s.code",
            study,
        )
        codes = ", ".join(row["code"] for row in rows)
        require(not rows, f"First decide which state counts for the sessions that arrived in several: {codes}.")

    def store(self, study: str, states: Sequence[StudyDelivery]) -> None:
        """Replaces the rows of a session by the state that counts and those that conflict with it."""
        session = states[0].session.id
        standing = self._counting_state(session, states)
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
        self._database.sqlite.execute(
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

    def tombstones(self, study: str) -> list[Tombstone]:
        """The codes whose data were deleted because the person withdrew."""
        rows = self._rows("SELECT * FROM tombstones WHERE study = ? ORDER BY at, code", study)
        return [Tombstone(row["hash"], row["phase"], row["code"], parsed_time(row["at"])) for row in rows]

    def add_tombstone(self, study: str, version: str, phase: str, code: str) -> None:
        """Stores that the data of a code were deleted and are never merged again."""
        self._execute(
            "INSERT OR IGNORE INTO tombstones (hash, phase, code, study, at) VALUES (?, ?, ?, ?, ?)",
            version,
            phase,
            code,
            study,
            now(),
        )

    def erase(self, sessions: Sequence[str]) -> int:
        """Deletes sessions with the attempts made of them; returns the number of these attempts."""
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
        self._attempts.erase(attempts)
        return len(attempts)

    def _in_order(self, study: str, phase: Phase | None) -> list[SessionRecord]:
        is_open = self._studies.state(study) is StudyState.UNSEALED
        sessions = [
            self._opened(session) if is_open else without_told(session) for session in self._sessions(study, phase)
        ]
        return sorted(_marked(sessions), key=lambda session: (session.first_shown_at or "~", session.id))

    def _opened(self, session: SessionRecord) -> SessionRecord:
        """A session with its outcomes; one that cannot be opened has a fault, and stays as it is."""
        private = self._keys.private(session.study)
        if private is None:
            return session
        try:
            return open_session(session, private)
        except SealError:
            return session.model_copy(update={"file_faults": (*session.file_faults, UNREADABLE)})

    def _sessions(self, study: str, phase: Phase | None) -> list[SessionRecord]:
        """All sessions as their files hold them, read by four queries."""
        where, arguments = (OF_STUDY, (study,)) if phase is None else (f"{OF_STUDY} AND s.phase = ?", (study, phase))
        rows = self._rows(f"SELECT id, record FROM sessions WHERE id IN ({where})", *arguments)
        parts = {
            table: _by_session(self._rows(f"SELECT * FROM {table} WHERE session IN ({where})", *arguments))
            for table in ("trials", "submissions", "responses")
        }
        return [_session(row, *(parts[table].get(row["id"], ()) for table in parts)) for row in rows]

    def _counting_state(self, session: str, states: Sequence[StudyDelivery]) -> StudyDelivery:
        """The state that the leader chose, or one that continues it; otherwise the first."""
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
    """The text of a JSON object that is not empty, with more fields, whose values are JSON."""
    parts = ",".join(f'"{name}":{value}' for name, value in more.items())
    return f"{record[:-1]},{parts}}}"


def _braced(parts: Sequence[str]) -> str:
    return "{" + ",".join(parts) + "}"


def _row_of_conflict(state: StudyDelivery) -> dict[str, Any]:
    # Latin 1 represents any bytes; chunks of a file that somebody altered may not be UTF-8.
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


def without_told(session: SessionRecord) -> SessionRecord:
    """A session without the scores that the person was told for main items, which older studies do not encrypt."""
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
