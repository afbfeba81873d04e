"""The results of machines: validity and metres by model and workflow, rankings of levels, best-of-N, expansions.

Published tables come last; they were measured on another physics engine and are never ranked with ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import (
    Family,
    InstanceError,
    agents_of,
    headline_of,
    measured_text,
    resolve,
    task_of_address,
    tasks,
)
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.evaluation.columns import columns_of
from spatial_workbench.engine.evaluation.results.charts import (
    Axis,
    Chart,
    ChartKey,
    ChartMark,
    ChartTarget,
    Kind,
    Series,
    natural,
)
from spatial_workbench.engine.evaluation.results.colors import model_roles
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
)
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import grouped
from spatial_workbench.engine.machines.results.statistics import Count, Sample, best_of_curve, mean_by_round, summarize
from spatial_workbench.engine.store import Actor

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

FEWEST_FOR_CURVE = 2
MOST_TICKS = 10
KIND_OF_RECORD = "machine"
_ACTORS = {
    Actor.PERSON.value: "By hand",
    Actor.REFERENCE.value: "Reference",
    Actor.IMPORT.value: "Import",
    Actor.MODEL.value: "Single question",
}
STRATEGIES = {"random": "Random search", "best-of-n": "Best-of-N", "mcts": "Tree search"}
ELSEWHERE = (
    "Published for BesiegeField. Measured on another physics engine, that of the game, so these figures stand beside "
    "the results above and are not ranked with them."
)
_COUNT_FIELDS = ("passed", "of")


@dataclass(frozen=True)
class MachineResult:
    """A machine that somebody made for a level, or a question that ended without one.

    Attributes:
        workflow: Title of the agent, or how else it was made.
        sample: Its validity and its value: metres, or in levels with targets the score.
    """

    item: Scored
    workflow: str
    sample: Sample

    @property
    def has_metres(self) -> bool:
        """Whether its level is known to be measured in metres, which only machines that can be read show."""
        return self.item.measured is not None


Group = tuple[str, str]
"""Model or person, and workflow."""


def machine_results(project: Project, records: Sequence[Scored]) -> list[MachineResult]:
    """The machines among some records; questions that were not asked, or have no score, are left out."""
    records = columns_of(records)
    of_machines = [task.id for task in tasks() if task.family == Family.MACHINES]
    was_asked = ~records.text("state").is_any(Ending.NOT_ASKED)
    items = records.at(records.text("task").is_any(*of_machines) & records.has_value & was_asked)
    verdicts = dict(project.runs.default_verdicts(of_machines)) if items else {}
    parts = project.runs.transcript_parts(KIND_OF_RECORD, "$.workflow")
    workflows = {attempt: kind for attempt, (kind,) in parts if isinstance(kind, str)}
    return [
        MachineResult(
            item,
            _workflow_of(item, workflows.get(item.attempt or 0, item.agent)),
            _sample_of(item, verdicts.get(item.attempt or 0)),
        )
        for item in items
    ]


def node_expansions(project: Project) -> dict[int, list[tuple[str, list[list[int]]]]]:
    """The searches in the workflow of each attempt, by the attempt's number.

    Returns:
        For each workflow the strategy, and for each of its searches how many machines each round added.
    """
    searches: dict[int, list[tuple[str, list[list[int]]]]] = {}
    for attempt, (strategy, stored) in project.runs.transcript_parts(
        KIND_OF_RECORD, "$.options.strategy", "$.searches"
    ):
        rounds = [_rounds_of(search) for search in _list_of(stored)]
        searches.setdefault(attempt, []).append((str(strategy), [counts for counts in rounds if counts]))
    return searches


def machine_tables(
    results: Sequence[MachineResult],
    expansions: Mapping[int, list[tuple[str, list[list[int]]]]],
    with_published: bool = True,
) -> tuple[Table, ...]:
    """Figures by model and workflow, rankings by level, node expansions, then the published tables."""
    by_level = _by_level(results)
    own = [summary_table(by_level)] if results else []
    rankings = [ranking_table(address, group) for address, group in by_level.items()]
    searched = expansion_table(results, expansions)
    theirs = published_tables() if with_published else ()
    return (*own, *rankings, *([searched] if searched else []), *theirs)


def best_of_charts(results: Sequence[MachineResult]) -> tuple[Chart, ...]:
    """A best-of-N chart for each level at which somebody made at least two machines."""
    charts = (_best_of_chart(address, group) for address, group in _by_level(results).items())
    return tuple(chart for chart in charts if not chart.is_empty)


# Figures by model and workflow ----------------------------------------------------------------------------------------


def summary_table(by_level: Mapping[str, Sequence[MachineResult]]) -> Table:
    """A line for each level, model and workflow; below those of a task, one over all of its levels in metres."""
    return Table(
        title="Validity and metres by level, model and workflow",
        first="Model or person",
        headings=(
            Heading("Workflow", is_text=True, tip="The agent, or how else the machine was made"),
            Heading("Level", is_text=True),
            Heading("Samples", tip="Machines; questions that ended with an error count as not valid"),
            Heading("File valid", tip="The list could be read as a construction tree", fields=_COUNT_FIELDS),
            Heading(
                "Space valid", tip="No overlap, within the size; of those whose file is valid", fields=_COUNT_FIELDS
            ),
            Heading("Machine valid", tip="Both, of all samples", fields=_COUNT_FIELDS),
            Heading("Mean, valid", tip="Over valid machines"),
            Heading("Mean, all", tip="Over all samples; machines that are not valid count 0"),
            Heading("Maximum", tip="Over all samples"),
            Heading("Deviation", tip="Standard deviation over all samples, with n - 1"),
        ),
        lines=tuple(_summary_lines(by_level)),
        notes=(TableNote("Levels with targets have no metres; their figures are scores: 1 for success, else 0."),),
        about="By the default verifier. Metres are those that count: a throw that stays low or is carried counts 0.",
    )


def _summary_lines(by_level: Mapping[str, Sequence[MachineResult]]) -> Iterator[TableLine]:
    for task_id, addresses in grouped(by_level, task_of_address).items():
        for address in addresses:
            unit = _has_metres(by_level[address])
            for group, results in _by_group(by_level[address]).items():
                yield _summary_line(group, level_title(address), results, task_id, unit)
        measured = [result for address in addresses if _has_metres(by_level[address]) for result in by_level[address]]
        if len({result.item.address for result in measured}) > 1:
            for group, results in _by_group(measured).items():
                yield _summary_line(group, "All levels", results, task_id, True, is_sum=True)


def _summary_line(
    group: Group, level: str, results: Sequence[MachineResult], task_id: str, in_metres: bool, is_sum: bool = False
) -> TableLine:
    summary = summarize([result.sample for result in results])
    figures = (summary.mean_valid, summary.mean_all, summary.maximum, summary.deviation)
    cells = (
        TableCell(group[1], values=(group[1],)),
        TableCell(level, tip=f"{_task_title(task_id)}: {level}", values=(level,)),
        TableCell(str(len(results)), values=(len(results),)),
        *map(_count_cell, (summary.file, summary.spatial, summary.machine)),
        *(_value_cell(task_id, value, in_metres) for value in figures),
    )
    return TableLine(group[0], cells, is_sum=is_sum)


def _count_cell(count: Count) -> TableCell:
    return TableCell(str(count), tip=f"{count.passed} of {count.total}", values=(count.passed, count.total))


def _value_cell(task_id: str, value: float | None, in_metres: bool) -> TableCell:
    if value is None:
        return TableCell(tip="There is no such machine.", values=(None,))
    return TableCell(measured_text(task_id, value) if in_metres else f"{value:.2f}", values=(value,))


# Rankings -------------------------------------------------------------------------------------------------------------


def ranking_table(address: str, results: Sequence[MachineResult]) -> Table:
    """People and models at a level by their best machine."""
    in_metres = _has_metres(results)
    task_id = task_of_address(address)
    headline = headline_of(task_id)
    best = {group: max(of, key=lambda result: result.sample.value) for group, of in _by_group(results).items()}
    order = sorted(best, key=lambda group: (-best[group].sample.value, natural(group[0]), group[1]))
    counts = {group: len(of) for group, of in _by_group(results).items()}
    return Table(
        title=f"Ranking: {level_title(address)}",
        first="Model or person",
        headings=(
            Heading("Rank"),
            Heading("Workflow", is_text=True),
            Heading(headline.label if headline and in_metres else "Score", tip="Of the best machine"),
            Heading("Of reference", tip="The score of the best machine: at most 1, while metres go on"),
            Heading("Attempt", tip="Number of the attempt with the best machine"),
            Heading("Samples"),
        ),
        lines=tuple(
            _ranking_line(
                1 + sum(best[other].sample.value > best[group].sample.value for other in order),
                group,
                best[group],
                counts[group],
                in_metres,
            )
            for group in order
        ),
        about="People and models by their best machine.",
    )


def _ranking_line(rank: int, group: Group, best: MachineResult, count: int, in_metres: bool) -> TableLine:
    attempt = best.item.attempt
    cells = (
        TableCell(str(rank), values=(rank,)),
        TableCell(group[1], values=(group[1],)),
        _value_cell(best.item.task, best.sample.value, in_metres),
        number_cell(best.item.value, 2),
        TableCell("–" if attempt is None else str(attempt), values=(attempt,)),
        TableCell(str(count), values=(count,)),
    )
    return TableLine(group[0], cells)


# Best-of-N ------------------------------------------------------------------------------------------------------------


def _best_of_chart(address: str, results: Sequence[MachineResult]) -> Chart:
    groups = {group: of for group, of in _by_group(results).items() if len(of) >= FEWEST_FOR_CURVE}
    curves = {group: best_of_curve([result.sample.value for result in of]) for group, of in groups.items()}
    in_metres = _has_metres(results)
    task_id = task_of_address(address)
    headline = headline_of(task_id)
    label, unit = (headline.label, headline.unit) if headline and in_metres else ("Score", "")
    most = max((len(curve) for curve in curves.values()), default=1)
    top = max((float(curve[-1]) for curve in curves.values()), default=1.0) or 1.0
    roles = model_roles(map(_name_of, curves))
    series = tuple(
        Series(
            _name_of(group),
            roles[_name_of(group)],
            tuple(_curve_mark(group, n, float(value), task_id, in_metres) for n, value in enumerate(curve, 1)),
        )
        for group, curve in curves.items()
    )
    return Chart(
        title=f"Best of N: {level_title(address)}",
        about="The best of N samples, averaged over 1,000 draws with a fixed seed.",
        kind=Kind.LINES,
        x=Axis("Samples N", 0.5, most + 0.5, ticks=_count_ticks(most)),
        y=Axis(f"{label} of the best", 0.0, 1.08 * top, unit, _value_ticks(1.08 * top)),
        series=series,
        keys=tuple(ChartKey(line.name, line.role) for line in series),
        header=("model", "workflow", "n", f"{label.lower()} of the best"),
        rows=tuple((*group, n, float(value)) for group, curve in curves.items() for n, value in enumerate(curve, 1)),
    )


def _curve_mark(group: Group, n: int, value: float, task_id: str, in_metres: bool) -> ChartMark:
    text = measured_text(task_id, value) if in_metres else f"{value:.2f}"
    tip = f"{_name_of(group)}, best of {n}: {text}."
    return ChartMark(n, value, tip=tip, target=ChartTarget(model=group[0]))


def _count_ticks(most: int) -> tuple[tuple[float, str], ...]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, most) if most / step <= MOST_TICKS)
    return tuple((n, str(n)) for n in range(1, most + 1) if n == 1 or n % step == 0)


def _value_ticks(top: float) -> tuple[tuple[float, str], ...]:
    """Four to eight round values from 0."""
    steps = (factor * 10.0**power for power in range(-3, 7) for factor in (1, 2, 5))
    step = next((step for step in steps if top / step <= 8), top)
    return tuple((step * i, f"{step * i:g}") for i in range(int(top / step) + 1))


# Searches -------------------------------------------------------------------------------------------------------------


def expansion_table(
    results: Sequence[MachineResult], expansions: Mapping[int, list[tuple[str, list[list[int]]]]]
) -> Table | None:
    """How many machines each round of the stored searches added; None if no search is stored."""
    groups: dict[tuple[str, str, str], list[list[int]]] = {}
    for result in results:
        for strategy, searches in expansions.get(result.item.attempt or 0, ()):
            if searches:
                name = STRATEGIES.get(strategy, strategy)
                groups.setdefault((result.item.model, result.workflow, name), []).extend(searches)
    if not groups:
        return None
    means = {group: mean_by_round(searches) for group, searches in groups.items()}
    most = max(map(len, means.values()))
    return Table(
        title="Node expansions per round",
        first="Model",
        headings=(
            Heading("Workflow", is_text=True),
            Heading("Search", is_text=True),
            Heading("Searches"),
            Heading("A search", "machines", "Mean number of machines that a search added"),
            *(Heading(f"Round {i + 1}", tip="Mean number of machines that the round added") for i in range(most)),
        ),
        lines=tuple(_expansion_line(group, groups[group], means[group], most) for group in means),
        about="Machines that the rounds of stored workflows added, over all levels.",
    )


def _expansion_line(
    group: tuple[str, str, str], searches: Sequence[Sequence[int]], means: Sequence[float], most: int
) -> TableLine:
    total = sum(map(sum, searches)) / len(searches)
    shown = (*means, *[None] * (most - len(means)))
    words = tuple(TableCell(text, values=(text,)) for text in group[1:])
    count = TableCell(str(len(searches)), values=(len(searches),))
    return TableLine(group[0], (*words, count, number_cell(total), *map(number_cell, shown)))


# Published ------------------------------------------------------------------------------------------------------------


def published_tables() -> tuple[Table, ...]:
    """The tables of the paper, each with a line for each of its rows."""
    text = resource("machines", "published_results.json").read_text("utf-8")
    return tuple(_published_table(name, table) for name, table in json.loads(text)["tables"].items())


def _published_table(name: str, table: Mapping[str, Any]) -> Table:
    rows = [_flat(row) for row in table["rows"]]
    columns = list(dict.fromkeys(column for row in rows for column in row if column != "model"))
    number = name.removeprefix("table_")
    note = table.get("columns_note", "")
    notes = (TableNote(f"{note[0].upper()}{note[1:]}."),) if note else ()
    return Table(
        title=f"Published, table {number}: {table['title']}",
        first="Model",
        headings=tuple(_published_heading(column, rows) for column in columns),
        lines=tuple(
            TableLine(
                str(row["model"]), tuple(_published_cell(row.get(column)) for column in columns), is_published=True
            )
            for row in rows
        ),
        notes=notes,
        about=ELSEWHERE,
    )


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with the parts of nested columns side by side: "single agent, mean"."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, figure in parts:
            flat[", ".join(filter(None, (name.replace("_", " "), part.replace("_", " "))))] = figure
    return flat


def _published_heading(column: str, rows: Sequence[Mapping[str, Any]]) -> Heading:
    is_text = column == "group"
    return Heading(column[0].upper() + column[1:], is_published=True, is_text=is_text)


def _published_cell(value: Any) -> TableCell:
    if value is None:
        return TableCell(tip="not reported", values=(None,))
    if isinstance(value, str):
        text = value.replace("_", " ")
        return TableCell(text, values=(text,))
    return number_cell(float(value))


# Samples --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def level_title(address: str) -> str:
    """A level in words: "T2 · Walls"; a generated one is named by its task and seed: "Machines: throw, @7"."""
    if "@" in address:
        return f"{_task_title(task_of_address(address))}, {address[address.index('@') :]}"
    try:
        task, instance = resolve(address)
    except InstanceError:
        return address
    return task.caption(instance)


def _task_title(task_id: str) -> str:
    try:
        return task_of(task_id).title
    except KeyError:
        return task_id


def _by_level(results: Sequence[MachineResult]) -> dict[str, list[MachineResult]]:
    """Results by address, published levels in their order before generated ones."""
    by_address = grouped(results, lambda result: result.item.address)
    return {address: by_address[address] for address in sorted(by_address, key=natural)}


def _by_group(results: Sequence[MachineResult]) -> dict[Group, list[MachineResult]]:
    groups = grouped(results, lambda result: (result.item.model, result.workflow))
    return {group: groups[group] for group in sorted(groups, key=lambda group: (natural(group[0]), group[1]))}


def _name_of(group: Group) -> str:
    return f"{group[0]}, {group[1].lower()}"


def _has_metres(results: Sequence[MachineResult]) -> bool:
    """Whether the level of some results is measured in metres, which only machines that can be read show."""
    return any(result.has_metres for result in results)


def _workflow_of(item: Scored, agent: str) -> str:
    if agent:
        return agents_of(task_of(item.task)).get(agent, agent)
    return _ACTORS.get(item.actor, item.actor)


def _sample_of(item: Scored, verdict: str | None) -> Sample:
    """A question without an answer, and an answer that cannot be read, is a file that is not valid."""
    figures = _figures_of(verdict)
    value = item.value or 0.0 if item.measured is None else item.measured
    space = figures.get("spatial validity")
    return Sample(value, bool(figures.get("file validity")), None if space is None else bool(space))


def _figures_of(verdict: str | None) -> dict[str, Any]:
    try:
        return {figure["name"]: figure["value"] for figure in json.loads(verdict or "{}").get("figures", ())}
    except (ValueError, TypeError, LookupError, AttributeError):
        return {}


def _list_of(stored: Any) -> list[Any]:
    found = json.loads(stored) if isinstance(stored, str) else None
    return found if isinstance(found, list) else []


def _rounds_of(search: Any) -> list[int]:
    expanded = search.get("expanded") if isinstance(search, dict) else None
    return [count for count in expanded if isinstance(count, int)] if isinstance(expanded, list) else []
