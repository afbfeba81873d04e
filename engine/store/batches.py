"""Batches: what is asked of which model, how far each question is, every try, and what came of it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.store.attempts import Attempts
from engine.store.base import now
from engine.store.records import BatchRow, BatchState, Item, ItemLine, ItemState, MissingRecord, StoredTry

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
        """Stores a batch, to be begun; returns its number: the given one, which has to be free, or the next.

        `plan` is its plan as JSON. Each item is (position of the model, address, task, repeat, answer group): items of
        one model and repeat that name the same group share an answer, and the first of them is asked.
        """
        leads: dict[tuple[int, int, str], int] = {}
        with self.write_transaction():
            batch = self._do(
                "INSERT INTO batches (id, name, plan, state, note, created_at) VALUES (?, ?, ?, ?, '', ?)",
                *(number, name, plan, BatchState.RUNNING.value, now()),
            )
            for model, address, task, repeat, group in items:
                key = (model, repeat, f"{task} {group}")
                item = self._do(
                    "INSERT INTO items (batch, model, address, task, repeat, lead, state) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    *(batch, model, address, task, repeat, leads.get(key) if group else None, ItemState.WAITING.value),
                )
                leads.setdefault(key, item)
        return batch

    def batches(self) -> list[BatchRow]:
        """All batches, the newest first."""
        return [self._batch_row(row) for row in self._all("SELECT * FROM batches ORDER BY id DESC")]

    def batch(self, number: int) -> BatchRow:
        """One batch.

        Raises:
            MissingRecord: there is none of that number.
        """
        row = self._one("SELECT * FROM batches WHERE id = ?", number)
        if row is None:
            raise MissingRecord(f"Batch {number}")
        return self._batch_row(row)

    def batch_plan(self, number: int) -> str:
        """A batch's plan as JSON. Raises MissingRecord as `batch`."""
        row = self._one("SELECT plan FROM batches WHERE id = ?", number)
        if row is None:
            raise MissingRecord(f"Batch {number}")
        return str(row["plan"])

    def set_batch_state(self, number: int, state: BatchState, note: str = "") -> None:
        """Says what is wanted of a batch; its process looks now and then. `note` tells why it stopped."""
        with self.write_transaction():
            self._do("UPDATE batches SET state = ?, note = ? WHERE id = ?", state.value, note, number)

    def stop_batch(self, number: int, state: BatchState) -> None:
        """Asks a batch to pause or to be cancelled; one that has come to its end, or was cancelled, stays as it is."""
        with self.write_transaction():
            self._do(
                "UPDATE batches SET state = ?, note = '' WHERE id = ? AND state IN ('running', 'paused')",
                *(state.value, number),
            )

    def beat(self, number: int) -> BatchState:
        """Says that the batch's process is alive, and gives what is wanted of it."""
        with self.write_transaction():
            self._do("UPDATE batches SET beat_at = ? WHERE id = ?", now(), number)
        return self.wanted_state(number)

    def wanted_state(self, number: int) -> BatchState:
        """What is wanted of a batch; one that is gone is cancelled."""
        row = self._one("SELECT state FROM batches WHERE id = ?", number)
        return BatchState(row["state"]) if row else BatchState.CANCELLED

    def items(self, batch: int, states: Sequence[ItemState] = tuple(ItemState)) -> list[Item]:
        """The items of a batch that are in one of the states, in order."""
        marks = ", ".join("?" * len(states))
        rows = self._all(f"{_ITEM} WHERE batch = ? AND state IN ({marks}) ORDER BY id", batch, *states)
        return [Item.model_validate(dict(row)) for row in rows]

    def item_lines(self, batch: int, states: Sequence[ItemState] = tuple(ItemState)) -> list[ItemLine]:
        """What a list shows of the items of a batch that are in one of the states, in order."""
        marks = ", ".join("?" * len(states))
        rows = self._all(
            "SELECT i.id AS number, i.model, i.address, i.repeat, i.state, i.error, i.message, i.attempt, f.score"
            " FROM items i"
            f" LEFT JOIN facts f ON f.attempt = i.attempt WHERE i.batch = ? AND i.state IN ({marks}) ORDER BY i.id",
            *(batch, *states),
        )
        return [ItemLine.of(row) for row in rows]

    def item(self, number: int) -> Item:
        """One item.

        Raises:
            KeyError: there is none of that number.
        """
        row = self._one(f"{_ITEM} WHERE id = ?", number)
        if row is None:
            raise KeyError(number)
        return Item.model_validate(dict(row))

    def recover(self, batch: int, asked: Sequence[int]) -> int:
        """After a process ended unexpectedly: what was in flight is to be asked again; says how many those were.

        asked: positions of the models for which each gets a row among the tries, so that what was perhaps paid for is
            not forgotten.
        """
        with self.write_transaction():
            lost = self._all("SELECT id, model FROM items WHERE batch = ? AND state = 'asking' AND lead IS NULL", batch)
            for row in lost:
                if row["model"] in asked:
                    self.add_try(row["id"], _LOST, error="lost")
            self._do("UPDATE items SET state = 'waiting' WHERE batch = ? AND state = 'asking'", batch)
        return len(lost)

    def begin_asking(self, lead: int) -> None:
        """An item, and all that share its answer, is being asked from now on."""
        with self.write_transaction():
            self._move(lead, ItemState.ASKING)

    def put_back(self, lead: int) -> None:
        """An item is to be asked another time: nothing came of this one because somebody stopped it."""
        with self.write_transaction():
            self._do(f"UPDATE items SET state = 'waiting' WHERE {_SHARING} AND state = 'asking'", lead, lead)

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
            self._do(
                "INSERT INTO tries (item, started_at, seconds, error, output_tokens, cost_usd, record)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                *(item, started_at or now(), seconds, error, output_tokens, cost_usd, record),
            )

    def tries(self, item: int) -> list[StoredTry]:
        """All requests that were made for an item, in order."""
        rows = self._all("SELECT * FROM tries WHERE item = ? ORDER BY id", item)
        return [StoredTry.model_validate({key: row[key] for key in StoredTry.model_fields}) for row in rows]

    def add_reply(
        self, item: int, number: int, prompt: str, text: str, reasoning: str | None, record: str, is_last: bool = True
    ) -> None:
        """Stores what a model said, once; with `is_last` the item, and all that share its answer, is answered."""
        with self.write_transaction():
            self._do(
                "INSERT OR IGNORE INTO replies (item, number, prompt, text, reasoning, record)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                *(item, number, self._prompt_number(prompt), text, reasoning, record),
            )
            if is_last:
                self._move(item, ItemState.ANSWERED)
                self._do(f"UPDATE items SET is_answered = 1 WHERE {_SHARING}", item, item)

    def finish_item(self, item: int, attempt: int) -> bool:
        """An item is done; False, and nothing changes, where it was before. For use inside a transaction."""
        with self.write_transaction():
            sql = "UPDATE items SET state = 'done', attempt = ?, error = NULL, message = NULL WHERE id = ?"
            return self._connection.execute(f"{sql} AND state != 'done'", (attempt, item)).rowcount == 1

    def is_done(self, item: int) -> bool:
        """Whether an attempt is stored for this item."""
        return self._one("SELECT 1 FROM items WHERE id = ? AND state = 'done'", item) is not None

    def fail_items(self, lead: int, state: ItemState, error: str, message: str) -> None:
        """Nothing comes of an item and of those that share its answer; says why."""
        with self.write_transaction():
            self._do(
                f"UPDATE items SET state = ?, error = ?, message = ? WHERE {_SHARING} AND state != 'done'",
                *(state.value, error, message, lead, lead),
            )

    def retry_failed(self, batch: int) -> int:
        """Lets a batch run once more for its failed items; what was answered is not asked anew. Says how many."""
        with self.write_transaction():
            self._do("UPDATE batches SET state = 'running', note = '' WHERE id = ?", batch)
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
        rows = self._all(
            "SELECT i.id AS item, f.score FROM items i JOIN facts f ON f.attempt = i.attempt"
            " WHERE i.batch = ? AND f.score IS NOT NULL",
            batch,
        )
        return {row["item"]: row["score"] for row in rows}

    def mean_output_tokens(self) -> dict[tuple[str, str], float]:
        """How many tokens the models' answers took on average, by name and task."""
        rows = self._all(
            "SELECT who, task, avg(output_tokens) AS mean FROM facts WHERE output_tokens > 0 GROUP BY who, task"
        )
        return {(row["who"], row["task"]): row["mean"] for row in rows}

    def _move(self, lead: int, state: ItemState) -> None:
        self._do(f"UPDATE items SET state = ? WHERE {_SHARING} AND state != 'done'", state.value, lead, lead)

    def _prompt_number(self, text: str) -> int | None:
        if not text:
            return None
        digest = hashlib.sha256(text.encode()).hexdigest()
        row = self._one("SELECT id FROM prompts WHERE digest = ?", digest)
        if row is not None:
            return int(row["id"])
        number = self._do("INSERT INTO prompts (digest, text) VALUES (?, ?)", digest, text)
        self._do("INSERT INTO prompt_words (rowid, text) VALUES (?, ?)", number, text)
        return number

    def _batch_row(self, row: Any) -> BatchRow:
        counted = self._all("SELECT state, count(*) AS n FROM items WHERE batch = ? GROUP BY state", row["id"])
        spent = self._one(
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
            counts={ItemState(found["state"]): found["n"] for found in counted},
            tokens=int(spent["tokens"]),
            cost_usd=spent["cost"],
            tries=spent["n"],
        )
