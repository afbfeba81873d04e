"""The colours of models in charts."""

from spatial_workbench.engine.evaluation.results.chart_making import sweep_chart
from spatial_workbench.engine.evaluation.results.colors import SERIES, model_roles
from spatial_workbench.engine.evaluation.scbench import published


def test_a_published_model_has_the_same_colour_whoever_stands_beside_it():
    ids = [model.id for model in published().models]
    alone = model_roles(ids[1:2])
    among = model_roles([*ids, "aspen", "birch"])
    assert alone[ids[1]] == among[ids[1]]


def test_other_models_never_have_the_colour_of_a_published_one_and_differ_while_colours_last():
    ids = [model.id for model in published().models]
    names = [f"m{k}" for k in range(SERIES - len(ids))]
    roles = model_roles([*names, *ids])
    assert len(set(roles.values())) == SERIES


def test_the_sweep_draws_published_models_in_their_colours():
    ids = [model.id for model in published().models]
    roles = {model.title: model_roles(())[model.id] for model in published().models}
    drawn = {line.name.removesuffix(" (published)"): line.role for line in sweep_chart(()).series}
    assert drawn == {title: role for title, role in roles.items() if title in drawn}
    assert len(ids) >= len(drawn) > 0
