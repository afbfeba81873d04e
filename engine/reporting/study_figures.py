"""The sections of a study's report about outcomes: scores, times, comparisons, and how much depends on the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import fmean

import numpy as np

from spatial_workbench.engine.core.rates import best_of
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.charts import Axis, Chart, ChartKey, ChartMark, Kind, Series
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    Value,
    number_cell,
    percent,
    steady,
)
from spatial_workbench.engine.studies.analysis.counting import (
    ANSWERED,
    NOBODY,
    PLANNED,
    POST_HOC,
    UNAIDED,
    StudySelection,
)
from spatial_workbench.engine.studies.analysis.differences import contrast, difference_between, difference_within
from spatial_workbench.engine.studies.analysis.figures import (
    Cells,
    ModelRun,
    Times,
    best_at_k,
    cells_of,
    figures,
    pass_at_k,
    scopes,
    score_by_minute,
    times_to_solve,
)
from spatial_workbench.engine.studies.analysis.intervals import LEAST_PEOPLE, StudyEstimate, item_means
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.analysis.rules import rules_of
from spatial_workbench.engine.studies.analysis.statistics import (
    Slope,
    calibration,
    discriminations,
    pass_at,
    practice_effect,
    variance_parts,
)
from spatial_workbench.engine.studies.files.publishing import of_those_who_share
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.engine.studies.planning.orders import Order
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

_KS = (1, 2, 3, 5)
_FEW = 10
"""With fewer people, a discrimination says little."""
_IN_WORDS = ("best", "items", "practice", "confidence")
"""The sections with figures in their sentences."""
_FLOOR = 0.05
_CEILING = 0.95
_ESTIMATE = ("value", "low", "high", "people")
_SHARE_TICKS = tuple((share / 4, f"{25 * share} %") for share in range(5))
TLX = ("mental", "physical", "temporal", "performance", "effort", "frustration")
PEOPLE = (
    "Intervals are over people: all trials of a person are drawn together. n is the number of people. Where all people "
    "have the same value, the interval holds the means that so many equal values allow."
)
TOO_FEW = "too few people"
_ABOUT_DISCRIMINATION = TableNote(
    f"Discrimination: correlation with people's means over the other items; unreliable below {_FEW} people."
)


def outcome_sections(outcomes: Outcomes, runs: Sequence[ModelRun]) -> Iterator[ReportSection]:
    """The sections, in the report's order; the last one only where some people share their answers, others not."""
    yield from _sections(outcomes, runs)
    if (shared := _shared(outcomes)) is not None:
        yield _figures_of_public_data(outcomes, shared, runs)


def _shared(outcomes: Outcomes) -> Outcomes | None:
    """The outcomes of the people who share their answers; None if nobody does, or everybody."""
    shared = of_those_who_share(outcomes)
    return shared if 0 < len(shared.sessions) < len(outcomes.sessions) else None


