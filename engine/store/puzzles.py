"""What a project keeps about puzzles: the log of reviews, judgements of steps, answers of judges, and judgings."""

from collections.abc import Iterable
from datetime import UTC, datetime

from spatial_workbench.engine.store.base import ProjectPart, now
from spatial_workbench.engine.store.records import JudgementSource, PuzzleEvent, StepJudge, StepJudgement

_COLUMNS = ("id", "puzzle_set", "folder", "version", "at", "person", "kind", "event")


class PuzzleRecords(ProjectPart):
    """What a project keeps about puzzles. Events and judgements of steps are never replaced; answers of judges are."""

    def add_events(self, events: Iterable[PuzzleEvent]) -> int:
        """Adds events to the log of reviews, each once by its id; returns how many were new."""
        marks = ", ".join("?" * len(_COLUMNS))
        sql = f"INSERT OR IGNORE INTO puzzle_events ({', '.join(_COLUMNS)}) VALUES ({marks})"
        with self._database.write_transaction():
            before = self._event_count()
            for event in events:
                data = event.model_dump() | {"at": _time(event.at)}
                self._execute(sql, *(data[name] for name in _COLUMNS))
            return self._event_count() - before

    def events(self, puzzle_set: str | None = None) -> list[PuzzleEvent]:
        """The log of a set's reviews, or of all, in the order of time."""
        rows = self._rows(
            "SELECT * FROM puzzle_events WHERE ?1 IS NULL OR puzzle_set = ?1 ORDER BY julianday(at), id", puzzle_set
        )
        return [PuzzleEvent.model_validate({name: row[name] for name in _COLUMNS}) for row in rows]

    def reviewed_sets(self) -> list[str]:
        """The sets that the log names."""
        return [row[0] for row in self._rows("SELECT DISTINCT puzzle_set FROM puzzle_events ORDER BY 1")]

    def add_step_judgement(self, attempt: int, judge: StepJudge, steps: str, version: str, note: str = "") -> None:
        """Stores which steps an attempt met.

        steps: The verdicts as a JSON list; empty if there are none, and `note` says why.
        version: Of the puzzle that was judged.
        """
        self.restore_step_judgement(attempt, judge, steps=steps, version=version, note=note[:2_000], at=now())

    def step_judgements(self, attempt: int | None = None) -> list[StepJudgement]:
        """The judgements of an attempt's steps, or of all attempts, the oldest first."""
        rows = self._rows("SELECT * FROM step_judgements WHERE ?1 IS NULL OR attempt = ?1 ORDER BY id", attempt)
        return [StepJudgement.model_validate({name: row[name] for name in StepJudgement.model_fields}) for row in rows]

    def step_judges(self) -> dict[StepJudge, int]:
        """The judges of steps, each with how many attempts it has read: who read most comes first, people last."""
        rows = self._rows(
            "SELECT source, who, setup, count(DISTINCT CASE WHEN steps <> '[]' THEN attempt END) AS attempts"
            " FROM step_judgements GROUP BY source, who, setup"
        )
        judges = {
            StepJudge(source=JudgementSource(row["source"]), name=row["who"], setup=row["setup"]): int(row["attempts"])
            for row in rows
        }
        ordered = sorted(judges, key=lambda judge: (judge.is_person, -judges[judge], judge.name, judge.setup))
        return {judge: judges[judge] for judge in ordered}

    def keep_judging(self, judging: str, record: str) -> None:
        """Keeps a judging that has begun, by its id; `record` says as JSON what is judged by whom."""
        with self._database.write_transaction():
            self._execute(
                "INSERT OR REPLACE INTO step_judgings (id, record, at) VALUES (?, ?, ?)", judging, record, now()
            )

    def judgings(self) -> list[str]:
        """The records of the judgings that have not ended, the oldest first."""
        return [row["record"] for row in self._rows("SELECT record FROM step_judgings ORDER BY julianday(at), rowid")]

    def drop_judging(self, judging: str) -> None:
        """Forgets a judging that has ended, or does not go on; what was judged stays."""
        with self._database.write_transaction():
            self._execute("DELETE FROM step_judgings WHERE id = ?", judging)

    def judge_answer(self, key: str, since: datetime | None = None) -> str | None:
        """The answer that a judge has given to a question, by the question's key; None if there is none.

        since: Only an answer from then on counts.
        """
        row = self._row("SELECT answer, at FROM judge_answers WHERE key = ?", key)
        is_old = row is not None and since is not None and datetime.fromisoformat(row["at"]) < since
        return None if row is None or is_old else row["answer"]

    def keep_judge_answer(self, key: str, answer: str) -> None:
        """Keeps a judge's answer; a newer one takes its place."""
        with self._database.write_transaction():
            self._execute("INSERT OR REPLACE INTO judge_answers (key, answer, at) VALUES (?, ?, ?)", key, answer, now())

    def forget_judge_answers(self, keys: Iterable[str]) -> None:
        """Forgets answers of judges, by the keys of the questions."""
        with self._database.write_transaction():
            for key in keys:
                self._execute("DELETE FROM judge_answers WHERE key = ?", key)

    def restore_step_judgement(
        self, attempt: int, judge: StepJudge, *, steps: str, version: str, note: str, at: str
    ) -> None:
        """Stores a judgement as another project stored it; `at` is its time as it is stored."""
        with self._database.write_transaction():
            self._execute(
                "INSERT INTO step_judgements (attempt, source, who, setup, steps, version, note, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                attempt,
                judge.source.value,
                judge.name,
                judge.setup,
                steps,
                version,
                note,
                at,
            )

    def _event_count(self) -> int:
        row = self._row("SELECT count(*) AS n FROM puzzle_events")
        return int(row["n"]) if row else 0


def _time(at: datetime) -> str:
    """A time in full precision, since events are put in order by it. Without a zone it is taken as UTC."""
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
