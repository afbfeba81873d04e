"""Answers out of files, what a batch is expected to take, and the models that a person set up."""

import json
import math

import pytest

from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.importing.json_lines import AlreadyThere
from spatial_workbench.engine.evaluation.planning.estimate import estimate
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.evaluation.planning.starting import NothingToImport, import_answers, import_file
from spatial_workbench.engine.models import LibraryProblem, ModelLibrary, ModelSettings
from spatial_workbench.engine.store import ItemState, Project, RunFilter
from spatial_workbench.engine.store.facts import THEIR_SCORE
from tests.evaluation.conftest import run


def lines(tmp_path, *answers):
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps(answer) for answer in answers))
    return path


def answer(instance=0, model="mine", **more):
    return {"task": "two_segments", "instance": instance, "model": model, "text": '{"segments": []}'} | more


def test_imported_answers_are_answered_and_only_verified(project, tmp_path):
    imported = import_answers(project, lines(tmp_path, answer(0), answer(1), answer(0, "other")))
    assert {item.state for item in project.items.of_batch(imported.batch)} == {ItemState.ANSWERED}
    run(project, imported.batch, BatchPlan.model_validate_json(project.batches.plan(imported.batch)))
    assert sorted((row.actor_name, row.address) for row in project.runs.select()) == [
        ("mine", "two_segments:0"),
        ("mine", "two_segments:1"),
        ("other", "two_segments:0"),
    ]


def test_several_answers_to_an_instance_are_repeats(project, tmp_path):
    imported = import_answers(project, lines(tmp_path, answer(), answer(), answer()))
    assert [item.repeat for item in project.items.of_batch(imported.batch)] == [0, 1, 2]


def test_tokens_and_cost_in_the_file_are_kept(project, tmp_path):
    fields = {"usage": {"output_tokens": 70}, "cost_usd": 0.5, "reasoning": "Because."}
    imported = import_answers(project, lines(tmp_path, answer(**fields)))
    run(project, imported.batch, BatchPlan.model_validate_json(project.batches.plan(imported.batch)))
    (row,) = project.runs.select()
    assert (row.output_tokens, row.cost_usd, project.runs.replies(row.item)[0].reasoning) == (70, 0.5, "Because.")


def verified(project, path):
    imported = import_answers(project, path)
    run(project, imported.batch, BatchPlan.model_validate_json(project.batches.plan(imported.batch)))
    return project.runs.rows(project.runs.numbers(RunFilter(), descending=False))


def test_the_score_of_others_is_kept_beside_ours_and_counts_nowhere(project, tmp_path):
    path = lines(tmp_path, answer(0, score=0.5), answer(1, score=True), answer(2, passed=True), answer(3))
    rows = verified(project, path)
    theirs = [(row.own[THEIR_SCORE].score, row.own[THEIR_SCORE].passed) if row.own else None for row in rows]
    assert theirs == [(0.5, False), (1.0, True), (1.0, True), None]
    assert [(row.score, row.passed) for row in rows] == [(0.0, False)] * 4
    assert [row.differs for row in rows] == [True, True, True, False]
    assert [row.disagrees for row in rows] == [False] * 4


def test_a_score_of_others_stays_when_an_attempt_is_exported_and_imported(project, tmp_path):
    verified(project, lines(tmp_path, answer(0, score=0.5)))
    export_runs(project, tmp_path / "export.jsonl", "jsonl")
    with Project.create(tmp_path / "other.workbench") as other:
        import_file(other, tmp_path / "export.jsonl")
        (row,) = other.runs.rows(other.runs.numbers(RunFilter()))
    assert row.own[THEIR_SCORE].score == 0.5


@pytest.mark.parametrize("score", [85, -1, "0.5", None, [1], 1e400, math.nan])
def test_scores_on_another_scale_are_left_out_and_the_answer_is_kept(project, tmp_path, score):
    (row,) = verified(project, lines(tmp_path, answer(0, score=score)))
    assert row.own == {}


def test_scores_that_are_left_out_are_counted(project, tmp_path):
    imported = import_answers(project, lines(tmp_path, answer(0, score=85), answer(1, score=0.5), answer(2, score="A")))
    assert imported.left_out_words == "2 scores not from 0 to 1 left out."
    assert import_answers(project, lines(tmp_path, answer(3))).left_out_words == ""


def test_seeds_and_parameters_make_the_address_of_an_answer(project, tmp_path):
    made = answer(None, seed=7, parameters={"decimals": 2})
    bare = {name: value for name, value in made.items() if name != "instance"} | {"parameters": None}
    imported = import_answers(project, lines(tmp_path, made, bare))
    assert [item.address for item in project.items.of_batch(imported.batch)] == [
        "two_segments@7?decimals=2",
        "two_segments@7",
    ]


