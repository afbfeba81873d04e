"""The figures of a study, from its outcomes: what `statistics` computes, on which people and items.

Every figure of record is given as planned and with nobody excluded; other selections show how much depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean

import numpy as np

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.rates import best_of, wilson
from spatial_workbench.engine.studies.analysis.counting import (
    PLANNED,
    Counting,
    StudySelection,
    Time,
    judged_submissions,
    main_instances,
    score_of,
    time_of,
)
from spatial_workbench.engine.studies.analysis.intervals import Scores, StudyEstimate, mean_interval
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes, StudyJudged
from spatial_workbench.engine.studies.analysis.statistics import (
    geometric_mean,
    median_by_people,
    pass_at,
    survival,
)
from spatial_workbench.engine.studies.planning.document import Study, StudyItem
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, TrialRecord


@dataclass(frozen=True)
class Cells:
    """The main trials of a condition: a row for each person, a column for each item.

    Attributes:
        items: Those that somebody had.
        sessions: Those that count.
        trials: By row and column.
        scores: (people, items), 0 to 1; NaN where a person did not have the item.
        passed: (people, items), 0 or 1; NaN as above.
        times: By row and column.
        limited: Whether every item has a limit of time.
    """

    study: Study
    items: tuple[StudyItem, ...]
    sessions: tuple[SessionRecord, ...]
    trials: Mapping[tuple[int, int], TrialRecord]
    scores: Scores
    passed: Scores
    times: Mapping[tuple[int, int], Time]

    @property
    def people(self) -> int:
        """How many people have at least one trial."""
        return len(self.sessions)

    @cached_property
    def positions(self) -> Scores:
        """The places at which items were met, counted among main items; NaN where a person did not have the item."""
        positions = np.full(self.scores.shape, np.nan)
        for row in range(len(self.sessions)):
            own = sorted((trial.position, place) for (person, place), trial in self.trials.items() if person == row)
            for rank, (_, place) in enumerate(own):
                positions[row, place] = rank
        return positions

    def of_items(self, items: Sequence[StudyItem]) -> Cells:
        """The same for some of the items, and the people who had any of them."""
        columns = [self.items.index(item) for item in items if item in self.items]
        rows = [row for row in range(self.people) if np.isfinite(self.scores[row, columns]).any()]
        places = {(row, column): (i, j) for i, row in enumerate(rows) for j, column in enumerate(columns)}
        return replace(
            self,
            items=tuple(self.items[column] for column in columns),
            sessions=tuple(self.sessions[row] for row in rows),
            trials={places[key]: trial for key, trial in self.trials.items() if key in places},
            scores=self.scores[np.ix_(rows, columns)],
            passed=self.passed[np.ix_(rows, columns)],
            times={places[key]: time for key, time in self.times.items() if key in places},
        )

    def pooled_times(self) -> list[Time]:
        """The times of all trials."""
        return [self.times[key] for key in sorted(self.times)]


# Which trials count ----------------------------------------------------------------------------------------------


def cells_of(outcomes: Outcomes, condition: str | None = None, selection: StudySelection = PLANNED) -> Cells:
    """The trials of a condition (None: of all) that count in a selection."""
    rule = Counting(outcomes)
    rows: list[tuple[SessionRecord, dict[str, TrialRecord]]] = []
    for session in outcomes.sessions:
        own = {
            trial.item: trial
            for trial in session.trials
            if condition in (None, trial.condition) and not rule.reason_against(session, trial, selection)
        }
        if own:
            rows.append((session, own))
    had = [item for item in main_instances(outcomes.study) if any(item.id in own for _, own in rows)]
    return _filled(outcomes, rows, had)


def _filled(
    outcomes: Outcomes, rows: Sequence[tuple[SessionRecord, dict[str, TrialRecord]]], items: Sequence[StudyItem]
) -> Cells:
    scores = np.full((len(rows), len(items)), np.nan)
    passed = scores.copy()
    trials = {}
    times = {}
    for i, (session, own) in enumerate(rows):
        for j, item in enumerate(items):
            if (trial := own.get(item.id)) is None:
                continue
            scores[i, j], passed[i, j] = score_of(outcomes, session, trial)
            trials[i, j] = trial
            if (time := time_of(outcomes, session, trial)) is not None:
                times[i, j] = time
    sessions = tuple(session for session, _ in rows)
    return Cells(outcomes.study, tuple(items), sessions, trials, scores, passed, times)


# Figures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scope:
    """Items that are averaged: all, a bucket, a task, or a single one."""

    kind: str
    title: str
    items: tuple[StudyItem, ...]


def scopes(study: Study) -> list[Scope]:
    """All items, then buckets, tasks and single items; a level with one scope that equals the one above is left out."""
    items = main_instances(study)
    tasks = {item.id: resolve(item.address)[0] for item in items}
    levels = [
        [Scope("all", "All items", tuple(items))],
        _grouped("bucket", items, {key: task.bucket.label for key, task in tasks.items()}),
        _grouped("task", items, {key: task.title for key, task in tasks.items()}),
        [Scope("item", item.address, (item,)) for item in items],
    ]
    kept: list[Scope] = []
    for level in levels:
        known = {scope.items for scope in kept}
        kept += [scope for scope in level if scope.items not in known]
    return kept


def _grouped(kind: str, items: Sequence[StudyItem], names: Mapping[str, str]) -> list[Scope]:
    titles = dict.fromkeys(names[item.id] for item in items)
    return [Scope(kind, title, tuple(item for item in items if names[item.id] == title)) for title in titles]


@dataclass(frozen=True)
class Figures:
    """Score and pass rate of a scope."""

    score: StudyEstimate
    passed: StudyEstimate


def figures(cells: Cells) -> Figures | None:
    """Score and pass rate over the people and items of some cells; None if there are none."""
    from scipy.stats import norm

    if not cells.people or not cells.items:
        return None
    seed, draws, level = (getattr(cells.study.analysis, name) for name in ("seed", "draws", "level"))
    score = mean_interval(cells.scores, seed, draws, level)
    if len(cells.items) > 1:
        return Figures(score, mean_interval(cells.passed, seed, draws, level))
    hits = float(np.nansum(cells.passed))
    low, high = wilson(hits, cells.people, float(norm.ppf((1 + level) / 2)))
    return Figures(score, StudyEstimate(hits / cells.people, low, high, cells.people))


@dataclass(frozen=True)
class Times:
    """Times to a solution.

    Attributes:
        people: How many people had a trial that was shown; with fewer than three, the median has no interval.
        median, low, high: Of the Kaplan-Meier curve, s; None: not reached.
        restricted_mean: Up to the limit, s; None without one.
        solved, of: How many trials were solved, of how many.
        solved_median, solved_geometric: Over the solved ones alone, s.
        curve: Kaplan-Meier: seconds, and the share not yet solved.
    """

    people: int
    median: float | None
    low: float | None
    high: float | None
    restricted_mean: float | None
    solved: int
    of: int
    solved_median: float | None
    solved_geometric: float | None
    curve: tuple[tuple[float, float], ...]


def times_to_solve(cells: Cells) -> Times | None:
    """How long people took; None without a trial that was shown.

    Over several items, the interval of the median draws people with all their trials; on one, every trial is of
    another person, and the curve's own interval holds.
    """
    pooled = cells.pooled_times()
    if not pooled:
        return None
    study = cells.study
    curve = survival([t.seconds for t in pooled], [t.is_solved for t in pooled], study.analysis.level)
    limits = [trial.limit_ms for trial in cells.trials.values()]
    limit = max(filter(None, limits)) / 1000 if limits and all(limits) else None
    solved = [time.seconds for time in pooled if time.is_solved]
    people = len({person for person, _ in cells.times})
    low, high = (curve.low, curve.high) if len(cells.items) == 1 else _median_ends(cells)
    return Times(
        people,
        curve.median,
        low,
        high,
        curve.restricted_mean(limit) if limit else None,
        len(solved),
        len(pooled),
        float(np.median(solved)) if solved else None,
        geometric_mean(solved),
        tuple(zip(curve.times, curve.shares, strict=True)),
    )


def _median_ends(cells: Cells) -> tuple[float | None, float | None]:
    seconds = np.full(cells.scores.shape, np.nan)
    solved = np.zeros(cells.scores.shape, bool)
    for place, time in cells.times.items():
        seconds[place] = time.seconds
        solved[place] = time.is_solved
    shown = np.isfinite(seconds).any(axis=1)
    analysis = cells.study.analysis
    return median_by_people(seconds[shown], solved[shown], analysis.seed, analysis.draws, analysis.level)


def pass_at_k(cells: Cells, k: int) -> float | None:
    """The chance that one of k people passes, averaged over items; None if some item was met by fewer."""
    return _over_items(
        pass_at(int(column[np.isfinite(column)].sum()), int(np.isfinite(column).sum()), k) for column in cells.passed.T
    )


def best_at_k(cells: Cells, k: int) -> float | None:
    """The expected best score of k people, averaged over items; None if some item was met by fewer."""
    return _over_items(best_of(column[np.isfinite(column)].tolist(), k) for column in cells.scores.T)


def _over_items(values: Iterator[float | None]) -> float | None:
    known = list(values)
    return fmean(value for value in known if value is not None) if known and None not in known else None


def score_by_minute(outcomes: Outcomes, cells: Cells) -> list[tuple[int, float]]:
    """The mean score at each minute, of the submission that would count if time ended there; from minute 0."""
    shown = [(cells.sessions[row], trial, column) for (row, column), trial in cells.trials.items()]
    given = [(column, judged_submissions(outcomes, session, trial)) for session, trial, column in shown]
    last = max((seconds for _, pairs in given for seconds, _ in pairs), default=0.0)
    rule = outcomes.study.limits.score_of
    return [(minute, _mean_at(60.0 * minute, given, rule)) for minute in range(math.ceil(last / 60) + 1)]


def _mean_at(seconds: float, given: Sequence[tuple[int, list[tuple[float, StudyJudged]]]], rule: str) -> float:
    by_item: dict[int, list[float]] = {}
    for column, pairs in given:
        scores = [judged.score for at, judged in pairs if at <= seconds]
        counted = (max(scores) if rule == "best" else scores[0 if rule == "first" else -1]) if scores else 0.0
        by_item.setdefault(column, []).append(counted)
    return fmean(map(fmean, by_item.values())) if by_item else math.nan


# Beside models ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ModelRun:
    """What a run of a model scored on the items of a study.

    Attributes:
        name: Of its settings, with "tools" where it had any.
        scores: By address; as many as there were samples.
        passed: By address, likewise.
        budget: Cap on output tokens; None: none, or not known.
        output_tokens: In the mean; None: not known.
        same_prompt: By address, whether it was asked with the very words that people got; None: not known.
        versions: Of the verifier, by address.
    """

    name: str
    condition: str
    scores: Mapping[str, tuple[float, ...]]
    passed: Mapping[str, tuple[bool, ...]]
    budget: int | None = None
    output_tokens: float | None = None
    tools: bool = False
    same_prompt: Mapping[str, bool | None] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def common(self, cells: Cells) -> Cells:
        """The people's cells of those items that the model had too."""
        return cells.of_items([item for item in cells.items if self.scores.get(item.address)])

    def samples(self, cells: Cells) -> list[tuple[float, ...]]:
        """The model's scores in the order of some cells' items."""
        return [self.scores[item.address] for item in cells.items]

    def mean(self, cells: Cells) -> float:
        """The model's mean over items, of the mean over its samples."""
        return fmean(map(fmean, self.samples(cells)))
