"""The numbers of the paper, as printed."""

import pytest

from spatial_workbench.engine.cube.cubebench import RUNS_PER_RATE, SLIPS, paper, published_results
from spatial_workbench.engine.cube.rewards import MEASURES
from spatial_workbench.engine.tasks.cube import CubeFaceView, CubeFullSymbolic, CubeFullVisual, CubeVertexView

SETTINGS = [task.setting for task in (CubeFullSymbolic, CubeFullVisual, CubeFaceView, CubeVertexView)]


def value(table, model, setting="full_symbolic", horizon="short", metric="pass_rate", **rest):
    values = {
        row.value
        for row in published_results()
        if (row.table, row.model, row.setting, row.horizon, row.metric) == (table, model, setting, horizon, metric)
        and all(getattr(row, name) == value for name, value in rest.items())
    }
    (only,) = values
    return only


@pytest.mark.parametrize(("setting", "rate"), list(zip(SETTINGS, (0.75, 0.20, 0.40, 0.05), strict=True)))
def test_gpt_5_has_its_headline_rates_on_the_short_horizon(setting, rate):
    assert value(2, "GPT-5", setting) == rate


def test_every_model_has_zero_on_every_long_horizon_cell_of_table_2():
    rates = [r.value for r in published_results() if (r.table, r.horizon, r.metric) == (2, "long", "pass_rate")]
    assert len(rates) > 40
    assert set(rates) == {0.0}


@pytest.mark.parametrize(("agent", "rate"), [("standard-solver", 0.95), ("ideal-solver", 1.0)])
@pytest.mark.parametrize("horizon", ["short", "long"])
def test_solvers_lift_gpt_5_on_the_symbolic_setting(agent, rate, horizon):
    assert value(4, "GPT-5", horizon=horizon, agent=agent) == rate


def test_every_solver_agent_has_zero_on_the_vertex_view():
    rates = [r.value for r in published_results() if r.table == 4 and r.agent != "basic" and r.setting == "vertex_view"]
    assert rates
    assert set(rates) == {0.0}


def test_without_code_gpt_5_solves_less_with_fewer_moves():
    assert (value(6, "GPT-5", uses_code=False), value(6, "GPT-5", metric="mr", uses_code=False)) == (0.25, 72.79)
    assert (value(6, "GPT-5", uses_code=True), value(6, "GPT-5", metric="mr", uses_code=True)) == (0.75, 27124.66)


def test_every_rate_is_a_multiple_of_one_in_twenty():
    rates = [row.value for row in published_results() if row.metric == "pass_rate"]
    assert all(abs(rate * RUNS_PER_RATE - round(rate * RUNS_PER_RATE)) < 1e-9 for rate in rates)


def test_rows_use_the_program_s_own_words():
    rows = published_results()
    assert {row.setting for row in rows} == set(SETTINGS)
    assert {row.reward for row in rows} == set(MEASURES)
    assert {row.agent for row in rows} == {"basic", "standard-solver", "ideal-solver"}
    assert {row.kind for row in rows} == {"closed", "open", "baseline", ""}


def test_slips_are_kept_as_printed_and_named():
    assert value(5, "MLP (Policy Gradient)", metric="mr") == value(2, "MLP (Policy Gradient)", metric="mm") == 5.17
    assert "table 5, policy gradient" in SLIPS


def test_the_baseline_and_the_cost_of_a_run_are_known():
    assert paper()["policy_gradient"]["parallel_envs"] == 64
    assert paper()["gpt5_full_run_cost"]["cost_usd_approx"] == 153
