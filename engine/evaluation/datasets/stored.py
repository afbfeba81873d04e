"""Reads the rows of data sets from Parquet files and JSON lines, whoever wrote them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.evaluation.datasets.contents import CHECKSUMS, sha256_of
from spatial_workbench.engine.evaluation.datasets.plan import DatasetError
from spatial_workbench.engine.evaluation.export.parquet import require_pyarrow

if TYPE_CHECKING:
    import pyarrow.parquet as pq

NEEDED = {"address": str, "reference_answer": str, "reference_score": float, "reference_passed": bool}
"""The columns that every row has to have, with their types."""
OTHERS = {"id": str, "prompt": str, "parameters": str}
"""The columns that are compared where they are there; data sets of earlier versions have no ids."""
_MAGIC = b"PAR1"
_BATCH = 100
_WORDS = {str: "text", float: "a number from 0 to 1", bool: "true or false"}


@dataclass(frozen=True, order=True)
class RowPlace:
    """Where a row is: a file, and the number of the row or line, from 1 on. Number 0 is the file itself."""

    file: str
    number: int
    unit: str = "row"

    def __str__(self) -> str:
        return f"{self.file}, {self.unit} {self.number:,}" if self.number else self.file


@dataclass(frozen=True)
class StoredRow:
    """A row, or what is wrong with it."""

    place: RowPlace
    data: Mapping[str, Any]
    fault: str = ""


def files_of(path: Path) -> Sequence[Path]:
    """The files with rows: the file itself, or the Parquet files of a folder.

    Raises:
        DatasetError: There is none.
    """
    if not path.exists():
        raise DatasetError(f"There is no “{path}”.")
    if not path.is_dir():
        return [path]
    found = sorted(path.rglob("*.parquet"))
    if not found:
        raise DatasetError(f"{path} holds no Parquet files.")
    return found


def stored_rows(path: Path, name: str) -> Iterator[StoredRow]:
    """The rows of a file, one after the other.

    Args:
        name: What the file is called in messages.

    Raises:
        DatasetError: It is no Parquet file with the needed columns, and not text either.
        CannotRepresent: It is a Parquet file, and pyarrow is missing.
        OSError: It cannot be read.
    """
    yield from _parquet_rows(path, name) if _is_parquet(path) else _lines(path, name)


def rows_in(path: Path) -> int:
    """How many rows a file has, or lines; 0 for a Parquet file that cannot be read.

    Raises:
        CannotRepresent: It is a Parquet file, and pyarrow is missing.
        OSError: It cannot be read.
    """
    if not _is_parquet(path):
        with path.open("rb") as stream:
            return sum(1 for line in stream if line.strip())
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return int(pq.read_metadata(path).num_rows)
    except pa.ArrowException:
        return 0


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def _parquet_rows(path: Path, name: str) -> Iterator[StoredRow]:
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        with pq.ParquetFile(path) as opened:
            for batch in opened.iter_batches(_BATCH, columns=_columns(opened, name)):
                for data in batch.to_pylist():
                    number += 1
                    yield _row(RowPlace(name, number), data)
    except pa.ArrowException as error:
        raise DatasetError(f"{name} cannot be read after row {number:,}: {error}") from None


def _columns(opened: pq.ParquetFile, name: str) -> list[str]:
    there = opened.schema_arrow.names
    missing = [column for column in NEEDED if column not in there]
    if missing:
        raise DatasetError(f"{name} is no file of a data set: it has no column {missing[0]}.")
    return [column for column in (*NEEDED, *OTHERS) if column in there]


def _lines(path: Path, name: str) -> Iterator[StoredRow]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                place = RowPlace(name, number, "line")
                yield _parsed(place, line)


def _parsed(place: RowPlace, line: bytes) -> StoredRow:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return StoredRow(place, {}, "it is not JSON")
    if not isinstance(data, dict):
        return StoredRow(place, {}, "it is not an object of JSON")
    return _row(place, data)


def _row(place: RowPlace, data: Mapping[str, Any]) -> StoredRow:
    for name, kind in NEEDED.items():
        if name not in data:
            return StoredRow(place, data, f"it has no {name}")
        if not _is_a(data[name], kind):
            return StoredRow(place, data, f"{name} is not {_WORDS[kind]}")
    kept = {name: data[name] for name in NEEDED}
    return StoredRow(place, kept | {name: data[name] for name, kind in OTHERS.items() if _is_a(data.get(name), kind)})


def _is_a(value: object, kind: type) -> bool:
    """Whether a value is of a type; a score may be a whole number, but no truth value."""
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return isinstance(value, kind)


# Checksums ----------------------------------------------------------------------------------------------------------


def checksum_faults(folder: Path) -> Iterator[tuple[RowPlace, str]]:
    """What differs from the checksums of a folder, if it has any."""
    path = folder / CHECKSUMS
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        digest, _, name = line.partition("  ")
        target = (folder / name).resolve()
        if not name or not target.is_relative_to(folder.resolve()):
            yield RowPlace(CHECKSUMS, number, "line"), "it names no file of the folder"
        elif not target.is_file():
            yield RowPlace(name, 0), f"it is missing, and {CHECKSUMS} lists it"
        elif sha256_of(target) != digest:
            yield RowPlace(name, 0), f"its contents are not those that {CHECKSUMS} lists"
