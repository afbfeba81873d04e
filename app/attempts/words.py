"""How tables of attempts word times and help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted

if TYPE_CHECKING:
    from spatial_workbench.engine.store import AttemptRow


CUT_OFF_ICON = ("cut", "warning")
"""Icon and colour of what was cut off."""
_CUT_OFF = {
    "time": "Cut off: its time was over",
    "steps": "Cut off: it had no steps left",
    "calls": "Cut off: it had no calls left",
    "tokens": "Cut off: it had no output tokens left",
    "spending": "Cut off: it had cost as much as it may",
    "program ended": "Cut off: its program ended, so that no step could follow",
    "output limit": "Cut off: the reply reached the output limit",
    "content filter": "Cut off: a filter of the provider ended the reply",
}


def cut_off_words(cut_off: str | None) -> str:
    """What cut an attempt off, as a sentence without a full stop; empty if nothing did."""
    return "" if cut_off is None else _CUT_OFF.get(cut_off, f"Cut off: {cut_off}")


def end_words(end: str | None) -> str:
    """Why a run or a reply ended, such as "step_limit", in words; empty if it is not known."""
    return end.replace("_", " ").capitalize() if end else ""


def times_words(row: AttemptRow) -> str:
    """The times of an attempt, one per line: since the previous attempt, and in total."""
    lines = []
    if row.seconds is not None:
        lines.append(f"Since the last attempt: {kinds_of_time(row.seconds, row.idle_s, row.away_s)}")
    if row.total_s is not None:
        lines.append(f"In total: {kinds_of_time(row.total_s, row.total_idle_s, row.total_away_s)}")
    return "\n".join(lines)


def help_text(row: AttemptRow) -> str:
    """Whether its author explored the instance, or used solving aids: one word, or nothing."""
    return "Explored" if row.explored else "With" if row.solving_aids else ""


def help_tip(row: AttemptRow) -> str:
    """The same as a sentence."""
    if row.explored:
        return "Explored: verdicts showed everything. It never counts as solved without help."
    times = counted(row.solving_aids, "time")
    return f"Solving aids were used {times} before this attempt" if row.solving_aids else ""


def kinds_of_time(active_s: float, idle_s: float | None, away_s: float | None) -> str:
    """Active time, with the parts of it that are idle time and time away: 12:41 (1:10 idle, 2:05 away)."""
    parts = [f"{format_seconds(s)} {kind}" for s, kind in ((idle_s, "idle"), (away_s, "away")) if s and s >= 1]
    return f"{format_seconds(active_s)} ({', '.join(parts)})" if parts else format_seconds(active_s)


def format_seconds(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any: 12:41."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
