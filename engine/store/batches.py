"""Batches: which models are asked what, and how far they have got."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from spatial_workbench.engine.store.base import ProjectPart, now
from spatial_workbench.engine.store.records import BatchRow, BatchState, ItemState, MissingRecord


class Batches(ProjectPart):
    """The batches of a project. Their items are in `Items`."""

    def add(
        self,
        name: str,
        plan: str,
        items: Iterable[tuple[int, str, str, int, str | None]],
        number: int | None = None,
    ) -> int:
        """Stores a batch that is yet to begin; returns its number: the given one, which must be free, or the next.

        `plan` is its plan as JSON. Each item is (position of the model, address, task, repeat, answer group). Items of
        the same model, repeat and group share an answer; the first of them is asked.
        """
        leads: dict[tuple[int, int, str], int] = {}
        with self._database.write_transaction():
            batch = self._execute(
                "INSERT INTO batches (id, name, plan, state, note, created_at) VALUES (?, ?, ?, ?, '', ?)",
                number,
                name,
                plan,
                BatchState.RUNNING.value,
                now(),
            )
            for model, address, task, repeat, group in items:
                key = (model, repeat, f"{task} {group}")
                item = self._execute(
                    "INSERT INTO items (batch, model, address, task, repeat, lead, state) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    batch,
                    model,
                    address,
                    task,
                    repeat,
                    leads.get(key) if group else None,
                    ItemState.WAITING.value,
                )
                leads.setdefault(key, item)
        return batch

    def all(self) -> list[BatchRow]:
        """All batches, the newest first."""
        return [self._batch_row(row) for row in self._rows("SELECT * FROM batches ORDER BY id DESC")]

    def get(self, number: int) -> BatchRow:
        """One batch.

        Raises:
            MissingRecord: There is none of that number.
        """
        row = self._row("SELECT * FROM batches WHERE id = ?", number)
        if row is None:
            raise MissingRecord(f"Batch {number}")
        return self._batch_row(row)

    def plan(self, number: int) -> str:
        """A batch's plan as JSON. Raises MissingRecord as `get` does."""
        row = self._row("SELECT plan FROM batches WHERE id = ?", number)
        if row is None:
            raise MissingRecord(f"Batch {number}")
        return str(row["plan"])

    def set_state(self, number: int, state: BatchState, note: str = "") -> None:
        """Sets the state that a batch should have, which its process reads regularly. `note` says why it stopped."""
        with self._database.write_transaction():
            self._execute("UPDATE batches SET state = ?, note = ? WHERE id = ?", state.value, note, number)

    def stop(self, number: int, state: BatchState) -> None:
        """Asks a batch to pause or to be cancelled. A batch that has finished or was cancelled is not changed."""
        with self._database.write_transaction():
            self._execute(
                "UPDATE batches SET state = ?, note = '' WHERE id = ? AND state IN ('running', 'paused')",
                state.value,
                number,
            )

    def beat(self, number: int, spending: str | None = None) -> BatchState:
        """Records that the batch's process is alive, and returns the state that the batch should have.

        spending: What it has spent so far, as JSON.
        """
        with self._database.write_transaction():
            self._execute("UPDATE batches SET beat_at = ?, spending = ? WHERE id = ?", now(), spending, number)
        return self.wanted_state(number)

    def wanted_state(self, number: int) -> BatchState:
        """The state that a batch should have; `CANCELLED` if it no longer exists."""
        row = self._row("SELECT state FROM batches WHERE id = ?", number)
        return BatchState(row["state"]) if row else BatchState.CANCELLED

    def agents(self) -> dict[int, str]:
        """The kind of agent that each batch's plan names; batches without an agent are left out."""
        rows = self._rows("SELECT id, json_extract(plan, '$.agent.kind') AS kind FROM batches WHERE json_valid(plan)")
        return {row["id"]: str(row["kind"]) for row in rows if row["kind"]}

    def agent_conditions(self) -> dict[int, str]:
        """The condition that each batch's plan gives its agent; batches that name none are left out."""
        rows = self._rows(
            "SELECT id, json_extract(plan, '$.agent.options.condition') AS condition FROM batches"
            " WHERE json_valid(plan)"
        )
        return {row["id"]: str(row["condition"]) for row in rows if row["condition"]}

    def given_answers(self) -> Iterator[tuple[int, int, str, str]]:
        """The last answer to every question that was asked: (batch, position of the model, address, text)."""
        rows = self._database.sqlite.execute(
            "SELECT i.batch, i.model, i.address, r.text FROM items i JOIN replies r ON r.item = i.id"
            " WHERE r.number = (SELECT max(number) FROM replies WHERE item = i.id)"
        )
        for row in rows:
            yield tuple(row)

    def scores(self, batch: int) -> Mapping[int, float]:
        """The scores of the batch's finished items, by their numbers."""
        rows = self._rows(
            "SELECT i.id AS item, f.score FROM items i JOIN facts f ON f.attempt = i.attempt"
            " WHERE i.batch = ? AND f.score IS NOT NULL",
            batch,
        )
        return {row["item"]: row["score"] for row in rows}

    def mean_output_tokens(self) -> dict[tuple[str, str], float]:
        """The mean number of output tokens of the models' answers, by name and task."""
        rows = self._rows(
            "SELECT who, task, avg(output_tokens) AS mean FROM facts WHERE output_tokens > 0 GROUP BY who, task"
        )
        return {(row["who"], row["task"]): row["mean"] for row in rows}

    def _batch_row(self, row: Any) -> BatchRow:
        counted = self._rows("SELECT state, count(*) AS n FROM items WHERE batch = ? GROUP BY state", row["id"])
        spent = self._row(
            "SELECT count(*) AS n, total(t.output_tokens) AS tokens, total(t.cost_usd) AS cost,"
            " total(t.cost_usd IS NULL AND t.output_tokens IS NOT NULL) AS unpriced FROM tries t"
            " JOIN items i ON i.id = t.item WHERE i.batch = ?",
            row["id"],
        )
        assert spent is not None
        return BatchRow(
            number=row["id"],
            name=row["name"],
            state=row["state"],
            note=row["note"] or "",
            created_at=row["created_at"],
            beat_at=row["beat_at"],
            counts={ItemState(count["state"]): count["n"] for count in counted},
            tokens=int(spent["tokens"]),
            cost_usd=spent["cost"],
            tries=spent["n"],
            unpriced=int(spent["unpriced"]),
            spending=row["spending"],
        )
