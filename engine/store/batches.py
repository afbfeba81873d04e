"""Batches: which model is asked what, how far each question has got, every try, and the result."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spatial_workbench.engine.store.attempts import Attempts
from spatial_workbench.engine.store.base import now
from spatial_workbench.engine.store.records import (
    BatchItem,
    BatchRow,
    BatchState,
    ItemLine,
    ItemState,
    MissingRecord,
    StoredTry,
)

_ITEM = (
    "SELECT id AS number, batch, model, address, task, repeat, coalesce(lead, id) AS lead, state, error, message,"
    " is_answered, attempt FROM items"
)
_SHARING = "(id = ? OR lead = ?)"
_LOST = '{"message": "The program ended; a request may have been in flight."}'


class Batches(Attempts):
    """The part of a project that holds batches."""

    def add_batch(
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
        with self.write_transaction():
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

    def batches(self) -> list[BatchRow]:
        """All batches, the newest first."""
        return [self._batch_row(row) for row in self._rows("SELECT * FROM batches ORDER BY id DESC")]

    def batch(self, number: int) -> BatchRow:
        """One batch.

        Raises:
            MissingRecord: There is none of that number.
        """
        row = self._row("SELECT * FROM batches WHERE id = ?", number)
        if row is None:
            raise MissingRecord(f"Batch {number}")
        return self._batch_row(row)

    def batch_plan(self, number: int) -> str:
        """A batch's plan as JSON. Raises MissingRecord as `batch`."""
        row = self._row("SELECT plan FROM batches WHERE id = ?", number)
        if row is None:
            raise MissingRecord(f"Batch {number}")
        return str(row["plan"])

    def set_batch_state(self, number: int, state: BatchState, note: str = "") -> None:
        """Sets the state that a batch should have; its process checks regularly. `note` says why it stopped."""
        with self.write_transaction():
            self._execute("UPDATE batches SET state = ?, note = ? WHERE id = ?", state.value, note, number)

    def stop_batch(self, number: int, state: BatchState) -> None:
        """Asks a batch to pause or to be cancelled. A batch that has finished or was cancelled is not changed."""
        with self.write_transaction():
            self._execute(
                "UPDATE batches SET state = ?, note = '' WHERE id = ? AND state IN ('running', 'paused')",
                state.value,
                number,
            )

    def beat(self, number: int) -> BatchState:
        """Records that the batch's process is alive, and returns the state that the batch should have."""
        with self.write_transaction():
            self._execute("UPDATE batches SET beat_at = ? WHERE id = ?", now(), number)
        return self.wanted_state(number)

    def wanted_state(self, number: int) -> BatchState:
        """The state that a batch should have; `CANCELLED` if it no longer exists."""
        row = self._row("SELECT state FROM batches WHERE id = ?", number)
        return BatchState(row["state"]) if row else BatchState.CANCELLED

    def items(self, batch: int, states: Sequence[ItemState] = tuple(ItemState)) -> list[BatchItem]:
        """The items of a batch that are in one of the states, in order."""
        marks = ", ".join("?" * len(states))
        rows = self._rows(f"{_ITEM} WHERE batch = ? AND state IN ({marks}) ORDER BY id", batch, *states)
        return [BatchItem.model_validate(dict(row)) for row in rows]

    def agents_of_batches(self) -> dict[int, str]:
        """The kind of agent that each batch's plan names; batches without an agent are left out."""
        rows = self._rows("SELECT id, json_extract(plan, '$.agent.kind') AS kind FROM batches WHERE json_valid(plan)")
        return {row["id"]: str(row["kind"]) for row in rows if row["kind"]}

    def item_lines(self, batch: int, states: Sequence[ItemState] = tuple(ItemState)) -> list[ItemLine]:
        """What a list shows of the items of a batch that are in one of the states, in order."""
        marks = ", ".join("?" * len(states))
        rows = self._rows(
            "SELECT i.id AS number, i.model, i.address, i.repeat, i.state, i.error, i.message, i.attempt, f.score,"
            " f.measured"
            " FROM items i"
            f" LEFT JOIN facts f ON f.attempt = i.attempt WHERE i.batch = ? AND i.state IN ({marks}) ORDER BY i.id",
            batch,
            *states,
        )
        return [ItemLine.of(row) for row in rows]

    def item(self, number: int) -> BatchItem:
        """One item.

        Raises:
            KeyError: There is none of that number.
        """
        row = self._row(f"{_ITEM} WHERE id = ?", number)
        if row is None:
            raise KeyError(number)
        return BatchItem.model_validate(dict(row))

    def recover(self, batch: int, asked: Sequence[int]) -> int:
        """Cleans up after a process that ended unexpectedly; returns how many questions were in flight.

        They will be asked again.

        asked: Positions of the models for which every lost question is recorded as a try, since it may have cost money.
        """
        with self.write_transaction():
            lost = self._rows(
                "SELECT id, model FROM items WHERE batch = ? AND state = 'asking' AND lead IS NULL", batch
            )
            for row in lost:
                if row["model"] in asked:
                    self.add_try(row["id"], _LOST, error="lost")
            self._execute("UPDATE items SET state = 'waiting' WHERE batch = ? AND state = 'asking'", batch)
            self._execute("UPDATE items SET message = NULL WHERE batch = ? AND state = 'answered'", batch)
        return len(lost)

    def note_item(self, lead: int, message: str) -> None:
        """Says what is happening to an item, and to those that share its answer, until they end."""
        with self.write_transaction():
            self._execute(f"UPDATE items SET message = ? WHERE {_SHARING} AND state = 'answered'", message, lead, lead)

    def begin_asking(self, lead: int) -> None:
        """Marks an item, and all that share its answer, as being asked."""
        with self.write_transaction():
            self._move(lead, ItemState.ASKING)

    def put_back(self, lead: int) -> None:
        """Marks an item as waiting again, because it was stopped before it was answered."""
        with self.write_transaction():
            self._execute(f"UPDATE items SET state = 'waiting' WHERE {_SHARING} AND state = 'asking'", lead, lead)

    def add_try(
        self,
        item: int,
        record: str,
        started_at: str | None = None,
        seconds: float | None = None,
        error: str | None = None,
        output_tokens: int | None = None,
        cost_usd: float | None = None,
    ) -> None:
        """Stores one request and how it ended."""
        with self.write_transaction():
            self._execute(
                "INSERT INTO tries (item, started_at, seconds, error, output_tokens, cost_usd, record)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                item,
                started_at or now(),
                seconds,
                error,
                output_tokens,
                cost_usd,
                record,
            )

    def tries(self, item: int) -> list[StoredTry]:
        """All requests that were made for an item, in order."""
        rows = self._rows("SELECT * FROM tries WHERE item = ? ORDER BY id", item)
        return [StoredTry.model_validate({key: row[key] for key in StoredTry.model_fields}) for row in rows]

    def add_reply(
        self, item: int, number: int, prompt: str, text: str, reasoning: str | None, record: str, is_last: bool = True
    ) -> None:
        """Stores a model's reply, once. With `is_last`, the item and all that share its answer become answered."""
        with self.write_transaction():
            self._execute(
                "INSERT OR IGNORE INTO replies (item, number, prompt, text, reasoning, record)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                item,
                number,
                self._prompt_number(prompt),
                text,
                reasoning,
                record,
            )
            if is_last:
                self._move(item, ItemState.ANSWERED)
                self._execute(f"UPDATE items SET is_answered = 1 WHERE {_SHARING}", item, item)

    def finish_item(self, item: int, attempt: int) -> bool:
        """Marks an item as done; returns False and changes nothing if it was done already."""
        with self.write_transaction():
            sql = "UPDATE items SET state = 'done', attempt = ?, error = NULL, message = NULL WHERE id = ?"
            return self._connection.execute(f"{sql} AND state != 'done'", (attempt, item)).rowcount == 1

    def is_done(self, item: int) -> bool:
        """Whether an attempt is stored for this item."""
        return self._row("SELECT 1 FROM items WHERE id = ? AND state = 'done'", item) is not None

    def fail_items(self, lead: int, state: ItemState, error: str, message: str) -> None:
        """Ends an item, and those that share its answer, without an attempt; stores why."""
        with self.write_transaction():
            self._execute(
                f"UPDATE items SET state = ?, error = ?, message = ? WHERE {_SHARING} AND state != 'done'",
                state.value,
                error,
                message,
                lead,
                lead,
            )

    def retry_failed(self, batch: int) -> int:
        """Lets a batch run again for its failed items and returns how many. Nothing answered is asked again."""
        with self.write_transaction():
            self._execute("UPDATE batches SET state = 'running', note = '' WHERE id = ?", batch)
            return self._connection.execute(
                "UPDATE items SET state = CASE WHEN is_answered THEN 'answered' ELSE 'waiting' END, error = NULL,"
                " message = NULL WHERE batch = ? AND state IN ('error', 'crashed')",
                (batch,),
            ).rowcount

    def given_answers(self) -> Iterator[tuple[int, int, str, str]]:
        """The last answer to every question that was asked: (batch, position of the model, address, text)."""
        rows = self._connection.execute(
            "SELECT i.batch, i.model, i.address, r.text FROM items i JOIN replies r ON r.item = i.id"
            " WHERE r.number = (SELECT max(number) FROM replies WHERE item = i.id)"
        )
        for row in rows:
            yield tuple(row)

    def scores_of(self, batch: int) -> Mapping[int, float]:
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

    def _move(self, lead: int, state: ItemState) -> None:
        self._execute(f"UPDATE items SET state = ? WHERE {_SHARING} AND state != 'done'", state.value, lead, lead)

    def _prompt_number(self, text: str) -> int | None:
        if not text:
            return None
        digest = hashlib.sha256(text.encode()).hexdigest()
        row = self._row("SELECT id FROM prompts WHERE digest = ?", digest)
        if row is not None:
            return int(row["id"])
        number = self._execute("INSERT INTO prompts (digest, text) VALUES (?, ?)", digest, text)
        self._execute("INSERT INTO prompt_words (rowid, text) VALUES (?, ?)", number, text)
        return number

    def _batch_row(self, row: Any) -> BatchRow:
        counted = self._rows("SELECT state, count(*) AS n FROM items WHERE batch = ? GROUP BY state", row["id"])
        spent = self._row(
            "SELECT count(*) AS n, total(t.output_tokens) AS tokens, total(t.cost_usd) AS cost FROM tries t"
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
        )
