"""Tables as Parquet files, with types; written by the package pyarrow, which is optional."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import CannotRepresent
from spatial_workbench.engine.core.extras import how_to_get, is_installed
from spatial_workbench.engine.core.files import replacing

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_OF_A_GROUP = 10_000


def require_pyarrow() -> None:
    """Raises CannotRepresent if pyarrow is not installed; the message says what to do."""
    if not is_installed("data", "pyarrow"):
        raise CannotRepresent(how_to_get("data"))


def write_parquet(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]], kinds: Mapping[str, type] | None = None
) -> None:
    """Writes a table, whole or not at all.

    Args:
        kinds: The types of columns (int, float, bool, str, bytes, datetime). Without them, types come from the
            values; a column without any value holds text.

    Raises:
        CannotRepresent: pyarrow is missing.
        OSError: The file cannot be written.
    """
    require_pyarrow()
    import pyarrow.parquet as pq

    if kinds is None:
        rows = list(rows)
        kinds = _kinds_of(header, rows)
    schema = _schema(header, kinds)
    with replacing(path) as part, pq.ParquetWriter(part, schema, compression="zstd") as writer:
        for group in _groups(rows):
            writer.write_table(_table(schema, group))


def _groups(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    iterator = iter(rows)
    while group := list(islice(iterator, _ROWS_OF_A_GROUP)):
        yield group


def _schema(header: Sequence[str], kinds: Mapping[str, type]) -> pa.Schema:
    import pyarrow as pa

    known = {
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "bytes": pa.binary(),
        "datetime": pa.timestamp("us", tz="UTC"),
    }
    return pa.schema([(name, known.get(kinds.get(name, str).__name__, pa.string())) for name in header])


def _kinds_of(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, type]:
    kinds: dict[str, type] = {}
    for place, name in enumerate(header):
        found = {type(row[place]) for row in rows if row[place] is not None}
        kinds[name] = found.pop() if len(found) == 1 else float if found and found <= {int, float} else str
    return kinds


def _table(schema: pa.Schema, rows: Sequence[Sequence[Any]]) -> pa.Table:
    import pyarrow as pa

    columns = zip(*rows, strict=True)
    arrays = [
        pa.array([_fitting(value, field.type) for value in column], field.type)
        for field, column in zip(schema, columns, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _fitting(value: Any, kind: pa.DataType) -> Any:
    """A value as its column holds it: a column of several types holds text."""
    import pyarrow as pa

    return str(value) if value is not None and kind == pa.string() and not isinstance(value, str) else value
