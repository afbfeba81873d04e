"""How many of the known differences the search finds from nothing: the table in docs/laboratory.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.core.words import counted
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


@dataclass(frozen=True)
class SearchedTask:
    """How thoroughly a task was searched.

    Attributes:
        answers: About how many answers were asked about.
        seconds: How long that took, all processes together.
        others: How many groups of findings show no known difference.
    """

    answers: int
    seconds: float
    others: int = 0


def as_table(found: Sequence[FoundDifference], searched: Mapping[str, SearchedTask]) -> str:
    """The table of what was found, in Markdown: a row for each task, the missed ones by name, and a sum.

    searched: How thoroughly each task was searched, in the order of the rows.
    """
    lines = [
        "| task | answers | seconds | listed | found | last found after | smallest case | other groups "
        "| missed, with a stored answer |",
        "|---|--:|--:|--:|--:|--:|---|--:|---|",
    ]
    for task, how in searched.items():
        rows = [row for row in found if row.task == task]
        hits = [row for row in rows if row.seconds is not None]
        missed = ", ".join(f"`{row.id}` ({row.witness})" for row in rows if row.seconds is None)
        last = f"{max(row.seconds or 0.0 for row in hits):.0f} s" if hits else ""
        small = min(((row.elements, row.digits) for row in hits), default=None)
        size = "" if small is None else f"{counted(small[0], 'element')}, {counted(small[1], 'digit')}"
        lines.append(
            f"| {task} | {how.answers:,} | {how.seconds:,.0f} | {len(rows)} | {len(hits)} | {last} | {size} "
            f"| {how.others or ''} | {missed} |"
        )
    hits_in_all = sum(row.seconds is not None for row in found)
    share = f" ({hits_in_all / len(found):.0%})" if found else ""
    answers, seconds = sum(how.answers for how in searched.values()), sum(how.seconds for how in searched.values())
    others = sum(how.others for how in searched.values())
    lines.append(f"| all | {answers:,} | {seconds:,.0f} | {len(found)} | {hits_in_all}{share} | | | {others} | |")
    return "\n".join(lines) + "\n"
