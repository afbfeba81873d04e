"""Which tables, columns and indexes a project of each schema has.

What the newest schema looks like is stored as well: then the library that makes tables, whose import takes most of a
second, is loaded only where a project is made or brought up to date. `write_newest` writes it.
"""

import json
import re
import sqlite3
from contextlib import closing
from functools import cache
from typing import Any

from spatial_workbench.engine.core.shipped import resource

SCHEMA = 22
"""The newest schema that this version reads and writes."""

Shape = dict[tuple[str, str], tuple[Any, ...]]
"""The tables, indexes and other objects of a database, by kind and name, with their parts."""


@cache
def expected_shape(schema: int) -> Shape:
    """The shape of a new project of that schema."""
    if schema != SCHEMA:
        return migrated_shape(schema)
    stored = json.loads(_newest().read_text())
    return {(kind, name): _as_tuple(parts) for kind, name, parts in stored}


def migrated_shape(schema: int) -> Shape:
    """The shape that the migrations up to a schema make."""
    from sqlite_utils import Database

    from spatial_workbench.engine.store.schema import migrations

    with closing(sqlite3.connect(":memory:")) as connection:
        stop = f"schema_{schema + 1}"
        names = [migration.name for migration in migrations.pending(Database(connection))]
        migrations.apply(Database(connection), stop_before=stop if stop in names else None)
        return shape_of(connection)


def write_newest() -> None:
    """Stores the shape of the newest schema; to be called when a migration is added."""
    lines = [json.dumps([kind, name, parts]) for (kind, name), parts in migrated_shape(SCHEMA).items()]
    _newest().write_text("[\n" + ",\n".join(lines) + "\n]\n")


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Runs the migrations that a project has not seen yet, within the transaction that is open."""
    from sqlite_utils import Database

    from spatial_workbench.engine.store.schema import migrations

    migrations.apply(Database(connection))
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def shape_of(connection: sqlite3.Connection) -> Shape:
    """The shape of a database."""
    rows = _rows(
        connection,
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    return {
        (row["type"], row["name"]): _parts(connection, row["type"], row["name"], row["tbl_name"], row["sql"])
        for row in rows
    }


def _rows(connection: sqlite3.Connection, sql: str, *arguments: str) -> list[sqlite3.Row]:
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(sql, arguments).fetchall()


def _parts(connection: sqlite3.Connection, kind: str, name: str, table: str, sql: str) -> tuple[Any, ...]:
    """The parts of a table or an index, compared in place of the SQL, whose wording may differ between versions."""
    words = re.sub(r'["\[\]`\s]+', " ", sql or "").lower()
    if kind == "table" and words.startswith("create virtual"):
        return (words.replace(" ", ""),)
    if kind == "table":
        # A column that a migration adds comes last, so the order of columns is ignored.
        columns = _rows(
            connection, 'SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY name', name
        )
        forbidden = re.search(r"\b(check|generated|collate)\b", words)
        return (*map(_column, columns), forbidden[0] if forbidden else "")
    if kind == "index":
        columns = _rows(connection, "SELECT cid, name FROM pragma_index_info(?) ORDER BY seqno", name)
        return (table, " where " in words, *(column["name"] for column in columns))
    return (words,)


def _column(column: sqlite3.Row) -> tuple[Any, ...]:
    return column["name"], affinity(column["type"]), column["notnull"], column["pk"], column["hidden"]


def affinity(declared: str) -> str:
    """The type that SQLite makes of a declared one, as this program spells it."""
    return {"INT": "INTEGER", "FLOAT": "REAL", "DOUBLE": "REAL"}.get(declared.upper(), declared.upper())


def _newest() -> Any:
    return resource("store", "shape.json")


def _as_tuple(part: Any) -> Any:
    return tuple(map(_as_tuple, part)) if isinstance(part, list) else part
