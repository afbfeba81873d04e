"""How many of the known differences the search finds from nothing: the table in docs/laboratory.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.evaluation.laboratory.answer_parts import element_count, most_digits
from spatial_workbench.engine.evaluation.laboratory.known import differences_of_rules
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import FindingGroup


@dataclass(frozen=True)
class FoundDifference:
    """A known difference, and when the search found it.

    Attributes:
        task: Id of the task.
        id: Id of the difference.
        seconds: When it was found first; None if it was not.
        elements, digits: The size of the smallest case that was found.
        witness: Address of the stored answer that shows it.
    """

    task: str
    id: str
    seconds: float | None
    elements: int
    digits: int
    witness: str


def found_differences(task: str, groups: Sequence[FindingGroup]) -> list[FoundDifference]:
    """Which known differences of a task the groups show; those of the cross-check, which has no rules, do not count."""
    rows = []
    for known in differences_of_rules(task):
        showing = [group for group in groups if known.id in group.known]
        sizes = [(element_count(group.smallest.answer), most_digits(group.smallest.answer)) for group in showing]
        elements, digits = min(sizes, default=(0, 0))
        seconds = min((group.seconds for group in showing), default=None)
        rows.append(FoundDifference(task, known.id, seconds, elements, digits, known.example.address))
    return rows


def as_table(found: Sequence[FoundDifference], asked: Mapping[str, int]) -> str:
    """The table of what was found, in Markdown: a row for each task, the missed ones by name, and a sum.

    asked: About how many answers each task was asked.
    """
    lines = [
        "| task | answers | listed | found | seconds | smallest case | missed, with a stored answer |",
        "|---|--:|--:|--:|--:|---|---|",
    ]
    for task in dict.fromkeys(row.task for row in found):
        rows = [row for row in found if row.task == task]
        hits = [row for row in rows if row.seconds is not None]
        missed = ", ".join(f"`{row.id}` ({row.witness})" for row in rows if row.seconds is None)
        seconds = f"{max(row.seconds or 0.0 for row in hits):.0f}" if hits else ""
        small = min(((row.elements, row.digits) for row in hits), default=None)
        size = "" if small is None else f"{small[0]} elements, {small[1]} digits"
        lines.append(f"| {task} | {asked.get(task, 0):,} | {len(rows)} | {len(hits)} | {seconds} | {size} | {missed} |")
    hits_in_all = sum(row.seconds is not None for row in found)
    share = f"{hits_in_all / len(found):.0%}" if found else ""
    lines.append(f"| all | {sum(asked.values()):,} | {len(found)} | {hits_in_all} ({share}) | | | |")
    return "\n".join(lines) + "\n"
