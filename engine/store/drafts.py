"""Drafts: answers that people work on, edit by edit."""

import json
from typing import Any

from engine.core.instance import Instance
from engine.core.patch import Patch, apply
from engine.store.base import Store, now
from engine.store.records import Draft, Edit

SNAPSHOT_EVERY = 200
"""Edits after which a draft's snapshot is written anew, so that opening it stays quick."""


class Drafts(Store):
    """The part of a project that holds drafts."""

    def draft(self, address: str) -> Draft | None:
        """The draft of an instance as it was after its last edit, or None."""
        row = self._one("SELECT * FROM drafts WHERE address = ?", address)
        if row is None:
            return None
        answer = json.loads(row["snapshot"])
        for edit in self.edits(address, after=row["snapshot_edit"]):
            answer = apply(answer, edit.patch)
        count = self._one("SELECT count(*) AS n FROM edits WHERE address = ? AND id > ?", address, row["first_edit"])
        return Draft(
            address=address,
            answer=answer,
            seconds=row["seconds"],
            edit_count=count["n"] if count else 0,
            updated_at=row["updated_at"],
        )

    def begin_draft(self, instance: Instance, answer: Any) -> None:
        """Starts a draft with this answer (plain data), in place of any that there is."""
        with self.write_transaction():
            self._remember(instance)
            last = self.last_edit(instance.address)
            self._upsert_draft(instance.address, answer, last, first_edit=last, seconds=0.0)

    def add_edit(self, address: str, label: str, patch: Patch) -> None:
        """Stores one edit of a draft, at once.

        Raises:
            KeyError: the instance has no draft.
        """
        with self.write_transaction():
            if self._one("SELECT 1 FROM drafts WHERE address = ?", address) is None:
                raise KeyError(address)
            at = now()
            number = self._connection.execute(
                "INSERT INTO edits (address, label, patch, at) VALUES (?, ?, ?, ?)",
                (address, label, json.dumps(patch), at),
            ).lastrowid
            self._connection.execute("UPDATE drafts SET updated_at = ? WHERE address = ?", (at, address))
            self._refresh_snapshot(address, number or 0)

    def add_seconds(self, address: str, seconds: float) -> None:
        """Adds time to a draft's clock."""
        with self.write_transaction():
            self._connection.execute("UPDATE drafts SET seconds = seconds + ? WHERE address = ?", (seconds, address))

    def edits(self, address: str, after: int = 0, until: int | None = None) -> list[Edit]:
        """The edits of an instance's drafts with numbers in (after, until], in order."""
        rows = self._all(
            "SELECT * FROM edits WHERE address = ? AND id > ? AND id <= ? ORDER BY id",
            address,
            after,
            2**62 if until is None else until,
        )
        return [Edit(number=r["id"], label=r["label"], patch=json.loads(r["patch"]), at=r["at"]) for r in rows]

    def _refresh_snapshot(self, address: str, number: int) -> None:
        row = self._one("SELECT snapshot, snapshot_edit, first_edit, seconds FROM drafts WHERE address = ?", address)
        if row is None:
            return
        pending = self.edits(address, after=row["snapshot_edit"])
        if len(pending) < SNAPSHOT_EVERY:
            return
        answer = json.loads(row["snapshot"])
        for edit in pending:
            answer = apply(answer, edit.patch)
        self._upsert_draft(address, answer, number, row["first_edit"], row["seconds"])

    def _upsert_draft(self, address: str, answer: Any, number: int, first_edit: int, seconds: float) -> None:
        self._db.table("drafts").upsert(
            {
                "address": address,
                "snapshot": json.dumps(answer),
                "snapshot_edit": number,
                "first_edit": first_edit,
                "seconds": seconds,
                "updated_at": now(),
            },
            pk="address",
        )

    def last_edit(self, address: str) -> int:
        """The number of the newest edit of an instance; 0 where there is none."""
        row = self._one("SELECT max(id) AS n FROM edits WHERE address = ?", address)
        return int(row["n"] or 0) if row else 0
