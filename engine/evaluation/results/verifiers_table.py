"""The scores of each run by all verifiers that have judged it, where verifiers of somebody else's are among them.

A figure of one verifier stands beside those of others only over the same attempts: those that all of them have judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.columns import ScoredColumns
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, TableNote, percent
from spatial_workbench.engine.store.facts import is_own

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

FIELDS = ("score", "passed", "attempts")
_Scores = Mapping[int, tuple[float, bool]]
_ALL = "All runs"


def verifiers_tables(project: Project, records: ScoredColumns) -> tuple[Table, ...]:
    """A table for each task that a verifier of somebody else's has judged: rows of runs, columns of verifiers.

    Of each verifier of somebody else's, its newest version counts; of ours, the newest verdict of each attempt.
    """
    own = project.runs.own_verifiers()
    if not own:
        return ()
    versions = {name: project.runs.newest_version(name) for name in own}
    said = {name: project.runs.verdict_scores(name, versions[name]) for name in own}
    ours = {name for name, _, _ in project.runs.verifiers() if not is_own(name)}
    said |= {name: project.runs.verdict_scores(name) for name in ours}
    order = sorted(said, key=lambda name: (name != "default", is_own(name), name))
    tables = (_table(task, rows, {name: said[name] for name in order}, versions) for task, rows in _by_task(records))
    return tuple(table for table in tables if table is not None)


def _by_task(records: ScoredColumns) -> Sequence[tuple[str, ScoredColumns]]:
    return list(records.split("task").items())


def _table(task: str, records: ScoredColumns, said: Mapping[str, _Scores], versions: Mapping[str, str]) -> Table | None:
    attempts = {int(number) for number in records.figures("attempt") if number == number}
    judges = {name: scores for name, scores in said.items() if not attempts.isdisjoint(scores)}
    if not any(map(is_own, judges)):
        return None
    common = {number for number in attempts if all(number in scores for scores in judges.values())}
    runs = {
        run: [int(number) for number in rows.figures("attempt") if number in common]
        for run, rows in records.split("model").items()
    }
    lines = [_line(run, numbers, judges) for run, numbers in runs.items() if numbers]
    if len(lines) > 1:
        lines.append(_line(_ALL, sorted(common), judges, is_sum=True))
    notes = [TableNote(f"{name} counts in its newest version, {versions[name]}.") for name in judges if is_own(name)]
    if left := len(attempts) - len(common):
        verb = "is" if left == 1 else "are"
        notes.append(TableNote(f"{counted(left, 'attempt')} that not all of these have judged {verb} left out."))
    return Table(
        title=f"{_title(task)} by each verifier",
        first="Run",
        headings=tuple(Heading(name, "%", fields=FIELDS) for name in judges),
        lines=tuple(lines),
        notes=tuple(notes),
        about="Mean score in percent, without what people set; below it the share that passes, and the attempts.",
    )


def _line(run: str, numbers: Sequence[int], judges: Mapping[str, _Scores], is_sum: bool = False) -> TableLine:
    cells = tuple(_cell([scores[number] for number in numbers]) for scores in judges.values())
    return TableLine(run, cells, is_sum=is_sum)


def _cell(said: Sequence[tuple[float, bool]]) -> TableCell:
    if not said:
        return TableCell()
    score = fsum(score for score, _ in said) / len(said)
    passed = sum(passed for _, passed in said)
    return TableCell(
        percent(score),
        f"{passed:,}/{len(said):,} pass",
        f"mean score {percent(score)} %; {passed:,} of {counted(len(said), 'attempt')} pass",
        (score, passed / len(said), len(said)),
    )


def _title(task_id: str) -> str:
    from spatial_workbench.engine.core import task

    try:
        return task(task_id).title
    except KeyError:
        return task_id
