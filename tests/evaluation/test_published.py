"""The published results: they agree with themselves and with the tasks that there are."""

import pytest

from spatial_workbench.engine.core import task
from spatial_workbench.engine.evaluation.scbench import published
from spatial_workbench.engine.models import BUDGETS, published_presets

MODELS = [model.id for model in published().models]
SCOPES = [scope.scope for scope in published().scopes]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("scope", SCOPES)
def test_tasks_weighted_by_their_subtasks_give_the_printed_figures_of_buckets(scope, model):
    printed = published().scope(scope).percent[model]
    weighted = published().weighted(scope, model)
    # Rounded printed entries make up to 0.05 of either side.
    assert weighted.no_tools == pytest.approx(printed.no_tools, abs=0.1)
    assert weighted.tools_delta == pytest.approx(printed.tools_delta, abs=0.1)


@pytest.mark.parametrize("row", published().tasks, ids=lambda row: row.id)
def test_a_published_task_is_here_with_as_many_instances(row):
    ours = task(row.id)
    assert (ours.bucket.id, len(ours.instances())) == (row.bucket, row.subtasks)


def test_there_are_22_tasks_with_285_subtasks_in_three_buckets():
    facts = published()
    assert (len(facts.tasks), sum(row.subtasks for row in facts.tasks)) == (22, 285)
    assert facts.buckets == ("axiomatic", "constructive", "planning")
    assert [facts.scope(bucket).subtasks for bucket in facts.buckets] == [75, 171, 39]


def test_accuracies_with_tools_are_the_printed_sums():
    rows = (*published().tasks, *published().scopes)
    assert all(p.tools == pytest.approx(p.no_tools + p.tools_delta) for row in rows for p in row.percent.values())


def test_eleven_tasks_are_binary_and_their_accuracies_are_whole_numbers_of_passes():
    binary = [row for row in published().tasks if row.scoring == "binary"]
    assert len(binary) == 11
    for row in binary:
        passes = [percent.no_tools / 100 * row.subtasks for percent in row.percent.values()]
        assert passes == [pytest.approx(round(count), abs=0.05 / 100 * row.subtasks) for count in passes]


def test_the_unweighted_mean_over_tasks():
    means = [round(published().task_mean(model, tools=False), 1) for model in MODELS]
    assert means == [32.1, 51.9, 50.9]


def test_the_labels_of_a_run_add_up_to_the_judged():
    assert all(sum(run.counts.values()) == run.judged for run in published().failure_modes)
    assert published().failures("gpt-5.2", tools=False).shares["Evasion / Forfeit"] == pytest.approx(0.68, abs=0.001)


def test_the_sweep_has_the_published_budgets():
    for model, budgets in BUDGETS.items():
        assert tuple(point.budget for point in published().sweep if point.model == model) == budgets
    assert all(p.passed / p.subtasks == pytest.approx(p.accuracy, abs=5e-5) for p in published().sweep)


def test_runs_have_the_names_of_the_presets():
    names = {name for run in published().runs for name in (run.name_no_tools, run.name_tools)}
    assert names == {preset.settings.name for preset in published_presets()}


def test_the_ceiling_of_delaunay_follows_from_its_wrong_subtasks():
    ceiling = published().ceiling("delaunay")
    assert ceiling.percent == 100 * (25 - len(ceiling.subtasks)) / 25
    assert published().ceiling("shikaku") is None


def test_of_what_was_not_published_nothing_is_told():
    assert published().task("cube_full_symbolic") is None
    with pytest.raises(KeyError):
        published().scope("machines")


def test_every_row_says_where_it_comes_from():
    facts = published()
    rows = (*facts.tasks, *facts.scopes, *facts.runs, *facts.sweep, *facts.failure_modes, *facts.ceilings)
    assert all(row.source for row in rows)
