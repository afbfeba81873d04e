"""Drafts: answers that people work on, edit by edit, with the clock and the aids of each person."""

import json
from typing import Any

from spatial_workbench.engine.core.formats.patch import Patch, apply
from spatial_workbench.engine.core.instance import Instance
from spatial_workbench.engine.core.solving.aids import Aid, AidUse
from spatial_workbench.engine.store.base import ProjectPart, now
from spatial_workbench.engine.store.records import ClockReading, Draft, Edit, MissingRecord

SNAPSHOT_EVERY = 200
"""The number of edits after which a draft's snapshot is renewed, so that opening the draft stays quick."""


class Drafts(ProjectPart):
    """The drafts of a project.

    A draft, its edits, its clock and the record of aids belong to a person and an instance. A person is known by the
    name that they chose, which is empty if they chose none.
    """

    def get(self, address: str, person: str = "") -> Draft | None:
        """A person's draft as it was after its last edit, or None."""
        row = self._draft_row(address, person)
        if row is None:
            return None
        answer = json.loads(row["snapshot"])
        for edit in self.edits(address, person, after=row["snapshot_edit"]):
            answer = apply(answer, edit.patch)
        return Draft(
            address=address,
            person=person,
            answer=answer,
            edit_count=self._count_edits(address, person, row["first_edit"]),
            updated_at=row["updated_at"],
        )

    def begin(self, instance: Instance, answer: Any, person: str = "") -> None:
        """Starts a draft with this answer (plain data), replacing any draft that the person has."""
        with self._database.write_transaction():
            self._database.remember(instance)
            last = self.last_edit(instance.address, person)
            self._upsert_draft(instance.address, person, answer, last, first_edit=last)

    def add_edit(self, address: str, label: str, patch: Patch, person: str = "") -> None:
        """Stores an edit of a draft.

        Raises:
            MissingRecord: The person has no draft of this instance.
        """
        with self._database.write_transaction():
            if self._draft_row(address, person) is None:
                raise MissingRecord(f"The draft of {address}")
            at = now()
            number = self._execute(
                "INSERT INTO edits (address, person, label, patch, at) VALUES (?, ?, ?, ?, ?)",
                address,
                person,
                label,
                json.dumps(patch),
                at,
            )
            self._execute("UPDATE drafts SET updated_at = ? WHERE address = ? AND person = ?", at, address, person)
            self._refresh_snapshot(address, person, number)

    def edits(self, address: str, person: str = "", after: int = 0, until: int | None = None) -> list[Edit]:
        """The edits of a person's drafts of an instance with numbers in (after, until], in order."""
        rows = self._rows(
            "SELECT * FROM edits WHERE address = ? AND person = ? AND id > ? AND id <= ? ORDER BY id",
            address,
            person,
            after,
            2**62 if until is None else until,
        )
        return [Edit(number=r["id"], label=r["label"], patch=json.loads(r["patch"]), at=r["at"]) for r in rows]

    def last_edit(self, address: str, person: str = "") -> int:
        """The number of a person's newest edit of an instance; 0 if there is none."""
        row = self._row("SELECT max(id) AS n FROM edits WHERE address = ? AND person = ?", address, person)
        return int(row["n"] or 0) if row else 0

    def span(self, address: str, person: str = "") -> tuple[int | None, int | None, int]:
        """The edits of a person's draft: (the number after which it begins, the last number, how many).

        (None, None, 0) if there is no draft.
        """
        draft = self._draft_row(address, person)
        if draft is None:
            return None, None, 0
        first = draft["first_edit"]
        return first, self.last_edit(address, person), self._count_edits(address, person, first)

    # The clock ---------------------------------------------------------------------------------------------------

    def clock(self, address: str, person: str = "") -> ClockReading:
        """How long a person has worked on an instance; all zero if they have never seen it."""
        row = self._row("SELECT * FROM clocks WHERE address = ? AND person = ?", address, person)
        if row is None:
            return ClockReading()
        return ClockReading(**{name: row[name] for name in ClockReading.model_fields})

    def add_seconds(
        self, instance: Instance, active_s: float, away_s: float = 0.0, person: str = "", idle_s: float = 0.0
    ) -> None:
        """Adds time to a person's clock: active time, with the parts of it that are away and idle."""
        with self._database.write_transaction():
            self._database.remember(instance)
            self._execute(
                "INSERT INTO clocks (address, person, active_s, idle_s, away_s) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (address, person) DO UPDATE SET active_s = active_s + excluded.active_s,"
                " idle_s = idle_s + excluded.idle_s, away_s = away_s + excluded.away_s",
                instance.address,
                person,
                active_s,
                idle_s,
                away_s,
            )

    # Aids --------------------------------------------------------------------------------------------------------

    def add_aid(self, instance: Instance, name: str, kind: Aid, seconds: float, person: str = "") -> None:
        """Records that a person used an aid; `seconds` is the active time on their clock."""
        with self._database.write_transaction():
            self._database.remember(instance)
            self._execute(
                "INSERT INTO aids (address, person, name, kind, at, seconds) VALUES (?, ?, ?, ?, ?, ?)",
                instance.address,
                person,
                name,
                kind.value,
                now(),
                seconds,
            )

    def aids(self, address: str, person: str = "") -> tuple[AidUse, ...]:
        """Every use of an aid by a person at an instance, in order, whichever attempt it preceded."""
        rows = self._rows(
            "SELECT name, kind, at, seconds FROM aids WHERE address = ? AND person = ? ORDER BY id", address, person
        )
        return tuple(AidUse.model_validate(dict(row)) for row in rows)

    # Sketches ----------------------------------------------------------------------------------------------------

    def store_sketch(self, instance: Instance, page: str, layer: str, person: str = "") -> None:
        """Stores the sketch over a page of a person's draft (JSON), in place of the one before."""
        with self._database.write_transaction():
            self._database.remember(instance)
            self._execute(
                "INSERT OR REPLACE INTO sketches (address, person, attempt, page, layer, at) VALUES (?, ?, 0, ?, ?, ?)",
                instance.address,
                person,
                page,
                layer,
                now(),
            )

    def sketches(self, address: str, person: str = "", attempt: int = 0) -> dict[str, str]:
        """The sketches (JSON) by page: those of a person's draft, or as they were when an attempt was submitted."""
        rows = self._rows(
            "SELECT page, layer FROM sketches WHERE address = ? AND person = ? AND attempt = ? ORDER BY page",
            address,
            person,
            attempt,
        )
        return {row["page"]: row["layer"] for row in rows}

    # Rows --------------------------------------------------------------------------------------------------------

    def _draft_row(self, address: str, person: str) -> Any:
        return self._row("SELECT * FROM drafts WHERE address = ? AND person = ?", address, person)

    def _count_edits(self, address: str, person: str, after: int) -> int:
        row = self._row(
            "SELECT count(*) AS n FROM edits WHERE address = ? AND person = ? AND id > ?", address, person, after
        )
        return int(row["n"]) if row else 0

    def _refresh_snapshot(self, address: str, person: str, number: int) -> None:
        row = self._draft_row(address, person)
        pending = self.edits(address, person, after=row["snapshot_edit"])
        if len(pending) < SNAPSHOT_EVERY:
            return
        answer = json.loads(row["snapshot"])
        for edit in pending:
            answer = apply(answer, edit.patch)
        self._upsert_draft(address, person, answer, number, row["first_edit"])

    def _upsert_draft(self, address: str, person: str, answer: Any, number: int, first_edit: int) -> None:
        self._execute(
            "INSERT INTO drafts (address, person, snapshot, snapshot_edit, first_edit, updated_at)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (address, person) DO UPDATE SET snapshot = excluded.snapshot,"
            " snapshot_edit = excluded.snapshot_edit, first_edit = excluded.first_edit,"
            " updated_at = excluded.updated_at",
            address,
            person,
            json.dumps(answer),
            number,
            first_edit,
            now(),
        )