def _figures_of_public_data(outcomes: Outcomes, shared: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    """All figures again, of the people who share their answers: those that the public data give."""
    sections = list(_sections(shared, runs))
    tables = [replace(t, title=f"{t.title}, of people who share") for section in sections for t in section.tables]
    words = (
        f"{len(shared.sessions)} of {len(outcomes.sessions)} people agreed to share their answers. These are the "
        "figures of their data alone, as the public data give them.",
        *(words for section in sections if section.id in _IN_WORDS for words in section.words),
    )
    return ReportSection("public", "Figures of the public data", tuple(tables), words=words)


def _sections(outcomes: Outcomes, runs: Sequence[ModelRun]) -> Iterator[ReportSection]:
    yield _scores(outcomes)
    yield _times(outcomes, runs)
    yield _best_of_k(outcomes, runs)
    yield _people_and_items(outcomes)
    yield _practice(outcomes)
    yield _comparison(outcomes, runs)
    yield _confidence(outcomes)
    yield _robustness(outcomes)


# Scores ----------------------------------------------------------------------------------------------------------


def _scores(outcomes: Outcomes) -> ReportSection:
    selections = [PLANNED, NOBODY, *([POST_HOC] if outcomes.post_hoc else ())]
    tables = []
    for condition in outcomes.study.conditions:
        cells = [cells_of(outcomes, condition, selection) for selection in selections]
        headings = [
            Heading(f"{what}, {s.title}", "%", fields=_ESTIMATE) for what in ("Score", "Passed") for s in selections
        ]
        tables.append(
            Table(_titled("Scores", outcomes, condition), "Items", tuple(headings), _score_lines(outcomes, cells))
        )
    return ReportSection("scores", "Scores", tuple(tables), words=(PEOPLE,))


def _titled(title: str, outcomes: Outcomes, condition: str) -> str:
    return title if len(outcomes.study.conditions) == 1 else f"{title}: {condition}"


def _score_lines(outcomes: Outcomes, by_selection: Sequence[Cells]) -> tuple[TableLine, ...]:
    lines = []
    for scope in scopes(outcomes.study):
        found = [figures(cells.of_items(scope.items)) for cells in by_selection]
        cells = (*(_estimate_cell(each.score if each else None) for each in found),)
        cells += (*(_estimate_cell(each.passed if each else None) for each in found),)
        lines.append(TableLine(scope.title, cells, is_sum=scope.kind != "item"))
    return tuple(lines)


def _estimate_cell(estimate: StudyEstimate | None) -> TableCell:
    if estimate is None:
        return TableCell(tip="nobody", values=(None, None, None, 0))
    ends = (
        TOO_FEW
        if estimate.low is None or estimate.high is None
        else f"{percent(estimate.low)}–{percent(estimate.high)}"
    )
    values = (estimate.value, estimate.low, estimate.high, estimate.people)
    return TableCell(percent(estimate.value), f"{ends} · n {estimate.people}", values=values)


# Times -----------------------------------------------------------------------------------------------------------


def _times(outcomes: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    headings = (
        Heading("Median", "s", "Kaplan-Meier; whoever did not solve an item is censored", ("median", "low", "high")),
        Heading("Mean up to the limit", "s"),
        Heading("Solved"),
        Heading("Median, solved only", "s"),
        Heading("Geometric mean, solved only", "s"),
    )
    tables = []
    curves = []
    for condition in outcomes.study.conditions:
        cells = cells_of(outcomes, condition)
        rows = [(scope, times_to_solve(cells.of_items(scope.items))) for scope in scopes(outcomes.study)]
        lines = [
            TableLine(scope.title, _time_cells(found), is_sum=scope.kind != "item") for scope, found in rows if found
        ]
        tables.append(Table(_titled("Time to a solution", outcomes, condition), "Items", headings, tuple(lines)))
        curves += [(condition, found) for scope, found in rows if scope.kind == "all" and found]
    charts = [_survival_chart(curves)] if curves else []
    if (chart := _minutes_chart(outcomes, runs)) is not None:
        charts.append(chart)
    return ReportSection("times", "Times", tuple(tables), tuple(charts), words=tuple(_time_words(outcomes)))


def _time_words(outcomes: Outcomes) -> Iterator[str]:
    yield (
        "Giving up, running out of time and wrong answers count as not solved within the limit. “Solved only” leaves "
        "them out, and is therefore too short. Over several items, the interval of the median draws people with all "
        "their trials."
    )
    if outcomes.study.limits.item_s is None:
        yield "Without a limit, giving up is censored at its own time, and may say something about the item."


def _time_cells(times: Times) -> tuple[TableCell, ...]:
    ends = f"{_seconds(times.low)}–{_seconds(times.high)}" if times.people >= LEAST_PEOPLE else TOO_FEW
    return (
        TableCell(_seconds(times.median), ends, values=(times.median, times.low, times.high)),
        number_cell(times.restricted_mean, 1),
        TableCell(f"{times.solved} of {times.of}", values=(times.solved,)),
        number_cell(times.solved_median, 1),
        number_cell(times.solved_geometric, 1),
    )


def _seconds(value: float | None) -> str:
    return "not reached" if value is None else f"{value:,.1f}"


def _survival_chart(curves: Sequence[tuple[str, Times]]) -> Chart:
    last = max((seconds for _, times in curves for seconds, _ in times.curve), default=1.0)
    series = tuple(
        Series(name, f"series {i % 8}", tuple(_steps(times.curve))) for i, (name, times) in enumerate(curves)
    )
    rows = tuple((name, seconds, share) for name, times in curves for seconds, share in times.curve)
    return Chart(
        title="Not yet solved",
        about="The share of trials that were not solved after a time (Kaplan-Meier).",
        kind=Kind.LINES,
        x=Axis("Active time", 0.0, last or 1.0, "s", _even_ticks(last)),
        y=Axis("Not solved", 0.0, 1.0, ticks=_SHARE_TICKS),
        series=series,
        keys=tuple(ChartKey(line.name, line.role) for line in series),
        header=("condition", "seconds", "share"),
        rows=rows,
    )


def _steps(curve: Sequence[tuple[float, float]]) -> Iterator[ChartMark]:
    share = 1.0
    yield ChartMark(0.0, share)
    for seconds, after in curve:
        yield ChartMark(seconds, share)
        share = after
        yield ChartMark(seconds, share, tip=f"{seconds:,.0f} s: {100 * share:.0f} % not solved.")


def _even_ticks(last: float) -> tuple[tuple[float, str], ...]:
    step = next((step for step in (1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600) if last / step <= 8), 7200)
    return tuple((float(value), f"{value}") for value in range(0, int(last) + 1, step))


def _minutes_chart(outcomes: Outcomes, runs: Sequence[ModelRun]) -> Chart | None:
    curves = [(c, score_by_minute(outcomes, cells_of(outcomes, c))) for c in outcomes.study.conditions]
    curves = [(name, curve) for name, curve in curves if len(curve) > 1]
    if not curves:
        return None
    last = max(minute for _, curve in curves for minute, _ in curve)
    people = [
        Series(
            name,
            f"series {i % 8}",
            tuple(ChartMark(float(m), s, tip=f"{m} min: {percent(s)} %.") for m, s in curve),
        )
        for i, (name, curve) in enumerate(curves)
    ]
    levels = [_level(run, len(curves) + i, float(last)) for i, run in enumerate(runs)]
    return Chart(
        title="Score against time",
        about="The mean over people and items of what was handed in by each minute; models as dashed lines.",
        kind=Kind.LINES,
        x=Axis("Active time", 0.0, float(last), "min", _even_ticks(float(last))),
        y=Axis("Score", 0.0, 1.0, ticks=_SHARE_TICKS),
        series=(*people, *levels),
        keys=tuple(ChartKey(line.name, line.role, dashed=line.dashed) for line in (*people, *levels)),
        header=("condition", "minute", "score"),
        rows=tuple((name, minute, score) for name, curve in curves for minute, score in curve),
    )


def _level(run: ModelRun, place: int, last: float) -> Series:
    """A model's mean score as a level line, named with its tokens."""
    mean = fmean(map(fmean, run.scores.values()))
    tokens = f", {run.output_tokens:,.0f} tokens an item" if run.output_tokens is not None else ""
    tip = f"{run.name}: {percent(mean)} %{tokens}."
    return Series(
        f"{run.name}{tokens}",
        f"series {place % 8}",
        (ChartMark(0.0, mean), ChartMark(last, mean, tip=tip)),
        dashed=True,
    )


# Best of k -------------------------------------------------------------------------------------------------------


def _best_of_k(outcomes: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    headings = tuple(Heading(f"{what}, {k}", "%") for what in ("Passed, best of", "Score, best of") for k in _KS)
    lines = []
    for condition in outcomes.study.conditions:
        cells = cells_of(outcomes, condition)
        values = [pass_at_k(cells, k) for k in _KS] + [best_at_k(cells, k) for k in _KS]
        lines.append(TableLine(f"{condition}: k different people", tuple(map(_share_cell, values))))
    lines += [
        TableLine(f"{run.name}: k samples", tuple(map(_share_cell, _model_best(run))), is_published=True)
        for run in runs
    ]
    table = Table(
        "Best of k", "Who", headings, tuple(lines), (TableNote("A dash: some item was met by fewer than k."),)
    )
    words = ["One formula for people and for models: the mean over all choices of k. It is not the average person."]
    if outcomes.study.limits.submissions > 1:
        words.append(_within_tries(outcomes))
    return ReportSection("best", "Best of k", (table,), words=tuple(words))


def _share_cell(value: float | None) -> TableCell:
    return TableCell(percent(value), values=(value,))


def _model_best(run: ModelRun) -> list[float | None]:
    passes = [[pass_at(sum(passed), len(passed), k) for passed in run.passed.values()] for k in _KS]
    bests = [[best_of(scores, k) for scores in run.scores.values()] for k in _KS]
    return [_mean(values) for values in (*passes, *bests)]


def _mean(values: Sequence[float | None]) -> float | None:
    return fmean(v for v in values if v is not None) if values and None not in values else None


def _within_tries(outcomes: Outcomes) -> str:
    study = outcomes.study
    best = replace(
        outcomes, study=study.model_copy(update={"limits": study.limits.model_copy(update={"score_of": "best"})})
    )
    shares = [f"{percent(_share_passed(cells_of(best, c)))} % ({c})" for c in study.conditions]
    return (
        f"Within {study.limits.submissions} tries of one person, so many trials passed: {', '.join(shares)}. No model "
        "without feedback is compared with that."
    )


def _share_passed(cells: Cells) -> float | None:
    return float(np.nanmean(cells.passed)) if cells.people else None


# People and items ------------------------------------------------------------------------------------------------


def _people_and_items(outcomes: Outcomes) -> ReportSection:
    tables = []
    words = []
    for condition in outcomes.study.conditions:
        cells = cells_of(outcomes, condition)
        if not cells.people:
            continue
        tables.append(_item_table(outcomes, condition, cells))
        words.append(_variance_words(condition, cells))
    return ReportSection("items", "People and items", tuple(tables), words=tuple(words))


def _variance_words(condition: str, cells: Cells) -> str:
    parts = variance_parts(cells.scores)
    if parts is None:
        return f"{condition}: variance parts need 3 people and 2 items."
    reliability = parts.reliability(len(cells.items))
    shown = f"{steady(reliability):.2f}" if reliability is not None else "not defined, since nothing varies"
    clipped = f" Negative, and set to 0: {', '.join(parts.clipped)}." if parts.clipped else ""
    items = counted(len(cells.items), "item")
    people, between_items, rest = map(steady, (parts.people, parts.items, parts.rest))
    return (
        f"{condition}: variance between people {people:.4f} (standard deviation {people**0.5:.3f}), "
        f"between items {between_items:.4f}, rest {rest:.4f}. Reliability of a mean over {items}: {shown}.{clipped}"
    )


def _item_table(outcomes: Outcomes, condition: str, cells: Cells) -> Table:
    people = np.isfinite(cells.scores).sum(axis=0).tolist()
    rows = zip(cells.items, item_means(cells.scores).tolist(), discriminations(cells.scores), people, strict=True)
    lines = tuple(
        TableLine(
            item.address,
            (TableCell(percent(mean), _edge(mean), values=(mean,)), _sharpness(sharpness, n), number_cell(n)),
        )
        for item, mean, sharpness, n in rows
    )
    headings = (Heading("Mean score", "%"), Heading("Discrimination"), Heading("People"))
    return Table(
        _titled("Items", outcomes, condition),
        "Item",
        headings,
        lines,
        (_ABOUT_DISCRIMINATION,),
    )


def _edge(mean: float) -> str:
    return "floor" if mean <= _FLOOR else "ceiling" if mean >= _CEILING else ""


def _sharpness(value: float | None, people: int) -> TableCell:
    if value is None:
        return TableCell("n/a", values=(None,))
    return TableCell(f"{steady(value):.2f}", f"n {people}, few" if people < _FEW else f"n {people}", values=(value,))


# Practice --------------------------------------------------------------------------------------------------------


def _practice(outcomes: Outcomes) -> ReportSection:
    words = []
    for condition in outcomes.study.conditions:
        cells = cells_of(outcomes, condition)
        if all(block.order is Order.FIXED for block in outcomes.study.blocks):
            words.append(f"{condition}: position and item cannot be told apart, since the order was fixed.")
            continue
        level = outcomes.study.analysis.level
        slope = practice_effect(cells.scores, cells.positions, level) if cells.people else None
        words.append(_slope_words(condition, slope, "score"))
        words.append(_slope_words(condition, _time_slope(cells), "logarithm of the time, where solved,"))
    return ReportSection("practice", "Practice", words=tuple(words))


def _time_slope(cells: Cells) -> Slope | None:
    logs = np.full(cells.scores.shape, np.nan)
    for place, time in cells.times.items():
        if time.is_solved and time.seconds > 0:
            logs[place] = np.log(time.seconds)
    kept = np.isfinite(logs).any(axis=0)
    level = cells.study.analysis.level
    return practice_effect(logs[:, kept], cells.positions[:, kept], level) if kept.any() else None


def _slope_words(condition: str, slope: Slope | None, what: str) -> str:
    if slope is None:
        reasons = f"{TOO_FEW}, fixed orders, or values that do not vary"
        return f"{condition}: no slope of the {what} over positions can be computed ({reasons})."
    value, low, high, error = map(steady, (slope.value, slope.low, slope.high, slope.error))
    return (
        f"{condition}: from one position to the next, the {what} changes by {value:+.4f} [{low:+.3f}, {high:+.3f}], "
        f"standard error {error:.4f}, items aside."
    )


# Comparison ------------------------------------------------------------------------------------------------------


def _comparison(outcomes: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
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
    return Table("People minus models, on common items", "Run", headings, lines, tuple(notes))


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
            _share_cell(float(item_means(cells.scores).mean())),
            _share_cell(run.mean(cells)),
            TableCell(f"{steady(100 * found.difference):+.1f}", _span(*these), values=(found.difference, *these)),
            TableCell(_span(*such), values=such),
            number_cell(found.p, 4),
            _share_cell(found.below_model),
            number_cell(len(cells.items)),
        ),
    )


def _span(low: float | None, high: float | None) -> str:
    return "n/a" if low is None or high is None else f"{steady(100 * low):+.1f} to {steady(100 * high):+.1f}"


def _item_differences(outcomes: Outcomes, run: ModelRun) -> Table:
    cells = run.common(cells_of(outcomes, run.condition))
    people = item_means(cells.scores).tolist() if cells.people else []
    rows = [
        (item.address, mean, fmean(run.scores[item.address])) for item, mean in zip(cells.items, people, strict=False)
    ]
    lines = tuple(
        TableLine(address, (_share_cell(person), _share_cell(model), _difference_cell(person - model)))
        for address, person, model in sorted(rows, key=lambda row: row[1] - row[2])
    )
    headings = (Heading("People", "%"), Heading("Model", "%"), Heading("Difference", "%"))
    return Table(f"Items: {run.condition} minus {run.name}", "Item", headings, lines)


def _difference_cell(value: float) -> TableCell:
    return TableCell(f"{steady(100 * value):+.1f}", values=(value,))


def _conditions_table(outcomes: Outcomes) -> Table:
    lines = []
    for first, second in combinations(outcomes.study.conditions, 2):
        found = _condition_difference(outcomes, first, second)
        values: tuple[Value, ...] = (
            (found.value, found.low, found.high, found.people) if found else (None, None, None, 0)
        )
        text = f"{steady(100 * found.value):+.1f}" if found else "n/a"
        detail = _span(found.low, found.high) if found else ""
        lines.append(TableLine(f"{first} minus {second}", (TableCell(text, detail, values=values),)))
    return Table("Between conditions", "Conditions", (Heading("Difference", "%", fields=_ESTIMATE),), tuple(lines))


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


# Confidence ------------------------------------------------------------------------------------------------------


def _confidence(outcomes: Outcomes) -> ReportSection:
    tables = []
    words = []
    for condition in outcomes.study.conditions:
        cells = cells_of(outcomes, condition)
        pairs = [
            (float(trial.responses["confidence"]), bool(cells.passed[place]))
            for place, trial in cells.trials.items()
            if trial.responses.get("confidence") is not None
        ]
        found = calibration([c for c, _ in pairs], [p for _, p in pairs])
        if found is None:
            continue
        brier, over = steady(found.brier), steady(found.over)
        words.append(f"{condition}: Brier score {brier:.4f}; mean confidence minus pass rate {over:+.3f}.")
        tables.append(_bins(_titled("Confidence", outcomes, condition), pairs))
    tables += _load(outcomes)
    return ReportSection(
        "confidence", "Confidence and load", tuple(tables), words=tuple(words) or ("Nobody was asked.",)
    )


def _bins(title: str, pairs: Sequence[tuple[float, bool]]) -> Table:
    lines = []
    for low in range(0, 100, 20):
        own = [(c, p) for c, p in pairs if low <= c < low + 20 or (low == 80 and c == 100)]
        confidence = fmean(c / 100 for c, _ in own) if own else None
        passed = fmean(p for _, p in own) if own else None
        lines.append(
            TableLine(f"{low}–{low + 20}", (_share_cell(confidence), _share_cell(passed), number_cell(len(own))))
        )
    headings = (Heading("Mean confidence", "%"), Heading("Passed", "%"), Heading("Trials"))
    return Table(title, "Confidence", headings, tuple(lines))


def _load(outcomes: Outcomes) -> Iterator[Table]:
    """The six scales of NASA-TLX and their mean, over all times that people were asked.

    Where everybody meets all conditions, there is one table for all; otherwise each condition has its own.
    """
    is_between = outcomes.study.assignment == "between"
    for condition in outcomes.study.conditions if is_between else (None,):
        title = "Task load (raw NASA-TLX, 0 to 100)"
        yield from _load_table(
            title if condition is None else _titled(title, outcomes, condition), cells_of(outcomes, condition).sessions
        )


def _load_table(title: str, sessions: Sequence[SessionRecord]) -> Iterator[Table]:
    given: dict[str, list[float]] = {scale: [] for scale in TLX}
    for session in sessions:
        for key, value in session.responses.items():
            scale = key.rpartition(".")[2]
            if key.startswith("tlx.") and scale in given:
                given[scale].append(float(value))
    if not all(given.values()):
        return
    means = {scale: fmean(values) for scale, values in given.items()}
    rows = [*means.items(), ("raw TLX, the mean of the six", fmean(means.values()))]
    lines = tuple(TableLine(name, (number_cell(mean, 1),), is_sum=name not in means) for name, mean in rows)
    yield Table(title, "Scale", (Heading("Mean"),), lines)


# Robustness ------------------------------------------------------------------------------------------------------


def _robustness(outcomes: Outcomes) -> ReportSection:
    active = [name for name, rule in rules_of(outcomes.study).items() if rule.response is StudyResponse.EXCLUDE]
    without = [replace(PLANNED, title=f"without {name.replace('_', ' ')}", without_rule=name) for name in active]
    selections: list[StudySelection] = [
        PLANNED,
        NOBODY,
        ANSWERED,
        UNAIDED,
        *([POST_HOC] if outcomes.post_hoc else ()),
        *without,
    ]
    lines = []
    shared = _shared(outcomes)
    for condition in outcomes.study.conditions:
        rows = [(selection.title, cells_of(outcomes, condition, selection)) for selection in selections]
        rows += [("people who share their answers", cells_of(shared, condition))] if shared else []
        for name, of in rows:
            found = figures(of)
            cells = (
                (_estimate_cell(found.score), _estimate_cell(found.passed)) if found else (_estimate_cell(None),) * 2
            )
            lines.append(TableLine(name if len(outcomes.study.conditions) == 1 else f"{condition}: {name}", cells))
    headings = (Heading("Score", "%", fields=_ESTIMATE), Heading("Passed", "%", fields=_ESTIMATE))
    table = Table("How much depends on the rules", "Which trials count", headings, tuple(lines))
    return ReportSection("robustness", "Robustness", (table,))
