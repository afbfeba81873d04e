"""The columns of the runs browser: what each shows of an attempt, and how it is sorted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from spatial_workbench.app.attempts.words import (
    CUT_OFF_ICON,
    cut_off_words,
    end_words,
    format_seconds,
    help_text,
    help_tip,
    times_words,
)
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.engine.core import InstanceError, headline_of, measured_text, resolve, task
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.store.facts import THEIR_SCORE, verifier_title
from spatial_workbench.widgets.tables.rows import TableColumn

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def instance_label(address: str) -> str:
    """Names an instance within its task: the number of a published one, "@" and the seed of a generated one."""
    _, _, number = address.partition(":")
    return number or address[address.find("@") :].partition("?")[0]


def score_text(row: RunRow) -> str:
    """The score that counts; a dash while there is none."""
    return "–" if row.score is None else score_words(row.score)


def measured_tip(task_id: str, value: float | None) -> str:
    """What the measured figure of an attempt is, in a sentence; empty if there is none."""
    headline = None if value is None else headline_of(task_id)
    return "" if headline is None else f"{headline.label}, in the unit of the task, by the default verifier"


def passed_text(passed: bool | None) -> str:
    """Passed or not, in words."""
    return "Not checked" if passed is None else "Passed" if passed else "Not passed"


def result_text(row: RunRow) -> str:
    """Passed, not passed, or that nothing could be read of which it could be said."""
    return "Unreadable" if row.is_unread and not row.passed else passed_text(row.passed)


def _result_tip(row: RunRow) -> str:
    why = f"No answer could be read: {row.how_read.value}" if row.is_unread and row.how_read else ""
    return ". ".join(filter(None, (why, cut_off_words(row.cut_off))))


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
    if row.passed:
        return ("passed", "passed")
    return CUT_OFF_ICON if row.cut_off else ("warning", "warning") if row.is_unread else ("failed", "failed")


def own_columns(verifiers: Iterable[str]) -> tuple[AttemptColumn, ...]:
    """A column for each verifier of somebody else's, by their names in verdicts."""
    return tuple(_own_column(name) for name in verifiers)


def _own_column(verifier: str) -> AttemptColumn:
    def icon(row: RunRow) -> Picture | None:
        said = row.own.get(verifier)
        return None if said is None else ("passed", "passed") if said.passed else ("failed", "failed")

    def tip(row: RunRow) -> str:
        said = row.own.get(verifier)
        return "Not judged" if said is None else f"{passed_text(said.passed)}, by version {said.version}"

    return AttemptColumn(
        verifier_title(verifier),
        lambda row: score_words(row.own[verifier].score) if verifier in row.own else "",
        112,
        is_figure=True,
        icon=icon,
        tip=tip,
        about="What the file says of an attempt that was imported: its score, and whether it passes"
        if verifier == THEIR_SCORE
        else f"What {verifier} said last of an attempt: its score, and whether the attempt passes",
        by=verifier,
    )


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
    AttemptColumn(
        "No.",
        lambda row: instance_label(row.address),
        52,
        is_figure=True,
        tip=lambda row: row.address,
        about="The number of the instance within its task, or the seed that it was generated from",
        by="number",
    ),
    AttemptColumn("Who", lambda row: author_of(row), 140, is_long=True, by="who"),
    AttemptColumn(
        "Author",
        lambda row: ACTORS[row.actor.value][1],
        116,
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
    AttemptColumn("Result", result_text, 116, icon=_passed_icon, tip=_result_tip, by="passed"),
    AttemptColumn(
        "Failed check",
        lambda row: row.failed_check or "",
        132,
        is_long=True,
        about="The first check of the default verifier that failed",
        by="failed_check",
    ),
    AttemptColumn("Help", help_text, 76, tip=help_tip, by="solving_aids"),
    AttemptColumn("Failure mode", lambda row: row.label or "", 124, by="label"),
    AttemptColumn(
        "Read", lambda row: how_read_text(row.how_read), 116, tip=lambda row: row.mending or "", by="how_read"
    ),
    AttemptColumn(
        "Stop reason",
        lambda row: end_words(row.run_end),
        112,
        icon=lambda row: CUT_OFF_ICON if row.cut_off and row.run_end else None,
        tip=lambda row: cut_off_words(row.cut_off),
        about="Why the run of an agent ended",
        by="run_end",
    ),
    AttemptColumn(
        "Finish reason",
        lambda row: end_words(row.finish_reason),
        116,
        icon=lambda row: CUT_OFF_ICON if row.cut_off and not row.run_end else None,
        tip=lambda row: cut_off_words(row.cut_off),
        about="Why the last reply of the model ended, as its endpoint says: stop, length, content filter",
        by="finish_reason",
    ),
    AttemptColumn(
        "Repeat",
        lambda row: "" if row.repeat is None or row.batch is None else str(row.repeat + 1),
        64,
        is_figure=True,
        about="Which of the questions of a batch about the same instance it answers, from 1",
        by="repeat",
    ),
    AttemptColumn("Labels", lambda row: row.tags or "", 120, is_long=True, about="Labels of your own", by="tags"),
    AttemptColumn(
        "Note", lambda row: (row.note or "").partition("\n")[0], 140, tip=lambda row: row.note or "", by="note"
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
    AttemptColumn("Tokens in", lambda row: _figure(row.input_tokens, ","), 84, is_figure=True, by="input_tokens"),
    AttemptColumn("Tokens out", lambda row: _figure(row.output_tokens, ","), 84, is_figure=True, by="output_tokens"),
    AttemptColumn(
        "Reasoning",
        lambda row: _figure(row.reasoning_tokens, ","),
        84,
        is_figure=True,
        about="Tokens of reasoning, which are a part of the tokens out",
        by="reasoning_tokens",
    ),
    AttemptColumn("Cost, $", lambda row: _figure(row.cost_usd, ".4f"), 72, is_figure=True, by="cost_usd"),
    AttemptColumn(
        "Submitted", lambda row: row.submitted_at.astimezone().strftime("%d %b %Y %H:%M"), 148, by="submitted_at"
    ),
    AttemptColumn("Settings", settings_text, 148, tip=settings_text, by="settings"),
)
