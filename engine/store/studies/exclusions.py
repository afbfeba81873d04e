"""Exclusions: what the rules find in sessions, what the leader excludes, and the list that closing fixes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from statistics import median
from typing import Any

from spatial_workbench.engine.store.base import Database, ProjectPart, Remembered, now
from spatial_workbench.engine.store.studies.documents import Studies
from spatial_workbench.engine.store.studies.log import StudyLog
from spatial_workbench.engine.store.studies.records import (
    ExclusionKind,
    NoteKind,
    StudyError,
)
from spatial_workbench.engine.store.studies.rows import stored_study
from spatial_workbench.engine.store.studies.sessions import StudySessions
from spatial_workbench.engine.studies.analysis.outcomes import (
    StudyState,
)
from spatial_workbench.engine.studies.analysis.rules import LEAST_REASON, Breach, ByHand, breaches, list_hash
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

_FIXED = (ExclusionKind.FIXED.value, ExclusionKind.LATE.value, ExclusionKind.AT_OPENING.value)
_FROM_SEALED = ("identical", "file")
"""Rules that can only be applied in full once outcomes are open: they read answers and the sealed parts."""


class Exclusions(ProjectPart):
    """Who is excluded from the analysis of each study, and why."""

    def __init__(
        self, database: Database, studies: Studies, log: StudyLog, sessions: StudySessions, remembered: Remembered
    ) -> None:
        super().__init__(database)
        self._studies = studies
        self._log = log
        self._sessions = sessions
        self._remembered = remembered

    def flags(self, study: str) -> list[Breach]:
        """What the rules find in the sessions as they are now; they use no scores of main items."""
        return list(self._remembered.of(("flags", study), lambda: self._flags(study)))

    def exclude(self, study: str, session: str, reason: str, position: int | None = None) -> ExclusionKind:
        """Excludes a session, or a trial of it; once exclusions are fixed this is a post-hoc entry, listed apart.

        Raises:
            StudyError: The reason is shorter than 10 characters, or the study has no such session or trial.
        """
        if len(reason.strip()) < LEAST_REASON:
            raise StudyError(f"The reason for an exclusion has at least {LEAST_REASON} characters.")
        with self._database.write_transaction():
            known = {one.id: one for one in self._sessions.of_record(study)}.get(session)
            if known is None:
                raise StudyError(f"The study has no session {session} that is analysed.")
            if position is not None and position not in [trial.position for trial in known.trials]:
                raise StudyError(f"The session has no trial at position {position}.")
            kind = ExclusionKind.POST_HOC if self._is_fixed(study) else ExclusionKind.BY_HAND
            breach = Breach(session, known.code, "by_hand", StudyResponse.EXCLUDE, reason.strip(), "", position)
            self._add_exclusion(study, kind, breach)
        return kind

    def close_study(self, study: str, name: str) -> str:
        """Ends collection and fixes the exclusions; returns the hash of their list.

        Raises:
            StudyError: The name is not the study's, the study is in another state, or a conflict is not settled.
        """
        with self._database.write_transaction():
            row = stored_study(self._database, study)
            if name != row["name"]:
                raise StudyError(f"To close the collection, type the name of the study: {row['name']}")
            state = StudyState(row["state"])
            if state is not StudyState.FROZEN and (state is not StudyState.UNSEALED or row["closed_at"]):
                raise StudyError(f"The study is {state} and cannot be closed.")
            self._sessions.require_settled(study)
            broken = self.flags(study)
            for breach in broken:
                self._add_exclusion(study, ExclusionKind.FIXED, breach)
            digest = list_hash(broken)
            self._execute("UPDATE studies SET closed_at = ?, list_hash = ? WHERE id = ?", now(), digest, study)
            after = "" if state is StudyState.FROZEN else " after outcomes were seen"
            self._log.note(study, NoteKind.STATE, f"Exclusions fixed{after}: {len(broken)} entries, {digest}")
            if state is StudyState.FROZEN:
                self._studies.enter(study, StudyState.CLOSED, "Collection closed")
        return digest

    def fixed(self, study: str) -> list[Breach]:
        """The list that was fixed at closing, and what the same rules found in later sessions and in sealed answers."""
        rows = [row for row in self.entries(study) if row["kind"] in _FIXED]
        return [_breach(row) for row in rows]

    def entries(self, study: str, kind: ExclusionKind | None = None) -> list[Any]:
        """The stored entries of a kind, or of all, the oldest first."""
        return self._rows(
            "SELECT * FROM exclusions WHERE study = ?1 AND (?2 IS NULL OR kind = ?2) ORDER BY id",
            study,
            kind and kind.value,
        )

    def check_late_session(self, study: str, session: SessionRecord) -> None:
        """Runs the rules on a session that was merged after exclusions were fixed and before outcomes were opened."""
        if self._studies.state(study) is not StudyState.CLOSED:
            return
        listed = {_key(breach) for breach in self.fixed(study)}
        for breach in self.flags(study):
            if breach.session == session.id and _key(breach) not in listed:
                self._add_exclusion(study, ExclusionKind.LATE, breach)

    def check_opened_answers(self, study: str) -> None:
        """Runs the rules that read answers, which were sealed when exclusions were fixed; none has been judged yet."""
        if not self.is_closed(study):
            return
        listed = {_key(breach) for breach in self.fixed(study)}
        for breach in self.flags(study):
            if breach.rule in _FROM_SEALED and _key(breach) not in listed:
                self._add_exclusion(study, ExclusionKind.AT_OPENING, breach)

    def is_closed(self, study: str) -> bool:
        """Whether the exclusions of a study were fixed."""
        return bool(stored_study(self._database, study)["closed_at"])

    def _is_fixed(self, study: str) -> bool:
        return self.is_closed(study) or self._studies.state(study) is StudyState.UNSEALED

    def _flags(self, study: str) -> list[Breach]:
        by_hand = [
            ByHand(row["session"], row["value"], row["position"]) for row in self.entries(study, ExclusionKind.BY_HAND)
        ]
        return breaches(
            self._studies.document(study), self._sessions.of_record(study), self._pilot_medians(study), by_hand
        )

    def _pilot_medians(self, study: str) -> dict[str, float]:
        """The median active time of each item in the pilot, in milliseconds."""
        times: dict[str, list[int]] = defaultdict(list)
        for session in self._sessions.all(study, "pilot"):
            for trial in session.of_phase("main"):
                if trial.state.has_ended:
                    times[trial.item].append(trial.active_ms)
        return {item: median(values) for item, values in times.items()}

    def _add_exclusion(self, study: str, kind: ExclusionKind, breach: Breach) -> None:
        data = asdict(breach) | {"response": breach.response.value}
        self._insert("exclusions", {"study": study, "kind": kind.value, "at": now()} | data)


def _key(breach: Breach) -> tuple[str, str, int | None]:
    return breach.session, breach.rule, breach.position


def _breach(row: Any) -> Breach:
    names = ("session", "code", "rule", "value", "threshold", "position")
    return Breach(**{name: row[name] for name in names}, response=StudyResponse(row["response"]))
