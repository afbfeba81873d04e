"""What all parts of a project share: the connection, short transactions, and the table of instances."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.instance import Instance


class Store:
    """A connection to a project file, for use in the thread that opened it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @contextmanager
    def write_transaction(self) -> Iterator[None]:
        """A transaction that takes the write lock at its start, so that it waits for others instead of failing later.

        Within another transaction it is part of that.
        """
        if self._connection.in_transaction:
            yield
            return
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # Where the disk is full, SQLite has ended the transaction itself.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """A part of a transaction that is undone alone if it raises; the transaction goes on."""
        with self.write_transaction():
            self._connection.execute("SAVEPOINT part")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK TO part")
                    self._connection.execute("RELEASE part")
                raise
            self._connection.execute("RELEASE part")

    def _remember(self, instance: Instance) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO instances (address, task, number, seed, parameters) VALUES (?, ?, ?, ?, ?)",
            (instance.address, instance.task, instance.number, instance.seed, instance.parameters_json),
        )

    def _execute(self, sql: str, *arguments: Any) -> int:
        """Runs a statement; returns the number of the row that it inserted, if any."""
        return self._connection.execute(sql, arguments).lastrowid or 0

    def _row(self, sql: str, *arguments: Any) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._connection.execute(sql, arguments).fetchone()
        return row

    def _rows(self, sql: str, *arguments: Any) -> list[sqlite3.Row]:
        return self._connection.execute(sql, arguments).fetchall()


def now() -> str:
    """The time as it is stored: UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
