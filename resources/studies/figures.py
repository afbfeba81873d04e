"""Prints the figures of a study's report from the data in this folder: python analysis/figures.py

It needs numpy, pandas (2.1 or later) and scipy. From the full data, it prints every figure about people and
outcomes; from public data, the figures of the people who agreed to share their answers, which the report prints in the
section "Figures of the public data". Each line is a row of a table of the report, with tabs between its cells.

A trial counts with its `analysed_score`. Intervals are drawn with numpy's generators from the seed of the study, so the
last digit of some may differ with other versions of numpy. The page "The statistics of a study" of Spatial Workbench
describes the formulas; they all stand in this one file, so that it can be read on its own.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

FOLDER = Path(__file__).resolve().parents[1]
SETTINGS = json.loads((FOLDER / "analysis" / "settings.json").read_text("utf-8"))
SEED = SETTINGS["seed"]
DRAWS = SETTINGS["draws"]
LEVEL = SETTINGS["level"]
CONDITIONS = SETTINGS["conditions"]

LEAST_PEOPLE = 3
LEAST_FOR_BOOTSTRAP = 8
LEAST_ITEMS_RESAMPLED = 8
MOST_EXACT_FLIPS = 16
SAMPLED_FLIPS = 20_000
DRAWS_AT_ONCE = 500
MOST_REDRAWS = 20
NOTHING = 1e-12
TIE = 1e-9
KS = (1, 2, 3, 5)
LOAD = ("mental", "physical", "temporal", "performance", "effort", "frustration")
IN_SETTING = {"desk": "at a desk", "browser": "in a browser"}
NOT_KNOWN = ("no main item", "not reached", "broken off")
FORMULA = ("=", "+", "-", "@", "\t", "\r")

Array = Any
Ends = tuple[float, float] | None


# The data --------------------------------------------------------------------------------------------------------


def read_table(name: str) -> pd.DataFrame:
    """A table as text; a cell that looks like a formula had an apostrophe put before it, which is taken away."""
    paths = sorted((FOLDER / "data").glob(f"*_description-{name}_data.csv"))
    if not paths:
        return pd.DataFrame()
    frame = pd.read_csv(paths[0], dtype=str, keep_default_na=False)
    return frame.map(lambda text: text[1:] if text[:1] == "'" and text[1:].startswith(FORMULA) else text)


def numbers(column: Iterable[str]) -> list[float]:
    """A column of numbers; NaN where a cell is empty."""
    return [float(text) if text else math.nan for text in column]


class Selection(NamedTuple):
    """Which trials count."""

    title: str
    excludes: bool = True
    without_rule: str = ""
    with_later: bool = False
    answered_only: bool = False
    unaided: bool = False
    setting: str = ""


PLANNED = Selection("as planned")
NOBODY = Selection("nobody excluded", excludes=False)
LATER = Selection("with later exclusions", with_later=True)
ANSWERED = Selection("answered only", answered_only=True)
UNAIDED = Selection("without accommodations", unaided=True)


@dataclass(frozen=True)
class Data:
    """The tables of the study."""

    participants: pd.DataFrame
    trials: pd.DataFrame
    submissions: pd.DataFrame
    responses: pd.DataFrame
    models: pd.DataFrame

    def sharing(self) -> Data:
        """The data of the people who agreed to share their answers."""
        shared = set(self.participants.session_id[self.participants.shares == "1"])
        frames = {name: getattr(self, name) for name in ("participants", "trials", "submissions", "responses")}
        return replace(self, **{name: frame[frame.session_id.isin(shared)] for name, frame in frames.items()})

    @cached_property
    def handed_in(self) -> dict[str, list[tuple[float, float, float]]]:
        """By trial: the seconds, score and success of each submission that was judged."""
        judged: dict[str, list[tuple[float, float, float]]] = {}
        for row in self.submissions.itertuples():
            if row.score:
                entry = (float(row.active_ms) / 1000, float(row.score), float(row.passed))
                judged.setdefault(row.trial_id, []).append(entry)
        return judged


@dataclass(frozen=True)
class Cells:
    """The trials that count, as rows for people and columns for items; NaN where a person did not have an item."""

    items: list[str]
    sessions: list[str]
    trials: dict[tuple[int, int], Any]
    scores: Array
    passed: Array

    @property
    def people(self) -> int:
        return len(self.sessions)

    def of_items(self, items: Sequence[str]) -> Cells:
        """Some of the items, and the people who had any of them."""
        columns = [self.items.index(item) for item in items if item in self.items]
        rows = [row for row in range(self.people) if np.isfinite(self.scores[row, columns]).any()]
        places = {(row, column): (i, j) for i, row in enumerate(rows) for j, column in enumerate(columns)}
        return Cells(
            [self.items[column] for column in columns],
            [self.sessions[row] for row in rows],
            {places[key]: trial for key, trial in self.trials.items() if key in places},
            self.scores[np.ix_(rows, columns)],
            self.passed[np.ix_(rows, columns)],
        )

    def positions(self) -> Array:
        """The places at which items were met, counted among main items."""
        positions = np.full(self.scores.shape, np.nan)
        for row in range(self.people):
            own = sorted((int(trial.position), column) for (i, column), trial in self.trials.items() if i == row)
            for rank, (_, column) in enumerate(own):
                positions[row, column] = rank
        return positions

    def times(self) -> tuple[Array, Array]:
        """The seconds of each trial, and whether it was solved then; NaN where it was not shown."""
        seconds = np.full(self.scores.shape, np.nan)
        solved = np.zeros(self.scores.shape, bool)
        for place, trial in self.trials.items():
            if trial.analysed_ms:
                seconds[place] = int(trial.analysed_ms) / 1000
                solved[place] = trial.solved == "1"
        return seconds, solved


def cells_of(data: Data, condition: str | None = None, selection: Selection = PLANNED) -> Cells:
    """The trials of a condition (None: of all) that count in a selection."""
    aided = set(data.participants.session_id[data.participants.accommodations != ""])
    where = dict(zip(data.participants.session_id, data.participants.setting, strict=True))
    found: dict[str, dict[str, Any]] = {}
    for trial in data.trials.itertuples():
        excluded = selection.excludes and set(trial.excluded_by.split()) - {selection.without_rule}
        counts = (
            trial.not_counted_because not in NOT_KNOWN
            and condition in (None, trial.condition_id)
            and not excluded
            and not (selection.with_later and trial.excluded_later == "1")
            and not (selection.answered_only and trial.state == "skipped")
            and not (selection.unaided and trial.session_id in aided)
            and selection.setting in ("", where[trial.session_id])
        )
        if counts:
            found.setdefault(trial.session_id, {})[trial.item] = trial
    sessions = [session for session in data.participants.session_id if session in found]
    items = [item for item in SETTINGS["items"] if any(item in found[session] for session in sessions)]
    trials = {
        (row, column): found[session][item]
        for row, session in enumerate(sessions)
        for column, item in enumerate(items)
        if item in found[session]
    }
    scores = np.full((len(sessions), len(items)), np.nan)
    passed = scores.copy()
    for place, trial in trials.items():
        if trial.analysed_score:
            scores[place] = float(trial.analysed_score)
            passed[place] = float(trial.analysed_passed)
    return Cells(items, sessions, trials, scores, passed)


# Means and their intervals ---------------------------------------------------------------------------------------


class Estimate(NamedTuple):
    """A figure with its interval."""

    value: float
    low: float | None
    high: float | None
    people: int


class MeanSpread(NamedTuple):
    """A squared standard error with its degrees of freedom."""

    variance: float
    freedom: float


def item_means(scores: Array) -> Array:
    counts = np.isfinite(scores).sum(axis=0)
    return np.where(counts > 0, np.nansum(scores, axis=0) / np.maximum(counts, 1), np.nan)


def mean_of(scores: Array) -> float:
    """The mean over items of the mean over people."""
    return float(np.mean(item_means(scores)))


def mean_interval(scores: Array) -> Estimate:
    """The mean with its interval over people."""
    scores = scores[np.isfinite(scores).any(axis=1)]
    people = len(scores)
    value = mean_of(scores) if people else math.nan
    low, high = (mean_ends(value, scores) if people >= LEAST_PEOPLE else None) or (None, None)
    return Estimate(value, low, high, people)


def mean_ends(value: float, scores: Array) -> Ends:
    people = len(scores)
    if are_equal(scores):
        is_shared = (np.isfinite(scores).sum(axis=0) > 1).all()
        return ends_of_equals(value, people) if is_shared else None
    if people < LEAST_FOR_BOOTSTRAP:
        return ends_by_t(value, [spread_of_people(scores)])
    drawn = np.concatenate([means.mean(axis=1) for means in drawn_item_means(scores, SEED)])[:DRAWS]
    return percentiles(drawn, expanded_alpha(people))


def spread_of_people(scores: Array) -> MeanSpread:
    """How far the mean spreads over people, from how far it moves without each of them (jackknife)."""
    people = len(scores)
    others = np.maximum(np.isfinite(scores).sum(axis=0) - 1, 1)
    contributions = (np.nan_to_num(scores - item_means(scores)) * (people - 1) / others).mean(axis=1)
    return MeanSpread(float(np.sum(contributions**2)) / (people * (people - 1)), people - 1)


def are_equal(scores: Array) -> bool:
    return spread_of_people(scores).variance < NOTHING**2


def ends_by_t(value: float, spreads: Sequence[MeanSpread], least: float = 0.0, greatest: float = 1.0) -> Ends:
    """Student's t; several errors add up as Welch and Satterthwaite have it."""
    half = half_width(spreads)
    return max(least, value - half), min(greatest, value + half)