def test_lines_whose_parameters_make_no_instance_are_named(project, tmp_path):
    faults = (
        answer(None, parameters={"decimals": 99}, seed=1),
        answer(None, seed=1, task="two_segment"),
        answer(None, parameters=[]),
        answer(None),
    )
    imported = import_answers(project, lines(tmp_path, *faults, answer(0)))
    words = ("decimals: ", "did you mean “two_segments”?", "parameters: an object", "instance")
    assert [problem.line for problem in imported.problems] == [1, 2, 3, 4]
    assert all(word in problem.message for word, problem in zip(words, imported.problems, strict=True))


def test_lines_about_instances_that_there_are_not_are_named(project, tmp_path):
    imported = import_answers(project, lines(tmp_path, answer(99), answer(0)))
    assert [(problem.line, "0 to 26" in problem.message) for problem in imported.problems] == [(1, True)]


def test_a_file_without_a_usable_answer_is_refused_and_nothing_is_stored(project, tmp_path):
    with pytest.raises(NothingToImport, match="Line 1"):
        import_answers(project, lines(tmp_path, answer(99)))
    assert project.batches.all() == []


def test_of_lines_with_the_same_model_instance_and_repeat_the_last_counts_and_the_others_are_named(project, tmp_path):
    imported = import_answers(project, lines(tmp_path, answer(repeat=0), answer(1), answer(repeat=0, text="last")))
    assert [(problem.line, "line 3" in problem.message) for problem in imported.problems] == [(1, True)]
    assert (imported.count, project.runs.replies(1)[0].text) == (2, "last")


def test_answers_that_the_project_has_are_taken_again_only_if_that_is_wanted(project, tmp_path):
    path = lines(tmp_path, answer(0), answer(1))
    import_answers(project, path)
    with pytest.raises(AlreadyThere, match="All 2 answers"):
        import_answers(project, path)
    with pytest.raises(AlreadyThere, match="2 of the 3 answers"):
        import_answers(project, lines(tmp_path, answer(0), answer(1), answer(2)))
    assert len(project.batches.all()) == 1
    assert import_answers(project, path, again=True).count == 3


def plan(tasks, **settings):
    asked = ModelSettings(name="tiny", model="m", base_url="http://127.0.0.1:1/v1", **settings)
    return BatchPlan(name="x", contenders=(Contender(settings=asked),), addresses=select(tasks))


def test_a_group_that_shares_an_answer_is_one_call():
    (expected,) = estimate(plan("interlocking_parts"), {})
    assert (expected.items, expected.calls) == (9, 1)


def test_the_cost_follows_from_prices_and_what_earlier_answers_took():
    priced = plan("shikaku:0-1", prices={"input_usd": 0.0, "output_usd": 10.0})
    (expected,) = estimate(priced, {("tiny", "shikaku"): 50_000.0})
    assert (expected.output_tokens, expected.assumed, expected.cost_usd) == (100_000, 0, pytest.approx(1.0))


def test_without_prices_the_cost_is_unknown_and_the_cap_bounds_what_is_assumed():
    (expected,) = estimate(plan("shikaku:0", max_output_tokens=100), {})
    assert (expected.cost_usd, expected.output_tokens, expected.assumed) == (None, 100, 1)


def test_an_agent_is_several_calls():
    played = plan("cube_full_symbolic:0").model_copy(update={"agent": AgentPlan(max_steps=5)})
    (expected,) = estimate(played, {})
    assert expected.calls == 5


def test_models_always_there_come_first_and_presets_last(tmp_path):
    library = ModelLibrary(tmp_path / "models.json")
    library.store_model(ModelSettings(name="mine", model="m", base_url="http://127.0.0.1:1/v1"))
    names = [model.settings.name for model in library.all()]
    assert names[:4] == ["reference", "random", "offline", "mine"]
    assert "gpt-5.2-HighReasoning" in names[4:]


def test_a_preset_that_a_person_changed_is_theirs(tmp_path):
    library = ModelLibrary(tmp_path / "models.json")
    library.store_model(library.find("gpt-5.2-HighReasoning").settings.changed(prices={"input_usd": 1.0}))
    model = library.find("gpt-5.2-HighReasoning")
    assert model.is_own
    assert model.settings.prices.input_usd == 1.0


def test_reference_and_random_cannot_be_other_models(tmp_path):
    with pytest.raises(LibraryProblem, match="always exists"):
        ModelLibrary(tmp_path / "models.json").store_model(
            ModelSettings(name="reference", model="m", base_url="http://127.0.0.1:1/v1")
        )


def test_a_damaged_file_of_models_is_named_and_left_alone(tmp_path):
    (tmp_path / "models.json").write_text("{")
    library = ModelLibrary(tmp_path / "models.json")
    with pytest.raises(LibraryProblem, match=r"models\.json"):
        library.store_model(ModelSettings(name="mine", model="m", base_url="http://127.0.0.1:1/v1"))
    assert (tmp_path / "models.json").read_text() == "{"
