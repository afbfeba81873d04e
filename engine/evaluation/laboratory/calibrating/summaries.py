"""What a calibration found, as a table, a chart, and a list of what was not calibrated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.calibrating.calibration import Calibrated, VerifierSwitch, shown
from spatial_workbench.engine.evaluation.laboratory.calibrating.tolerances import GaugedTolerance, not_gauged
from spatial_workbench.engine.evaluation.results.charts import Axis, Chart, ChartKey, ChartMark, Kind, Series
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine

FARTHEST = 2.0
"""The chart ends at so many times what the rules say."""
_SPREAD = 0.5
"""The part of a row of the chart over which the marks of its verifiers are spread."""
_TICKS = ((0.0, "0"), (0.5, "half"), (1.0, "rules"), (1.5, "1.5 times"), (2.0, "twice or more"))


def calibration_section(tasks: Sequence[str], found: Sequence[VerifierSwitch]) -> ReportSection:
    """Where verifiers switch, and which tolerances of the tasks were not calibrated."""
    others = _others(tasks)
    return ReportSection(
        "calibration",
        "Calibration",
        tables=tuple(table for table in (_table(found) if found else None, others) if table is not None),
        charts=(_chart(found),) if any(_share(each) is not None for each in found) else (),
        words=(summary(found),) if found else (),
        lacking="" if found else "None of these tasks has a tolerance that can be calibrated.",
    )


def summary(found: Sequence[VerifierSwitch]) -> str:
    """How many switches are where the rules say, and which are not."""
    counts = {outcome: sum(each.outcome is outcome for each in found) for outcome in Calibrated}
    others = ", ".join(
        f"{counts[outcome]:,} {outcome.value}"
        for outcome in Calibrated
        if counts[outcome] and outcome is not Calibrated.AS_THE_RULES
    )
    tolerances = len({(each.task, each.tolerance.id) for each in found})
    words = f"{counted(tolerances, 'tolerance')}, {counted(len(found), 'switch', 'switches')} looked for: "
    return f"{words}{counts[Calibrated.AS_THE_RULES]:,} as the rules{f', {others}' if others else ''}."


def title_of(tolerance: GaugedTolerance) -> str:
    """A tolerance with its task, in words."""
    return f"{_title(tolerance.task)} · {_name(tolerance)}"


def _table(found: Sequence[VerifierSwitch]) -> Table:
    return Table(
        title="Where verifiers switch",
        first="Tolerance",
        headings=(
            Heading("Task", is_text=True),
            Heading("Verifier", is_text=True),
            Heading("Rules", tip="Where the rules of the task switch"),
            Heading("Accepts", tip="The last figure that it accepts"),
            Heading("Refuses", tip="The first figure that it refuses"),
            Heading("Unit", is_text=True),
            Heading("Outcome", is_text=True),
            Heading("Asked", "answers"),
        ),
        lines=tuple(_line(each) for each in sorted(found, key=lambda each: each.outcome is Calibrated.AS_THE_RULES)),
        about="By halving the interval between an answer that passes and one that fails; what differs comes first.",
        is_sortable=True,
    )


def _line(found: VerifierSwitch) -> TableLine:
    tolerance = found.tolerance
    outcome = found.says if found.outcome is Calibrated.TROUBLE else ""
    cells = (
        TableCell(_title(found.task), values=(found.task,)),
        TableCell(found.verifier, tip=f"{found.verifier}, version {found.version}", values=(found.verifier,)),
        TableCell(f"{tolerance.rule:.10g}", tip=tolerance.says, values=(tolerance.rule,)),
        *(_figure(figure, tolerance) for figure in (found.accepted, found.refused)),
        TableCell(tolerance.unit, values=(tolerance.unit,)),
        TableCell(found.outcome.value, outcome, found.words, (found.outcome.value,)),
        TableCell(f"{found.asked:,}", values=(found.asked,)),
    )
    return TableLine(_name(tolerance), cells, tip=tolerance.says)


def _name(tolerance: GaugedTolerance) -> str:
    return tolerance.id.replace("-", " ").capitalize()


def _figure(figure: float | None, tolerance: GaugedTolerance) -> TableCell:
    if figure is None:
        return TableCell(values=(None,))
    return TableCell(shown(figure, tolerance.near), tip=f"{figure:.17g}", values=(figure,))


def _chart(found: Sequence[VerifierSwitch]) -> Chart:
    rows = list(dict.fromkeys((each.task, each.tolerance.id) for each in found))
    titles = {(each.task, each.tolerance.id): title_of(each.tolerance) for each in found}
    names = list(dict.fromkeys(each.verifier for each in found))
    series = tuple(
        Series(
            name,
            f"series {k % 8}",
            tuple(
                _mark(each, rows.index((each.task, each.tolerance.id)) + _offset(k, len(names)))
                for each in found
                if each.verifier == name and _share(each) is not None
            ),
            is_joined=False,
        )
        for k, name in enumerate(names)
    )
    return Chart(
        title="Switches beside the rules",
        about="What each verifier accepts, as a share of what the rules say; without a figure there is no mark.",
        kind=Kind.LINES,
        x=Axis("Accepted, as a share of the rules", -0.05, FARTHEST + 0.05, ticks=_TICKS),
        y=Axis(
            "", -0.5, len(rows) - 0.5, ticks=tuple((k, titles[row]) for k, row in enumerate(rows)), is_category=True
        ),
        series=series,
        keys=tuple(ChartKey(line.name, line.role) for line in series),
        header=("task", "tolerance", "verifier", "version", "rules", "accepts", "refuses", "unit", "outcome"),
        rows=tuple(_row(each) for each in found),
    )


def _row(found: VerifierSwitch) -> tuple[str | float | None, ...]:
    tolerance = found.tolerance
    figures = (tolerance.rule, found.accepted, found.refused)
    return (found.task, tolerance.id, found.verifier, found.version, *figures, tolerance.unit, found.outcome.value)


def _mark(found: VerifierSwitch, place: float) -> ChartMark:
    share = _share(found) or 0.0
    tip = f"{title_of(found.tolerance)}: {found.verifier} {found.words}."
    return ChartMark(min(max(share, 0.0), FARTHEST), place, tip=tip)


def _share(found: VerifierSwitch) -> float | None:
    """What is accepted as a share of the rule; a rule of zero is met, or missed by more than can be drawn."""
    if found.accepted is None:
        return None
    if found.tolerance.rule == 0:
        return 1.0 if found.outcome is Calibrated.AS_THE_RULES else FARTHEST
    return found.accepted / found.tolerance.rule


def _offset(place: int, count: int) -> float:
    return 0.0 if count == 1 else _SPREAD * (place / (count - 1) - 0.5)


def _others(tasks: Iterable[str]) -> Table | None:
    lines = tuple(
        TableLine(_title(name), (TableCell(each.says, values=(each.says,)), TableCell(each.why, values=(each.why,))))
        for name in tasks
        for each in not_gauged(name)
    )
    if not lines:
        return None
    headings = (Heading("Tolerance", is_text=True), Heading("Why", is_text=True))
    return Table("What is not calibrated", "Task", headings, lines)


def _title(task_id: str) -> str:
    try:
        return task(task_id).title
    except KeyError:
        return task_id
