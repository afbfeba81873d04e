"""CSV: a row an attempt; and any table of results."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.core import Progress
from engine.evaluation.export.dossiers import rows_of
from engine.evaluation.export.files import replacing
from engine.store import Project, RunRow

COLUMNS = (
    *("number", "address", "task", "actor", "actor_name", "batch", "repeat", "tools", "budget"),
    *("score", "passed", "first_score", "is_overridden", "disagrees", "label", "submitted_at", "seconds", "edit_count"),
    *("input_tokens", "output_tokens", "reasoning_tokens", "cost_usd", "finish_reason"),
)
"""What is told of an attempt; an empty field is not known. The first is called "attempt" in the file."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Value = str | int | float | bool | None


def write_attempts(project: Project, numbers: Sequence[int], path: Path, progress: Progress) -> None:
    """Writes a row for each of some attempts. Raises OSError, Cancelled."""
    rows = (_row(row) for row in rows_of(project, numbers, progress))
    write_rows(path, ["attempt", *COLUMNS[1:]], rows)


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    """Writes a table as CSV (UTF-8, commas, RFC 4180). Raises OSError."""
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows([_safe(value) for value in row] for row in rows)


def _row(row: RunRow) -> list[Value]:
    values = [getattr(row, name) for name in COLUMNS]
    return [value.isoformat() if hasattr(value, "isoformat") else value for value in values]


def _safe(value: Value) -> Value:
    """Text that a spreadsheet would take for a formula begins with an apostrophe: names come from anywhere."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
