"""What a batch is asked to do, and what is said before it begins."""

from datetime import UTC, datetime

import pytest

from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, concerns, select
from spatial_workbench.engine.models import Capabilities, Feature, ModelSettings, ProbeFinding, Result

BUCKETS = [("axiomatic", 75), ("constructive", 171), ("planning", 39), ("scbench", 285)]


def endpoint(**settings):
    return ModelSettings(name="tiny", model="tiny", base_url="http://127.0.0.1:1/v1", **settings)


def probed(**results):
    findings = {Feature[name]: ProbeFinding(result=result) for name, result in results.items()}
    return Capabilities(base_url="http://127.0.0.1:1/v1", model="tiny", probed_at=datetime.now(UTC), findings=findings)


def plan(*contenders, tasks="shikaku:0", **more):
    return BatchPlan(name="test", contenders=contenders, addresses=select(tasks), **more)


def test_a_range_names_its_instances_both_ends_included():
    assert select("shikaku:1-3, two_segments:5") == ("shikaku:1", "shikaku:2", "shikaku:3", "two_segments:5")


@pytest.mark.parametrize(
    ("name", "count"),
    [("axiomatic", 75), ("constructive", 171), ("planning", 39), ("design", 48), ("scbench", 285), ("machines", 48)],
)
def test_a_bucket_names_all_its_subtasks(name, count):
    assert len(select(name)) == count


def test_what_is_named_twice_is_asked_once():
    assert select("shikaku:0,shikaku:0-1") == ("shikaku:0", "shikaku:1")


def test_a_generated_instance_is_named_by_its_seed():
    assert select("two_segments@7") == ("two_segments@7",)


@pytest.mark.parametrize("text", ["", "no_such_task", "shikaku:9", "shikaku:3-1", "shikaku:x"])
def test_a_selection_that_names_nothing_is_refused(text):
    with pytest.raises(InstanceError):
        select(text)


def test_every_model_is_asked_every_instance_so_many_times():
    two = plan(Contender(settings=endpoint()), Contender(settings=endpoint()), tasks="shikaku:0-2", repeats=4)
    assert len(list(two.questions())) == 2 * 3 * 4


def test_the_nine_criteria_of_a_cage_share_an_answer():
    groups = {group for *_, group in plan(Contender(settings=endpoint()), tasks="interlocking_parts").questions()}
    assert len(groups) == 1


def test_an_endpoint_that_nobody_probed_is_named_before_the_batch_begins():
    (concern,) = concerns(plan(Contender(settings=endpoint())))
    assert (concern.contender, concern.stops) == ("tiny", False)


def test_hosted_tools_that_no_probe_saw_work_stop_the_batch():
    asked = Contender(settings=endpoint(tools=True, api="responses"), capabilities=probed(HOSTED_TOOLS=Result.ACCEPTED))
    assert [concern.stops for concern in concerns(plan(asked))] == [True]


def test_an_effort_that_is_refused_stops_the_batch_and_one_without_effect_is_said():
    refused = Contender(settings=endpoint(effort="high"), capabilities=probed(EFFORT=Result.REFUSED))
    ignored = Contender(settings=endpoint(effort="high"), capabilities=probed(EFFORT=Result.ACCEPTED))
    working = Contender(settings=endpoint(effort="high"), capabilities=probed(EFFORT=Result.WORKS))
    assert [[concern.stops for concern in concerns(plan(asked))] for asked in (refused, ignored, working)] == [
        [True],
        [False],
        [],
    ]


def test_pictures_that_an_endpoint_refuses_stop_a_batch_that_has_some():
    asked = Contender(settings=endpoint(), capabilities=probed(PICTURES=Result.REFUSED))
    assert [concern.stops for concern in concerns(plan(asked, tasks="cube_full_visual:0"))] == [True]
    assert concerns(plan(asked, tasks="shikaku:0")) == []


def test_a_schema_that_is_refused_is_put_into_the_prompt_which_is_said():
    asked = Contender(settings=endpoint(), capabilities=probed(CHAT_SCHEMA=Result.REFUSED))
    (concern,) = concerns(plan(asked))
    assert "into the prompt" in concern.sentence
    assert not concern.stops


def test_either_name_of_the_cap_will_do():
    results = {"MAX_COMPLETION_TOKENS": Result.REFUSED, "MAX_TOKENS": Result.WORKS}
    asked = Contender(settings=endpoint(max_output_tokens=512), capabilities=probed(**results))
    assert concerns(plan(asked)) == []


def test_a_cube_of_which_a_part_is_seen_needs_an_agent():
    asked = Contender(settings=endpoint(), capabilities=probed())
    assert any("agent" in concern.sentence for concern in concerns(plan(asked, tasks="cube_face_view:0")))
    without_code = AgentPlan(uses_code=False)
    assert concerns(plan(asked, tasks="cube_face_view:0", agent=without_code)) == []


def test_an_agent_that_writes_code_is_refused_without_a_sandbox(monkeypatch):
    from spatial_workbench.engine.sandbox import Availability

    monkeypatch.setattr(
        "spatial_workbench.engine.sandbox.availability", lambda: Availability(False, "", "Nothing works here.")
    )
    asked = Contender(settings=endpoint(), capabilities=probed())
    (concern,) = concerns(plan(asked, tasks="cube_full_symbolic:0", agent=AgentPlan()))
    assert concern.stops
    assert "Nothing works here." in concern.sentence


def with_hands(capabilities, **options):
    asked = Contender(settings=endpoint(), capabilities=capabilities)
    whole = plan(asked, tasks="pack_prisms:0", agent=AgentPlan(kind=HANDS, options=options))
    return " ".join(concern.sentence for concern in concerns(whole))


def test_models_with_hands_that_refuse_pictures_are_told_to_see_text():
    assert "refuses pictures" in with_hands(probed(PICTURES=Result.REFUSED))
    assert "refuses pictures" not in with_hands(probed(PICTURES=Result.REFUSED), sees="text")


def test_options_that_hands_do_not_take_are_refused_before_the_start():
    assert "Option condition" in with_hands(probed(), condition="wings")
