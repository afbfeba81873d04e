"""The sections of a study's report about outcomes: scores, times, comparisons, and how much depends on the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from spatial_workbench.engine.core.rates import best_of
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
    percent,
    steady,
)
from spatial_workbench.engine.reporting.study_cells import (
    ESTIMATE,
    TOO_FEW,
    PeopleGroup,
    estimate_cell,
    groups_of,
    share_cell,
    titled,
    titled_for,
)
from spatial_workbench.engine.reporting.study_comparison import comparison_section
from spatial_workbench.engine.reporting.study_sentences import (
    words_on_best,
    words_on_confidence,
    words_on_items,
    words_on_load,
    words_on_robustness,
    words_on_scores,
)
from spatial_workbench.engine.reporting.study_sharing import (
    selections_of,
    shared_outcomes,
    tells_of_others,
    withheld_words,
)
from spatial_workbench.engine.reporting.study_times import times_section
from spatial_workbench.engine.studies.analysis.counting import NOBODY, PLANNED, POST_HOC
from spatial_workbench.engine.studies.analysis.figures import (
    Cells,
    ModelRun,
    best_at_k,
    cells_of,
    figures,
    pass_at_k,
    scopes,
)
from spatial_workbench.engine.studies.analysis.intervals import item_means
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.analysis.statistics import (
    Slope,
    calibration,
    discriminations,
    pass_at,
    practice_effect,
    variance_parts,
)
from spatial_workbench.engine.studies.planning.orders import Order
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

_KS = (1, 2, 3, 5)
_FEW = 10
"""With fewer people, a discrimination says little."""
_IN_WORDS = ("best", "items", "practice", "confidence")
"""The sections with figures in their sentences."""
_OF_PUBLIC_DATA = "Figures of the public data"
_FLOOR = 0.05
_CEILING = 0.95
TLX = ("mental", "physical", "temporal", "performance", "effort", "frustration")
PEOPLE = (
    "Intervals are over people: all trials of a person are drawn together. n is the number of people. Where all people "
    "have the same value, the interval holds the means that so many equal values allow."
)
_ABOUT_DISCRIMINATION = TableNote(
    f"Discrimination: correlation with people's means over the other items; unreliable below {_FEW} people."
)


def outcome_sections(outcomes: Outcomes, runs: Sequence[ModelRun]) -> Iterator[ReportSection]:
    """The sections, in the report's order.

    The last one, on public data, exists only if some people share their answers and others do not. It says why there
    are no figures where these would tell how one or two of the others did.
    """
    shared = shared_outcomes(outcomes)
    if shared is None:
        yield from _sections(outcomes, runs)
    elif tells_of_others(outcomes):
        yield from _sections(outcomes, runs)
        yield ReportSection("public", _OF_PUBLIC_DATA, words=(withheld_words(outcomes),))
    else:
        yield from _sections(outcomes, runs, shared)
        yield _figures_of_public_data(outcomes, shared, runs)


def _figures_of_public_data(outcomes: Outcomes, shared: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    """The same figures computed from the people who share their answers, as the public data give them."""
    sections = list(_sections(shared, runs))
    tables = [replace(t, title=f"{t.title}, of people who share") for section in sections for t in section.tables]
    words = (
        f"{len(shared.sessions)} of {len(outcomes.sessions)} people agreed to share their answers. These are the "
        "figures of their data alone, as the public data give them.",
        *(words for section in sections if section.id in _IN_WORDS for words in section.words),
    )
    return ReportSection("public", _OF_PUBLIC_DATA, tuple(tables), words=words)


def _sections(outcomes: Outcomes, runs: Sequence[ModelRun], shared: Outcomes | None = None) -> Iterator[ReportSection]:
    """The sections about all people; beside them in one table, the people who share, if they are given."""
    yield _scores(outcomes)
    yield times_section(outcomes, runs)
    yield _best_of_k(outcomes, runs)
    yield _people_and_items(outcomes)
    yield _practice(outcomes)
    yield comparison_section(outcomes, runs)
    yield _confidence(outcomes)
    yield _robustness(outcomes, shared)


# Scores ----------------------------------------------------------------------------------------------------------


def _scores(outcomes: Outcomes) -> ReportSection:
    selections = [PLANNED, NOBODY, *([POST_HOC] if outcomes.post_hoc else ())]
    headings = tuple(
        Heading(f"{what}, {selection.title}", "%", fields=ESTIMATE)
        for what in ("Score", "Passed")
        for selection in selections
    )
    tables = []
    for group in score_groups(outcomes):
        cells = [cells_of(outcomes, group.condition, group.of(selection)) for selection in selections]
        lines = _score_lines(outcomes, cells)
        words = words_on_scores(lines, len(selections))
        tables.append(Table(titled_for("Scores", outcomes, group), "Items", headings, lines, words=words))
    return ReportSection("scores", "Scores", tuple(tables), words=(PEOPLE,))


def score_groups(outcomes: Outcomes) -> list[PeopleGroup]:
    """The groups whose scores have a table: each condition, then each of its settings if there were several."""
    of_conditions = [PeopleGroup(condition) for condition in outcomes.study.conditions]
    return list(dict.fromkeys((*of_conditions, *groups_of(outcomes))))


def _score_lines(outcomes: Outcomes, by_selection: Sequence[Cells]) -> tuple[TableLine, ...]:
    lines = []
    for scope in scopes(outcomes.study):
        found = [figures(cells.of_items(scope.items)) for cells in by_selection]
        cells = (*(estimate_cell(each.score if each else None) for each in found),)
        cells += (*(estimate_cell(each.passed if each else None) for each in found),)
        lines.append(TableLine(scope.title, cells, is_sum=scope.kind != "item"))
    return tuple(lines)


# Best of k -------------------------------------------------------------------------------------------------------


def _best_of_k(outcomes: Outcomes, runs: Sequence[ModelRun]) -> ReportSection:
    headings = tuple(Heading(f"{what}, {k}", "%") for what in ("Passed, best of", "Score, best of") for k in _KS)
    lines = []
    for condition in outcomes.study.conditions:
        cells = cells_of(outcomes, condition)
        values = [pass_at_k(cells, k) for k in _KS] + [best_at_k(cells, k) for k in _KS]
        lines.append(TableLine(f"{condition}: k different people", tuple(map(share_cell, values))))
    lines += [
        TableLine(f"{run.name}: k samples", tuple(map(share_cell, _model_best(run))), is_published=True) for run in runs
    ]
    notes = (TableNote("A dash: some item was met by fewer than k."),)
    table = Table("Best of k", "Who", headings, tuple(lines), notes, words=words_on_best(lines, _KS))
    words = ["One formula for people and for models: the mean over all choices of k. It is not the average person."]
    if outcomes.study.limits.submissions > 1:
        words.append(_within_tries(outcomes))
    return ReportSection("best", "Best of k", (table,), words=tuple(words))


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
        titled("Items", outcomes, condition),
        "Item",
        headings,
        lines,
        (_ABOUT_DISCRIMINATION,),
        words=words_on_items(lines),
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
        for group in groups_of(outcomes):
            if group.condition == condition:
                own = cells_of(outcomes, condition, group.of(PLANNED))
                words.append(_slope_words(group.name, _time_slope(own), "logarithm of the time, where solved,"))
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
        tables.append(_bins(titled("Confidence", outcomes, condition), pairs))
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
            TableLine(f"{low}–{low + 20}", (share_cell(confidence), share_cell(passed), number_cell(len(own))))
        )
    headings = (Heading("Mean confidence", "%"), Heading("Passed", "%"), Heading("Trials"))
    words = words_on_confidence(fmean(c / 100 for c, _ in pairs), fmean(p for _, p in pairs), len(pairs))
    return Table(title, "Confidence", headings, tuple(lines), words=words)


def _load(outcomes: Outcomes) -> Iterator[Table]:
    """The six scales of NASA-TLX and their mean, over all answers that people gave.

    Where everybody meets all conditions, there is one table for all; otherwise each condition has its own.
    """
    is_between = outcomes.study.assignment == "between"
    for condition in outcomes.study.conditions if is_between else (None,):
        title = "Task load (raw NASA-TLX, 0 to 100)"
        yield from _load_table(
            title if condition is None else titled(title, outcomes, condition), cells_of(outcomes, condition).sessions
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
    yield Table(title, "Scale", (Heading("Mean"),), lines, words=words_on_load(lines))


# Robustness ------------------------------------------------------------------------------------------------------


def _robustness(outcomes: Outcomes, shared: Outcomes | None) -> ReportSection:
    by_condition = []
    for condition in outcomes.study.conditions:
        rows = [(one.title, cells_of(outcomes, condition, one)) for one in selections_of(outcomes)]
        rows += [("people who share their answers", cells_of(shared, condition))] if shared else []
        prefix = "" if len(outcomes.study.conditions) == 1 else f"{condition}: "
        by_condition.append([_robustness_line(f"{prefix}{name}", cells) for name, cells in rows])
    headings = (Heading("Score", "%", fields=ESTIMATE), Heading("Passed", "%", fields=ESTIMATE))
    lines = tuple(line for of_one in by_condition for line in of_one)
    words = words_on_robustness(by_condition)
    table = Table("How much depends on the rules", "Which trials count", headings, lines, words=words)
    return ReportSection("robustness", "Robustness", (table,))


def _robustness_line(title: str, cells: Cells) -> TableLine:
    found = figures(cells)
    score, passed = (found.score, found.passed) if found else (None, None)
    return TableLine(title, (estimate_cell(score), estimate_cell(passed)))
