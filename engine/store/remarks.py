"""Remarks: notes and labels of one's own on attempts, with who made them and when."""

from collections.abc import Iterable, Sequence

from spatial_workbench.engine.store.base import ProjectPart, now
from spatial_workbench.engine.store.records import Remark, RemarkKind

MAX_REMARK = 2_000
"""Characters of a note."""
MAX_TAG = 60
"""Characters of a label."""


class Remarks(ProjectPart):
    """The remarks of a project. What is withdrawn stays on record, and can be restored."""

    def add(self, attempts: Iterable[int], kind: RemarkKind, text: str, person: str) -> list[int]:
        """Adds a note or a label to attempts; a label that an attempt has is not added again.

        Returns:
            The numbers of the new remarks.

        Raises:
            ValueError: The text is empty or too long.
        """
        text = _checked(kind, text)
        numbers = []
        with self._database.write_transaction():
            for attempt in attempts:
                if kind is RemarkKind.TAG and text in self._standing(attempt, kind):
                    continue
                numbers.append(
                    self._execute(
                        "INSERT INTO remarks (attempt, kind, text, person, at) VALUES (?, ?, ?, ?, ?)",
                        attempt,
                        kind.value,
                        text,
                        person,
                        now(),
                    )
                )
                self._update_facts(attempt)
        return numbers

    def withdraw(self, numbers: Sequence[int]) -> None:
        """Takes remarks back."""
        self._set_withdrawn(numbers, now())

    def restore(self, numbers: Sequence[int]) -> None:
        """Lets remarks that were withdrawn stand again, with who made them and when."""
        self._set_withdrawn(numbers, None)

    def standing(self, attempts: Iterable[int], kind: RemarkKind, text: str) -> list[int]:
        """The numbers of the remarks of these words on some attempts."""
        return [
            row["id"]
            for attempt in attempts
            for row in self._rows(
                "SELECT id FROM remarks WHERE attempt = ? AND kind = ? AND text = ? AND withdrawn_at IS NULL",
                attempt,
                kind.value,
                text,
            )
        ]

    def of_attempt(self, attempt: int) -> list[Remark]:
        """All remarks on an attempt, the oldest first, those that were withdrawn, too."""
        rows = self._rows("SELECT *, id AS number FROM remarks WHERE attempt = ? ORDER BY id", attempt)
        return [Remark.model_validate({name: row[name] for name in Remark.model_fields}) for row in rows]

    def restore_remark(self, attempt: int, kind: str, text: str, person: str, at: str, withdrawn: str | None) -> None:
        """Stores a remark of another project as it was."""
        with self._database.write_transaction():
            self._execute(
                "INSERT INTO remarks (attempt, kind, text, person, at, withdrawn_at) VALUES (?, ?, ?, ?, ?, ?)",
                attempt,
                kind,
                text,
                person,
                at,
                withdrawn,
            )
            self._update_facts(attempt)

    def _set_withdrawn(self, numbers: Sequence[int], at: str | None) -> None:
        with self._database.write_transaction():
            for number in numbers:
                self._execute("UPDATE remarks SET withdrawn_at = ? WHERE id = ?", at, number)
                row = self._row("SELECT attempt FROM remarks WHERE id = ?", number)
                if row is not None:
                    self._update_facts(row["attempt"])

    def _standing(self, attempt: int, kind: RemarkKind) -> list[str]:
        rows = self._rows(
            "SELECT text FROM remarks WHERE attempt = ? AND kind = ? AND withdrawn_at IS NULL ORDER BY id",
            attempt,
            kind.value,
        )
        return [row["text"] for row in rows]

    def _update_facts(self, attempt: int) -> None:
        """Updates what lists show: the labels in alphabetical order, and the newest note."""
        tags = sorted(self._standing(attempt, RemarkKind.TAG), key=str.casefold)
        notes = self._standing(attempt, RemarkKind.NOTE)
        self._execute(
            "UPDATE facts SET tags = ?, note = ? WHERE attempt = ?",
            ", ".join(tags) or None,
            notes[-1] if notes else None,
            attempt,
        )


def _checked(kind: RemarkKind, text: str) -> str:
    text = text.strip()
    if kind is RemarkKind.TAG:
        text = " ".join(text.replace(",", " ").split())
    most = MAX_TAG if kind is RemarkKind.TAG else MAX_REMARK
    if not text:
        raise ValueError("A note or a label needs words.")
    if len(text) > most:
        raise ValueError(f"A {'label' if kind is RemarkKind.TAG else 'note'} has at most {most:,} characters.")
    return text
