"""Attempts: submitted answers with the verdicts on them, and how their authors came to them."""

from collections.abc import Iterable, Iterator, Sequence

from engine.core.instance import Instance
from engine.core.verdict import SCORE_TOLERANCE, Verdict
from engine.store.base import now
from engine.store.drafts import Drafts
from engine.store.records import Actor, Asked, Attempt, AttemptRow, Edit, Progressed, Transcript

_ROWS = "SELECT f.*, a.answer FROM facts f JOIN attempts a ON a.id = f.attempt"
_SEARCHED_CHARS = 20_000
"""The beginning of each text is searched; some answers are megabytes of coordinates."""


class Attempts(Drafts):
    """The part of a project that holds attempts."""

    def add_attempt(
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
    ) -> int:
        """Stores a submitted answer (its text) and what was said of it; returns the attempt's number.

        A person's attempt takes over the edits of the instance's draft. `asked` tells what a model was asked;
        `tolerance` by how much the scores of default and cross-check may differ.
        """
        asked = asked or Asked()
        with self.write_transaction():
            self._remember(instance)
            first, last, edits = self._edits_of_draft(instance.address) if actor is Actor.PERSON else (None, None, 0)
            at = now()
            number = self._do(
                "INSERT INTO attempts (address, task, actor, actor_name, answer, submitted_at, seconds,"
                " first_edit, last_edit, edit_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(instance.address, instance.task, actor.value, actor_name, answer, at, seconds, first, last, edits),
            )
            facts = asked.model_dump(exclude={"reasoning"}) | {
                "attempt": number,
                "address": instance.address,
                "task": instance.task,
                "actor": actor.value,
                "who": actor_name,
                "submitted_at": at,
                "seconds": seconds,
                "edit_count": edits,
                "has_transcript": transcript is not None,
                "is_overridden": False,
            }
            self._connection.execute(
                f"INSERT INTO facts ({', '.join(facts)}) VALUES ({', '.join(f':{name}' for name in facts)})", facts
            )
            self._do(
                "INSERT INTO words (rowid, address, who, answer, reasoning, transcript) VALUES (?, ?, ?, ?, ?, ?)",
                *(number, instance.address, actor_name, answer[:_SEARCHED_CHARS]),
                *((asked.reasoning or "")[:_SEARCHED_CHARS], transcript.words[:_SEARCHED_CHARS] if transcript else ""),
            )
            if transcript is not None:
                self._do("INSERT INTO transcripts VALUES (?, ?, ?)", number, transcript.kind, transcript.record)
            self.add_verdicts(number, verdicts, tolerance)
        return number

    def add_verdicts(self, attempt: int, verdicts: Iterable[Verdict], tolerance: float = SCORE_TOLERANCE) -> None:
        """Stores more verdicts of an attempt; the newest of each verifier counts, older ones are kept."""
        with self.write_transaction():
            for verdict in verdicts:
                self._do(
                    "INSERT INTO verdicts (attempt, verifier, version, score, passed, verdict, at)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    *(attempt, verdict.verifier, verdict.version, verdict.score, verdict.passed),
                    *(verdict.model_dump_json(), now()),
                )
            self._tell_facts(attempt, tolerance)

    def verdicts(self, attempt: int) -> tuple[Verdict, ...]:
        """The newest verdict of each verifier, in the order in which they first came."""
        rows = self._all(
            "SELECT verdict FROM verdicts v WHERE attempt = ?1 AND id ="
            " (SELECT max(id) FROM verdicts WHERE attempt = ?1 AND verifier = v.verifier) ORDER BY"
            " (SELECT min(id) FROM verdicts WHERE attempt = ?1 AND verifier = v.verifier)",
            attempt,
        )
        return tuple(Verdict.model_validate_json(row["verdict"]) for row in rows)

    def verdict_history(self, attempt: int) -> list[tuple[str, Verdict]]:
        """All verdicts of an attempt with the time (UTC, ISO 8601) at which they were stored, the oldest first."""
        rows = self._all("SELECT at, verdict FROM verdicts WHERE attempt = ? ORDER BY id", attempt)
        return [(row["at"], Verdict.model_validate_json(row["verdict"])) for row in rows]

    def transcript(self, attempt: int) -> Transcript | None:
        """How an agent came to this attempt, step by step; None where nobody wrote it down."""
        row = self._one("SELECT kind, record FROM transcripts WHERE attempt = ?", attempt)
        return Transcript(kind=row["kind"], record=row["record"]) if row else None

    def transcripts(self, kind: str) -> Iterator[tuple[AttemptRow, Transcript]]:
        """All transcripts of a kind with their attempts, the oldest first."""
        for row in self._connection.execute(
            "SELECT f.*, t.kind, t.record FROM transcripts t JOIN facts f ON f.attempt = t.attempt"
            " WHERE t.kind = ? ORDER BY f.attempt",
            (kind,),
        ):
            yield AttemptRow.of(row), Transcript(kind=row["kind"], record=row["record"])

    def attempts(self, address: str | None = None, limit: int = 1000) -> list[AttemptRow]:
        """The newest attempts, of one instance or of all."""
        rows = self._all(
            "SELECT * FROM facts WHERE ?1 IS NULL OR address = ?1 ORDER BY attempt DESC LIMIT ?2", address, limit
        )
        return [AttemptRow.of(row) for row in rows]

    def attempt(self, number: int) -> Attempt:
        """One attempt with its answer and the newest verdict of each verifier.

        Raises:
            KeyError: there is none of that number.
        """
        row = self._one(f"{_ROWS} WHERE f.attempt = ?", number)
        if row is None:
            raise KeyError(number)
        return Attempt.of(row, answer=row["answer"], verdicts=self.verdicts(number))

    def edits_of_attempt(self, number: int) -> list[Edit]:
        """The edits that led to a person's attempt, in order."""
        row = self._one("SELECT address, first_edit, last_edit FROM attempts WHERE id = ?", number)
        if row is None or row["first_edit"] is None:
            return []
        return self.edits(row["address"], after=row["first_edit"], until=row["last_edit"])

    def progress(self) -> dict[str, Progressed]:
        """How far each task is, by the task's id."""
        solved: dict[str, set[str]] = {}
        best: dict[str, dict[str, float]] = {}
        drafts: dict[str, set[str]] = {}
        for row in self._all(
            "SELECT task, address, actor, max(score) AS score, max(passed) AS passed FROM facts"
            " WHERE score IS NOT NULL GROUP BY address, actor"
        ):
            if row["passed"] and row["actor"] in (Actor.PERSON, Actor.IMPORT):
                solved.setdefault(row["task"], set()).add(row["address"])
            scores = best.setdefault(row["task"], {})
            scores[row["actor"]] = max(row["score"], scores.get(row["actor"], 0.0))
        for row in self._all("SELECT i.task, d.address FROM drafts d JOIN instances i ON i.address = d.address"):
            drafts.setdefault(row["task"], set()).add(row["address"])
        return {
            task: Progressed(
                solved=frozenset(solved.get(task, ())),
                drafts=frozenset(drafts.get(task, ())),
                best_person=best.get(task, {}).get(Actor.PERSON),
                best_model=best.get(task, {}).get(Actor.MODEL),
            )
            for task in best.keys() | drafts.keys()
        }

    def _edits_of_draft(self, address: str) -> tuple[int | None, int | None, int]:
        draft = self._one("SELECT first_edit FROM drafts WHERE address = ?", address)
        if draft is None:
            return None, None, 0
        first = draft["first_edit"]
        count = self._one("SELECT count(*) AS n FROM edits WHERE address = ? AND id > ?", address, first)
        return first, self.last_edit(address), count["n"] if count else 0

    def _tell_facts(self, attempt: int, tolerance: float) -> None:
        """Brings what lists show of an attempt to its newest verdicts and its newest override."""
        verdicts = {verdict.verifier: verdict for verdict in self.verdicts(attempt)}
        default = verdicts.get("default")
        override = self._one(
            "SELECT score, passed FROM overrides WHERE attempt = ? AND withdrawn_at IS NULL ORDER BY id DESC", attempt
        )
        first = self._one(
            "SELECT score, passed FROM verdicts WHERE attempt = ? AND verifier = 'default' ORDER BY id", attempt
        )
        shown = override or (default and {"score": default.score, "passed": default.passed})
        self._do("DELETE FROM differences WHERE attempt = ?", attempt)
        differing = [] if default is None else differences(default, verdicts.values(), tolerance)
        for other, check in differing:
            assert default is not None
            self._do(
                "INSERT INTO differences VALUES (?, ?, ?, ?, ?, ?)",
                *(attempt, default.verifier, other.verifier, check, default.score, other.score),
            )
        self._do(
            "UPDATE facts SET score = ?, passed = ?, first_score = ?, first_passed = ?, is_overridden = ?,"
            " disagrees = ? WHERE attempt = ?",
            *((shown["score"], shown["passed"]) if shown else (None, None)),
            *((first["score"], first["passed"]) if first else (None, None)),
            *(override is not None, bool(differing), attempt),
        )


def differences(default: Verdict, others: Iterable[Verdict], tolerance: float) -> Sequence[tuple[Verdict, str]]:
    """The verdicts that disagree with the default's, each with the name of the first check that differs.

    `tolerance` holds for the cross-check, SCORE_TOLERANCE for verifiers with other rules.
    """
    return [
        (other, _differing_check(default, other))
        for other in others
        if default.disagrees_with(other, tolerance if other.verifier == "crosscheck" else SCORE_TOLERANCE)
    ]


def _differing_check(one: Verdict, other: Verdict) -> str:
    states = {check.name: check.state for check in other.checks}
    for check in one.checks:
        if check.name in states and states[check.name] is not check.state:
            return check.name
    unknown = [check.name for check in one.checks if check.name not in states and check.state.value == "failed"]
    return unknown[0] if unknown else "score"
