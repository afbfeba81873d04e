"""From collection to outcomes: exclusions, closing, attempts made of submissions, withdrawal, and what reports read.

Until outcomes are unsealed, nothing in a project says how an answer to a main item was judged.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from statistics import median
from typing import Any

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.core.verdict import READABLE
from spatial_workbench.engine.store.base import now
from spatial_workbench.engine.store.records import Actor
from spatial_workbench.engine.store.study_records import (
    ExclusionKind,
    LookKind,
    NoteKind,
    Phase,
    StudyError,
    StudyOfAttempt,
    StudyVersion,
    ToJudge,
    VersionKind,
    Withdrawal,
)
from spatial_workbench.engine.store.study_sessions import StudySessions, sealed
from spatial_workbench.engine.studies.analysis.outcomes import (
    Counts,
    Outcomes,
    PostHoc,
    StudyAmendment,
    StudyJudged,
    StudyState,
)
from spatial_workbench.engine.studies.analysis.progress import StudyPlace, StudyProgress, progress_of
from spatial_workbench.engine.studies.analysis.rules import LEAST_REASON, Breach, ByHand, breaches, list_hash
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase, StudyResponse
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState

_NOT_BEGUN = (SessionState.NEW, SessionState.INELIGIBLE)
_PUBLISHED = "published"
_VERDICTS = (
    "SELECT a.attempt, a.session, a.position, a.submission, v.verifier, v.version, v.score, v.passed,"
    " json_extract(v.verdict, '$.checks[0].name') = ?1 AND json_extract(v.verdict, '$.checks[0].state') = 'failed'"
    " AS is_unreadable, json_extract(v.verdict, '$.how_read') AS how_read"
    " FROM study_attempts a JOIN sessions s ON s.id = a.session JOIN verdicts v ON v.attempt = a.attempt"
    " WHERE s.study = ?2 AND v.id = (SELECT max(id) FROM verdicts WHERE attempt = a.attempt AND verifier = v.verifier)"
    " ORDER BY a.attempt"
)
"""The newest verdict of each verifier on each attempt of a study."""
_ORIGINS = (
    "SELECT a.*, s.study, s.code, s.phase, t.item, json_extract(t.record, '$.condition') AS condition"
    " FROM study_attempts a JOIN sessions s ON s.id = a.session"
    " JOIN trials t ON t.session = a.session AND t.position = a.position"
)
_FIXED = (ExclusionKind.FIXED.value, ExclusionKind.LATE.value)


class StudyOutcomes(StudySessions):
    """The part of a project that closes studies and opens their outcomes."""

    def sessions_of_record(self, study: str) -> list[SessionRecord]:
        """The sessions that are analysed: those that began, of phase main, of the newest version and comparable ones.

        A study that only simulated people took part in is analysed as a rehearsal.
        """
        versions = {version.hash for version in self.pooled_versions(study)}
        return [
            session
            for session in self.study_sessions(study, self.phase_of_record(study))
            if session.state not in _NOT_BEGUN and session.study in versions
        ]

    def unpooled_sessions(self, study: str) -> int:
        """How many sessions met an earlier version and are not analysed with the newest one."""
        versions = [version.hash for version in self.pooled_versions(study)]
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

    def flags(self, study: str) -> list[Breach]:
        """What the rules find in the sessions as they are now; they use no scores of main items."""
        return list(self._remembered(("flags", study), lambda: self._flags(study)))

    def exclude(self, study: str, session: str, reason: str, position: int | None = None) -> ExclusionKind:
        """Excludes a session, or a trial of it; once exclusions are fixed this is a post-hoc entry, listed apart.

        Raises:
            StudyError: The reason is shorter than 10 characters, or the study has no such session or trial.
        """
        if len(reason.strip()) < LEAST_REASON:
            raise StudyError(f"The reason for an exclusion has at least {LEAST_REASON} characters.")
        with self.write_transaction():
            known = {one.id: one for one in self.sessions_of_record(study)}.get(session)
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
            StudyError: The name is not the study's, or the study is not frozen.
        """
        with self.write_transaction():
            row = self._study(study)
            if name != row["name"]:
                raise StudyError(f"To close the collection, type the name of the study: {row['name']}")
            state = StudyState(row["state"])
            if state is not StudyState.FROZEN and (state is not StudyState.UNSEALED or row["closed_at"]):
                raise StudyError(f"The study is {state} and cannot be closed.")
            broken = self.flags(study)
            for breach in broken:
                self._add_exclusion(study, ExclusionKind.FIXED, breach)
            digest = list_hash(broken)
            self._execute("UPDATE studies SET closed_at = ?, list_hash = ? WHERE id = ?", now(), digest, study)
            after = "" if state is StudyState.FROZEN else " after outcomes were seen"
            self._note(study, NoteKind.STATE, f"Exclusions fixed{after}: {len(broken)} entries, {digest}")
            if state is StudyState.FROZEN:
                self._enter(study, StudyState.CLOSED, "Collection closed")
        return digest

    def fixed_breaches(self, study: str) -> list[Breach]:
        """The list that was fixed at closing, and what the same rules found in sessions that came later."""
        rows = [row for row in self._exclusions(study) if row["kind"] in _FIXED]
        return [_breach(row) for row in rows]

    def missing_codes(self, study: str) -> list[str]:
        """The codes that were dealt to machines and have no session here."""
        dealt = {code for bundle in self.bundles(study) if bundle.phase != "pilot" for code in bundle.codes}
        there = self._rows("SELECT code FROM sessions WHERE study = ? AND phase != 'pilot'", study)
        return sorted(dealt - {row["code"] for row in there} - {stone.code for stone in self.tombstones(study)})

    def unseal_study(self, study: str, before_exclusions: bool = False, note: str = "") -> None:
        """Opens the outcomes: from now on submissions are judged. This cannot be undone.

        Raises:
            StudyError: Exclusions are not fixed, unless `before_exclusions` says to look nevertheless.
        """
        with self.write_transaction():
            state = self.study_state(study)
            if state is StudyState.UNSEALED:
                return
            if state is not StudyState.CLOSED and not (before_exclusions and state is StudyState.FROZEN):
                raise StudyError(f"The study is {state}. Close the collection first, so that exclusions are fixed.")
            kind = LookKind.UNSEALED if state is StudyState.CLOSED else LookKind.BEFORE_EXCLUSIONS
            self._insert("looks", {"study": study, "kind": kind.value, "at": now(), "note": note.strip()})
            self._execute("UPDATE studies SET unsealed_at = ? WHERE id = ?", now(), study)
            self._enter(study, StudyState.UNSEALED, f"Outcomes opened ({kind})")

    def submissions_to_judge(self, study: str) -> list[ToJudge]:
        """The submissions of main items that have no attempt yet; none while outcomes are sealed."""
        if self.study_state(study) is not StudyState.UNSEALED:
            return []
        addresses = self._addresses(study)
        done = {(row["session"], row["position"], row["submission"]) for row in self._attempt_rows(study)}
        return [
            ToJudge(
                session.id,
                session.code,
                session.phase,
                trial.position,
                handed_in.number,
                addresses[session.study, trial.item],
                handed_in.answer,
                handed_in.active_ms,
            )
            for session in self.sessions_of_record(study)
            for trial in session.of_phase("main")
            if (session.study, trial.item) in addresses
            for handed_in in trial.submissions
            if (session.id, trial.position, handed_in.number) not in done
        ]

    def add_judged(self, study: str, judged: ToJudge, answer: str, verdicts: Mapping[str, Sequence[Verdict]]) -> None:
        """Stores a submission as attempts, one for each instance that it was judged on."""
        name = judged.code if judged.phase == "main" else f"{judged.code} ({judged.phase})"
        with self.write_transaction():
            if not self._row("SELECT 1 FROM sessions WHERE id = ?", judged.session):
                return
            for address, found in verdicts.items():
                task, instance = resolve(address)
                number = self.add_attempt(
                    instance,
                    answer,
                    Actor.PERSON,
                    name,
                    judged.active_ms / 1000,
                    tuple(found),
                    tolerance=task.score_tolerance,
                    study=study,
                )
                place = {"session": judged.session, "position": judged.position, "submission": judged.submission}
                self._insert("study_attempts", {"attempt": number, "counts": 0} | place)
                self._keep_session_sketches(judged, instance.address, number)

    def _keep_session_sketches(self, judged: ToJudge, address: str, attempt: int) -> None:
        """Keeps what was drawn in a trial with an attempt that came of it."""
        row = self._row("SELECT record FROM trials WHERE session = ? AND position = ?", judged.session, judged.position)
        record = {} if row is None else json.loads(row["record"])
        for page, layer in record.get("sketches", {}).items():
            place = {"address": address, "person": judged.code, "attempt": attempt, "page": page}
            self._insert("sketches", place | {"layer": layer, "at": now()})

    def settle_counts(self, study: str) -> None:
        """Marks by which submission each trial is scored: the last, the best or the first."""
        score_of = self.study_document(study).limits.score_of
        scores: dict[tuple[str, int], dict[int, float]] = defaultdict(dict)
        for (session, position, number), judged in self.judged(study).items():
            scores[session, position][number] = judged.score
        with self.write_transaction():
            for (session, position), by_number in scores.items():
                best = max(sorted(by_number), key=lambda number: by_number[number])
                counting = {"first": min(by_number), "last": max(by_number), "best": best}[score_of]
                self._execute(
                    "UPDATE study_attempts SET counts = (submission = ?) WHERE session = ? AND position = ?",
                    counting,
                    session,
                    position,
                )

    def judged(self, study: str) -> dict[tuple[str, int, int], StudyJudged]:
        """How each submission was judged; over instances that share the answer, scores are averaged."""
        if self.study_state(study) is not StudyState.UNSEALED:
            return {}
        grouped: dict[tuple[str, int, int], dict[int, dict[str, Any]]] = defaultdict(lambda: defaultdict(dict))
        for row in self._rows(_VERDICTS, READABLE, study):
            key = (row["session"], row["position"], row["submission"])
            grouped[key][row["attempt"]][row["verifier"]] = row
        return {key: _together([_judged(rows) for rows in by_attempt.values()]) for key, by_attempt in grouped.items()}

    def study_of_attempts(self, numbers: Sequence[int]) -> dict[int, StudyOfAttempt]:
        """Where attempts at unsealing came from, by their numbers; attempts of no study are left out."""
        names = ("study", "session", "code", "condition", "phase", "item", "position", "submission")
        origins: dict[int, StudyOfAttempt] = {}
        for begin in range(0, len(numbers), 500):
            part = numbers[begin : begin + 500]
            marks = ", ".join("?" * len(part))
            for row in self._rows(f"{_ORIGINS} WHERE a.attempt IN ({marks})", *part):
                rest = {name: row[name] for name in names}
                origins[row["attempt"]] = StudyOfAttempt(**rest, counts=bool(row["counts"]))
        return origins

    def counting_attempts(self, study: str) -> dict[tuple[str, int], list[int]]:
        """The attempts that trials are scored by, one for each instance that was judged, by session and position."""
        attempts: dict[tuple[str, int], list[int]] = defaultdict(list)
        for row in self._attempt_rows(study):
            if row["counts"]:
                attempts[row["session"], row["position"]].append(row["attempt"])
        return dict(attempts)

    def study_outcomes(self, study: str) -> Outcomes:
        """All that reports, exports and Results need to know of a study."""
        outcomes: Outcomes = self._remembered(("outcomes", study), lambda: self._outcomes(study))
        return outcomes

    def _outcomes(self, study: str) -> Outcomes:
        row = self._study(study)
        versions = [version for version in self.study_versions(study) if version.kind is VersionKind.MAIN]
        is_fixed = self._is_closed(study)
        return Outcomes(
            study=self.study_document(study),
            state=StudyState(row["state"]),
            frozen=versions[-1].frozen if versions else None,
            sessions=tuple(self.sessions_of_record(study)),
            breaches=tuple(self.fixed_breaches(study) if is_fixed else self.flags(study)),
            breaches_hash=row["list_hash"] or "",
            judged=self.judged(study),
            post_hoc=tuple(
                PostHoc(entry["session"], entry["value"], entry["at"], entry["position"])
                for entry in self._exclusions(study, ExclusionKind.POST_HOC)
            ),
            looks=tuple(self.looks(study)),
            amendments=tuple(_amendment(version) for version in versions if version.parent),
            registration=self.registration(study),
            counts=self._counts(study),
            pilot_sessions=self._pilot_count(study),
            checklist=self.checklist_answers(study),
            notes=tuple(note.text for note in self.study_log(study) if note.kind is NoteKind.NOTE),
            disagreements=tuple(self._disagreements(study)),
            is_rehearsal=self.phase_of_record(study) == "rehearsal",
        )

    def study_progress(
        self, study: str, local: Sequence[SessionRecord] = (), interrupted: Sequence[str] = ()
    ) -> StudyProgress:
        """How far a study is, without outcomes; of a pilot while nothing is frozen.

        local: Sessions of this machine, which may be further than what was merged. `interrupted` are ids of those that
        stand still.
        """
        newest = self.study_versions(study)[-1:]
        if not newest:
            return progress_of(self.study_document(study), (), ())
        version = newest[0]
        is_pilot = version.kind is VersionKind.PILOT
        phase: Phase = "pilot" if is_pilot else self.phase_of_record(study)
        hashes = {version.hash} if is_pilot else {pooled.hash for pooled in self.pooled_versions(study)}
        sessions = {one.id: one for one in self.study_sessions(study, phase) if one.study in hashes}
        sessions |= {one.id: sealed(one) for one in local if one.study in hashes and one.phase == phase}
        places = [
            StudyPlace(place.slot, place.replaces, len(place.bundles))
            for place in self.study_slots(study, version.hash, version.kind)
        ]
        flags = [] if is_pilot else self.fixed_breaches(study) if self._is_closed(study) else self.flags(study)
        withdrawn = [stone.code for stone in self.tombstones(study) if stone.hash in hashes and stone.phase == phase]
        return progress_of(version.study, places, sessions.values(), flags, withdrawn, interrupted)

    def withdraw(self, study: str, code: str, version: str = "", phase: Phase | None = None) -> Withdrawal:
        """Deletes all data of a code, down to the journal of the file, and never takes them back.

        version: The beginning of a version's hash, for a code that has sessions in several.

        Raises:
            StudyError: The last day to withdraw is over, the study has no such code, or it is not clear whose data.
        """
        until = self.study_document(study).retention.withdraw_until
        if date.today() > until:
            raise StudyError(f"The last day to withdraw was {until.isoformat()}.")
        self._connection.execute("PRAGMA secure_delete = ON")
        with self.write_transaction():
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
            attempts = self._erase_sessions([row["id"] for row in rows])
            self._execute("DELETE FROM study_notes WHERE study = ? AND code = ?", study, code)
            self._add_tombstone(study, hash_, of_phase, code)
        elsewhere = tuple(f"{row['name']} (SHA-256 {row['digest'][:12]}…)" for row in (*files, *exports))
        return Withdrawal(code, len(rows), attempts, elsewhere, self._clear_journal())

    def purge_study(self, study: str) -> int:
        """Deletes all sessions of a study for good, with all that came of them; returns how many there were.

        What stays are the document, the log and the counts. Nothing is merged any more.
        """
        self._connection.execute("PRAGMA secure_delete = ON")
        with self.write_transaction():
            sessions = [row["id"] for row in self._rows("SELECT id FROM sessions WHERE study = ?", study)]
            self._erase_sessions(sessions)
            self._note(study, NoteKind.PURGED, f"{len(sessions)} sessions were deleted")
        self._clear_journal()
        return len(sessions)

    def note_verifiers(self, study: str) -> list[str]:
        """What verifiers are others now than when the study was frozen, a sentence each; the log keeps them."""
        sentences = []
        for version in self.pooled_versions(study):
            for material in version.frozen.materials:
                task, _ = resolve(material.address)
                today = task.verifiers()["default"].version
                if today != material.version:
                    sentences.append(
                        f"{material.address} was frozen with version {material.version} of its verifier,"
                        f" and is judged by version {today}."
                    )
        sentences = list(dict.fromkeys(sentences))
        with self.write_transaction():
            for sentence in sentences:
                self._note(study, NoteKind.VERIFIER, sentence)
        return sentences

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
            self._connection.execute("VACUUM")
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
        return not busy

    def _came_late(self, study: str, session: SessionRecord) -> None:
        """Runs the rules on a session that was merged after the exclusions were fixed; scores are sealed still."""
        if self.study_state(study) is not StudyState.CLOSED:
            return
        listed = {_key(breach) for breach in self.fixed_breaches(study)}
        for breach in self.flags(study):
            if breach.session == session.id and _key(breach) not in listed:
                self._add_exclusion(study, ExclusionKind.LATE, breach)

    def _flags(self, study: str) -> list[Breach]:
        by_hand = [
            ByHand(row["session"], row["value"], row["position"])
            for row in self._exclusions(study, ExclusionKind.BY_HAND)
        ]
        return breaches(self.study_document(study), self.sessions_of_record(study), self._pilot_medians(study), by_hand)

    def _is_fixed(self, study: str) -> bool:
        return self._is_closed(study) or self.study_state(study) is StudyState.UNSEALED

    def _is_closed(self, study: str) -> bool:
        return bool(self._study(study)["closed_at"])

    def _pilot_medians(self, study: str) -> dict[str, float]:
        """The median active time of each item in the pilot, in milliseconds."""
        times: dict[str, list[int]] = defaultdict(list)
        for session in self.study_sessions(study, "pilot"):
            for trial in session.of_phase("main"):
                if trial.state.has_ended:
                    times[trial.item].append(trial.active_ms)
        return {item: median(values) for item, values in times.items()}

    def _exclusions(self, study: str, kind: ExclusionKind | None = None) -> list[Any]:
        return self._rows(
            "SELECT * FROM exclusions WHERE study = ?1 AND (?2 IS NULL OR kind = ?2) ORDER BY id",
            study,
            kind and kind.value,
        )

    def _add_exclusion(self, study: str, kind: ExclusionKind, breach: Breach) -> None:
        data = asdict(breach) | {"response": breach.response.value}
        self._insert("exclusions", {"study": study, "kind": kind.value, "at": now()} | data)

    def _addresses(self, study: str) -> dict[tuple[str, str], str]:
        """The addresses of instances by version and item."""
        return {
            (version.hash, item.id): item.address
            for version in self.pooled_versions(study)
            for item in version.study.items()
            if item.kind is ItemKind.INSTANCE and item.phase is ItemPhase.MAIN
        }

    def _attempt_rows(self, study: str) -> list[Any]:
        return self._rows(
            "SELECT a.* FROM study_attempts a JOIN sessions s ON s.id = a.session WHERE s.study = ? ORDER BY a.attempt",
            study,
        )

    def _counts(self, study: str) -> Counts:
        phase = self.phase_of_record(study)
        withdrew = sum(stone.phase == phase for stone in self.tombstones(study))
        states = {
            row["state"]: row["n"]
            for row in self._rows(
                "SELECT state, count(*) AS n FROM sessions WHERE study = ? AND phase = ? GROUP BY state", study, phase
            )
        }
        return Counts(
            planned=self.study_document(study).plan.slots,
            started=sum(states.values()) - states.get(SessionState.NEW.value, 0) + withdrew,
            ineligible=states.get(SessionState.INELIGIBLE.value, 0),
            withdrew=withdrew,
        )

    def _pilot_count(self, study: str) -> int:
        row = self._row(
            "SELECT count(*) AS n FROM sessions WHERE study = ? AND phase = 'pilot' AND state NOT IN (?, ?)",
            study,
            *(state.value for state in _NOT_BEGUN),
        )
        return int(row["n"]) if row else 0

    def _disagreements(self, study: str) -> list[str]:
        """Where people were told another score than the one of the record."""
        judged = self.judged(study)
        sentences = []
        for session in self.sessions_of_record(study) if judged else []:
            for trial in session.of_phase("main"):
                for handed_in in trial.submissions:
                    of_record = judged.get((session.id, trial.position, handed_in.number))
                    told = handed_in.told_score
                    if of_record and told is not None and abs(told - of_record.score) > 1e-9:
                        sentences.append(
                            f"{session.code}, {trial.item}: told {told:.4g}, judged {of_record.score:.4g}."
                        )
        return sentences


