"""What is read out of a project to be averaged."""

import pytest

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.cube.agent import RunRecord
from spatial_workbench.engine.evaluation.collect import contenders, cube_runs, scored
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.scored import Ending
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Actor, Asked, ItemState, Project, Transcript


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "collect.workbench") as opened:
        yield opened


def verdict(address, score, verifier="default"):
    return Verdict(instance=address, verifier=verifier, version="1", score=score, passed=score == 1)


def attempt(project, address="shikaku:0", score=1.0, actor=Actor.MODEL, name="m", others=(), **asked):
    verdicts = (verdict(address, score), *others)
    return project.attempts.add(resolve(address)[1], "{}", actor, name, None, verdicts, asked=Asked(**asked))


def batch(project, *addresses, name="m", **settings):
    asked = ModelSettings(name=name, provider="random", **settings)
    plan = BatchPlan(name="b", contenders=(Contender(settings=asked),), addresses=addresses)
    return project.batches.add(plan.name, plan.model_dump_json(), plan.questions())


def test_an_attempt_becomes_a_record_with_all_that_is_known(project):
    number = attempt(project, score=0.5, tools=True, budget=1024, output_tokens=9, finish_reason="length")
    (item,) = scored(project)
    assert (item.task, item.number, item.model, item.tools, item.score, item.passed) == (
        "shikaku",
        0,
        "m",
        True,
        0.5,
        False,
    )
    assert (item.attempt, item.budget, item.output_tokens, item.finish_reason) == (number, 1024, 9, "length")


def test_attempts_of_one_person_at_one_instance_are_repeats(project):
    for score in (0.0, 1.0):
        attempt(project, score=score, actor=Actor.PERSON, name="Ada")
    attempt(project, actor=Actor.PERSON, name="Bo")
    assert [(item.model, item.repeat) for item in scored(project)] == [("Ada", 0), ("Ada", 1), ("Bo", 0)]


def test_a_score_that_a_person_put_in_place_counts(project):
    number = attempt(project, score=0.0)
    project.judgements.override_score(number, 1.0, True, "the key is wrong", "Ada")
    assert [(item.score, item.passed) for item in scored(project)] == [(1.0, True)]


def test_the_published_verifiers_score_can_be_asked_for_and_an_override_still_counts(project):
    address = "two_segments:2"
    published = verdict(address, 0.0, "published")
    number = attempt(project, address, others=[published])
    attempt(project, score=1.0)
    assert [item.score for item in scored(project, verifier="published")] == [0.0, 1.0]
    project.judgements.override_score(number, 0.25, False, "half right", "Ada")
    assert scored(project, verifier="published")[0].score == 0.25


def test_items_without_an_attempt_are_there_with_their_reason(project):
    number = batch(project, "shikaku:0", "shikaku:1", "shikaku:2", "shikaku:3", max_output_tokens=64)
    items = project.items.of_batch(number)
    project.items.fail(items[0].number, ItemState.ERROR, "timeout", "")
    project.items.fail(items[1].number, ItemState.CRASHED, "", "")
    project.items.fail(items[2].number, ItemState.NOT_ASKED, "early fail", "")
    records = scored(project)
    assert [(item.state, item.error) for item in records] == [
        (Ending.ERROR, "timeout"),
        (Ending.ERROR, "crashed"),
        (Ending.NOT_ASKED, "early fail"),
        (Ending.UNFINISHED, None),
    ]
    assert {(item.model, item.budget, item.score) for item in records} == {("m", 64, None)}


def test_a_later_batch_comes_after_an_earlier_one_so_that_it_counts(project):
    first, second = batch(project, "shikaku:0"), batch(project, "shikaku:0")
    project.items.fail(project.items.of_batch(second)[0].number, ItemState.ERROR, "timeout", "")
    attempt(project, batch=first, item=project.items.of_batch(first)[0].number)
    attempt(project, name="Ada")
    assert [item.state for item in scored(project)] == [Ending.DONE, Ending.DONE, Ending.ERROR]


def test_only_the_batches_that_are_wanted_are_read(project):
    first, second = batch(project, "shikaku:0"), batch(project, "shikaku:1")
    attempt(project, batch=first, item=project.items.of_batch(first)[0].number)
    attempt(project, "shikaku:1", batch=second, item=project.items.of_batch(second)[0].number)
    attempt(project, "shikaku:2", actor=Actor.PERSON, name="Ada")
    assert [item.address for item in scored(project, [second])] == ["shikaku:1"]
    assert len(scored(project)) == 3
    assert scored(project, []) == []
    assert {number: settings[0].name for number, settings in contenders(project).items()} == {first: "m", second: "m"}


def test_generated_instances_have_no_number_and_cubes_have_a_depth(project):
    attempt(project, "two_segments@7")
    attempt(project, "cube_full_symbolic:5")
    assert [(item.number, item.depth) for item in scored(project)] == [(None, None), (5, 2)]


def test_a_reply_of_nothing_has_a_length_of_0(project):
    number = batch(project, "shikaku:0")
    item = project.items.of_batch(number)[0].number
    project.items.add_reply(item, 0, "prompt", "", None, "{}")
    attempt(project, batch=number, item=item)
    assert [item.text_length for item in scored(project)] == [0]


def test_runs_on_the_cube_come_without_their_pictures_and_unreadable_ones_are_named(project):

    text = resource("cube", "recorded_run.json").read_text("utf-8")
    instance = resolve("cube_full_symbolic:25")[1]
    project.attempts.add(instance, "", Actor.MODEL, "Agent", transcript=Transcript(kind="cube", record=text))
    broken = project.attempts.add(instance, "", Actor.MODEL, "Agent", transcript=Transcript(kind="cube", record="{}"))
    runs, unread = cube_runs(project)
    (record,) = runs["Agent"]
    whole = RunRecord.model_validate_json(text)
    assert unread == (broken,)
    assert (record.tokens, len(record.steps), record.moves) == (whole.tokens, len(whole.steps), whole.moves)
    assert not any(step.pictures or step.reply for step in record.steps)
    assert cube_runs(project, [1]) == ({}, ())