def half_width(spreads: Sequence[MeanSpread]) -> float:
    variance = sum(spread.variance for spread in spreads)
    if variance < NOTHING**2:
        return 0.0
    freedom = variance**2 / sum(spread.variance**2 / spread.freedom for spread in spreads)
    return float(stats.t.ppf((1 + LEVEL) / 2, freedom)) * math.sqrt(variance)


def ends_of_equals(value: float, people: int, least: float = 0.0, greatest: float = 1.0) -> Ends:
    """The means that so many equal values allow (Clopper and Pearson)."""
    share = ((1 - LEVEL) / 2) ** (1 / people)
    return least + share * (value - least), greatest - share * (greatest - value)


def expanded_alpha(people: int) -> float:
    """The tail of a percentile interval, widened for few people (Hesterberg 2014)."""
    quantile = float(stats.t.ppf((1 + LEVEL) / 2, people - 1))
    return float(stats.norm.cdf(-quantile * math.sqrt(people / (people - 1))))


def percentiles(values: Array, alpha: float) -> Ends:
    if len(values) < DRAWS:
        return None
    low, high = np.quantile(values, [alpha, 1 - alpha])
    return float(low), float(high)


def draws_of_people(people: int, seed: int, draws: int) -> Iterator[Array]:
    """How often each person is drawn, in pieces (draws, people)."""
    for piece in range(math.ceil(draws / DRAWS_AT_ONCE)):
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, piece])))
        yield rng.multinomial(people, np.full(people, 1 / people), size=DRAWS_AT_ONCE).astype(float)


