"""Searches for answers that verifiers judge differently: how far each is, and what they found."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from spatial_workbench.engine.store.base import ProjectPart, now


class LaboratorySearches(ProjectPart):
    """The states of searches by task, seed and lane, and groups of findings by task and key."""

    def state(self, task: str, seed: int, lane: int) -> dict[str, Any] | None:
        """How far a search is, as it was stored; None if it has not begun."""
        row = self._row("SELECT record FROM searches WHERE task = ? AND seed = ? AND lane = ?", task, seed, lane)
        return None if row is None else dict(json.loads(row["record"]))

    def seconds(self, task: str) -> float:
        """How long all searches in a task have run."""
        row = self._row("SELECT total(seconds) AS seconds FROM searches WHERE task = ?", task)
        return float(row["seconds"]) if row else 0.0

    def asked(self, task: str) -> int:
        """About how many answers all searches in a task have asked."""
        row = self._row("SELECT coalesce(sum(asked), 0) AS asked FROM searches WHERE task = ?", task)
        return int(row["asked"]) if row else 0

    def tasks(self) -> list[str]:
        """The tasks that were searched, in the order of their names."""
        return [row["task"] for row in self._rows("SELECT DISTINCT task FROM searches ORDER BY task")]

    def store(self, state: dict[str, Any], groups: Iterable[dict[str, Any]], smallest: Any) -> None:
        """Stores how far a search is, together with what it found since it was stored last.

        state: JSON data with task, seed, lane, asked and seconds.
        groups: JSON data with key, count and what else belongs to a group.
        smallest: (stored group, new group) -> both as one.
        """
        place = state["task"], state["seed"], state["lane"]
        with self._database.write_transaction():
            self._execute(
                "INSERT INTO searches (task, seed, lane, asked, seconds, record, created_at, updated_at)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) ON CONFLICT (task, seed, lane) DO UPDATE SET"
                " asked = ?4, seconds = ?5, record = ?6, updated_at = ?7",
                *place,
                state["asked"],
                state["seconds"],
                json.dumps(state),
                now(),
            )
            for group in groups:
                old = self._group(state["task"], group["key"])
                self._keep(state["task"], group if old is None else smallest(old, group))

    def groups(self, task: str | None = None) -> list[dict[str, Any]]:
        """The groups of findings in a task, or in all, each with its "number"; the first that was found first."""
        where = "" if task is None else " WHERE task = ?"
        rows = self._rows(f"SELECT id, record FROM findings{where} ORDER BY id", *(() if task is None else (task,)))
        return [{"number": row["id"], **json.loads(row["record"])} for row in rows]

    def group(self, number: int) -> dict[str, Any] | None:
        """The group of a number; None if there is none."""
        row = self._row("SELECT id, record FROM findings WHERE id = ?", number)
        return None if row is None else {"number": row["id"], **json.loads(row["record"])}

    def replace(self, number: int, group: dict[str, Any]) -> None:
        """Stores a group in the place of what is stored, as when its case was made small, or as it was before."""
        with self._database.write_transaction():
            record = {name: value for name, value in group.items() if name != "number"}
            self._execute(
                "UPDATE findings SET address = ?, record = ?, at = ? WHERE id = ?",
                group["address"],
                json.dumps(record),
                now(),
                number,
            )

    def forget(self, tasks: Sequence[str]) -> None:
        """Removes the searches in some tasks, and what they found."""
        with self._database.write_transaction():
            for task in tasks:
                self._execute("DELETE FROM findings WHERE task = ?", task)
                self._execute("DELETE FROM searches WHERE task = ?", task)

    def _group(self, task: str, key: str) -> dict[str, Any] | None:
        row = self._row("SELECT record FROM findings WHERE task = ? AND group_key = ?", task, key)
        return None if row is None else dict(json.loads(row["record"]))

    def _keep(self, task: str, group: dict[str, Any]) -> None:
        self._execute(
            "INSERT INTO findings (task, group_key, address, record, at) VALUES (?1, ?2, ?3, ?4, ?5)"
            " ON CONFLICT (task, group_key) DO UPDATE SET address = ?3, record = ?4, at = ?5",
            task,
            group["key"],
            group["address"],
            json.dumps({name: value for name, value in group.items() if name != "number"}),
            now(),
        )
