"""The section of a study's report that compares people with models, and conditions with each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    Value,
    number_cell,
    steady,
)
from spatial_workbench.engine.reporting.study_cells import ESTIMATE, difference_cell, share_cell, span_text
from spatial_workbench.engine.reporting.study_sentences import (
    words_on_conditions,
    words_on_item_differences,
    words_on_models,
)
from spatial_workbench.engine.studies.analysis.differences import contrast, difference_between, difference_within
from spatial_workbench.engine.studies.analysis.figures import ModelRun, cells_of
from spatial_workbench.engine.studies.analysis.intervals import StudyEstimate, item_means
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes


def comparison_section(outcomes: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    """People minus each model of `runs`, over all items and item by item; then each pair of conditions."""
    tables = [_models_table(outcomes, runs)] if runs else []
    tables += [_item_differences(outcomes, run) for run in runs]
    if len(outcomes.study.conditions) > 1:
        tables.append(_conditions_table(outcomes))
    words = () if runs else ("No model is compared: no run of this project fits the study's contrasts.",)
    return ReportSection("comparison", "Comparison", tuple(tables), words=words)


def _models_table(outcomes: Outcomes, runs: Sequence[ModelRun]) -> Table:
    headings = (
        Heading("People", "%"),
        Heading("Model", "%"),
        Heading("Difference, these items", "%", fields=("value", "low", "high")),
        Heading("Items like these", "%", fields=("low", "high")),
        Heading("p"),
        Heading("People below the model", "%"),
        Heading("Items"),
    )
    notes = [TableNote("p: two-sided sign-flip test of the items' differences. It is one line among others.")]
    single = [run.name for run in runs if any(len(samples) < 2 for samples in run.scores.values())]
    if single:
        notes.append(
            TableNote(f"One sample an item ({', '.join(single)}): the model's own variation is not in the interval.")
        )
    lines = tuple(_model_line(outcomes, run) for run in runs)
    return Table(
        "People minus models, on common items", "Run", headings, lines, tuple(notes), words=words_on_models(lines)
    )


def _model_line(outcomes: Outcomes, run: ModelRun) -> TableLine:
    cells = run.common(cells_of(outcomes, run.condition))
    title = f"{run.condition} minus {run.name}"
    if not cells.people or not cells.items:
        return TableLine(title, (*[TableCell()] * 6, number_cell(0)))
    analysis = outcomes.study.analysis
    found = contrast(cells.scores, run.samples(cells), analysis.seed, analysis.draws, analysis.level)
    these = found.these_items or (None, None)
    such = found.such_items or (None, None)
    return TableLine(
        title,
        (
            share_cell(float(item_means(cells.scores).mean())),
            share_cell(run.mean(cells)),
            TableCell(f"{steady(100 * found.difference):+.1f}", span_text(*these), values=(found.difference, *these)),
            TableCell(span_text(*such), values=such),
            number_cell(found.p, 4),
            share_cell(found.below_model),
            number_cell(len(cells.items)),
        ),
    )


def _item_differences(outcomes: Outcomes, run: ModelRun) -> Table:
    cells = run.common(cells_of(outcomes, run.condition))
    people = item_means(cells.scores).tolist() if cells.people else []
    rows = [
        (item.address, mean, fmean(run.scores[item.address])) for item, mean in zip(cells.items, people, strict=False)
    ]
    lines = tuple(
        TableLine(address, (share_cell(person), share_cell(model), difference_cell(person - model)))
        for address, person, model in sorted(rows, key=lambda row: row[1] - row[2])
    )
    headings = (Heading("People", "%"), Heading("Model", "%"), Heading("Difference", "%"))
    title = f"Items: {run.condition} minus {run.name}"
    return Table(title, "Item", headings, lines, words=words_on_item_differences(lines))


def _conditions_table(outcomes: Outcomes) -> Table:
    lines = []
    for first, second in combinations(outcomes.study.conditions, 2):
        found = _condition_difference(outcomes, first, second)
        values: tuple[Value, ...] = (
            (found.value, found.low, found.high, found.people) if found else (None, None, None, 0)
        )
        text = f"{steady(100 * found.value):+.1f}" if found else "n/a"
        detail = span_text(found.low, found.high) if found else ""
        lines.append(TableLine(f"{first} minus {second}", (TableCell(text, detail, values=values),)))
    headings = (Heading("Difference", "%", fields=ESTIMATE),)
    return Table("Between conditions", "Conditions", headings, tuple(lines), words=words_on_conditions(lines))


def _condition_difference(outcomes: Outcomes, first: str, second: str) -> StudyEstimate | None:
    study = outcomes.study
    one, other = (cells_of(outcomes, first), cells_of(outcomes, second))
    if study.assignment == "within":
        shared = [session.id for session in one.sessions if session.id in {s.id for s in other.sessions}]
        rows = [[cells.sessions.index(s) for s in cells.sessions if s.id in shared] for cells in (one, other)]
        return difference_within(one.scores[rows[0]], other.scores[rows[1]], study.analysis.level) if shared else None
    common = [item for item in one.items if item in other.items]
    one, other = one.of_items(common), other.of_items(common)
    if not one.people or not other.people:
        return None
    return difference_between(one.scores, other.scores, study.analysis.seed, study.analysis.draws, study.analysis.level)
