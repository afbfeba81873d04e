"""The columns of the runs browser: what each shows of an attempt, and how it is sorted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from spatial_workbench.app.attempts.words import format_seconds, help_text, help_tip, times_words
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.engine.core import InstanceError, headline_of, measured_text, resolve, task
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.widgets.tables.rows import TableColumn

if TYPE_CHECKING:
    from spatial_workbench.engine.store import RunRow

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
class AttemptColumn(TableColumn["RunRow"]):
    """One column. `by` is what the project sorts it by."""

    by: str = ""


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


def settings_words(row: RunRow) -> list[tuple[str, str]]:
    """Names and values of the parameters that a model was asked with; those left to the endpoint are left out."""
    values = (
        ("Reasoning effort", row.effort),
        ("Temperature", None if row.temperature is None else f"{row.temperature:g}"),
        ("Top-p", None if row.top_p is None else f"{row.top_p:g}"),
        ("Prompt variant", row.variant),
    )
    return [(name, value) for name, value in values if value]


def settings_text(row: RunRow) -> str:
    """The parameters that a model was asked with, in a few words: "temperature 0.5 · top-p 0.9"."""
    return " · ".join(f"{name.lower()} {value}" for name, value in settings_words(row))


COLUMNS = (
    AttemptColumn(
        "#",
        lambda row: str(row.number),
        76,
        is_figure=True,
        icon=lambda row: ("warning", "warning") if row.disagrees else None,
        tip=lambda row: "Default verifier and cross-check disagree about this attempt" if row.disagrees else "",
        by="attempt",
    ),
    AttemptColumn("Task", lambda row: task_title(row.task), 184, tip=lambda row: row.task, by="task"),
    AttemptColumn(
        "Instance", lambda row: instance_caption(row.address), 140, tip=lambda row: row.address, by="address"
    ),
    AttemptColumn("Who", lambda row: author_of(row), 112, by="who"),
    AttemptColumn(
        "Author",
        lambda row: ACTORS[row.actor.value][1],
        100,
        icon=lambda row: (ACTORS[row.actor.value][0], "secondary"),
        by="actor",
    ),
    AttemptColumn(
        "Score",
        score_text,
        80,
        is_figure=True,
        icon=lambda row: ("pencil", "accent") if row.is_overridden else None,
        tip=_score_tip,
        by="score",
    ),
    AttemptColumn(
        "Measured",
        lambda row: measured_text(row.task, row.measured),
        88,
        is_figure=True,
        tip=lambda row: measured_tip(row.task, row.measured),
        by="measured",
    ),
    AttemptColumn("Result", lambda row: passed_text(row.passed), 116, icon=_passed_icon, by="passed"),
    AttemptColumn("Help", help_text, 76, tip=help_tip, by="solving_aids"),
    AttemptColumn("Failure mode", lambda row: row.label or "", 124, by="label"),
    AttemptColumn(
        "Read", lambda row: how_read_text(row.how_read), 116, tip=lambda row: row.mending or "", by="how_read"
    ),
    AttemptColumn("Tools", _tools, 72, by="tools"),
    AttemptColumn(
        "Time",
        lambda row: "" if row.seconds is None else format_seconds(row.seconds),
        64,
        is_figure=True,
        tip=times_words,
        by="seconds",
    ),
    AttemptColumn("Tokens out", lambda row: _figure(row.output_tokens, ","), 84, is_figure=True, by="output_tokens"),
    AttemptColumn("Cost, $", lambda row: _figure(row.cost_usd, ".4f"), 72, is_figure=True, by="cost_usd"),
    AttemptColumn(
        "Submitted", lambda row: row.submitted_at.astimezone().strftime("%d %b %Y %H:%M"), 132, by="submitted_at"
    ),
    AttemptColumn("Settings", settings_text, 148, tip=settings_text, by="settings"),
)
