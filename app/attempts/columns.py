"""The columns of the runs browser: what each shows of an attempt, and how it is sorted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from spatial_workbench.app.attempts.words import format_seconds, help_text, help_tip, times_words
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.engine.core import InstanceError, headline_of, measured_text, resolve, task
from spatial_workbench.engine.core.words import score_words

if TYPE_CHECKING:
    from spatial_workbench.engine.store import RunRow

Text = Callable[["RunRow"], str]
Picture = tuple[str, str]
"""Name of an icon and its role in the theme."""

ACTORS = {
    "person": ("person", "Person"),
    "model": ("model", "Model"),
    "reference": ("solve", "Reference"),
    "import": ("open", "Import"),
}
"""Icon and word for each kind of author."""


@dataclass(frozen=True)
class AttemptColumn:
    """One column. `by` is what the project sorts it by."""

    title: str
    by: str
    width: int
    text: Text
    is_figure: bool = False
    icon: Callable[[RunRow], Picture | None] = lambda row: None
    tip: Text = lambda row: ""


def task_title(task_id: str) -> str:
    """A task's title; its id where this version has no such task."""
    try:
        return task(task_id).title
    except KeyError:
        return task_id


@lru_cache(maxsize=4096)
def instance_caption(address: str) -> str:
    """A short name for an instance; a generated one is named by its seed, as making it would take too long here."""
    if "@" in address:
        return address[address.index("@") :]
    try:
        instance_task, instance = resolve(address)
    except InstanceError:
        return address
    return instance_task.caption(instance)


def instance_title(address: str) -> str:
    """Task and instance in words."""
    return f"{task_title(address.partition('@')[0].partition(':')[0])} · {instance_caption(address)}"


def score_text(row: RunRow) -> str:
    """The score that counts; a dash while there is none."""
    return "–" if row.score is None else score_words(row.score)


def measured_tip(task_id: str, value: float | None) -> str:
    """What the measured figure of an attempt is, in a sentence; empty if there is none."""
    headline = None if value is None else headline_of(task_id)
    return "" if headline is None else f"{headline.label}, in the unit of the task, by the default verifier"


def passed_text(passed: bool | None) -> str:
    """Passed or not, in words."""
    return "Not judged" if passed is None else "Passed" if passed else "Not passed"


def how_read_text(how: str | None) -> str:
    """How an answer was read, in words; empty if it is not known."""
    return how.capitalize() if how else ""


def _score_tip(row: RunRow) -> str:
    if not row.is_overridden:
        return ""
    first = "none" if row.first_score is None else score_words(row.first_score)
    return f"Overridden by a person; the verifier's score was {first}"


def _passed_icon(row: RunRow) -> Picture | None:
    if row.passed is None:
        return ("clock", "secondary")
    return ("passed", "passed") if row.passed else ("failed", "failed")


def _figure(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _tools(row: RunRow) -> str:
    return "" if row.tools is None else "With" if row.tools else "Without"


COLUMNS = (
    AttemptColumn(
        "#",
        "attempt",
        76,
        lambda row: str(row.number),
        is_figure=True,
        icon=lambda row: ("warning", "warning") if row.disagrees else None,
        tip=lambda row: "Default verifier and cross-check disagree about this attempt" if row.disagrees else "",
    ),
    AttemptColumn("Task", "task", 184, lambda row: task_title(row.task), tip=lambda row: row.task),
    AttemptColumn("Instance", "address", 140, lambda row: instance_caption(row.address), tip=lambda row: row.address),
    AttemptColumn("Who", "who", 112, lambda row: author_of(row)),
    AttemptColumn(
        "Author",
        "actor",
        100,
        lambda row: ACTORS[row.actor.value][1],
        icon=lambda row: (ACTORS[row.actor.value][0], "secondary"),
    ),
    AttemptColumn(
        "Score",
        "score",
        80,
        score_text,
        is_figure=True,
        icon=lambda row: ("pencil", "accent") if row.is_overridden else None,
        tip=_score_tip,
    ),
    AttemptColumn(
        "Measured",
        "measured",
        88,
        lambda row: measured_text(row.task, row.measured),
        is_figure=True,
        tip=lambda row: measured_tip(row.task, row.measured),
    ),
    AttemptColumn("Result", "passed", 116, lambda row: passed_text(row.passed), icon=_passed_icon),
    AttemptColumn(
        "Help",
        "solving_aids",
        76,
        help_text,
        tip=help_tip,
    ),
    AttemptColumn("Failure mode", "label", 124, lambda row: row.label or ""),
    AttemptColumn("Read", "how_read", 116, lambda row: how_read_text(row.how_read), tip=lambda row: row.mending or ""),
    AttemptColumn("Tools", "tools", 72, _tools),
    AttemptColumn(
        "Time",
        "seconds",
        64,
        lambda row: "" if row.seconds is None else format_seconds(row.seconds),
        is_figure=True,
        tip=times_words,
    ),
    AttemptColumn("Tokens out", "output_tokens", 84, lambda row: _figure(row.output_tokens, ","), is_figure=True),
    AttemptColumn("Cost, $", "cost_usd", 72, lambda row: _figure(row.cost_usd, ".4f"), is_figure=True),
    AttemptColumn(
        "Submitted", "submitted_at", 132, lambda row: row.submitted_at.astimezone().strftime("%d %b %Y %H:%M")
    ),
)
