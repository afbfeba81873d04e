"""Attempts: submitted answers with their verdicts, and how their authors arrived at them."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from spatial_workbench.engine.core.instance import Instance
from spatial_workbench.engine.core.solving.aids import Aid, AidUse, is_explored
from spatial_workbench.engine.core.verdict import SCORE_TOLERANCE, Verdict
from spatial_workbench.engine.store.base import Database, ProjectPart, now
from spatial_workbench.engine.store.drafts import Drafts
from spatial_workbench.engine.store.endings import cut_off_by, run_end_of
from spatial_workbench.engine.store.facts import Facts
from spatial_workbench.engine.store.records import (
    Actor,
    Asked,
    Attempt,
    AttemptRow,
    ClockReading,
    Edit,
    Effort,
    MissingRecord,
    TaskProgress,
    Transcript,
)

_ROWS = "SELECT f.*, a.answer, a.aids FROM facts f JOIN attempts a ON a.id = f.attempt"
_SEARCHED_CHARS = 20_000
"""Only the beginning of each text is searched, since some answers are megabytes of coordinates."""
_AT_ONCE = 500
"""So many attempts are named in a query; SQLite has a limit."""
_ABOUT_ATTEMPTS = (
    *("verdicts", "facts", "differences", "overrides", "rulings", "labels", "step_judgements", "sketches"),
    *("transcripts", "study_attempts", "remarks"),
)


class Attempts(ProjectPart):
    """The attempts of a project, with their verdicts."""

    def __init__(self, database: Database, drafts: Drafts, facts: Facts) -> None:
        super().__init__(database)
        self._drafts = drafts
        self._facts = facts

    def add(
        self,
        instance: Instance,
        answer: str,
        actor: Actor,
        actor_name: str = "",
        seconds: float | None = None,
        verdicts: tuple[Verdict, ...] = (),
        transcript: Transcript | None = None,
        asked: Asked | None = None,
        tolerance: float = SCORE_TOLERANCE,
        clock: ClockReading | None = None,
        number: int | None = None,
        study: str | None = None,
    ) -> int:
        """Stores a submitted answer and its verdicts; returns the attempt's number.

        A person's attempt takes over the edits of their draft and every aid that they used at the instance, unless it
        comes from a study.

        Args:
            answer: The text of the answer.
            seconds: How long it took, if there is no clock.
            asked: What a model was asked.
            tolerance: By how much the scores of default and cross-check may differ.
            clock: The person's clock, which gives the times; the next attempt counts from there.
            number: A free number to use instead of the next one.
            study: Id of the study that the attempt comes from.
        """
        asked = asked or Asked()
        effort = clock.effort if clock else Effort(seconds=seconds)
        by_person = actor is Actor.PERSON and study is None
        run_end = run_end_of(transcript.record) if transcript else None
        with self._database.write_transaction():
            self._database.remember(instance)
            first, last, edits = self._drafts.span(instance.address, actor_name) if by_person else (None, None, 0)
            aids = self._drafts.aids(instance.address, actor_name) if by_person else ()
            shared = effort.model_dump() | {
                "address": instance.address,
                "task": instance.task,
                "actor": actor.value,
                "submitted_at": now(),
                "edit_count": edits,
            }
            number = self._insert(
                "attempts",
                shared
                | {"id": number, "actor_name": actor_name, "answer": answer, "aids": aids_json(aids)}
                | {"first_edit": first, "last_edit": last},
            )
            self._insert(
                "facts",
                shared
                | asked.model_dump(exclude={"reasoning"})
                | {"attempt": number, "who": actor_name, "has_transcript": transcript is not None}
                | {
                    "is_overridden": False,
                    "disagrees": False,
                    "run_end": run_end,
                    "cut_off": cut_off_by(run_end, asked.finish_reason),
                    "solving_aids": sum(use.kind is Aid.SOLVING for use in aids),
                    "explored": is_explored(aids),
                    "study": study,
                },
            )
            if by_person:
                self._keep_sketches(instance.address, actor_name, number)
            if clock:
                self._credit_time(instance.address, actor_name, clock)
            self._execute(
                "INSERT INTO words (rowid, address, who, answer, reasoning, transcript) VALUES (?, ?, ?, ?, ?, ?)",
                number,
                instance.address,
                actor_name,
                answer[:_SEARCHED_CHARS],
                (asked.reasoning or "")[:_SEARCHED_CHARS],
                transcript.words[:_SEARCHED_CHARS] if transcript else "",
            )
            if transcript is not None:
                self._execute("INSERT INTO transcripts VALUES (?, ?, ?)", number, transcript.kind, transcript.record)
            if verdicts:
                self.add_verdicts(number, verdicts, tolerance)
        return number

    def add_verdicts(self, attempt: int, verdicts: Iterable[Verdict], tolerance: float = SCORE_TOLERANCE) -> None:
        """Stores further verdicts of an attempt; the newest of each verifier counts, and older ones are kept."""
        with self._database.write_transaction():
            for verdict in verdicts:
                self._facts.add_verdict(attempt, verdict, now())
            self._facts.update(attempt, tolerance)

    def verdicts(self, attempt: int) -> tuple[Verdict, ...]:
        """The newest verdict of each verifier, in the order in which they first came."""
        return self._facts.verdicts(attempt)

    def verdict_history(self, attempt: int) -> list[tuple[datetime, Verdict]]:
        """All verdicts of an attempt with the time at which they were stored, the oldest first."""
        rows = self._rows("SELECT at, verdict FROM verdicts WHERE attempt = ? ORDER BY id", attempt)
        return [(datetime.fromisoformat(row["at"]), Verdict.model_validate_json(row["verdict"])) for row in rows]

    def transcript(self, attempt: int) -> Transcript | None:
        """The steps by which an agent arrived at this attempt; None if there is no record."""
        row = self._row("SELECT kind, record FROM transcripts WHERE attempt = ?", attempt)
        return Transcript(kind=row["kind"], record=row["record"]) if row else None

    def transcripts(self, kind: str) -> Iterator[tuple[AttemptRow, Transcript]]:
        """All transcripts of a kind with their attempts, the oldest first."""
        for row in self._database.sqlite.execute(
            "SELECT f.*, t.kind, t.record FROM transcripts t JOIN facts f ON f.attempt = t.attempt"
            " WHERE t.kind = ? ORDER BY f.attempt",
            (kind,),
        ):
            yield AttemptRow.of(row), Transcript(kind=row["kind"], record=row["record"])

    def newest(self, address: str | None = None, limit: int = 1000) -> list[AttemptRow]:
        """The newest attempts, of one instance or of all."""
        rows = self._rows(
            "SELECT *, (SELECT kind FROM transcripts t WHERE t.attempt = f.attempt) AS transcript FROM facts f"
            " WHERE ?1 IS NULL OR address = ?1 ORDER BY attempt DESC LIMIT ?2",
            address,
            limit,
        )
        return [AttemptRow.of(row) for row in rows]

    def get(self, number: int) -> Attempt:
        """One attempt with its answer and the newest verdict of each verifier.

        Raises:
            MissingRecord: There is no attempt of that number.
        """
        row = self._row(f"{_ROWS} WHERE f.attempt = ?", number)
        if row is None:
            raise MissingRecord(f"Attempt {number}")
        aids = json.loads(row["aids"])
        return Attempt.of(row, answer=row["answer"], aids=aids, verdicts=self._facts.verdicts(number))

    def answers(self, attempts: Sequence[int]) -> dict[int, str]:
        """The answers of some attempts, as they were stored."""
        rows = self._rows_of("SELECT id, answer FROM attempts WHERE id IN ({})", attempts)
        return {row["id"]: row["answer"] for row in rows}

    def generated_parameters(self, attempts: Sequence[int]) -> dict[int, str]:
        """The parameters (JSON) of the instances of some attempts, as they were stored; of generated ones only."""
        rows = self._rows_of(
            "SELECT a.id, i.parameters FROM attempts a JOIN instances i ON i.address = a.address"
            " WHERE i.seed IS NOT NULL AND a.id IN ({})",
            attempts,
        )
        return {row["id"]: row["parameters"] for row in rows}

    def newest_verdicts(self, attempts: Sequence[int], verifier: str) -> dict[int, Verdict]:
        """The newest verdict of a verifier on each of some attempts that it has judged."""
        rows = self._rows_of(
            "SELECT attempt, verdict FROM verdicts WHERE id IN (SELECT max(id) FROM verdicts"
            " WHERE verifier = ? AND attempt IN ({}) GROUP BY attempt)",
            attempts,
            verifier,
        )
        return {row["attempt"]: Verdict.model_validate_json(row["verdict"]) for row in rows}

    def _rows_of(self, sql: str, attempts: Sequence[int], *arguments: Any) -> Iterator[sqlite3.Row]:
        """The rows of a query about some attempts, whose numbers take the place of {}, after the other arguments."""
        for begin in range(0, len(attempts), _AT_ONCE):
            part = attempts[begin : begin + _AT_ONCE]
            yield from self._rows(sql.format(", ".join("?" * len(part))), *arguments, *part)

    def sketches(self, attempt: int) -> dict[str, str]:
        """The sketches (JSON) that were kept with an attempt, by page."""
        rows = self._rows("SELECT page, layer FROM sketches WHERE attempt = ? ORDER BY page", attempt)
        return {row["page"]: row["layer"] for row in rows}

    def edits(self, number: int) -> list[Edit]:
        """The edits that led to a person's attempt, in order."""
        row = self._row("SELECT address, actor_name, first_edit, last_edit FROM attempts WHERE id = ?", number)
        if row is None or row["first_edit"] is None:
            return []
        return self._drafts.edits(
            row["address"], row["actor_name"] or "", after=row["first_edit"], until=row["last_edit"]
        )

    def erase(self, numbers: Sequence[int]) -> None:
        """Deletes attempts with everything that is stored about them, and their words from the index.

        Raises:
            ValueError: An attempt has a transcript, whose words cannot be removed from the index.
        """
        with self._database.write_transaction():
            for number in numbers:
                self._erase_words(number)
                for table in _ABOUT_ATTEMPTS:
                    self._execute(f"DELETE FROM {table} WHERE attempt = ?", number)
                self._execute("UPDATE items SET attempt = NULL WHERE attempt = ?", number)
                self._execute("DELETE FROM attempts WHERE id = ?", number)
            # Words that are deleted stay in older parts of the index until those are merged.
            self._execute("INSERT INTO words (words) VALUES ('optimize')")

    def _erase_words(self, number: int) -> None:
        """Removes an attempt from the index of words, which needs exactly the values that were added."""
        row = self._row(
            "SELECT a.address, a.actor_name, a.answer, t.kind FROM attempts a"
            " LEFT JOIN transcripts t ON t.attempt = a.id WHERE a.id = ?",
            number,
        )
        if row is None:
            return
        if row["kind"] is not None:
            raise ValueError(f"Attempt {number} has a transcript, whose words are not known any more.")
        self._execute(
            "INSERT INTO words (words, rowid, address, who, answer, reasoning, transcript)"
            " VALUES ('delete', ?, ?, ?, ?, '', '')",
            number,
            row["address"],
            row["actor_name"],
            row["answer"][:_SEARCHED_CHARS],
        )

    def progress(self, person: str = "") -> dict[str, TaskProgress]:
        """The progress on each task, by its id; drafts are those of `person`."""
        solved: dict[bool, dict[str, set[str]]] = {False: {}, True: {}}
        best: dict[str, dict[str, float]] = {}
        drafts: dict[str, set[str]] = {}
        for row in self._rows(
            "SELECT task, address, actor, solving_aids > 0 AS is_helped, max(score) AS score, max(passed) AS passed"
            " FROM facts WHERE score IS NOT NULL GROUP BY address, actor, is_helped"
        ):
            if row["passed"] and row["actor"] in (Actor.PERSON, Actor.IMPORT):
                solved[bool(row["is_helped"])].setdefault(row["task"], set()).add(row["address"])
            scores = best.setdefault(row["task"], {})
            if not row["is_helped"]:
                scores[row["actor"]] = max(row["score"], scores.get(row["actor"], 0.0))
        for row in self._rows(
            "SELECT i.task, d.address FROM drafts d JOIN instances i ON i.address = d.address WHERE d.person = ?",
            person,
        ):
            drafts.setdefault(row["task"], set()).add(row["address"])
        return {
            task: TaskProgress(
                solved=frozenset(alone := solved[False].get(task, set())),
                solved_with_help=frozenset(solved[True].get(task, set()) - alone),
                drafts=frozenset(drafts.get(task, ())),
                best_person=best.get(task, {}).get(Actor.PERSON),
                best_model=best.get(task, {}).get(Actor.MODEL),
            )
            for task in best.keys() | drafts.keys()
        }

    def _keep_sketches(self, address: str, person: str, attempt: int) -> None:
        """Keeps the sketches of a draft with an attempt."""
        self._execute(
            "INSERT INTO sketches (address, person, attempt, page, layer, at)"
            " SELECT address, person, ?, page, layer, at FROM sketches"
            " WHERE address = ? AND person = ? AND attempt = 0",
            attempt,
            address,
            person,
        )

    def _credit_time(self, address: str, person: str, clock: ClockReading) -> None:
        """Records that the time on the clock so far belongs to an attempt."""
        self._execute(
            "UPDATE clocks SET credited_active_s = ?, credited_idle_s = ?, credited_away_s = ?"
            " WHERE address = ? AND person = ?",
            clock.active_s,
            clock.idle_s,
            clock.away_s,
            address,
            person,
        )


def aids_json(aids: Iterable[AidUse]) -> str:
    """Uses of aids as JSON, as they are stored."""
    return json.dumps([use.model_dump(mode="json") for use in aids])
