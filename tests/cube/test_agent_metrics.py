"""What runs amount to: which runs count where, intervals, and the gaps."""

import pytest

from spatial_workbench.engine.cube.agent import AgentKind, AgentStep, CubeSetting, EndReason, RunRecord
from spatial_workbench.engine.cube.agent.metrics import by_cell, by_depth, diagnosis, horizon_of, summary
from spatial_workbench.engine.cube.facelets import SOLVED


def run(end=EndReason.SOLVED, moves=4, depth=2, setting=CubeSetting.FULL_SYMBOLIC, agent=AgentKind.BASIC, **rest):
    return RunRecord(
        state=SOLVED,
        depth=depth,
        setting=setting,
        agent=agent,
        uses_code=rest.pop("code", True),
        reward=rest.pop("reward", "no_reward"),
        end=end,
        moves=("U",) * moves,
        steps=rest.pop("steps", ()),
        views=0,
        invalid=0,
        seconds=1.0,
        terminal_reward=float(end is EndReason.SOLVED),
    )


FIXTURE = [
    run(EndReason.SOLVED, moves=4),
    run(EndReason.GAVE_UP, moves=10),
    run(EndReason.TIMEOUT, moves=1000),
    run(EndReason.STEP_LIMIT, moves=1),
]


def test_a_timeout_counts_in_the_pass_rate_and_nowhere_else():
    metrics = summary(FIXTURE)
    assert metrics.passed == (1, 4)
    assert (metrics.moves, metrics.moves_solved, metrics.moves_most) == (5.0, 4.0, 10)
    assert metrics.ratio == pytest.approx((2 + 5 + 0.5) / 3)


def test_of_no_runs_there_is_nothing_to_tell():
    metrics = summary([])
    assert (metrics.passed.value, metrics.moves, metrics.moves_most) == (None, None, None)


@pytest.mark.parametrize(
    ("depth", "name"), [(1, "short"), (4, "short"), (8, "long"), (20, "long"), (5, ""), (None, "")]
)
def test_horizons(depth, name):
    assert horizon_of(depth) == name


def test_cells_have_the_names_of_the_published_tables():
    cells = by_cell([*FIXTURE, run(depth=16, setting=CubeSetting.FACE_VIEW)])
    assert cells["full_symbolic_short"].passed == (1, 4)
    assert cells["face_view_long"].passed == (1, 1)
    assert cells["vertex_view_long"].passed == (0, 0)
    assert len(cells) == 8


def test_depths_are_told_in_order():
    assert list(by_depth([run(depth=8), run(depth=1), run(depth=None)])) == [1, 8]


def test_a_gap_compares_two_agents_on_the_same_cell():
    runs = [run(EndReason.TIMEOUT, depth=8)] * 10 + [run(depth=8, agent=AgentKind.STANDARD_SOLVER)] * 10
    gap = diagnosis(runs)[0]
    assert "planning" in gap.isolates
    assert gap.difference == 1.0
    assert 0.5 < gap.interval[0] < gap.interval[1] <= 1.0


def test_a_gap_without_runs_is_not_known():
    assert all(gap.difference is None for gap in diagnosis([]))


def test_rewards_and_code_are_told_apart():
    runs = [run(reward="face")] * 3 + [run(code=False)] * 2 + [run(EndReason.STEP_LIMIT)] * 2
    gaps = {(gap.first, gap.second): gap for gap in diagnosis(runs)}
    assert gaps["Basic, no reward", "Basic, face reward"].difference == 1.0
    assert gaps["Basic, no code, short horizon", "Basic, code, short horizon"].difference == -1.0


def test_unknown_tokens_and_costs_are_no_zeros():
    known = AgentStep(reply="", observation="", seconds=1.0, tokens_in=10, tokens_out=2, cost_usd=0.5)
    unknown = AgentStep(reply="", observation="", seconds=1.0)
    metrics = summary([run(steps=(known, known)), run(steps=(known, unknown))])
    assert (metrics.tokens, metrics.cost_usd) == (24, 1.0)
    nothing = summary([run(steps=(unknown,))])
    assert (nothing.tokens, nothing.cost_usd) == (None, None)
