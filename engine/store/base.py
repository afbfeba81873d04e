"""What all parts of a project share: the connection, short transactions, and the table of instances."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.instance import Instance


class Database:
    """The connection that all parts of a project share, for use in the thread that opened it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.sqlite = connection

    @contextmanager
    def write_transaction(self) -> Iterator[None]:
        """A transaction that takes the write lock at its start, so that it waits for others instead of failing later.

        Within another transaction it is part of that.
        """
        if self.sqlite.in_transaction:
            yield
            return
        self.sqlite.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # Where the disk is full, SQLite has ended the transaction itself.
            if self.sqlite.in_transaction:
                self.sqlite.execute("ROLLBACK")
            raise
        self.sqlite.execute("COMMIT")

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """A part of a transaction that is undone alone if it raises; the transaction goes on."""
        with self.write_transaction():
            self.sqlite.execute("SAVEPOINT part")
            try:
                yield
            except BaseException:
                if self.sqlite.in_transaction:
                    self.sqlite.execute("ROLLBACK TO part")
                    self.sqlite.execute("RELEASE part")
                raise
            self.sqlite.execute("RELEASE part")

    def execute(self, sql: str, *arguments: Any) -> int:
        """Runs a statement; returns the number of the row that it inserted, if any."""
        return self.sqlite.execute(sql, arguments).lastrowid or 0

    def row(self, sql: str, *arguments: Any) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        row: sqlite3.Row | None = self.sqlite.execute(sql, arguments).fetchone()
        return row

    def rows(self, sql: str, *arguments: Any) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self.sqlite.execute(sql, arguments).fetchall()


class Store:
    """What the classes that a project inherits share."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.database = Database(connection)
        self._connection = connection
        self._execute = self.database.execute
        self._row = self.database.row
        self._rows = self.database.rows
        self.write_transaction = self.database.write_transaction
        self.all_or_nothing = self.database.all_or_nothing

    def _remember(self, instance: Instance) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO instances (address, task, number, seed, parameters) VALUES (?, ?, ?, ?, ?)",
            (instance.address, instance.task, instance.number, instance.seed, instance.parameters_json),
        )


def now() -> str:
    """The time as it is stored: UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
