"""Grids: the runs that their axes make, their names, and what is said of them before they begin."""

import pytest

from spatial_workbench.engine.evaluation.planning.estimate import estimate
from spatial_workbench.engine.evaluation.planning.expanding import expanded
from spatial_workbench.engine.evaluation.planning.grid import GridProblem, SettingsGrid, make_grid, read_axis
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, concerns, select
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from spatial_workbench.engine.models import ModelSettings, Prices, ReasoningEffort, Result
from tests.evaluation.planning.test_plan import endpoint, probed

TERSE = PromptVariant(name="terse", text="Be brief. {prompt}")


def runs(settings, budgets=(), **axes):
    return expanded(Contender(settings=settings), make_grid(axes), budgets)


def names(found):
    return [run.settings.name for run in found]


def test_every_combination_is_a_run_with_a_name_of_its_own():
    assert names(runs(endpoint(), temperature=[0, 0.5], effort=["low", "high"])) == [
        "tiny · temperature 0 · effort low",
        "tiny · temperature 0 · effort high",
        "tiny · temperature 0.5 · effort low",
        "tiny · temperature 0.5 · effort high",
    ]


def test_a_run_has_the_settings_of_its_combination_and_knows_its_model():
    (run,) = runs(endpoint(), temperature=[0.5], top_p=[0.9], effort=["high"], repeats=[3], variants=[TERSE])
    settings = run.settings
    assert (settings.temperature, settings.top_p, settings.effort) == (0.5, 0.9, ReasoningEffort.HIGH)
    assert (run.base, run.repeats, run.variant) == ("tiny", 3, TERSE)


def test_the_default_leaves_the_settings_as_they_are():
    own, none = runs(endpoint(temperature=0.2), temperature=[None, 1])
    assert (own.settings.temperature, none.settings.temperature) == (0.2, 1)
    assert own.settings.name == "tiny · temperature default"


def test_tools_go_by_responses_and_their_absence_by_the_models_own_interface():
    with_tools, without = runs(endpoint(), tools=[True, False])
    assert (with_tools.settings.tools, with_tools.settings.api) == (True, "responses")
    assert (without.settings.tools, without.settings.api) == (False, "chat")


def test_what_is_computed_is_one_run_whatever_the_grid():
    reference = ModelSettings(name="reference", provider="reference")
    assert names(runs(reference, temperature=[0, 1], repeats=[1, 4], variants=[None, TERSE])) == ["reference"]


def test_each_run_of_a_grid_has_each_budget():
    found = runs(endpoint(), (1024, 4096), temperature=[0, 1])
    assert names(found)[:2] == ["tiny · temperature 0-1024", "tiny · temperature 0-4096"]
    assert len(found) == 4


def test_without_a_grid_a_model_is_asked_as_it_is():
    contender = Contender(settings=endpoint())
    assert expanded(contender, SettingsGrid()) == [contender]


def test_values_that_are_given_twice_are_asked_once():
    assert len(runs(endpoint(), temperature=[0, 0.0, 1])) == 2


def test_too_many_runs_are_refused():
    with pytest.raises(GridProblem, match="1,000"):
        runs(endpoint(), temperature=[k / 100 for k in range(200)], repeats=range(1, 12))


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("temperature=0,0.5,default", {"temperature": (0.0, 0.5, None)}),
        ("top-p=0.9", {"top_p": (0.9,)}),
        ("effort=LOW high", {"effort": ("low", "high")}),
        ("tools=on,off", {"tools": (True, False)}),
        ("repeats=1,8", {"repeats": (1, 8)}),
    ],
)
def test_an_axis_is_typed_as_its_name_and_its_values(text, axis):
    assert read_axis(text) == axis


@pytest.mark.parametrize("text", ["warmth=1", "temperature", "variants=a"])
def test_an_axis_that_does_not_exist_is_refused(text):
    with pytest.raises(GridProblem, match="Axes"):
        read_axis(text)


@pytest.mark.parametrize("text", ["temperature=3", "temperature=warm", "effort=some", "tools=maybe", "repeats=0"])
def test_a_value_that_is_out_of_range_is_refused_with_its_axis(text):
    with pytest.raises(GridProblem, match=text.partition("=")[2]):
        make_grid(read_axis(text))


def test_variants_of_the_same_name_are_refused():
    with pytest.raises(GridProblem, match="same name"):
        make_grid({"variants": [TERSE, PromptVariant(name="terse", text="other")]})


def plan(*contenders, tasks="shikaku:0-1", **more):
    return BatchPlan(name="test", contenders=contenders, addresses=select(tasks), **more)


def test_each_run_has_its_own_number_of_repeats():
    whole = plan(*runs(endpoint(), repeats=[1, 3]), repeats=7)
    asked = [model for model, *_ in whole.questions()]
    assert (asked.count(0), asked.count(1)) == (2, 6)


def test_calls_tokens_and_cost_are_counted_over_all_runs():
    priced = endpoint(prices=Prices(input_usd=0, output_usd=10), max_output_tokens=1000)
    found = estimate(plan(*runs(priced, temperature=[0, 1], repeats=[1, 3])), {})
    assert [one.calls for one in found] == [2, 6, 2, 6]
    assert sum(one.cost_usd for one in found) == pytest.approx(16 * 1000 * 10 / 1e6)


def test_a_parameter_that_the_endpoint_refuses_stops_the_batch_and_is_said_once():
    known = probed(TEMPERATURE=Result.REFUSED)
    contender = Contender(settings=endpoint(), capabilities=known)
    found = concerns(plan(*expanded(contender, make_grid({"temperature": [0, 1]}))))
    (said,) = [concern for concern in found if concern.stops]
    assert (said.contender, said.sentence) == ("tiny", "Temperature: The endpoint refuses it.")


def test_an_effort_that_the_endpoint_refuses_is_named():
    known = probed(EFFORT=Result.ACCEPTED).model_copy(update={"efforts": {ReasoningEffort.MAX: Result.REFUSED}})
    contender = Contender(settings=endpoint(), capabilities=known)
    found = concerns(plan(*expanded(contender, make_grid({"effort": ["low", "max"]}))))
    assert [concern.sentence for concern in found if concern.stops] == [
        "Reasoning effort “max”: The endpoint refuses it."
    ]


def test_a_parameter_that_was_not_refused_is_no_concern():
    contender = Contender(settings=endpoint(temperature=0.5), capabilities=probed(TEMPERATURE=Result.ACCEPTED))
    assert not any("emperature" in concern.sentence for concern in concerns(plan(contender)))


def test_a_variant_that_divides_prompts_needs_prompts_that_can_be_divided():
    divided = PromptVariant(name="divided", text="{task}")
    asked = runs(endpoint(), variants=[divided])
    assert not any("divided" in concern.sentence for concern in concerns(plan(*asked)))
    assert any("divided" in concern.sentence for concern in concerns(plan(*asked, tasks="machine_throw:0")))


def test_plans_from_before_there_were_grids_mean_the_same():
    older = plan(Contender(settings=endpoint()), repeats=2).model_dump(exclude={"grid"})
    for contender in older["contenders"]:
        del contender["base"], contender["variant"], contender["repeats"]
    read = BatchPlan.model_validate(older)
    assert [repeat for *_, repeat, _ in read.questions()] == [0, 0, 1, 1]