def _key(breach: Breach) -> tuple[str, str, int | None]:
    return breach.session, breach.rule, breach.position


def _breach(row: Any) -> Breach:
    names = ("session", "code", "rule", "value", "threshold", "position")
    return Breach(**{name: row[name] for name in names}, response=StudyResponse(row["response"]))


def _amendment(version: StudyVersion) -> StudyAmendment:
    return StudyAmendment(
        version.hash, version.parent, version.reason, version.at.isoformat(timespec="seconds"), version.comparable
    )


def _judged(rows: Mapping[str, Any]) -> StudyJudged:
    """The judgement of an attempt by the rows of its verdicts."""
    default, published = rows["default"], rows.get(_PUBLISHED)
    return StudyJudged(
        score=default["score"],
        passed=bool(default["passed"]),
        is_readable=not default["is_unreadable"],
        published=None if published is None else published["score"],
        attempt=default["attempt"],
        version=default["version"],
        how_read=default["how_read"],
    )


def _together(parts: Sequence[StudyJudged]) -> StudyJudged:
    """The judgement of an answer on all instances that share it."""
    published = [part.published for part in parts if part.published is not None]
    return StudyJudged(
        score=sum(part.score for part in parts) / len(parts),
        passed=all(part.passed for part in parts),
        is_readable=all(part.is_readable for part in parts),
        published=sum(published) / len(published) if len(published) == len(parts) else None,
        attempt=parts[0].attempt,
        version=parts[0].version,
        how_read=parts[0].how_read,
    )
