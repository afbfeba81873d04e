"""The items of batches: how far each question has got, every try, every reply, and the number of its attempt."""

import hashlib
from collections.abc import Sequence

from spatial_workbench.engine.store.base import ProjectPart, now
from spatial_workbench.engine.store.records import BatchItem, ItemLine, ItemState, StoredTry

_ITEM = (
    "SELECT id AS number, batch, model, address, task, repeat, coalesce(lead, id) AS lead, state, error, message,"
    " is_answered, attempt FROM items"
)
_SHARING = "(id = ? OR lead = ?)"
_LOST = '{"message": "The program ended; a request may have been in flight."}'


class Items(ProjectPart):
    """The items of a project's batches."""

    def of_batch(self, batch: int, states: Sequence[ItemState] = tuple(ItemState)) -> list[BatchItem]:
        """The items of a batch that are in one of the states, in order."""
        marks = ", ".join("?" * len(states))
        rows = self._rows(f"{_ITEM} WHERE batch = ? AND state IN ({marks}) ORDER BY id", batch, *states)
        return [BatchItem.model_validate(dict(row)) for row in rows]

    def lines(self, batch: int, states: Sequence[ItemState] = tuple(ItemState)) -> list[ItemLine]:
        """What a list shows of the items of a batch that are in one of the states, in order."""
        marks = ", ".join("?" * len(states))
        rows = self._rows(
            "SELECT i.id AS number, i.model, i.address, i.repeat, i.state, i.error, i.message, i.attempt, f.score,"
            " f.measured, f.cut_off"
            " FROM items i"
            f" LEFT JOIN facts f ON f.attempt = i.attempt WHERE i.batch = ? AND i.state IN ({marks}) ORDER BY i.id",
            batch,
            *states,
        )
        return [ItemLine.of(row) for row in rows]

    def get(self, number: int) -> BatchItem:
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
        with self._database.write_transaction():
            lost = self._rows(
                "SELECT id, model FROM items WHERE batch = ? AND state = 'asking' AND lead IS NULL", batch
            )
            for row in lost:
                if row["model"] in asked:
                    self.add_try(row["id"], _LOST, error="lost")
            self._execute("UPDATE items SET state = 'waiting' WHERE batch = ? AND state = 'asking'", batch)
            self._execute("UPDATE items SET message = NULL WHERE batch = ? AND state = 'answered'", batch)
        return len(lost)

    def note(self, lead: int, message: str) -> None:
        """Stores what is happening to an answered item, and to those that share its answer, until they end."""
        with self._database.write_transaction():
            self._execute(f"UPDATE items SET message = ? WHERE {_SHARING} AND state = 'answered'", message, lead, lead)

    def begin_asking(self, lead: int) -> None:
        """Marks an item, and all that share its answer, as being asked."""
        with self._database.write_transaction():
            self._set_state(lead, ItemState.ASKING)

    def put_back(self, lead: int) -> None:
        """Marks an item, and all that share its answer, as waiting again, because asking was stopped."""
        with self._database.write_transaction():
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
        with self._database.write_transaction():
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
        with self._database.write_transaction():
            self._execute(
                "INSERT OR IGNORE INTO replies (item, number, prompt, text, reasoning, record)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                item,
                number,
                self.prompt_number(prompt),
                text,
                reasoning,
                record,
            )
            if is_last:
                self._set_state(item, ItemState.ANSWERED)
                self._execute(f"UPDATE items SET is_answered = 1 WHERE {_SHARING}", item, item)

    def finish(self, item: int, attempt: int) -> bool:
        """Marks an item as done; returns False and changes nothing if it was done already."""
        with self._database.write_transaction():
            sql = "UPDATE items SET state = 'done', attempt = ?, error = NULL, message = NULL WHERE id = ?"
            return self._database.sqlite.execute(f"{sql} AND state != 'done'", (attempt, item)).rowcount == 1

    def is_done(self, item: int) -> bool:
        """Whether an attempt is stored for this item."""
        return self._row("SELECT 1 FROM items WHERE id = ? AND state = 'done'", item) is not None

    def fail(self, lead: int, state: ItemState, error: str, message: str) -> None:
        """Ends an item, and those that share its answer, without an attempt; stores why."""
        with self._database.write_transaction():
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
        with self._database.write_transaction():
            self._execute("UPDATE batches SET state = 'running', note = '' WHERE id = ?", batch)
            return self._database.sqlite.execute(
                "UPDATE items SET state = CASE WHEN is_answered THEN 'answered' ELSE 'waiting' END, error = NULL,"
                " message = NULL WHERE batch = ? AND state IN ('error', 'crashed')",
                (batch,),
            ).rowcount

    def _set_state(self, lead: int, state: ItemState) -> None:
        self._execute(f"UPDATE items SET state = ? WHERE {_SHARING} AND state != 'done'", state.value, lead, lead)

    def prompt_number(self, text: str) -> int | None:
        """The number of a prompt, which is stored if it is new; None for the empty one."""
        if not text:
            return None
        digest = hashlib.sha256(text.encode()).hexdigest()
        row = self._row("SELECT id FROM prompts WHERE digest = ?", digest)
        if row is not None:
            return int(row["id"])
        number = self._execute("INSERT INTO prompts (digest, text) VALUES (?, ?)", digest, text)
        self._execute("INSERT INTO prompt_words (rowid, text) VALUES (?, ?)", number, text)
        return number
