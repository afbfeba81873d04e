"""Metrics of runs: pass rates with their intervals, moves, moves per depth, and the gaps that diagnose an agent.

Runs that ended abnormally (timeout, errors) count as failures in the pass rate, and not at all in the means of moves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import NamedTuple, TypeVar

from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.cube.agent.records import LONG_HORIZON, SHORT_HORIZON, AgentKind, CubeSetting, RunRecord

K = TypeVar("K", bound=Hashable)


class CubeSummary(NamedTuple):
    """The metrics of a group of runs.

    Attributes:
        passed: Solved runs of all runs.
        moves: Mean #MM over runs that ended normally.
        moves_solved: Mean #MM over solved runs.
        moves_most: Largest #MM of a run that ended normally.
        ratio: Mean #MR over runs that ended normally and whose depth is known.
        steps, seconds, views, invalid, solver_calls: Means over all runs.
        tokens: Mean over the runs for which it is known.
        cost_usd: Sum over the runs for which it is known; None if there are none.
    """

    passed: Rate
    moves: float | None
    moves_solved: float | None
    moves_most: int | None
    ratio: float | None
    steps: float | None
    seconds: float | None
    tokens: float | None
    views: float | None
    invalid: float | None
    solver_calls: float | None
    cost_usd: float | None


@dataclass(frozen=True)
class Gap:
    """A comparison of two groups of runs that isolates an ability.

    Attributes:
        isolates: The ability that the difference measures.
        first, second: The two groups that are compared.
        rates: The pass rates of both.
    """

    isolates: str
    first: str
    second: str
    rates: tuple[Rate, Rate]

    @property
    def difference(self) -> float | None:
        """The second rate minus the first; None if either is missing."""
        before, after = (rate.value for rate in self.rates)
        return None if before is None or after is None else after - before

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference, by Newcombe's method from both Wilson intervals."""
        before, after = self.rates
        if not before.n or not after.n:
            return -1.0, 1.0
        p, q = before.hits / before.n, after.hits / after.n
        (low_p, high_p), (low_q, high_q) = before.interval, after.interval
        down = sqrt((q - low_q) ** 2 + (high_p - p) ** 2)
        up = sqrt((high_q - q) ** 2 + (p - low_p) ** 2)
        return max(-1.0, q - p - down), min(1.0, q - p + up)


def summary(runs: Sequence[RunRecord]) -> CubeSummary:
    """The metrics of some runs."""
    normal = [run for run in runs if run.end.is_normal]
    solved = [run for run in runs if run.is_solved]
    costs = [run.cost_usd for run in runs if run.cost_usd is not None]
    return CubeSummary(
        passed=Rate(len(solved), len(runs)),
        moves=_mean(run.move_count for run in normal),
        moves_solved=_mean(run.move_count for run in solved),
        moves_most=max((run.move_count for run in normal), default=None),
        ratio=_mean(run.move_ratio for run in normal if run.move_ratio is not None),
        steps=_mean(len(run.steps) for run in runs),
        seconds=_mean(run.seconds for run in runs),
        tokens=_mean(run.tokens for run in runs if run.tokens is not None),
        views=_mean(run.views for run in runs),
        invalid=_mean(run.invalid for run in runs),
        solver_calls=_mean(run.solver_calls for run in runs),
        cost_usd=sum(costs) if costs else None,
    )


def grouped(runs: Iterable[RunRecord], key: Callable[[RunRecord], K]) -> dict[K, list[RunRecord]]:
    """Runs by a key; keys are in order of first occurrence."""
    groups: dict[K, list[RunRecord]] = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return groups


def by_cell(runs: Iterable[RunRecord]) -> dict[str, CubeSummary]:
    """The metrics by setting and horizon, under the names of the published tables ("face_view_short")."""
    cells = grouped(
        (run for run in runs if horizon_of(run.depth)), lambda run: f"{run.setting}_{horizon_of(run.depth)}"
    )
    names = [f"{setting}_{horizon}" for setting in CubeSetting for horizon in ("short", "long")]
    return {name: summary(cells.get(name, [])) for name in names}


def by_depth(runs: Iterable[RunRecord]) -> dict[int, CubeSummary]:
    """The metrics by the depth of the start."""
    groups = grouped((run for run in runs if run.depth is not None), lambda run: run.depth or 0)
    return {depth: summary(groups[depth]) for depth in sorted(groups)}


def horizon_of(depth: int | None) -> str:
    """ "short", "long", or nothing for depths of neither."""
    return "short" if depth in SHORT_HORIZON else "long" if depth in LONG_HORIZON else ""


def diagnosis(runs: Sequence[RunRecord]) -> list[Gap]:
    """The comparisons that show which ability an agent lacks, as far as there are runs of both groups."""

    def rate(
        agent: AgentKind, setting: CubeSetting, horizon: str = "", reward: str = "no_reward", code: bool = True
    ) -> Rate:
        chosen = [
            run
            for run in runs
            if (run.agent, run.setting, run.reward, run.uses_code) == (agent, setting, reward, code)
            and (not horizon or horizon_of(run.depth) == horizon)
        ]
        return summary(chosen).passed

    basic = AgentKind.BASIC
    standard = AgentKind.STANDARD_SOLVER
    ideal = AgentKind.IDEAL_SOLVER
    symbolic = CubeSetting.FULL_SYMBOLIC
    gaps = [
        Gap(
            "tracking the state and planning over a long horizon",
            "Basic, full symbolic, long horizon",
            "Standard-Solver, the same",
            (rate(basic, symbolic, "long"), rate(standard, symbolic, "long")),
        ),
        Gap(
            "spatial reasoning in the conversion, and using a tool by its rules",
            "Standard-Solver, full symbolic",
            "Ideal-Solver, the same",
            (rate(standard, symbolic), rate(ideal, symbolic)),
        ),
    ]
    gaps += [
        Gap(
            "exploring, and rebuilding the state from partial views",
            f"Ideal-Solver, {setting.replace('_', ' ')}",
            "Ideal-Solver, full symbolic",
            (rate(ideal, setting), rate(ideal, symbolic)),
        )
        for setting in (CubeSetting.FACE_VIEW, CubeSetting.VERTEX_VIEW)
    ]
    gaps.append(
        Gap(
            "reading the picture of the net",
            "Basic, full visual",
            "Basic, full symbolic",
            (rate(basic, CubeSetting.FULL_VISUAL), rate(basic, symbolic)),
        )
    )
    gaps += [
        Gap("using local feedback", "Basic, no reward", f"Basic, {kind} reward", (
            rate(basic, symbolic), rate(basic, symbolic, reward=kind)))
        for kind in ("sticker", "face", "heuristic")
    ]  # fmt: skip
    gaps.append(
        Gap(
            "planning within, against programmed search",
            "Basic, no code, short horizon",
            "Basic, code, short horizon",
            (rate(basic, symbolic, "short", code=False), rate(basic, symbolic, "short")),
        )
    )
    return gaps


def _mean(values: Iterable[float]) -> float | None:
    numbers = list(values)
    return fmean(numbers) if numbers else None