def drawn_item_means(scores: Array, seed: int) -> Iterator[Array]:
    """The items' means over drawn people; draws in which an item has nobody are drawn again."""
    scores = scores[np.lexsort(scores.T[::-1])]
    known = np.isfinite(scores)
    filled = np.where(known, scores, 0.0)
    collected = 0
    for weights in draws_of_people(len(scores), seed, MOST_REDRAWS * DRAWS):
        totals = weights @ known
        whole = (totals > 0).all(axis=1)
        yield (weights @ filled)[whole] / totals[whole]
        collected += int(whole.sum())
        if collected >= DRAWS:
            return


def wilson(count: float, n: int) -> tuple[float, float]:
    z = float(stats.norm.ppf((1 + LEVEL) / 2))
    share = count / n
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(max(0.0, share * (1 - share)) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def score_and_pass_rate(cells: Cells) -> tuple[Estimate, Estimate] | None:
    if not cells.people or not cells.items:
        return None
    passed = mean_interval(cells.passed)
    if len(cells.items) == 1:
        hits = float(np.nansum(cells.passed))
        passed = Estimate(hits / cells.people, *wilson(hits, cells.people), cells.people)
    return mean_interval(cells.scores), passed


# Differences -----------------------------------------------------------------------------------------------------


def arms(estimate: Estimate) -> Ends:
    """How far an interval reaches down and up."""
    if estimate.low is None or estimate.high is None:
        return None
    return estimate.value - estimate.low, estimate.high - estimate.value


def together(value: float, first: Ends, second: Ends) -> Ends:
    """The interval of a difference from those of both sides (Zou and Donner 2008)."""
    if first is None or second is None:
        return None
    low = value - math.hypot(first[0], second[1])
    high = value + math.hypot(first[1], second[0])
    return max(-1.0, low), min(1.0, high)


def contrast_ends(scores: Array, samples: Sequence[Sequence[float]], varies_items: bool) -> Ends:
    """The interval of people minus a model; `varies_items` lets the items vary as well."""
    people, items = scores.shape
    differences = item_means(scores) - np.array([np.mean(sample) for sample in samples])
    value = float(differences.mean())
    others = [
        MeanSpread(float(np.var(sample, ddof=1)) / len(sample) / items**2, len(sample) - 1)
        for sample in samples
        if len(sample) > 1
    ]
    if varies_items:
        others.append(MeanSpread(float(np.var(differences, ddof=1)) / items, items - 1))
    if are_equal(scores):
        half = half_width(others)
        return together(value, arms(mean_interval(scores)), (half, half))
    if people < LEAST_FOR_BOOTSTRAP:
        return ends_by_t(value, [spread_of_people(scores), *others], -1.0, 1.0)
    rng = np.random.Generator(np.random.PCG64(SEED))
    arrays = [np.asarray(sample, float) for sample in samples]
    means = []
    for drawn in drawn_item_means(scores, SEED):
        n = len(drawn)
        models = [array[rng.integers(len(array), size=(n, len(array)))].mean(axis=1) for array in arrays]
        found = drawn - np.stack(models, axis=1)
        if varies_items:
            found = np.take_along_axis(found, rng.integers(items, size=found.shape), axis=1)
        means.append(found.mean(axis=1))
    alpha = expanded_alpha(min(people, items) if varies_items else people)
    return percentiles(np.concatenate(means)[:DRAWS], alpha)


def sign_flip_p(differences: Array) -> float:
    count = len(differences)
    observed = abs(differences.sum())
    if count <= MOST_EXACT_FLIPS:
        signs = 1 - 2 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
        return float(np.mean(np.abs(signs @ differences) >= observed - TIE))
    rng = np.random.Generator(np.random.PCG64(SEED))
    signs = 1 - 2 * rng.integers(2, size=(SAMPLED_FLIPS, count))
    as_far = int(np.sum(np.abs(signs @ differences) >= observed - TIE))
    return (as_far + 1) / (SAMPLED_FLIPS + 1)


def difference_between(first: Array, second: Array) -> Estimate:
    """Two conditions with different people."""
    fewest = min(len(first), len(second))
    people = len(first) + len(second)
    value = mean_of(first) - mean_of(second) if fewest else math.nan
    ends: Ends = None
    if fewest < LEAST_PEOPLE:
        pass
    elif are_equal(first) or are_equal(second):
        ends = together(value, arms(mean_interval(first)), arms(mean_interval(second)))
    elif fewest < LEAST_FOR_BOOTSTRAP:
        ends = ends_by_t(value, [spread_of_people(first), spread_of_people(second)], -1.0, 1.0)
    else:
        sides = [(first, SEED), (second, SEED + 1)]
        means = [
            np.concatenate([drawn.mean(axis=1) for drawn in drawn_item_means(scores, seed)])[:DRAWS]
            for scores, seed in sides
        ]
        drawn = min(map(len, means))
        ends = percentiles(means[0][:drawn] - means[1][:drawn], expanded_alpha(fewest))
    low, high = ends or (None, None)
    return Estimate(value, low, high, people)


def difference_within(first: Array, second: Array) -> Estimate:
    """Two conditions with the same people."""
    differences = (np.nanmean(first, axis=1) - np.nanmean(second, axis=1))[:, None]
    people = len(differences)
    value = float(differences.mean())
    if people < LEAST_PEOPLE:
        return Estimate(value, None, None, people)
    if are_equal(differences):
        low, high = ends_of_equals(value, people, -1.0, 1.0) or (None, None)
    else:
        low, high = ends_by_t(value, [spread_of_people(differences)], -1.0, 1.0) or (None, None)
    return Estimate(value, low, high, people)


# Times -----------------------------------------------------------------------------------------------------------


class Curve(NamedTuple):
    """Kaplan-Meier: seconds, the share not yet solved after each, and the median with its log-log interval."""

    steps: list[tuple[float, float]]
    median: float | None
    low: float | None
    high: float | None


def survival(times: Array, solved: Array) -> Curve:
    ends = np.sort(times)
    moments, events = np.unique(times[solved], return_counts=True)
    risks = len(ends) - np.searchsorted(ends, moments, side="left")
    z = float(stats.norm.ppf((1 + LEVEL) / 2))
    share = 1.0
    spread = 0.0
    rows = []
    for time, count, at_risk in zip(moments.tolist(), events.tolist(), risks.tolist(), strict=True):
        share *= 1 - count / at_risk
        spread += count / (at_risk * (at_risk - count)) if at_risk > count else math.inf
        low, high = 0.0, share
        if share > 0 and not math.isinf(spread):
            error = math.sqrt(spread) / abs(math.log(share))
            low, high = share ** math.exp(z * error), share ** math.exp(-z * error)
        rows.append((time, share, low, high))
    reached = [next((row[0] for row in rows if row[column] <= 0.5 + TIE), None) for column in (1, 2, 3)]
    return Curve([(row[0], row[1]) for row in rows], *reached)


def median_by_people(times: Array, solved: Array) -> tuple[float | None, float | None]:
    """The interval of the median over several items: people are drawn with all their trials."""
    people = len(times)
    if people < LEAST_PEOPLE:
        return None, None
    order = np.lexsort([*solved.T, *times.T])
    times = times[order]
    solved = solved[order]
    moments = np.unique(times[solved])
    events = np.zeros((people, len(moments)))
    at_risk = np.zeros((people, len(moments)))
    for person in range(people):
        for time, is_solved in zip(times[person], solved[person], strict=True):
            if np.isfinite(time):
                at_risk[person] += moments <= time
                events[person] += (moments == time) & is_solved
    ends = np.append(moments, np.inf)
    medians = []
    for weights in draws_of_people(people, SEED, DRAWS):
        shares = np.cumprod(1 - (weights @ events) / np.maximum(weights @ at_risk, 1), axis=1)
        medians.append(ends[np.sum(shares > 0.5 + TIE, axis=1)])
    alpha = expanded_alpha(people)
    found = np.quantile(np.concatenate(medians)[:DRAWS], [alpha, 1 - alpha], method="inverted_cdf").tolist()
    low, high = (None if math.isinf(end) else end for end in found)
    return low, high


def restricted_mean(curve: Curve, limit: float) -> float:
    """The mean time up to a limit: the area under the curve."""
    ends = [0.0, *[min(time, limit) for time, _ in curve.steps], limit]
    heights = [1.0, *[share for _, share in curve.steps]]
    return sum(height * (b - a) for height, a, b in zip(heights, ends, ends[1:], strict=False))


# Best of k, people and items, practice ---------------------------------------------------------------------------


def pass_at(passed: int, n: int, k: int) -> float | None:
    return None if k > n else 1 - math.comb(n - passed, k) / math.comb(n, k)


def best_at(scores: Sequence[float], k: int) -> float | None:
    n = len(scores)
    if k > n:
        return None
    weights = [math.comb(i - 1, k - 1) / math.comb(n, k) for i in range(1, n + 1)]
    return sum(score * weight for score, weight in zip(sorted(scores), weights, strict=True))


def mean_or_none(values: Iterable[float | None]) -> float | None:
    known = list(values)
    return fmean(value for value in known if value is not None) if known and None not in known else None


def variance_parts(scores: Array) -> tuple[float, float, float, list[str]] | None:
    """The variance between people, between items, and the rest (Henderson's third method)."""
    people, items = np.nonzero(np.isfinite(scores))
    if len(set(people.tolist())) < LEAST_PEOPLE or len(set(items.tolist())) < 2:
        return None
    y = scores[people, items]
    by_person = indicators(people)
    by_item = indicators(items)
    ones = np.ones((len(y), 1))
    _, _, rank, explained = fit(np.hstack((ones, by_person, by_item)), y)
    if len(y) == rank:
        return None
    rest = float(y @ y - explained) / (len(y) - rank)
    parts = []
    for other, own in ((by_item, by_person), (by_person, by_item)):
        design, inverse, reduced_rank, reduced = fit(np.hstack((ones, other)), y)
        shared = design.T @ own
        left = float((own * own).sum() - np.sum(shared * (inverse @ shared)))
        parts.append((explained - reduced - rest * (rank - reduced_rank)) / left)
    clipped = [name for name, part in zip(("people", "items"), parts, strict=True) if part < 0]
    return max(0.0, parts[0]), max(0.0, parts[1]), rest, clipped


def indicators(groups: Array) -> Array:
    return (groups[:, None] == np.unique(groups)).astype(float)


def fit(design: Array, y: Array) -> tuple[Array, Array, int, float]:
    """A least-squares fit: design, generalised inverse, rank, and the sum of squares that it explains."""
    gram = design.T @ design
    inverse = np.linalg.pinv(gram, hermitian=True)
    sums = design.T @ y
    return design, inverse, int(np.linalg.matrix_rank(gram, hermitian=True)), float(sums @ inverse @ sums)


def discriminations(scores: Array) -> list[float | None]:
    """For each item the correlation with people's means over the other items."""
    centred = scores - item_means(scores) if np.isnan(scores).any() else scores
    correlations: list[float | None] = []
    for item in range(scores.shape[1]):
        rest = np.delete(centred, item, axis=1)
        has_rest = np.isfinite(rest).any(axis=1) & np.isfinite(centred[:, item])
        own = centred[has_rest, item]
        others = rest[has_rest]
        means = np.nanmean(others, axis=1) if len(others) else np.empty(0)
        is_constant = len(own) < LEAST_PEOPLE or np.ptp(own) < NOTHING or np.ptp(means) < NOTHING
        correlations.append(None if is_constant else float(np.corrcoef(own, means)[0, 1]))
    return correlations


def slope_over_positions(scores: Array, positions: Array) -> tuple[float, float, float, float] | None:
    """Slope, its interval and its standard error, items aside; errors are clustered by person (CR1)."""
    people, items = np.nonzero(np.isfinite(scores))
    y = scores[people, items]
    design = np.hstack([positions[people, items][:, None], indicators(items)])
    clusters = len(np.unique(people))
    n, k = design.shape
    if clusters < LEAST_PEOPLE or n <= k or np.linalg.matrix_rank(design) < k:
        return None
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y
    sums = indicators(people).T @ (design * (y - design @ coefficients)[:, None])
    scale = clusters / (clusters - 1) * (n - 1) / (n - k)
    error = math.sqrt(max(0.0, scale * (inverse @ sums.T @ sums @ inverse)[0, 0]))
    if error < NOTHING:
        return None
    half = float(stats.t.ppf((1 + LEVEL) / 2, clusters - 1)) * error
    slope = float(coefficients[0])
    return slope, slope - half, slope + half, error


# Words and cells -------------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """A table of the report: its title, and for each row the title and the cells."""

    title: str
    rows: list[list[str]]


class Section(NamedTuple):
    """A section of the report: tables, sentences with figures, and curves as tables."""

    title: str
    tables: list[Table]
    sentences: Sequence[str] = ()
    curves: Sequence[Table] = ()


def percent(value: float | None) -> str:
    return "–" if value is None else f"{steady(100 * value):.1f}"


def steady(value: float) -> float:
    """A value without what rounding left in its last bits."""
    return round(value, 9) + 0.0


def number(value: float | None, digits: int = 2) -> str:
    text = "–" if value is None else f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def seconds(value: float | None) -> str:
    return "not reached" if value is None else f"{value:,.1f}"


def span(low: float | None, high: float | None) -> str:
    return "n/a" if low is None or high is None else f"{steady(100 * low):+.1f} to {steady(100 * high):+.1f}"


def with_detail(text: str, detail: str) -> str:
    return f"{text} ({detail})" if detail else text


def estimate_cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    few = estimate.low is None or estimate.high is None
    ends = "too few people" if few else f"{percent(estimate.low)}–{percent(estimate.high)}"
    return with_detail(percent(estimate.value), f"{ends} · n {estimate.people}")


def titled(title: str, condition: str) -> str:
    return title if len(CONDITIONS) == 1 else f"{title}: {condition}"


class Group(NamedTuple):
    """People whose times may be pooled: of one condition, and of one setting where there were several."""

    condition: str
    setting: str = ""

    @property
    def name(self) -> str:
        return f"{self.condition}, {IN_SETTING[self.setting]}" if self.setting else self.condition

    def titled(self, title: str) -> str:
        known = IN_SETTING[self.setting] if self.setting and len(CONDITIONS) == 1 else self.name
        return f"{title}: {known}" if self.setting else titled(title, self.condition)


def groups(data: Data) -> list[Group]:
    """The groups, condition by condition."""
    known = data.participants[data.participants.session_id.isin(cells_of(data, selection=NOBODY).sessions)]
    used = [setting for setting in IN_SETTING if setting in set(known.setting)]
    return [Group(condition, setting) for condition in CONDITIONS for setting in (used if len(used) > 1 else [""])]


# Sections --------------------------------------------------------------------------------------------------------


def flow(data: Data) -> Section:
    """From plan to analysis."""
    excluded = sum(text != "" for text in data.participants.excluded_by)
    rows = [[name, str(count)] for name, count in SETTINGS["counts"].items()]
    rows += [["Excluded by rule", str(excluded)], ["Analysed", str(cells_of(data).people)]]
    return Section("From plan to analysis", [Table("People", rows)])


def people(data: Data) -> Section:
    """What people said about themselves."""
    own = data.participants[data.participants.session_id.isin(cells_of(data).sessions)]
    took_part = Counter(own.setting)
    tables = []
    if shown := [where for where in IN_SETTING if where in SETTINGS["settings"] or took_part[where]]:
        rows = [[IN_SETTING[where], str(took_part[where])] for where in shown]
        tables += [Table("Where people took part", rows)] if shown != ["desk"] else []
    for question in SETTINGS["questions"]:
        said = Counter(in_one_word(text) for text in own[f"q_{question['key']}"])
        rows = [[answer, str(count)] for answer, count in sorted(said.items(), key=lambda pair: -pair[1])]
        tables.append(Table(question["ask"], rows))
    return Section("People", tables, [f"With accommodations: {sum(own.accommodations != '')}."])


def in_one_word(text: str) -> str:
    if not text:
        return "not answered"
    return (", ".join(map(str, json.loads(text))) or "none") if text.startswith("[") else text


def scores(data: Data) -> Section:
    selections = [PLANNED, NOBODY, *([LATER] if SETTINGS["has_later_exclusions"] else [])]
    tables = []
    for group in dict.fromkeys((*map(Group, CONDITIONS), *groups(data))):
        own = [selection._replace(setting=group.setting) for selection in selections]
        cells = [cells_of(data, group.condition, selection) for selection in own]
        rows = []
        for scope in SETTINGS["scopes"]:
            found = [score_and_pass_rate(each.of_items(scope["items"])) for each in cells]
            shown = [estimate_cell(each and each[place]) for place in (0, 1) for each in found]
            rows.append([scope["title"], *shown])
        tables.append(Table(group.titled("Scores"), rows))
    return Section("Scores", tables)


def times(data: Data) -> Section:
    tables = []
    unsolved = []
    minutes = []
    for group in groups(data):
        cells = cells_of(data, group.condition, PLANNED._replace(setting=group.setting))
        has_trips = any(trial.round_trip_median_ms for trial in cells.trials.values())
        rows = []
        for scope in SETTINGS["scopes"]:
            own = cells.of_items(scope["items"])
            taken, solved = own.times()
            shown = np.isfinite(taken)
            if not shown.any():
                continue
            curve = survival(taken[shown], solved[shown])
            rows.append(
                [scope["title"], *time_cells(own, taken, solved, curve), *(trip_cells(own) if has_trips else [])]
            )
            if scope["kind"] == "all":
                unsolved += [[group.name, f"{time:,.0f}", f"{100 * share:.0f}"] for time, share in curve.steps]
        tables.append(Table(group.titled("Time to a solution"), rows))
        by_minute = score_by_minute(data, cells)
        if len(by_minute) > 1:
            minutes += [[group.name, str(minute), percent(score)] for minute, score in by_minute]
    return Section("Times", tables, curves=[Table("Not yet solved", unsolved), Table("Score against time", minutes)])


def time_cells(cells: Cells, taken: Array, solved: Array, curve: Curve) -> list[str]:
    own = np.isfinite(taken).any(axis=1)
    low, high = (curve.low, curve.high) if len(cells.items) == 1 else median_by_people(taken[own], solved[own])
    ends = f"{seconds(low)}–{seconds(high)}" if own.sum() >= LEAST_PEOPLE else "too few people"
    limits = [trial.limit_ms for trial in cells.trials.values()]
    limit = max(map(int, limits)) / 1000 if limits and all(limits) else None
    fast = taken[solved]
    return [
        with_detail(seconds(curve.median), ends),
        number(restricted_mean(curve, limit) if limit else None, 1),
        f"{solved.sum()} of {np.isfinite(taken).sum()}",
        number(float(np.median(fast)) if len(fast) else None, 1),
        number(float(np.exp(np.mean(np.log(fast)))) if len(fast) else None, 1),
    ]


def trip_cells(cells: Cells) -> list[str]:
    """What the connection took in trials that were done in a browser."""
    trips = [trial for trial in cells.trials.values() if trial.round_trip_median_ms]
    if not trips:
        return ["–", "–"]
    median, high = (
        float(np.median([int(getattr(trial, f"round_trip_{name}_ms")) for trial in trips]))
        for name in ("median", "p95")
    )
    worst = max(int(trial.round_trip_worst_ms) for trial in trips)
    return [number(median, 0), with_detail(f"{high:,.0f}", f"worst {worst:,}")]


def score_by_minute(data: Data, cells: Cells) -> list[tuple[int, float]]:
    """The mean score at each minute, of the submission that would count if time ended there."""
    given = [(column, data.handed_in.get(trial.trial_id, [])) for (_, column), trial in cells.trials.items()]
    last = max((time for _, submissions in given for time, _, _ in submissions), default=0.0)
    curve = []
    for minute in range(math.ceil(last / 60) + 1):
        by_item: dict[int, list[float]] = {}
        for column, submissions in given:
            so_far = [score for time, score, _ in submissions if time <= 60 * minute]
            by_item.setdefault(column, []).append(counting(so_far) if so_far else 0.0)
        curve.append((minute, fmean(map(fmean, by_item.values())) if by_item else math.nan))
    return curve


def counting(scores: Sequence[float]) -> float:
    rule = SETTINGS["score_of"]
    return max(scores) if rule == "best" else scores[0 if rule == "first" else -1]


def best_of_k(data: Data) -> Section:
    rows = []
    for condition in CONDITIONS:
        cells = cells_of(data, condition)
        columns = [(p[np.isfinite(p)], s[np.isfinite(s)]) for p, s in zip(cells.passed.T, cells.scores.T, strict=True)]
        values = [mean_or_none(pass_at(int(p.sum()), len(p), k) for p, _ in columns) for k in KS]
        values += [mean_or_none(best_at(s.tolist(), k) for _, s in columns) for k in KS]
        rows.append([f"{condition}: k different people", *map(percent, values)])
    for run in runs(data):
        values = [mean_or_none(pass_at(int(sum(p)), len(p), k) for p in run.passed.values()) for k in KS]
        values += [mean_or_none(best_at(s, k) for s in run.scores.values()) for k in KS]
        rows.append([f"{run.name}: k samples", *map(percent, values)])
    return Section("Best of k", [Table("Best of k", rows)], [within_tries(data)] if SETTINGS["submissions"] > 1 else [])


def within_tries(data: Data) -> str:
    """How many trials passed with the best of a person's own submissions."""
    shares = []
    for condition in CONDITIONS:
        found = []
        for trial in cells_of(data, condition).trials.values():
            given = data.handed_in.get(trial.trial_id, [])
            found.append(max(given, key=lambda entry: entry[1])[2] if given else 0.0)
        shares.append(f"{percent(float(np.mean(found)) if found else None)} % ({condition})")
    return f"Within {SETTINGS['submissions']} tries: {', '.join(shares)}."


class Run(NamedTuple):
    """A model that people are compared with: scores and successes of its samples by item."""

    name: str
    condition: str
    scores: dict[str, list[float]]
    passed: dict[str, list[float]]


def runs(data: Data) -> list[Run]:
    if data.models.empty:
        return []
    found = []
    for _, rows in data.models.groupby("contrast", sort=False):
        run = Run(rows.run.iloc[0], rows.condition_id.iloc[0], {}, {})
        for row in rows.itertuples():
            run.scores.setdefault(row.stimulus_id, []).append(float(row.score))
            run.passed.setdefault(row.stimulus_id, []).append(float(row.passed))
        found.append(run)
    return found


def address(item: str) -> str:
    return str(SETTINGS["items"][item])


def people_and_items(data: Data) -> Section:
    tables = []
    sentences = []
    for condition in CONDITIONS:
        cells = cells_of(data, condition)
        if not cells.people:
            continue
        had = np.isfinite(cells.scores).sum(axis=0).tolist()
        rows = []
        figures = zip(cells.items, item_means(cells.scores).tolist(), discriminations(cells.scores), had, strict=True)
        for item, mean, sharpness, n in figures:
            edge = "floor" if mean <= 0.05 else "ceiling" if mean >= 0.95 else ""
            few = f"n {n}, few" if n < 10 else f"n {n}"
            sharp = "n/a" if sharpness is None else with_detail(f"{steady(sharpness):.2f}", few)
            rows.append([address(item), with_detail(percent(mean), edge), sharp, number(n)])
        tables.append(Table(titled("Items", condition), rows))
        sentences.append(variance_sentence(condition, cells))
    return Section("People and items", tables, sentences)


def variance_sentence(condition: str, cells: Cells) -> str:
    parts = variance_parts(cells.scores)
    if parts is None:
        return f"{condition}: variance parts need 3 people and 2 items."
    by_people, by_items, rest = map(steady, parts[:3])
    clipped = parts[3]
    items = len(cells.items)
    total = parts[0] + parts[2] / items
    reliability = f"{steady(parts[0] / total):.2f}" if total > NOTHING else "not defined"
    return (
        f"{condition}: variance between people {by_people:.4f} (standard deviation {by_people**0.5:.3f}), "
        f"between items {by_items:.4f}, rest {rest:.4f}. Reliability over {items} items: {reliability}."
        + (f" Negative, and set to 0: {', '.join(clipped)}." if clipped else "")
    )


def practice(data: Data) -> Section:
    sentences = []
    for condition in CONDITIONS:
        cells = cells_of(data, condition)
        if SETTINGS["orders_are_fixed"]:
            sentences.append(f"{condition}: position and item cannot be told apart.")
            continue
        slope = slope_over_positions(cells.scores, cells.positions()) if cells.people else None
        sentences.append(slope_sentence(condition, "score", slope))
        for group in groups(data):
            if group.condition == condition:
                own = cells_of(data, condition, PLANNED._replace(setting=group.setting))
                sentences.append(slope_sentence(group.name, "logarithm of the time", slope_of_times(own)))
    return Section("Practice", [], sentences)


def slope_of_times(cells: Cells) -> tuple[float, float, float, float] | None:
    taken, solved = cells.times()
    logs = np.log(taken, where=solved & (taken > 0), out=np.full(taken.shape, np.nan))
    kept = np.isfinite(logs).any(axis=0)
    return slope_over_positions(logs[:, kept], cells.positions()[:, kept]) if kept.any() else None


def slope_sentence(condition: str, what: str, slope: tuple[float, float, float, float] | None) -> str:
    if slope is None:
        return f"{condition}: no slope of the {what} can be computed."
    value, low, high, error = map(steady, slope)
    return f"{condition}: the {what} changes by {value:+.4f} [{low:+.3f}, {high:+.3f}], standard error {error:.4f}."


def comparison(data: Data) -> Section:
    own = runs(data)
    tables = [Table("People minus models, on common items", [model_row(data, run) for run in own])] if own else []
    tables += [item_differences(data, run) for run in own]
    if len(CONDITIONS) > 1:
        rows = []
        for first, second in combinations(CONDITIONS, 2):
            found = condition_difference(data, first, second)
            text = with_detail(f"{steady(100 * found.value):+.1f}", span(found.low, found.high)) if found else "n/a"
            rows.append([f"{first} minus {second}", text])
        tables.append(Table("Between conditions", rows))
    return Section("Comparison", tables)


def common_cells(data: Data, run: Run) -> Cells:
    """The people's trials on the items that a model had, too."""
    cells = cells_of(data, run.condition)
    return cells.of_items([item for item in cells.items if run.scores.get(address(item))])


def model_row(data: Data, run: Run) -> list[str]:
    cells = common_cells(data, run)
    title = f"{run.condition} minus {run.name}"
    if not cells.people or not cells.items:
        return [title, *["–"] * 6, "0"]
    samples = [run.scores[address(item)] for item in cells.items]
    model = np.array([np.mean(sample) for sample in samples])
    differences = item_means(cells.scores) - model
    n, items = cells.scores.shape
    these = contrast_ends(cells.scores, samples, False) if n >= LEAST_PEOPLE else None
    can_vary = n >= LEAST_PEOPLE and items >= LEAST_ITEMS_RESAMPLED
    such = contrast_ends(cells.scores, samples, True) if can_vary else None
    means = np.nanmean(cells.scores, axis=1)
    below = float(np.mean((means < model.mean() - TIE) + 0.5 * (np.abs(means - model.mean()) <= TIE)))
    return [
        title,
        percent(mean_of(cells.scores)),
        percent(fmean(map(fmean, samples))),
        with_detail(f"{steady(100 * float(differences.mean())):+.1f}", span(*(these or (None, None)))),
        span(*(such or (None, None))),
        number(sign_flip_p(differences), 4),
        percent(below),
        number(items),
    ]


def item_differences(data: Data, run: Run) -> Table:
    cells = common_cells(data, run)
    means = item_means(cells.scores).tolist() if cells.people else []
    rows = [
        (address(item), mean, fmean(run.scores[address(item)])) for item, mean in zip(cells.items, means, strict=False)
    ]
    shown = [
        [title, percent(person), percent(model), f"{steady(100 * (person - model)):+.1f}"]
        for title, person, model in sorted(rows, key=lambda row: row[1] - row[2])
    ]
    return Table(f"Items: {run.condition} minus {run.name}", shown)


def condition_difference(data: Data, first: str, second: str) -> Estimate | None:
    one, other = cells_of(data, first), cells_of(data, second)
    if SETTINGS["assignment"] == "within":
        shared = set(one.sessions) & set(other.sessions)
        rows = [[i for i, session in enumerate(cells.sessions) if session in shared] for cells in (one, other)]
        return difference_within(one.scores[rows[0]], other.scores[rows[1]]) if shared else None
    common = [item for item in one.items if item in other.items]
    one, other = one.of_items(common), other.of_items(common)
    return difference_between(one.scores, other.scores) if one.people and other.people else None


def confidence_and_load(data: Data) -> Section:
    tables = []
    sentences = []
    for condition in CONDITIONS:
        cells = cells_of(data, condition)
        pairs = [
            (float(trial.confidence), bool(cells.passed[place]))
            for place, trial in cells.trials.items()
            if trial.confidence
        ]
        if not pairs:
            continue
        share = np.array([sure for sure, _ in pairs]) / 100
        outcome = np.array([passed for _, passed in pairs], float)
        brier = steady(float(np.mean((share - outcome) ** 2)))
        over = steady(float(share.mean() - outcome.mean()))
        sentences.append(f"{condition}: Brier score {brier:.4f}; mean confidence minus pass rate {over:+.3f}.")
        rows = []
        for low in range(0, 100, 20):
            own = [(sure, p) for sure, p in pairs if low <= sure < low + 20 or (low == 80 and sure == 100)]
            sure = fmean(sure / 100 for sure, _ in own) if own else None
            passed = fmean(p for _, p in own) if own else None
            rows.append([f"{low}–{low + 20}", percent(sure), percent(passed), number(len(own))])
        tables.append(Table(titled("Confidence", condition), rows))
    is_between = SETTINGS["assignment"] == "between"
    for condition in CONDITIONS if is_between else [None]:
        tables += load_table(data, condition)
    return Section("Confidence and load", tables, sentences)


def load_table(data: Data, condition: str | None) -> list[Table]:
    sessions = set(cells_of(data, condition).sessions)
    given: dict[str, list[float]] = {scale: [] for scale in LOAD}
    for row in data.responses.itertuples():
        scale = row.key.rpartition(".")[2]
        if row.session_id in sessions and row.trial_id == "" and row.key.startswith("tlx.") and scale in given:
            given[scale].append(float(row.value))
    if not all(given.values()):
        return []
    means = {scale: fmean(values) for scale, values in given.items()}
    rows = [[scale, number(mean, 1)] for scale, mean in means.items()]
    rows.append(["raw TLX, the mean of the six", number(fmean(means.values()), 1)])
    title = "Task load (raw NASA-TLX, 0 to 100)"
    return [Table(title if condition is None else titled(title, condition), rows)]


def robustness(data: Data) -> Section:
    selections = [PLANNED, NOBODY, ANSWERED, UNAIDED, *([LATER] if SETTINGS["has_later_exclusions"] else [])]
    selections += [Selection(f"without {rule.replace('_', ' ')}", without_rule=rule) for rule in SETTINGS["rules"]]
    shared = data.sharing()
    lines = []
    for condition in CONDITIONS:
        rows = [(selection.title, cells_of(data, condition, selection)) for selection in selections]
        if 0 < len(shared.participants) < len(data.participants) and not SETTINGS["tells_of_others"]:
            rows.append(("people who share their answers", cells_of(shared, condition)))
        for name, cells in rows:
            found = score_and_pass_rate(cells) or (None, None)
            title = name if len(CONDITIONS) == 1 else f"{condition}: {name}"
            lines.append([title, *map(estimate_cell, found)])
    return Section("Robustness", [Table("How much depends on the rules", lines)])


def outcome_sections(data: Data) -> list[Section]:
    """The sections about outcomes, in the report's order."""
    makers = (scores, times, best_of_k, people_and_items, practice, comparison, confidence_and_load, robustness)
    return [make(data) for make in makers]


PUBLIC = "Figures of the public data"


def public_section(data: Data) -> Section:
    """All figures again, of the people who share their answers."""
    sections = outcome_sections(data)
    tables = [
        Table(f"{table.title}, of people who share", table.rows) for section in sections for table in section.tables
    ]
    return Section(PUBLIC, tables, [text for section in sections for text in section.sentences])


def withheld_section() -> Section:
    """Why there are no figures of the people who share their answers."""
    reason = (
        "The difference from the figures of all people would tell how one or two people did who do not share theirs."
    )
    return Section(PUBLIC, [], [f"Withheld. {reason}"])


def report_sections(data: Data) -> list[Section]:
    if SETTINGS["is_public"]:
        return [public_section(data)] if SETTINGS["is_open"] and len(data.participants) else []
    sections = [flow(data), people(data)]
    if SETTINGS["is_open"]:
        sections += outcome_sections(data)
        shared = data.sharing()
        if 0 < len(shared.participants) < len(data.participants):
            sections.append(withheld_section() if SETTINGS["tells_of_others"] else public_section(shared))
    return sections


def print_section(section: Section) -> None:
    print(f"# {section.title}")
    for sentence in section.sentences:
        print(sentence)
    for table in (*section.tables, *section.curves):
        print(f"## {table.title}")
        for row in table.rows:
            print("\t".join(row))
    print()


def main() -> None:
    names = ("participants", "trials", "submissions", "responses", "models")
    data = Data(*map(read_table, names))
    for section in report_sections(data):
        print_section(section)
    if not SETTINGS["is_open"]:
        print("The outcomes of the study are not open; there are no figures about them.")


if __name__ == "__main__":
    main()
