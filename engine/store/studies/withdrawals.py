"""Withdrawal: deleting the data of one person, or of a whole study, for good."""

from __future__ import annotations

import sqlite3
from datetime import date

from spatial_workbench.engine.store.base import Database, ProjectPart
from spatial_workbench.engine.store.studies.documents import Studies
from spatial_workbench.engine.store.studies.log import StudyLog
from spatial_workbench.engine.store.studies.records import (
    NoteKind,
    Phase,
    StudyError,
    VersionKind,
    Withdrawal,
)
from spatial_workbench.engine.store.studies.sessions import StudySessions


class Withdrawals(ProjectPart):
    """Deletes the data of participants for good."""

    def __init__(self, database: Database, studies: Studies, log: StudyLog, sessions: StudySessions) -> None:
        super().__init__(database)
        self._studies = studies
        self._log = log
        self._sessions = sessions

    def withdraw(self, study: str, code: str, version: str = "", phase: Phase | None = None) -> Withdrawal:
        """Deletes all data of a code, also from the journal of the file; they are never merged again.

        version: The beginning of a version's hash, for a code that has sessions in several.

        Raises:
            StudyError: The last day to withdraw is over, the study has no such code, or it has sessions in several
                versions or phases.
        """
        until = self._studies.document(study).retention.withdraw_until
        if date.today() > until:
            raise StudyError(f"The last day to withdraw was {until.isoformat()}.")
        self._database.sqlite.execute("PRAGMA secure_delete = ON")
        with self._database.write_transaction():
            hash_, of_phase = self._whose(study, code, version, phase)
            rows = self._rows(
                "SELECT id FROM sessions WHERE study = ? AND hash = ? AND phase = ? AND code = ?",
                study,
                hash_,
                of_phase,
                code,
            )
            files = self._rows(
                "SELECT DISTINCT file AS name, digest FROM merges"
                " WHERE study = ? AND code = ? AND phase = ? AND outcome != 'refused' ORDER BY id",
                study,
                code,
                of_phase,
            )
            exports = self._rows("SELECT name, digest FROM study_exports WHERE study = ? ORDER BY id", study)
            attempts = self._sessions.erase([row["id"] for row in rows])
            self._execute("DELETE FROM study_notes WHERE study = ? AND code = ?", study, code)
            self._sessions.add_tombstone(study, hash_, of_phase, code)
        elsewhere = tuple(f"{row['name']} (SHA-256 {row['digest'][:12]}…)" for row in (*files, *exports))
        return Withdrawal(code, len(rows), attempts, elsewhere, self._clear_journal())

    def purge(self, study: str) -> int:
        """Deletes all sessions of a study for good, with the attempts made of them; returns how many there were.

        The document and the log stay. Nothing is merged any more.
        """
        self._database.sqlite.execute("PRAGMA secure_delete = ON")
        with self._database.write_transaction():
            sessions = [row["id"] for row in self._rows("SELECT id FROM sessions WHERE study = ?", study)]
            self._sessions.erase(sessions)
            self._log.note(study, NoteKind.PURGED, f"{len(sessions)} sessions were deleted")
        self._clear_journal()
        return len(sessions)

    def _whose(self, study: str, code: str, version: str, phase: Phase | None) -> tuple[str, str]:
        """The version and the phase that a code to withdraw belongs to."""
        groups = self._rows(
            "SELECT DISTINCT hash, phase FROM sessions WHERE study = ? AND code = ? AND hash LIKE ? || '%'"
            " AND (?4 IS NULL OR phase = ?4)",
            study,
            code,
            version,
            phase,
        )
        if len(groups) > 1:
            kinds = ", ".join(f"{row['hash'][:12]} ({row['phase']})" for row in groups)
            raise StudyError(f"{code} has sessions in several versions or phases: {kinds}. Say which is meant.")
        if groups:
            return groups[0]["hash"], groups[0]["phase"]
        kind = VersionKind.PILOT if phase == "pilot" else VersionKind.MAIN
        row = self._row(
            "SELECT v.hash FROM study_versions v JOIN slots s ON s.hash = v.hash AND s.kind = v.kind WHERE v.study = ?"
            " AND v.kind = ? AND s.code = ? AND v.hash LIKE ? || '%' ORDER BY v.number DESC",
            study,
            kind.value,
            code,
            version,
        )
        if row is None:
            raise StudyError(f"The study has no place {code}.")
        return row["hash"], phase or "main"

    def _clear_journal(self) -> bool:
        """Rewrites the file without what was deleted, and empties its journal; False if another program reads it."""
        try:
            self._database.sqlite.execute("VACUUM")
            busy, *_ = self._database.sqlite.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
        return not busy
