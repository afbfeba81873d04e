"""Judgements in addition to verdicts: overridden scores, rulings on verifiers that disagree, failure modes."""

from collections.abc import Iterable, Sequence
from typing import Any

from spatial_workbench.engine.core.verdict import SCORE_TOLERANCE
from spatial_workbench.engine.store.base import Database, ProjectPart, now
from spatial_workbench.engine.store.facts import Facts
from spatial_workbench.engine.store.records import Difference, FailureLabel, Override, Ruling


class Judgements(ProjectPart):
    """The judgements of a project. None is ever replaced: the newest counts, the others are kept."""

    def __init__(self, database: Database, facts: Facts) -> None:
        super().__init__(database)
        self._facts = facts

    def override_score(
        self, attempt: int, score: float, passed: bool, reason: str, person: str, tolerance: float = SCORE_TOLERANCE
    ) -> None:
        """Lets a person's score count instead of the verifier's, which is kept.

        Raises:
            ValueError: The score is outside [0, 1], or no reason is given.
        """
        _require(0 <= score <= 1, "A score lies between 0 and 1.")
        _require(bool(reason.strip()), "An overridden score needs a reason.")
        with self._database.write_transaction():
            self._execute(
                "INSERT INTO overrides (attempt, score, passed, reason, person, at) VALUES (?, ?, ?, ?, ?, ?)",
                attempt,
                score,
                passed,
                reason.strip(),
                person,
                now(),
            )
            self._facts.update(attempt, tolerance)

    def withdraw_override(self, attempt: int, tolerance: float = SCORE_TOLERANCE) -> None:
        """Lets the verifier's score count again; the override stays on record."""
        with self._database.write_transaction():
            self._execute(
                "UPDATE overrides SET withdrawn_at = ? WHERE attempt = ? AND withdrawn_at IS NULL", now(), attempt
            )
            self._facts.update(attempt, tolerance)

    def overrides(self, attempt: int | None = None) -> list[Override]:
        """The overrides of an attempt, or of all; the newest of an attempt counts, unless it was withdrawn."""
        rows = self._rows("SELECT * FROM overrides WHERE ?1 IS NULL OR attempt = ?1 ORDER BY id", attempt)
        return [Override.model_validate(_fields(row, Override)) for row in rows]

    def rule(self, attempt: int, first: str, second: str, ruling: str, note: str, person: str) -> None:
        """Stores which of two verifiers that disagree is right: its name, "both" or "neither".

        Raises:
            ValueError: The ruling is none of these.
        """
        _require(ruling in (first, second, "both", "neither"), f"“{ruling}” is not a ruling on {first} and {second}.")
        with self._database.write_transaction():
            self._execute(
                "INSERT INTO rulings (attempt, first, second, ruling, note, person, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                attempt,
                first,
                second,
                ruling,
                note.strip(),
                person,
                now(),
            )

    def rule_alike(self, differences: Iterable[Difference], ruling: str, note: str, person: str) -> None:
        """Stores the same ruling on several differences; either all of them are stored or none."""
        with self._database.write_transaction():
            for difference in differences:
                self.rule(difference.attempt, difference.first, difference.second, ruling, note, person)

    def differing_verifiers(self, attempts: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """The verifiers whose verdict on an attempt differs from the default's, by attempt."""
        verifiers: dict[int, tuple[str, ...]] = {}
        for begin in range(0, len(attempts), 500):
            part = attempts[begin : begin + 500]
            marks = ", ".join("?" * len(part))
            sql = f"SELECT attempt, second FROM differences WHERE attempt IN ({marks}) ORDER BY second"
            for row in self._rows(sql, *part):
                verifiers[row["attempt"]] = (*verifiers.get(row["attempt"], ()), row["second"])
        return verifiers

    def rulings(self, attempt: int | None = None) -> list[Ruling]:
        """The rulings on an attempt, or on all; the newest on a pair of verifiers counts."""
        rows = self._rows("SELECT * FROM rulings WHERE ?1 IS NULL OR attempt = ?1 ORDER BY id", attempt)
        return [Ruling.model_validate(_fields(row, Ruling)) for row in rows]

    def differences(self) -> list[Difference]:
        """All pairs of verifiers that disagree about an attempt, with the newest ruling, by task and check."""
        rows = self._rows(
            "SELECT d.*, f.address, f.task, f.who, r.ruling, r.note FROM differences d"
            " JOIN facts f ON f.attempt = d.attempt"
            " LEFT JOIN rulings r ON r.id = (SELECT max(id) FROM rulings WHERE attempt = d.attempt"
            " AND first = d.first AND second = d.second)"
            " ORDER BY f.task, d.second, d.by_check, d.attempt"
        )
        return [Difference.model_validate(_fields(row, Difference)) for row in rows]

    def add_label(self, attempt: int, status: str, label: str | None, record: str) -> None:
        """Stores the failure mode that a judge gave an attempt; `record` is the decision as JSON."""
        with self._database.write_transaction():
            self._execute(
                "INSERT INTO labels (attempt, status, label, record, at) VALUES (?, ?, ?, ?, ?)",
                attempt,
                status,
                label,
                record,
                now(),
            )
            self._execute("UPDATE facts SET label = ? WHERE attempt = ?", label, attempt)

    def labels(self, attempt: int | None = None) -> list[FailureLabel]:
        """The failure modes that judges gave an attempt, or all attempts; the newest of an attempt counts."""
        rows = self._rows("SELECT * FROM labels WHERE ?1 IS NULL OR attempt = ?1 ORDER BY id", attempt)
        return [FailureLabel.model_validate(_fields(row, FailureLabel)) for row in rows]


def _fields(row: Any, kind: type[Any]) -> dict[str, Any]:
    return {name: row[name] for name in kind.model_fields}


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise ValueError(sentence)
