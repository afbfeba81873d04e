"""What the parts of a project share: the connection, short transactions, and the table of instances."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
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

    def insert(self, table: str, values: Mapping[str, Any]) -> int:
        """Inserts a row, given by the names of its columns; returns its number."""
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(f':{name}' for name in values)})"
        return self.sqlite.execute(sql, values).lastrowid or 0

    def remember(self, instance: Instance) -> None:
        """Stores an instance under its address, unless it is stored already."""
        self.execute(
            "INSERT OR IGNORE INTO instances (address, task, number, seed, parameters) VALUES (?, ?, ?, ?, ?)",
            instance.address,
            instance.task,
            instance.number,
            instance.seed,
            instance.parameters_json,
        )

    def row(self, sql: str, *arguments: Any) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        row: sqlite3.Row | None = self.sqlite.execute(sql, arguments).fetchone()
        return row

    def rows(self, sql: str, *arguments: Any) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self.sqlite.execute(sql, arguments).fetchall()


class ProjectPart:
    """Base of the parts of a project: each stores and queries what concerns one subject."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._execute = database.execute
        self._insert = database.insert
        self._row = database.row
        self._rows = database.rows


class Remembered:
    """Keeps what was read from a project, until this or another program changes the file."""

    def __init__(self, database: Database) -> None:
        self._sqlite = database.sqlite
        self._read: dict[tuple[str | None, ...], tuple[tuple[int, int], Any]] = {}
        """What was read, each with a stamp that shows whether the file has changed since."""

    def of(self, key: tuple[str | None, ...], read: Callable[[], Any]) -> Any:
        """The kept result of `read` under a key; calls `read` if there is none, or the file has changed since."""
        stamp = (self._sqlite.total_changes, self._sqlite.execute("PRAGMA data_version").fetchone()[0])
        if key not in self._read or self._read[key][0] != stamp:
            self._read = {other: kept for other, kept in self._read.items() if kept[0] == stamp}
            self._read[key] = stamp, read()
        return self._read[key][1]


def now() -> str:
    """The time as it is stored: UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
