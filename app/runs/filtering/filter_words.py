"""Active filters of the runs browser in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spatial_workbench.app.attempts.columns import ACTORS, task_title
from spatial_workbench.app.attempts.words import end_words
from spatial_workbench.app.frame.controls import day_of
from spatial_workbench.engine.store import RunFilter

RANGES = {
    "Score": ("score_min", "score_max", False),
    "Measured": ("measured_min", "measured_max", False),
    "Time, s": ("seconds_min", "seconds_max", False),
    "Tokens in": ("input_min", "input_max", True),
    "Tokens out": ("tokens_min", "tokens_max", True),
    "Reasoning tokens": ("reasoning_min", "reasoning_max", True),
    "Repeat": ("repeat_min", "repeat_max", True),
}
"""The fields of each range, and whether it has whole numbers."""


def active_filters(run_filter: RunFilter) -> list[tuple[str, tuple[str, ...]]]:
    """Each active filter in words, with the fields it sets."""
    chips: list[tuple[str, tuple[str, ...]]] = []

    def add(name: str, words: Callable[[Any], str]) -> None:
        value = getattr(run_filter, name)
        if value not in (None, ""):
            chips.append((words(value), (name,)))

    add("text", lambda text: f"“{text}”")
    add("tasks", lambda names: f"Task: {_listed([task_title(name) for name in names])}")
    add("who", lambda names: f"Who: {_listed(names)}")
    result = result_words(run_filter)
    if result:
        chips.append((result, ("passed", "is_read")))
    add("labels", lambda names: f"Failure mode: {_listed(names)}")
    add("how_read", lambda names: f"Read: {_listed([name.value for name in names])}")
    add("failed_checks", lambda names: f"Failed check: {_listed(names)}")
    add("run_ends", lambda names: f"Stop reason: {_listed([end_words(name) for name in names])}")
    add("finish_reasons", lambda names: f"Finish reason: {_listed([end_words(name) for name in names])}")
    add("tags", lambda names: f"Label: {_listed(names)}")
    add("has_note", lambda has: "With a note" if has else "Without a note")
    add("is_cut_off", lambda cut: "Cut off" if cut else "Not cut off")
    add("disagrees", lambda _: "Disagreements")
    add("differs", lambda _: "Known differences")
    add("actor", lambda actor: f"Author: {ACTORS[actor.value][1].lower()}")
    add("address", lambda address: f"Instance: {address}")
    add("batch", lambda number: f"Batch: {number}")
    add("tools", lambda tools: "With tools" if tools else "Without tools")
    add("is_helped", lambda helped: "With solving aids" if helped else "Without solving aids")
    for name, (low, high, _) in RANGES.items():
        _add_range(chips, name, (low, high), [getattr(run_filter, low), getattr(run_filter, high)])
    days = [day_of(moment) if moment else None for moment in (run_filter.since, run_filter.until)]
    _add_range(chips, "Submitted", ("since", "until"), days)
    add("is_overridden", lambda _: "Overridden scores")
    return chips


def result_words(run_filter: RunFilter) -> str:
    """The filter by result in words; empty if there is none."""
    if run_filter.is_read is False:
        return "Unreadable" if run_filter.passed is None else "Unreadable, not passed"
    if run_filter.passed is None:
        return "" if run_filter.is_read is None else "Readable"
    return "Passed" if run_filter.passed else "Not passed" if run_filter.is_read else "Not passed, or unreadable"


def _add_range(chips: list[Any], name: str, fields: tuple[str, ...], bounds: Sequence[Any]) -> None:
    low, high = ("" if bound is None else f"{bound:,}" if isinstance(bound, int | float) else bound for bound in bounds)
    if low or high:
        words = f"{low} to {high}" if low and high else f"from {low}" if low else f"up to {high}"
        chips.append((f"{name}: {words}", fields))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} more"
