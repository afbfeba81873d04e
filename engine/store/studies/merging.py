"""Merging: results may arrive in any order and any number of times, and always give the same rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store.base import Database, ProjectPart, now
from spatial_workbench.engine.store.records import MissingRecord
from spatial_workbench.engine.store.studies.documents import Studies
from spatial_workbench.engine.store.studies.exclusions import Exclusions
from spatial_workbench.engine.store.studies.keys import StudyKeys
from spatial_workbench.engine.store.studies.log import StudyLog
from spatial_workbench.engine.store.studies.places import Places
from spatial_workbench.engine.store.studies.records import (
    Conflict,
    Merged,
    MergeRow,
    NoteKind,
    StudyError,
    VersionKind,
)
from spatial_workbench.engine.store.studies.rows import parsed_time, stored_study
from spatial_workbench.engine.store.studies.sessions import OF_STUDY, StudySessions
from spatial_workbench.engine.studies.analysis.conflicts import StateArrival, conflicting_states
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS
from spatial_workbench.engine.studies.files.lines import LinesError, read_lines
from spatial_workbench.engine.studies.files.merging import (
    StudyDelivery,
    StudyMergeOutcome,
    content_digest,
    settled,
)
from spatial_workbench.engine.studies.files.results_file import ResultError, read_results
from spatial_workbench.engine.studies.files.sealed_parts import tells_outcomes
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState

_LINES = ".jsonl"


class Merging(ProjectPart):
    """Merges the results of participants into the project."""

    def __init__(
        self,
        database: Database,
        studies: Studies,
        places: Places,
        log: StudyLog,
        sessions: StudySessions,
        exclusions: Exclusions,
        keys: StudyKeys,
    ) -> None:
        super().__init__(database)
        self._studies = studies
        self._places = places
        self._log = log
        self._sessions = sessions
        self._exclusions = exclusions
        self._keys = keys

    def merge(self, paths: Iterable[Path]) -> list[Merged]:
        """Merges results files, and exports in JSON lines, each session in a transaction of its own.

        Returns:
            The outcome for each session, or for a file that cannot be read.
        """
        return [merged for path in paths for merged in self._merge_file(Path(path))]

    def log(self, study: str) -> list[MergeRow]:
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

    def conflicts(self, study: str) -> list[Conflict]:
        """The sessions that arrived in conflicting states, between which the leader decides."""
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
                conflicting_states(self._sessions.states(row["id"]), self._arrivals(row["id"])),
                bool(row["chosen"]),
            )
            for row in rows
        ]

    def settle(self, session: str, number: int, reason: str) -> None:
        """Decides which state of a session counts, by its number in `conflicts`, from 1; the decision is logged.

        Raises:
            StudyError: There is no such state, no reason, or outcomes are unsealed.
        """
        if not reason.strip():
            raise StudyError("Say why this state counts.")
        with self._database.write_transaction():
            row = self._session_row(session)
            if self._studies.state(row["study"]) is StudyState.UNSEALED:
                raise StudyError("Outcomes are unsealed; which state counts has to be decided before.")
            states = self._sessions.states(session)
            described = conflicting_states(states, self._arrivals(session))
            if not 1 <= number <= len(described):
                raise StudyError(f"{row['code']} has no state {number}; there are {counted(len(states), 'state')}.")
            digest = described[number - 1].digest
            chosen = next(state for state in states if content_digest(state) == digest)
            self._execute("DELETE FROM conflict_choices WHERE session = ?", session)
            self._insert(
                "conflict_choices",
                {"session": session, "digest": digest, "chain": json.dumps(chosen.chain)}
                | {"reason": reason.strip(), "at": now()},
            )
            self._sessions.store(row["study"], states)
            text = f"State {number} of {len(states)} ({digest[:SHOWN_CHARS]}) stands: {reason.strip()}"
            self._log.note(row["study"], NoteKind.CONFLICT, text, row["code"])

    def _arrivals(self, session: str) -> dict[str, StateArrival]:
        """In which file and when each state of a session arrived first, by the state's digest."""
        rows = self._rows("SELECT file, state, at FROM merges WHERE session = ? AND state != '' ORDER BY id", session)
        arrivals: dict[str, StateArrival] = {}
        for row in rows:
            arrivals.setdefault(row["state"], StateArrival(row["file"], parsed_time(row["at"])))
        return arrivals

    def _session_row(self, session: str) -> Any:
        row = self._row("SELECT * FROM sessions WHERE id = ?", session)
        if row is None:
            raise MissingRecord(f"Session {session}")
        return row

    def _merge_file(self, path: Path) -> list[Merged]:
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            deliveries = self._read_deliveries(path)
        except (ResultError, LinesError, OSError) as error:
            return [Merged(path.name, StudyMergeOutcome.REFUSED, message=_reason(error))]
        merged = []
        for delivery in deliveries:
            try:
                with self._database.write_transaction():
                    merged.append(self._merge_delivery(path.name, digest, _without_the_ineligible(delivery)))
            except (ValueError, OverflowError) as error:
                # Values that are not numbers, or are larger than can be stored, and texts that are not Unicode.
                message = f"It holds impossible values: {error}."
                merged.append(Merged(path.name, StudyMergeOutcome.REFUSED, message=message))
        return merged

    def _read_deliveries(self, path: Path) -> list[StudyDelivery]:
        if path.suffix != _LINES:
            return [read_results(path, self._places.bundle_key)]
        with path.open("rb") as lines:
            return read_lines(lines, self._places.bundle_key)

    def _merge_delivery(self, name: str, digest: str, delivery: StudyDelivery) -> Merged:
        session = delivery.session
        version = self._version_of(session)
        if version is None:
            message = f"This project has no study {session.study[:SHOWN_CHARS]} with the code {session.code}."
            return Merged(name, StudyMergeOutcome.REFUSED, session.code, session.id, message)
        study = str(version["study"])
        outcome, message = self._store_delivery(study, delivery)
        self._insert(
            "merges",
            {"study": study, "file": name, "digest": digest, "session": session.id, "code": session.code}
            | {"phase": session.phase, "outcome": outcome.value, "message": message, "at": now()}
            | {"state": content_digest(delivery)},
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

    def _store_delivery(self, study: str, delivery: StudyDelivery) -> tuple[StudyMergeOutcome, str]:
        """Merges a delivery; returns the outcome, with a sentence if there is more to say."""
        session = delivery.session
        other = self._row("SELECT code, hash, phase FROM sessions WHERE id = ?", session.id)
        if other and tuple(other) != (session.code, session.study, session.phase):
            return StudyMergeOutcome.REFUSED, f"There is a session of {other['code']} with the same id."
        if self._is_buried(session):
            return StudyMergeOutcome.WITHDRAWN, "The data of this code were deleted and do not come back."
        if session.state is SessionState.WITHDRAWN:
            return self._withdraw_session(study, delivery)
        states, outcome = settled(self._sessions.states(session.id), delivery)
        if outcome is StudyMergeOutcome.OLDER:
            return outcome, ""
        if outcome is not StudyMergeOutcome.ALREADY_THERE and (reason := self._refusal(study, session)):
            return StudyMergeOutcome.REFUSED, reason
        self._sessions.store(study, states)
        if outcome in (StudyMergeOutcome.NEW, StudyMergeOutcome.EXTENDED):
            self._exclusions.check_late_session(study, session)
        return outcome, ", ".join(session.file_faults)

    def _refusal(self, study: str, session: SessionRecord) -> str:
        """Why a session is refused in the present state of the study; "" if it is not."""
        row = stored_study(self._database, study)
        if self._row("SELECT 1 FROM study_notes WHERE study = ? AND kind = ?", study, NoteKind.PURGED.value):
            return "The data of this study were deleted."
        must_be_sealed = session.phase != "pilot" and self._keys.public(session.study)
        if must_be_sealed and not session.sealed and tells_outcomes(session):
            return "Its answers are not sealed, as those of this study have to be."
        if row["state"] == StudyState.UNSEALED:
            return "Outcomes are unsealed; nothing is merged any more."
        if row["state"] == StudyState.CLOSED and not _is_before(session.began_at, row["closed_at"]):
            return "The session began after collection was closed."
        return ""

    def _is_buried(self, session: SessionRecord) -> bool:
        key = (session.study, session.phase, session.code)
        return self._row("SELECT 1 FROM tombstones WHERE hash = ? AND phase = ? AND code = ?", *key) is not None

    def _withdraw_session(self, study: str, delivery: StudyDelivery) -> tuple[StudyMergeOutcome, str]:
        """Deletes the sessions of a person who withdrew on their machine, which is all that their file says."""
        session = delivery.session
        if {"altered", "unsigned"} & set(session.file_faults):
            return (
                StudyMergeOutcome.REFUSED,
                "It says that the person withdrew, but its signature is not that of its bundle.",
            )
        self._sessions.erase(
            [
                row["id"]
                for row in self._rows(
                    f"{OF_STUDY} AND s.hash = ? AND s.phase = ? AND s.code = ?",
                    study,
                    session.study,
                    session.phase,
                    session.code,
                )
            ]
        )
        self._sessions.add_tombstone(study, session.study, session.phase, session.code)
        return StudyMergeOutcome.WITHDRAWN, "The person withdrew on their machine."


def _without_the_ineligible(delivery: StudyDelivery) -> StudyDelivery:
    """A delivery without the answers of a person who may not take part; only the number of the rule is kept."""
    session = delivery.session
    if session.state is not SessionState.INELIGIBLE:
        return delivery
    emptied = session.model_copy(update={"covariates": {}, "responses": {}, "trials": (), "boxes": {}})
    return StudyDelivery(emptied, delivery.chain)


def _is_before(began_at: str, closed_at: str) -> bool:
    """Whether a session began before that time; a time without a zone is taken as UTC, none at all as too late."""
    try:
        began = datetime.fromisoformat(began_at)
    except ValueError:
        return False
    return (began if began.tzinfo else began.replace(tzinfo=UTC)) <= parsed_time(closed_at)


def _reason(error: Exception) -> str:
    return f"It cannot be read: {error.strerror}." if isinstance(error, OSError) and error.strerror else str(error)
