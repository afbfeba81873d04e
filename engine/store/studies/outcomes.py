"""The outcomes of studies: attempts made of submissions, and what reports read.

Until outcomes are unsealed, nothing in a project says how an answer to a main item was judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.core.verdict import READABLE
from spatial_workbench.engine.store.attempts import Attempts
from spatial_workbench.engine.store.base import Database, ProjectPart, Remembered, now
from spatial_workbench.engine.store.records import Actor
from spatial_workbench.engine.store.studies.documents import Studies
from spatial_workbench.engine.store.studies.exclusions import Exclusions
from spatial_workbench.engine.store.studies.keys import StudyKeys
from spatial_workbench.engine.store.studies.log import StudyLog
from spatial_workbench.engine.store.studies.places import Places
from spatial_workbench.engine.store.studies.records import (
    ExclusionKind,
    LookKind,
    NoteKind,
    Phase,
    StudyError,
    StudyOfAttempt,
    StudyVersion,
    ToJudge,
    VersionKind,
)
from spatial_workbench.engine.store.studies.rows import stored_study
from spatial_workbench.engine.store.studies.sessions import StudySessions
from spatial_workbench.engine.studies.analysis.outcomes import (
    Counts,
    Outcomes,
    PostHoc,
    StudyAmendment,
    StudyJudged,
    StudyState,
)
from spatial_workbench.engine.studies.analysis.progress import StudyPlace, StudyProgress, progress_of
from spatial_workbench.engine.studies.files.sealed_parts import without_outcomes
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase
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


class StudyOutcomes(ProjectPart):
    """The outcomes of studies, once they are unsealed."""

    def __init__(
        self,
        database: Database,
        studies: Studies,
        keys: StudyKeys,
        places: Places,
        log: StudyLog,
        sessions: StudySessions,
        exclusions: Exclusions,
        attempts: Attempts,
        remembered: Remembered,
    ) -> None:
        super().__init__(database)
        self._studies = studies
        self._keys = keys
        self._places = places
        self._log = log
        self._sessions = sessions
        self._exclusions = exclusions
        self._attempts = attempts
        self._remembered = remembered

    def missing_codes(self, study: str) -> list[str]:
        """The codes that were dealt to machines and have no session here."""
        dealt = {code for bundle in self._places.bundles(study) if bundle.phase != "pilot" for code in bundle.codes}
        there = self._rows("SELECT code FROM sessions WHERE study = ? AND phase != 'pilot'", study)
        return sorted(
            dealt - {row["code"] for row in there} - {stone.code for stone in self._sessions.tombstones(study)}
        )

    def unseal(self, study: str, secret: str = "", before_exclusions: bool = False, note: str = "") -> None:
        """Opens the outcomes: from now on submissions are judged. This cannot be undone.

        secret: The passphrase for the outcomes, or the recovery key.

        Raises:
            StudyError: Exclusions are not fixed, unless `before_exclusions` says to look nevertheless; a conflict is
                not settled; or the secret is wrong.
        """
        with self._database.write_transaction():
            state = self._studies.state(study)
            if state is StudyState.UNSEALED:
                return
            if state is not StudyState.CLOSED and not (before_exclusions and state is StudyState.FROZEN):
                raise StudyError(f"The study is {state}. Close the collection first, so that exclusions are fixed.")
            self._sessions.require_settled(study)
            self._keys.unlock(study, secret)
            kind = LookKind.UNSEALED if state is StudyState.CLOSED else LookKind.BEFORE_EXCLUSIONS
            self._insert("looks", {"study": study, "kind": kind.value, "at": now(), "note": note.strip()})
            self._execute("UPDATE studies SET unsealed_at = ? WHERE id = ?", now(), study)
            self._studies.enter(study, StudyState.UNSEALED, f"Outcomes opened ({kind})")
            self._exclusions.check_opened_answers(study)

    def submissions_to_judge(self, study: str) -> list[ToJudge]:
        """The submissions of main items that have no attempt yet; none while outcomes are sealed."""
        if self._studies.state(study) is not StudyState.UNSEALED:
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
                trial.sketches,
            )
            for session in self._sessions.of_record(study)
            for trial in session.of_phase("main")
            if (session.study, trial.item) in addresses
            for handed_in in trial.submissions
            if (session.id, trial.position, handed_in.number) not in done
        ]

    def add_judged(self, study: str, judged: ToJudge, answer: str, verdicts: Mapping[str, Sequence[Verdict]]) -> None:
        """Stores a submission as attempts, one for each instance that it was judged on."""
        name = judged.code if judged.phase == "main" else f"{judged.code} ({judged.phase})"
        with self._database.write_transaction():
            if not self._row("SELECT 1 FROM sessions WHERE id = ?", judged.session):
                return
            for address, found in verdicts.items():
                task, instance = resolve(address)
                number = self._attempts.add(
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

    def settle_counts(self, study: str) -> None:
        """Marks by which submission each trial is scored: the last, the best or the first."""
        score_of = self._studies.document(study).limits.score_of
        scores: dict[tuple[str, int], dict[int, float]] = defaultdict(dict)
        for (session, position, number), judged in self.judged(study).items():
            scores[session, position][number] = judged.score
        with self._database.write_transaction():
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
        if self._studies.state(study) is not StudyState.UNSEALED:
            return {}
        grouped: dict[tuple[str, int, int], dict[int, dict[str, Any]]] = defaultdict(lambda: defaultdict(dict))
        for row in self._rows(_VERDICTS, READABLE, study):
            key = (row["session"], row["position"], row["submission"])
            grouped[key][row["attempt"]][row["verifier"]] = row
        return {key: _together([_judged(rows) for rows in by_attempt.values()]) for key, by_attempt in grouped.items()}

    def origins(self, numbers: Sequence[int]) -> dict[int, StudyOfAttempt]:
        """Where in studies attempts come from, by their numbers; attempts of no study are left out."""
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

    def of(self, study: str) -> Outcomes:
        """Everything that reports, exports and Results need to know about a study."""
        outcomes: Outcomes = self._remembered.of(("outcomes", study), lambda: self._outcomes(study))
        return outcomes

    def progress(
        self, study: str, local: Sequence[SessionRecord] = (), interrupted: Sequence[str] = ()
    ) -> StudyProgress:
        """How far the collection of a study is, without outcomes; while nothing is frozen, how far its pilot is.

        Args:
            local: Sessions of this machine, which may have advanced since they were merged.
            interrupted: The ids of sessions that were interrupted.
        """
        newest = self._studies.versions(study)[-1:]
        if not newest:
            return progress_of(self._studies.document(study), (), ())
        version = newest[0]
        is_pilot = version.kind is VersionKind.PILOT
        phase: Phase = "pilot" if is_pilot else self._sessions.phase_of_record(study)
        hashes = {version.hash} if is_pilot else {pooled.hash for pooled in self._studies.pooled_versions(study)}
        sessions = {one.id: one for one in self._sessions.all(study, phase) if one.study in hashes}
        sessions |= {one.id: without_outcomes(one) for one in local if one.study in hashes and one.phase == phase}
        places = [
            StudyPlace(place.slot, place.replaces, len(place.bundles))
            for place in self._places.slots(study, version.hash, version.kind)
        ]
        flags = (
            []
            if is_pilot
            else self._exclusions.fixed(study)
            if self._exclusions.is_closed(study)
            else self._exclusions.flags(study)
        )
        withdrawn = [
            stone.code for stone in self._sessions.tombstones(study) if stone.hash in hashes and stone.phase == phase
        ]
        return progress_of(version.study, places, sessions.values(), flags, withdrawn, interrupted)

    def note_verifiers(self, study: str) -> list[str]:
        """Adds a sentence to the log for each verifier whose version has changed since the freeze; returns them."""
        sentences = []
        for version in self._studies.pooled_versions(study):
            for material in version.frozen.materials:
                task, _ = resolve(material.address)
                today = task.verifiers()["default"].version
                if today != material.version:
                    sentences.append(
                        f"{material.address} was frozen with version {material.version} of its verifier,"
                        f" and is judged by version {today}."
                    )
        sentences = list(dict.fromkeys(sentences))
        with self._database.write_transaction():
            for sentence in sentences:
                self._log.note(study, NoteKind.VERIFIER, sentence)
        return sentences

    def _outcomes(self, study: str) -> Outcomes:
        row = stored_study(self._database, study)
        versions = [version for version in self._studies.versions(study) if version.kind is VersionKind.MAIN]
        is_fixed = self._exclusions.is_closed(study)
        return Outcomes(
            study=self._studies.document(study),
            state=StudyState(row["state"]),
            frozen=versions[-1].frozen if versions else None,
            sessions=tuple(self._sessions.of_record(study)),
            breaches=tuple(self._exclusions.fixed(study) if is_fixed else self._exclusions.flags(study)),
            breaches_hash=row["list_hash"] or "",
            judged=self.judged(study),
            post_hoc=tuple(
                PostHoc(entry["session"], entry["value"], entry["at"], entry["position"])
                for entry in self._exclusions.entries(study, ExclusionKind.POST_HOC)
            ),
            looks=tuple(self._log.looks(study)),
            amendments=tuple(_amendment(version) for version in versions if version.parent),
            registration=self._studies.registration(study),
            counts=self._counts(study),
            pilot_sessions=self._pilot_count(study),
            checklist=self._log.checklist_answers(study),
            notes=tuple(note.text for note in self._log.notes(study) if note.kind is NoteKind.NOTE),
            disagreements=tuple(self._disagreements(study)),
            is_encrypted=all(self._keys.public(version.hash) for version in versions),
            is_rehearsal=self._sessions.phase_of_record(study) == "rehearsal",
        )

    def _keep_session_sketches(self, judged: ToJudge, address: str, attempt: int) -> None:
        """Stores the sketches of a trial with an attempt that was made of it."""
        for page, layer in judged.sketches.items():
            place = {"address": address, "person": judged.code, "attempt": attempt, "page": page}
            self._insert("sketches", place | {"layer": layer, "at": now()})

    def _addresses(self, study: str) -> dict[tuple[str, str], str]:
        """The addresses of instances by version and item."""
        return {
            (version.hash, item.id): item.address
            for version in self._studies.pooled_versions(study)
            for item in version.study.items()
            if item.kind is ItemKind.INSTANCE and item.phase is ItemPhase.MAIN
        }

    def _attempt_rows(self, study: str) -> list[Any]:
        return self._rows(
            "SELECT a.* FROM study_attempts a JOIN sessions s ON s.id = a.session WHERE s.study = ? ORDER BY a.attempt",
            study,
        )

    def _counts(self, study: str) -> Counts:
        phase = self._sessions.phase_of_record(study)
        withdrew = sum(stone.phase == phase for stone in self._sessions.tombstones(study))
        states = {
            row["state"]: row["n"]
            for row in self._rows(
                "SELECT state, count(*) AS n FROM sessions WHERE study = ? AND phase = ? GROUP BY state", study, phase
            )
        }
        return Counts(
            planned=self._studies.document(study).plan.slots,
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
        """A sentence for each submission whose person was told another score than the one that counts."""
        judged = self.judged(study)
        sentences = []
        for session in self._sessions.of_record(study) if judged else []:
            for trial in session.of_phase("main"):
                for handed_in in trial.submissions:
                    of_record = judged.get((session.id, trial.position, handed_in.number))
                    told = handed_in.told_score
                    if of_record and told is not None and abs(told - of_record.score) > 1e-9:
                        sentences.append(
                            f"{session.code}, {trial.item}: told {told:.4g}, judged {of_record.score:.4g}."
                        )
        return sentences


def _amendment(version: StudyVersion) -> StudyAmendment:
    return StudyAmendment(
        version.hash, version.parent, version.reason, version.at.isoformat(timespec="seconds"), version.comparable
    )


def _judged(rows: Mapping[str, Any]) -> StudyJudged:
    """The judgement of an attempt by the rows of its verdicts."""
    default = rows["default"]
    published = rows.get(_PUBLISHED)
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
