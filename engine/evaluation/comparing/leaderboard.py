"""All runs of a project with their scores and ranks, and what their answers took.

Score     mean over subtasks, repeats averaged first; bootstrap over clusters of subtasks that share an answer
Rank      1 and how many runs score higher; each two runs are compared on the subtasks that both have a score for
          Interval and shares of the ranks come from a bootstrap that draws the clusters of all runs together
Front     no other run scores as much for less, or more for as little; on the subtasks that both have a score for,
          and if these are nearly all of theirs, by their means over all of them, too

Two runs with fewer than three clusters in common are not compared. See docs/comparing.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.rates import wilson
from spatial_workbench.engine.evaluation.columns import Figures, Places, Truths, columns_of, means
from spatial_workbench.engine.evaluation.comparing.comparison import cluster_of
from spatial_workbench.engine.evaluation.comparing.paired import (
    DRAWS,
    LEAST_CLUSTERS,
    LEVEL,
    SEED,
    bootstrap_interval,
    weights_in_parts,
)
from spatial_workbench.engine.evaluation.comparing.runs import kind_of_run
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import Accuracy, accuracy

COST = "cost"
TOKENS = "tokens"
TIME = "time"
MEASURES: Mapping[str, str] = {COST: "cost_usd", TOKENS: "output_tokens", TIME: "seconds"}
"""What an answer takes, by name: US dollars, output tokens with reasoning, seconds. The attribute of a record."""
_NOTHING = 1e-12
_CHUNK_CELLS = 4_000_000
_ALMOST_ALL = 0.9
"""Runs that share this part of their subtasks are compared by all of these, too, as a chart shows them."""


@dataclass(frozen=True)
class UsedAmount:
    """What the answers of a run took: dollars, tokens or seconds.

    Attributes:
        mean: Of an answer; None: it is known of none.
        total: Of all answers of which it is known.
        known: Of how many answers it is known.
        answers: How many answers there are.
    """

    mean: float | None
    total: float | None
    known: int
    answers: int


@dataclass(frozen=True)
class RankSpread:
    """The rank of a run, and how certain it is.

    Attributes:
        rank: 1 and how many of its rivals score higher.
        low, high: The interval at 95 %.
        shares: How often each rank, from 1, came up in the bootstrap.
        rivals: Runs that it is compared with.
        least_shared, most_shared: The fewest and the most subtasks that it shares with one of them.
    """

    rank: int
    low: int
    high: int
    shares: tuple[float, ...]
    rivals: int
    least_shared: int
    most_shared: int


@dataclass(frozen=True)
class LeaderboardRow:
    """A run.

    Attributes:
        kind: Who answered, such as "model" or "people".
        accuracy: Its score, over how many of the subtasks of all runs.
        clusters: How many of its subtasks are independent.
        interval: Of the score at 95 %; None: there are too few clusters.
        all_alike: Whether all its scores are the same, so that the interval is Wilson's.
        place: None: it shares too few subtasks with any other run.
        used: What its answers took, by the names of `MEASURES`.
        fronts: The measures of whose Pareto fronts it is a part.
    """

    title: str
    kind: str
    accuracy: Accuracy
    clusters: int
    interval: tuple[float, float] | None
    all_alike: bool
    place: RankSpread | None
    used: Mapping[str, UsedAmount]
    fronts: tuple[str, ...]


@dataclass(frozen=True)
class Leaderboard:
    """The runs, the best first; those without a rank are last.

    Attributes:
        subtasks: How many subtasks any of the runs was asked.
        is_one_set: Whether all runs have a score for the same subtasks.
    """

    rows: tuple[LeaderboardRow, ...]
    subtasks: int
    is_one_set: bool

    @property
    def most(self) -> int:
        """The most subtasks that any run has a score for."""
        return max((row.accuracy.n for row in self.rows), default=0)

    def front(self, measure: str) -> list[LeaderboardRow]:
        """The runs on a Pareto front, those that take least first."""
        return sorted(
            (row for row in self.rows if measure in row.fronts), key=lambda row: row.used[measure].mean or 0.0
        )


def leaderboard(runs: Mapping[str, Sequence[Scored]], draws: int = DRAWS, seed: int = SEED) -> Leaderboard:
    """The runs, by their titles, with ranks and intervals."""
    field = _Field(runs)
    places = field.places(draws, seed)
    intervals = field.intervals(seed)
    fronts = {measure: field.front(measure) for measure in MEASURES}
    rows = [
        _row(title, runs[title], field, k, intervals[k], places[k], [name for name in MEASURES if k in fronts[name]])
        for k, title in enumerate(field.titles)
    ]
    return Leaderboard(tuple(sorted(rows, key=_order)), field.subtasks, field.is_one_set)


def used_amount(items: Iterable[Scored], measure: str) -> UsedAmount:
    """What the answers among some items took."""
    items = columns_of(items)
    is_answered = items.text("state").is_any(Ending.DONE)
    amounts = items.figures(MEASURES[measure])[is_answered]
    known = amounts[np.isfinite(amounts)].tolist()
    # Counts stay whole numbers.
    total = sum(map(int, known)) if measure == TOKENS else sum(known)
    return UsedAmount(fmean(known) if known else None, total if known else None, len(known), int(is_answered.sum()))


def _row(
    title: str,
    items: Sequence[Scored],
    field: _Field,
    k: int,
    interval: tuple[float, float] | None,
    place: RankSpread | None,
    fronts: Sequence[str],
) -> LeaderboardRow:
    sums, sizes = field.cluster_sums(k)
    clusters = int((sizes > 0).sum())
    all_alike = interval is not None and interval[1] - interval[0] < _NOTHING
    if all_alike:
        # A bootstrap of scores that are all the same would call them certain.
        interval = wilson(float(sums.sum() / sizes.sum()) * clusters, clusters)
    return LeaderboardRow(
        title=title,
        kind=kind_of_run(items),
        accuracy=accuracy(items, field.subtasks),
        clusters=clusters,
        interval=interval,
        all_alike=all_alike,
        place=place,
        used={measure: used_amount(items, measure) for measure in MEASURES},
        fronts=tuple(fronts),
    )


def _order(row: LeaderboardRow) -> tuple[float, float, int, str]:
    score = row.accuracy.value
    return (
        row.place.rank if row.place is not None else float("inf"),
        -(score if score is not None else -1.0),
        -row.accuracy.n,
        row.title,
    )


class _Field:
    """The scores of all runs as a grid of runs and subtasks; NaN: there is none."""

    def __init__(self, runs: Mapping[str, Sequence[Scored]]) -> None:
        self.titles = list(runs)
        self._runs = [columns_of(items) for items in runs.values()]
        self.subtasks = len({address for of in self._runs for address in of.text("address").present()})
        with_score = (of.at(of.has_value) for of in self._runs)
        self._addresses = sorted({address for of in with_score for address in of.text("address").present()})
        self.scores = self._grid("value")
        places: dict[str, int] = {}
        self._labels = np.array(
            [places.setdefault(cluster_of(address), len(places)) for address in self._addresses], dtype=int
        )
        self._clusters = len(places)

    @property
    def is_one_set(self) -> bool:
        """Whether all runs have a score for the same subtasks."""
        has = np.isfinite(self.scores)
        return bool((has == has[:1]).all())

    @cached_property
    def pairs(self) -> list[tuple[int, int, NDArray[np.bool_]]]:
        """Each two runs that share enough clusters, with the subtasks that both have a score for."""
        has = np.isfinite(self.scores)
        pairs = ((i, j, has[i] & has[j]) for i, j in combinations(range(len(self.titles)), 2))
        return [(i, j, both) for i, j, both in pairs if len(np.unique(self._labels[both])) >= LEAST_CLUSTERS]

    def cluster_sums(self, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The sum of a run's scores in each cluster, and how many there are."""
        return self._summed(self.scores[k], np.isfinite(self.scores[k]))

    def intervals(self, seed: int) -> list[tuple[float, float] | None]:
        """The interval of each run's score; None: it has too few clusters.

        Runs that have almost all clusters share the draws of these.
        """
        parts = [self.cluster_sums(k) for k in range(len(self.titles))]
        counts = [int((sizes > 0).sum()) for _, sizes in parts]
        large = [k for k, count in enumerate(counts) if count >= max(LEAST_CLUSTERS, _ALMOST_ALL * self._clusters)]
        intervals: list[tuple[float, float] | None] = [
            bootstrap_interval(sums[sizes > 0], sizes[sizes > 0], seed)
            if k not in large and counts[k] >= LEAST_CLUSTERS
            else None
            for k, (sums, sizes) in enumerate(parts)
        ]
        if large:
            sums, sizes = (np.array([parts[k][n] for k in large]).T for n in range(2))
            means = np.concatenate(
                [(w @ sums) / np.maximum(w @ sizes, 1) for w in self._draws(DRAWS, seed, len(large))]
            )
            alpha = (1 - LEVEL) / 2
            for k, low, high in zip(large, *np.quantile(means, [alpha, 1 - alpha], axis=0), strict=True):
                intervals[k] = float(low), float(high)
        return intervals

    def places(self, draws: int, seed: int) -> list[RankSpread | None]:
        """The rank of each run; None: it is compared with none."""
        count = len(self.titles)
        if not self.pairs:
            return [None] * count
        parts = [self._summed(self.scores[i] - self.scores[j], both)[0] for i, j, both in self.pairs]
        sums = np.array(parts).T
        ranks = self._ranks(sums.sum(axis=0, keepdims=True))[0]
        counts = np.zeros((count, count))
        for weights in self._draws(draws, seed, len(self.pairs)):
            # Only the sign of a difference counts, and in a draw without anything that two runs share it is 0.
            drawn = self._ranks(weights @ sums)
            for k in range(count):
                counts[k] += np.bincount(drawn[:, k] - 1, minlength=count)
        return [self._place(k, int(ranks[k]), counts[k] / draws) for k in range(count)]

    def _draws(self, draws: int, seed: int, columns: int) -> Iterator[NDArray[np.float64]]:
        """How often each cluster is drawn, some draws at a time; `columns` figures will be made of each."""
        rows = max(1, _CHUNK_CELLS // (self._clusters + columns))
        for _, weights in weights_in_parts(seed, self._clusters, draws, rows):
            yield weights

    def front(self, measure: str) -> set[int]:
        """The runs that no other run surpasses in score and measure, among those of which both are known."""
        used = self._grid(MEASURES[measure])
        known = _is_known(used, 1) & _is_known(self.scores, 1)
        in_it = {k for k in range(len(self.titles)) if known[k]}
        if len(in_it) < 2 or not self.pairs:
            return in_it if len(in_it) == 1 else set()
        first, second = (np.array([pair[n] for pair in self.pairs]) for n in range(2))
        compared = {k for i, j, _ in self.pairs for k in (i, j) if known[i] and known[j]}
        both = np.array([both for _, _, both in self.pairs])
        surpassed = self._surpassed(first, second, both, used)
        most = np.isfinite(self.scores).sum(axis=1)
        nearly_all = both.sum(axis=1) >= _ALMOST_ALL * np.maximum(most[first], most[second])
        everything = np.broadcast_to(_is_known(self.scores, 0), (int(nearly_all.sum()), self.scores.shape[1]))
        surpassed |= self._surpassed(first[nearly_all], second[nearly_all], everything, used)
        return compared - surpassed

    def _surpassed(self, first: Places, second: Places, ground: Truths, used: Figures) -> set[int]:
        """The runs that another surpasses, by the means of both on some subtasks.

        Args:
            first, second: Shape (pairs,): the runs of each pair.
            ground: Shape (pairs, subtasks): the subtasks that each pair is compared on.
            used: Shape (runs, subtasks): what the answers took; NaN: it is not known.
        """
        better = _means(self.scores[first], ground) - _means(self.scores[second], ground)
        dearer = _means(used[first], ground) - _means(used[second], ground)
        beaten = [*second[_beats(better, dearer)].tolist(), *first[_beats(-better, -dearer)].tolist()]
        return set(beaten)

    def _grid(self, figure: str) -> NDArray[np.float64]:
        """The mean of a figure over the repeats of each subtask, by run."""
        grid = np.full((len(self.titles), len(self._addresses)), np.nan)
        places = {address: place for place, address in enumerate(self._addresses)}
        for row, of in enumerate(self._runs):
            addresses = of.text("address")
            codes, found = means(addresses.codes, of.figures(figure))
            columns = np.array([places.get(addresses.words[code], -1) for code in codes.tolist()], dtype=np.intp)
            grid[row, columns[columns >= 0]] = found[columns >= 0]
        return grid

    def _summed(
        self, values: NDArray[np.float64], chosen: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        labels = self._labels[chosen]
        sums = np.bincount(labels, values[chosen], minlength=self._clusters).astype(np.float64)
        return sums, np.bincount(labels, minlength=self._clusters).astype(np.float64)

    def _ranks(self, differences: NDArray[np.float64]) -> NDArray[np.int64]:
        """Ranks by draw and run, from how much higher the first run of each pair scores, by draw and pair."""
        lost_by = [np.zeros((len(self.pairs), len(self.titles)), dtype=np.float32) for _ in range(2)]
        for place, (first, second, _) in enumerate(self.pairs):
            lost_by[0][place, second] = 1
            lost_by[1][place, first] = 1
        lost = (differences > _NOTHING).astype(np.float32) @ lost_by[0]
        lost += (differences < -_NOTHING).astype(np.float32) @ lost_by[1]
        ranks: NDArray[np.int64] = 1 + np.rint(lost).astype(np.int64)
        return ranks

    def _place(self, k: int, rank: int, shares: NDArray[np.float64]) -> RankSpread | None:
        shared = [int(both.sum()) for i, j, both in self.pairs if k in (i, j)]
        if not shared:
            return None
        below = np.cumsum(shares)
        alpha = (1 - LEVEL) / 2
        low, high = (int(np.searchsorted(below, level - _NOTHING)) + 1 for level in (alpha, 1 - alpha))
        ranks = tuple(map(float, shares[: len(shared) + 1]))
        return RankSpread(rank, low, high, ranks, len(shared), min(shared), max(shared))


def _is_known(grid: NDArray[np.float64], axis: int) -> NDArray[np.bool_]:
    """Whether anything along an axis is known."""
    return np.asarray(np.isfinite(grid).any(axis=axis))


def _means(values: Figures, chosen: Truths) -> Figures:
    """The mean of the chosen values of each row that are known; NaN if none is."""
    known = chosen & np.isfinite(values)
    counts = known.sum(axis=1)
    sums = np.where(known, values, 0.0).sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _beats(gain: Figures, price: Figures) -> Truths:
    """Whether a run scores as much for less, or more for as little; never if one is not known."""
    return (gain >= -_NOTHING) & (price <= _NOTHING) & ((gain > _NOTHING) | (price < -_NOTHING))
