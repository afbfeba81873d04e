"""How tables of attempts word times."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.store import AttemptRow

ROW_HEIGHT = 28


def times_words(row: AttemptRow) -> str:
    """The times of an attempt, one per line: since the previous attempt, and in total."""
    lines = []
    if row.seconds is not None:
        lines.append(f"Since the last attempt: {_active_and_away(row.seconds, row.away_s)}")
    if row.total_s is not None:
        lines.append(f"In total: {_active_and_away(row.total_s, row.total_away_s)}")
    return "\n".join(lines)


def _active_and_away(active_s: float, away_s: float | None) -> str:
    away = f", {format_seconds(away_s)} away" if away_s else ""
    return f"{format_seconds(active_s)} active{away}"


def format_seconds(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any: 12:41."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
