"""Tables of attempts, and of results: a row for each attempt, and for each question that ended without one."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.dossiers import PARAMETERS, ExportedDossier
from spatial_workbench.engine.evaluation.export.parquet import write_parquet

_OF_ROW = (
    *("number", "measured", "first_score", "is_overridden", "disagrees", "differs", "label", "submitted_at"),
    *(
        "seconds",
        "idle_s",
        "away_s",
        "total_s",
        "total_idle_s",
        "total_away_s",
        "solving_aids",
        "explored",
        "edit_count",
    ),
    *("input_tokens", "output_tokens", "reasoning_tokens", "cost_usd", "finish_reason", "run_end"),
    *("failed_check", "tags", "note"),
)
COLUMNS = (
    *("number", "address", "task", "actor", "actor_name", "batch", "repeat", "tools", "budget"),
    *("effort", "temperature", "top_p", "variant"),
    *("score", "passed", "how_read", "mending", *_OF_ROW[1:], "cut_off", "error"),
)
"""The columns; an empty field is unknown. Some have other names in the file. A question that ended without an
attempt has no number, and counts 0 where it was not asked."""
_IN_FILE = {"number": "attempt", "run_end": "end", "tags": "own_labels", "note": "newest_note"}
HEADER = tuple(_IN_FILE.get(name, name) for name in COLUMNS)
_INTEGERS = frozenset(
    {"attempt", "batch", "repeat", "budget", "input_tokens", "output_tokens", "reasoning_tokens", "solving_aids"}
) | {"edit_count"}
_FLOATS = frozenset({"score", "measured", "first_score", "cost_usd", "seconds", "temperature", "top_p"}) | {
    *("idle_s", "away_s", "total_s", "total_idle_s", "total_away_s")
}
_BOOLEANS = frozenset({"tools", "passed", "is_overridden", "disagrees", "differs", "explored"})
KINDS: dict[str, type] = {
    **dict.fromkeys(_INTEGERS, int),
    **dict.fromkeys(_FLOATS, float),
    **dict.fromkeys(_BOOLEANS, bool),
    "submitted_at": datetime,
}
"""The types of those columns that do not hold text."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Value = str | int | float | bool | None


def write_attempts(dossiers: Iterable[ExportedDossier], path: Path) -> None:
    """Writes a row for each attempt, and each question without one, as CSV. Raises OSError, Cancelled."""
    write_rows(path, HEADER, map(_row, dossiers))


def write_attempts_parquet(dossiers: Iterable[ExportedDossier], path: Path) -> None:
    """Writes a row for each attempt, and each question without one, as a Parquet file with types.

    Raises CannotRepresent if pyarrow is missing, OSError, Cancelled.
    """
    write_parquet(path, HEADER, (_values(dossier) for dossier in dossiers), KINDS)


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    """Writes a table as CSV (UTF-8, commas, RFC 4180). Raises OSError."""
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows([_safe(value) for value in row] for row in rows)


def _row(dossier: ExportedDossier) -> list[Value]:
    return [value.isoformat() if isinstance(value, datetime) else value for value in _values(dossier)]


def _values(dossier: ExportedDossier) -> list[Any]:
    return [getattr(dossier.row, name, None) if name in _OF_ROW else _own(dossier, name) for name in COLUMNS]


def _own(dossier: ExportedDossier, name: str) -> Any:
    return dossier.parameters[name] if name in PARAMETERS else getattr(dossier, name)


def _safe(value: Value) -> Value:
    """Puts an apostrophe before text that a spreadsheet would take for a formula, since names may come from anybody."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
