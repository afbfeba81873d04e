"""The tasks in Inspect, asked with its own mock model, and its logs as attempts of a project."""

import json
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest

import spatial_workbench as sw
from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import resolve, tasks
from spatial_workbench.engine.core.contract import READABLE
from spatial_workbench.engine.evaluation.attempt_lines import AttemptLine
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.evaluation.dossiers import dossiers, selected
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.hands.records import HandsRecord
from spatial_workbench.engine.evaluation.importing.inspect_logs import restore_log
from spatial_workbench.engine.evaluation.importing.json_lines import AlreadyThere, CannotRestore, restore
from spatial_workbench.engine.store import Actor, Project, RemarkKind
from spatial_workbench.engine.store.facts import THEIR_SCORE
from tests.sweeps import some
from tests.tasks.scripts_of_references import SCRIPTS

# Inspect is loaded by the tests, not with this module: it takes every process that collects tests two seconds.
pytestmark = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="Inspect is not installed")

PLAYED = ("cube_face_view", "cube_vertex_view")
SLOW = (
    *("interlocking_parts", "terrain_levelling", "hide_and_seek", "classify_behaviour"),
    *("topology_enumeration", "fluid_simulation"),
)
NAMES = [task.id for task in tasks()]
ASKED = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in NAMES if name not in PLAYED]


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "imported.workbench") as opened:
        yield opened


@pytest.fixture(autouse=True, scope="module")
def judges():
    """The processes that judge end with the last test of this file."""
    yield
    from spatial_workbench.inspecting import scoring

    scoring._judges().close()
    scoring._judges.cache_clear()


def task_of_inspect(name, **arguments):
    from spatial_workbench.inspecting import TASKS

    return TASKS[name](**arguments)


def saying(text, reasoning=None, stop_reason="stop", calls=()):
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ContentReasoning,
        ContentText,
        ModelOutput,
        ModelUsage,
    )

    content = [ContentText(text=text)]
    if reasoning:
        content.insert(0, ContentReasoning(reasoning=reasoning))
    message = ChatMessageAssistant(content=content, tool_calls=list(calls) or None)
    choice = ChatCompletionChoice(message=message, stop_reason=stop_reason)
    used = ModelUsage(
        input_tokens=70, output_tokens=30, total_tokens=110, input_tokens_cache_read=10, reasoning_tokens=20
    )
    return ModelOutput(model="mockllm/model", choices=[choice], usage=used)


def calling(function, **arguments):
    return saying("so", calls=[tool_call(f"call-{function}", function, arguments)])


def tool_call(key, function, arguments):
    from inspect_ai.tool import ToolCall

    return ToolCall(id=key, function=function, arguments=arguments)


def run(task, tmp_path, *outputs, **arguments):
    """The log of a task in which the model gives these outputs one after the other, the last again and again."""
    left = list(outputs)

    def answer(messages, tools, choice, config):
        heard.append((messages, tools, config))
        return left.pop(0) if len(left) > 1 else left[0]

    heard = []
    return evaluated(task, answer, tmp_path, **arguments), heard


def evaluated(task, answer, tmp_path, **arguments):
    """The log of a task in which a function gives the model's outputs."""
    from inspect_ai import eval
    from inspect_ai.model import get_model

    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    (log,) = eval(task, model=model, display="none", log_dir=str(tmp_path / "logs"), **arguments)
    return log


def reference(address):
    return sw.task(address.partition(":")[0]).format(sw.solve(address))


@pytest.mark.parametrize("name", some(ASKED, 10))
def test_the_reference_solution_scores_in_inspect_what_it_scores_here(name, tmp_path):
    from inspect_ai.log import read_eval_log

    text = reference(f"{name}:0")
    log, heard = run(task_of_inspect(name, instances=0), tmp_path, saying(text))
    score = read_eval_log(log.location).samples[0].scores["verdict"]
    judged = sw.verify(f"{name}:0", text)
    assert (log.status, score.value) == ("success", judged.score)
    assert score.metadata["passed"] == judged.passed
    assert sw.prompt(f"{name}:0").text in heard[0][0][-1].text


@pytest.mark.slow
def test_inspect_and_a_batch_judge_the_same_texts_equally(tmp_path):
    texts = {
        "shikaku:0": "no answer at all",
        "lego_hemisphere:0": '{"bricks": [{"Centroid": [55, 0, 4.8], "RotationDegrees": 0}]}',
        "hyper_snake:0": json.dumps(json.loads(reference("hyper_snake:0")) | {"more": 1}),
        "fluid_simulation:0": '{"earthworks": []}',
        "printable_prime:0": reference("printable_prime:0"),
        "maze_3d:0": reference("maze_3d:0").replace("1", "2"),
    }
    asked = {sw.prompt(address).text: text for address, text in texts.items()}
    batch = sw.evaluate(lambda prompt: asked[prompt.text], ",".join(texts), workers=1)
    for judged in batch:
        name = judged.instance.task
        log, _ = run(task_of_inspect(name, instances=0), tmp_path, saying(texts[f"{name}:0"]))
        score = log.samples[0].scores["verdict"]
        default = next(known for known in score.metadata["verdicts"] if known["verifier"] == "default")
        assert score.value == judged.score
        assert default["warnings"] == list(judged.verdict.warnings)
        assert [check["state"] for check in default["checks"]] == [c.state.value for c in judged.verdict.checks]


def test_inspect_finds_the_tasks_by_the_entry_point(tmp_path):
    arguments = {"instances": "0-1", "verifier": "default"}
    log, _ = run("spatial_workbench/shikaku", tmp_path, saying("[]"), task_args=arguments)
    assert [sample.id for sample in log.samples] == ["shikaku:0", "shikaku:1"]
    assert log.eval.task == "spatial_workbench/shikaku"


def test_the_score_is_that_of_the_verifier_that_was_asked_for(tmp_path):
    text = reference("hyper_snake:2")
    log, _ = run(task_of_inspect("hyper_snake", instances=2, verifier="published"), tmp_path, saying(text))
    score = log.samples[0].scores["verdict"]
    assert score.metadata["verifier"] == "published"
    assert score.value == sw.verify("hyper_snake:2", text, "published").score
    assert "Verifier “published”" in score.explanation


def test_pictures_and_the_schema_are_sent(tmp_path):
    _, heard = run(task_of_inspect("cube_full_visual", instances=0), tmp_path, saying("[]"))
    messages, _, config = heard[0]
    assert [part.type for part in messages[-1].content] == ["text", "image"]
    assert messages[-1].content[1].image.startswith("data:image/png;base64,")
    assert config.response_schema.json_schema.properties["moves"].type == "array"


def test_tasks_whose_answers_are_text_send_no_schema(tmp_path):
    _, heard = run(task_of_inspect("maze_3d", instances=0), tmp_path, saying("A"))
    assert heard[0][2].response_schema is None


def test_references_in_a_schema_are_resolved():
    from spatial_workbench.inspecting.samples import response_schema

    schema = response_schema(sw.task("lego_hemisphere")).json_schema
    assert schema.properties["bricks"].items.properties["RotationDegrees"].type == "number"


def test_a_generated_instance_can_be_asked(tmp_path):
    log, _ = run(task_of_inspect("shikaku", instances="@7,0"), tmp_path, saying("[]"))
    assert {sample.id for sample in log.samples} == {"shikaku@7", "shikaku:0"}


def test_verifiers_and_agents_that_do_not_exist_are_told():
    with pytest.raises(ValueError, match="No verifier is called “mine”; known: default"):
        task_of_inspect("shikaku", verifier="mine")
    with pytest.raises(ValueError, match="No agent is called “mine”; known: basic"):
        task_of_inspect("cube_face_view", agent="mine")


# Agents --------------------------------------------------------------------------------------------------------------


def test_an_agent_solves_the_cube_with_tools(tmp_path):
    moves = list(sw.solve("cube_face_view:0").moves)
    outputs = (calling("get_observation"), calling("make_move", moves=moves))
    log, heard = run(task_of_inspect("cube_face_view", instances=0, uses_code=False), tmp_path, *outputs)
    sample = log.samples[0]
    assert sample.scores["verdict"].value == 1
    assert {tool.name for tool in heard[0][1]} == {
        "make_move", "get_observation", "apply_view_transformation", "final_answer",
    }  # fmt: skip
    assert [message.role for message in heard[1][0]] == ["user", "assistant", "tool", "user"]
    assert heard[1][0][-1].content[1].type == "image"
    assert [message.role for message in sample.messages] == ["user", "assistant", "tool", "user", "assistant"]


def test_an_agent_solves_the_cube_with_programs(tmp_path):
    moves = list(sw.solve("cube_full_symbolic:0").moves)
    program = calling("python", code=f"for move in {moves!r}: make_move(move)")
    log, heard = run(task_of_inspect("cube_full_symbolic", instances=0, agent="basic"), tmp_path, program)
    assert log.samples[0].scores["verdict"].value == 1
    assert [tool.name for tool in heard[0][1]] == ["python"]


def test_an_agent_stops_after_its_steps(tmp_path):
    task = task_of_inspect("cube_full_symbolic", instances=0, agent="basic", uses_code=False, max_steps=3)
    log, heard = run(task, tmp_path, calling("make_move", moves=["U"]))
    assert len(heard) == 3
    assert log.samples[0].store["spatial_workbench:transcript"]["record"]["end"] == "step_limit"


def test_of_several_calls_at_once_the_first_is_carried_out(tmp_path):
    both = [tool_call(str(k), "make_move", {"moves": [move]}) for k, move in enumerate("UD")]
    task = task_of_inspect("cube_full_symbolic", instances=5, agent="basic", uses_code=False, max_steps=2)
    log, heard = run(task, tmp_path, saying("two", calls=both))
    assert log.samples[0].store["spatial_workbench:transcript"]["record"]["moves"] == ["U", "U"]
    assert "not carried out" in heard[1][0][-1].text


def test_a_workflow_designs_a_machine(tmp_path):
    text = reference("machine_movement:0")
    log, heard = run(task_of_inspect("machine_movement", instances=0, agent="single"), tmp_path, saying(text))
    assert log.samples[0].scores["verdict"].value == 1
    assert [message.role for message in heard[0][0]] == ["system", "user"]


@pytest.mark.slow
def test_an_agent_that_cannot_play_is_an_error_of_the_sample(tmp_path):
    task = task_of_inspect("machine_movement", instances=0, agent="single", options={"rounds": -1})
    log, _ = run(task, tmp_path, saying("[]"))
    assert "rounds" in (log.samples or log.error).__str__()


# Hands ---------------------------------------------------------------------------------------------------------------


def packing_calls(address):
    """Calls that build the packing of the reference solution."""
    return list(SCRIPTS[address](*resolve(address)))


HANDED_IN = ("submit", {})


def acting(*calls):
    """A reply with several calls of tools."""
    return saying("so", calls=[tool_call(f"call-{k}", name, given) for k, (name, given) in enumerate(calls)])


def test_hands_build_a_packing_with_tools_and_the_answer_passes(tmp_path, project):
    outputs = acting(*packing_calls("pack_prisms:0")), acting(HANDED_IN)
    log, heard = run(task_of_inspect("pack_prisms", instances=0, agent="hands"), tmp_path, *outputs)
    sample = log.samples[0]
    record = sample.store["spatial_workbench:transcript"]["record"]
    assert (log.status, sample.scores["verdict"].value, record["end"]) == ("success", 1, "submitted")
    assert {"place", "drop", "undo", "submit"} <= {tool.name for tool in heard[0][1]}
    results = [message for message in heard[1][0] if message.role == "tool"]
    assert [message.tool_call_id for message in results] == [call.id for call in outputs[0].message.tool_calls]
    assert heard[1][2].response_schema is None


def test_hands_are_a_solver_of_inspect_under_their_condition(tmp_path):
    from inspect_ai.solver import SolverSpec

    arguments = {"condition": "judged", "calls": 2}
    log, heard = run(
        "spatial_workbench/pack_prisms",
        tmp_path,
        acting(("place", {"size": 99, "corner": [0, 0, 0]})),
        task_args={"instances": 0},
        solver=SolverSpec("spatial_workbench/hands", arguments, arguments),
    )
    record = log.samples[0].store["spatial_workbench:transcript"]["record"]
    assert (log.status, len(heard), record["end"]) == ("success", 2, "calls")
    assert log.samples[0].scores["verdict"].value < 1
    assert "verdict" in {tool.name for tool in heard[0][1]}
    assert heard[0][2].response_schema is None


def test_a_model_that_looks_is_shown_the_picture_beside_the_results(tmp_path):
    outputs = acting(("look", {})), acting(HANDED_IN)
    _, heard = run(task_of_inspect("pack_prisms", instances=0, agent="hands"), tmp_path, *outputs)
    assert [message.role for message in heard[1][0][-3:]] == ["assistant", "tool", "user"]
    assert [part.type for part in heard[1][0][-1].content] == ["text", "image"]


def test_the_run_of_hands_comes_back_with_its_transcript_and_condition(tmp_path, project):
    outputs = acting(*packing_calls("pack_prisms:0")), acting(HANDED_IN)
    task = task_of_inspect("pack_prisms", instances=0, agent="hands", options={"condition": "measured"})
    log, _ = run(task, tmp_path, *outputs)
    restore_log(project, Path(log.location))
    ((row, transcript),) = project.attempts.transcripts("hands")
    (item,) = scored(project)
    assert (row.score, item.condition) == (1, "measured")
    assert [call.tool for call in HandsRecord.model_validate_json(transcript.record).calls][-1] == "submit"


# Import --------------------------------------------------------------------------------------------------------------


def test_a_log_comes_back_as_attempts_with_everything_that_is_stored(tmp_path, project):
    text = reference("shikaku:0")
    outputs = (saying(text, "first I thought"), saying("[]", stop_reason="max_tokens"))
    log, _ = run(
        task_of_inspect("shikaku", instances=0), tmp_path, *outputs, epochs=2, max_tokens=500, max_connections=1
    )
    restored = restore_log(project, Path(log.location))
    first, second = project.runs.rows([1, 2])
    assert (restored.attempts, restored.problems) == (2, ())
    assert (first.score, first.address, first.actor_name) == (1, "shikaku:0", "mockllm/model")
    assert (first.input_tokens, first.output_tokens, first.reasoning_tokens, first.budget) == (80, 30, 20, 500)
    assert (first.repeat, second.repeat) == (0, 1)
    assert (first.finish_reason, second.finish_reason) == ("stop", "length")
    whole, _ = dossiers(project, selected(project), lambda *_: None)
    assert (whole.text, whole.reasoning) == (text, "first I thought")
    assert whole.prompt == sw.prompt("shikaku:0").text
    assert {verdict.verifier for verdict in whole.stored.newest_verdicts} == {"default", "crosscheck"}
    assert len(whole.tries) == 1


def test_the_run_of_an_agent_comes_back(tmp_path, project):
    moves = list(sw.solve("cube_face_view:0").moves)
    outputs = (calling("get_observation"), calling("make_move", moves=moves))
    log, _ = run(task_of_inspect("cube_face_view", instances=0, uses_code=False), tmp_path, *outputs)
    restore_log(project, Path(log.location))
    ((row, transcript),) = project.attempts.transcripts("cube")
    record = json.loads(transcript.record)
    assert (row.score, record["moves"], len(record["steps"])) == (1, moves, 2)
    assert record["steps"][0]["pictures"]
    assert project.runs.rows([row.number])[0].output_tokens == 60
    assert len(project.runs.replies(project.items.of_batch(1)[0].number)) == 2


def test_a_question_that_failed_comes_back_as_one_without_an_attempt(tmp_path, project):
    def fail(messages, tools, choice, config):
        raise RuntimeError("the model is away")

    evaluated(task_of_inspect("shikaku", instances=0), fail, tmp_path, fail_on_error=False)
    (path,) = (tmp_path / "logs").glob("*.eval")
    restore_log(project, path)
    (item,) = project.items.of_batch(1)
    assert (item.attempt, item.error) == (None, "inspect")
    assert "the model is away" in item.message


def test_a_log_that_was_imported_is_not_imported_again(tmp_path, project):
    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    path = Path(log.location)
    restore_log(project, path)
    with pytest.raises(AlreadyThere):
        restore_log(project, path)


def test_a_log_about_other_tasks_is_refused(tmp_path, project):
    from inspect_ai import Task
    from inspect_ai.dataset import Sample

    task = Task(dataset=[Sample(input="2 + 2?", id="sum")])
    log, _ = run(task, tmp_path, saying("4"))
    with pytest.raises(CannotRestore, match="no sample about a task of this workbench"):
        restore_log(project, Path(log.location))


def test_a_file_that_is_no_log_is_refused(tmp_path, project):
    path = tmp_path / "broken.eval"
    path.write_bytes(b"nothing")
    with pytest.raises(CannotRestore, match="cannot be read as a log"):
        restore_log(project, path)


def test_a_score_that_was_edited_in_inspect_is_a_persons_score(tmp_path, project):
    from inspect_ai.log import ProvenanceData, edit_score, write_eval_log
    from inspect_ai.scorer import ScoreEdit

    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    provenance = ProvenanceData(author="Ada", reason="it was right")
    edit_score(log, log.samples[0].id, "verdict", ScoreEdit(value=1.0, provenance=provenance))
    write_eval_log(log, str(tmp_path / "edited.eval"))
    restore_log(project, tmp_path / "edited.eval")
    (row,) = project.runs.rows([1])
    (whole,) = dossiers(project, selected(project), lambda *_: None)
    assert row.score == 1
    assert (whole.stored.overrides[0].person, whole.stored.overrides[0].reason) == ("Ada", "it was right")


@pytest.mark.slow
def test_a_project_comes_back_from_the_log_that_it_was_exported_to(tmp_path, project):
    texts = {"shikaku:0": "[]", "shikaku:1": reference("shikaku:1")}
    asked = {sw.prompt(address).text: text for address, text in texts.items()}
    source = tmp_path / "source.workbench"
    sw.evaluate(lambda prompt: asked[prompt.text], "shikaku:0-1", source, repeats=2, name="mine", workers=1)
    with Project.open(source) as opened:
        export_runs(opened, tmp_path / "runs.eval", "inspect")
        before = [AttemptLine.of(dossier).as_data for dossier in dossiers(opened, selected(opened), lambda *_: None)]
    restore_log(project, tmp_path / "runs.eval")
    after = [AttemptLine.of(dossier).as_data for dossier in dossiers(project, selected(project), lambda *_: None)]
    assert after == before


# Round trips ---------------------------------------------------------------------------------------------------------


def samples_of(path):
    """The samples of a log as its file holds them, with everything in its place."""
    from inspect_ai.log import read_eval_log

    return read_eval_log(str(path), resolve_attachments=True).samples


def exported(project, tmp_path, name="back"):
    return export_runs(project, tmp_path / f"{name}.eval", "inspect").path


def log_with_everything(tmp_path):
    """A log with pictures, calls of tools, epochs, a limit, a question of another task, and a score that was edited."""
    from inspect_ai.log import ProvenanceData, edit_score, write_eval_log
    from inspect_ai.scorer import ScoreEdit

    moves = list(sw.solve("cube_face_view:0").moves)
    task = task_of_inspect("cube_face_view", instances="0-1", uses_code=False, max_steps=3)
    outputs = (calling("get_observation"), calling("make_move", moves=moves), calling("make_move", moves=["U"]))
    log, _ = run(task, tmp_path, *outputs, epochs=2, max_connections=1, max_samples=1, token_limit=300)
    provenance = ProvenanceData(author="Ada", reason="it was right")
    edit_score(log, log.samples[0].id, "verdict", ScoreEdit(value=0.5, provenance=provenance), epoch=1)
    foreign = log.samples[1].model_copy(update={"id": "sum", "metadata": {}, "uuid": "other"}, deep=True)
    log.samples.insert(1, foreign)
    write_eval_log(log, str(tmp_path / "everything.eval"))
    return tmp_path / "everything.eval"


@pytest.mark.slow
def test_a_log_of_inspect_goes_back_as_it_was(tmp_path, project):
    from inspect_ai.log import EvalLog, read_eval_log

    path = log_with_everything(tmp_path)
    restored = restore_log(project, path)
    back = exported(project, tmp_path)
    before, after = read_eval_log(str(path)), read_eval_log(str(back))
    assert (restored.attempts, len(before.samples)) == (4, 5)
    assert any(sample.limit for sample in before.samples)
    assert [name for name in EvalLog.model_fields if getattr(before, name) != getattr(after, name)] == ["location"]
    assert samples_of(path) == samples_of(back)
    assert before.samples[0].attachments == after.samples[0].attachments != {}
    assert before.reductions == after.reductions is not None


def test_a_question_that_failed_goes_back_with_its_error(tmp_path, project):
    def fail(messages, tools, choice, config):
        raise RuntimeError("the model is away")

    evaluated(task_of_inspect("shikaku", instances=0), fail, tmp_path, fail_on_error=False)
    (path,) = (tmp_path / "logs").glob("*.eval")
    restore_log(project, path)
    assert samples_of(exported(project, tmp_path)) == samples_of(path)
    with pytest.raises(AlreadyThere):
        restore_log(project, path)


def test_a_score_that_was_overridden_here_is_edited_in_the_log(tmp_path, project):
    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    restore_log(project, Path(log.location))
    project.judgements.override_score(1, 0.25, False, "a start", "Ben")
    (sample,) = samples_of(exported(project, tmp_path))
    score = sample.scores["verdict"]
    original, edit = score.history
    assert (score.value, original.value, edit.value) == (0.25, 0, 0.25)
    assert (edit.provenance.author, edit.provenance.reason) == ("Ben", "a start")


def test_the_mean_of_a_log_follows_what_was_overridden_here(tmp_path, project):
    from inspect_ai.log import read_eval_log

    log, _ = run(task_of_inspect("shikaku", instances="0-1"), tmp_path, saying("[]"))
    restore_log(project, Path(log.location))
    project.judgements.override_score(1, 1.0, True, "right", "Ben")
    (score,) = read_eval_log(str(exported(project, tmp_path))).results.scores
    assert score.metrics["mean"].value == 0.5


def test_an_edit_that_was_withdrawn_here_is_taken_back_in_the_log(tmp_path, project):
    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    restore_log(project, Path(log.location))
    project.judgements.override_score(1, 1.0, True, "right", "Ben")
    first = exported(project, tmp_path, "first")
    with Project.create(tmp_path / "second.workbench") as second:
        restore_log(second, first)
        second.judgements.withdraw_override(1)
        (sample,) = samples_of(exported(second, tmp_path, "second"))
    assert [edit.value for edit in sample.scores["verdict"].history] == [0, 1.0, 0]
    assert sample.scores["verdict"].value == 0


def test_what_was_added_here_comes_back_from_the_log(tmp_path, project):
    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    restore_log(project, Path(log.location))
    project.remarks.add([1], RemarkKind.NOTE, "odd", "Ada")
    project.judgements.override_score(1, 1.0, True, "right", "Ben")
    before = [AttemptLine.of(dossier).as_data for dossier in dossiers(project, selected(project), lambda *_: None)]
    path = exported(project, tmp_path)
    with Project.create(tmp_path / "second.workbench") as second:
        restore_log(second, path)
        after = [AttemptLine.of(dossier).as_data for dossier in dossiers(second, selected(second), lambda *_: None)]
        again = samples_of(exported(second, tmp_path, "again"))
    for data in (*before, *after):
        data.pop("inspect")
    assert after == before
    assert again == samples_of(path)


@pytest.mark.slow
def test_a_log_goes_through_json_lines_as_it_was(tmp_path, project):
    path = log_with_everything(tmp_path)
    restore_log(project, path)
    export_runs(project, tmp_path / "lines.jsonl", "jsonl")
    with Project.create(tmp_path / "second.workbench") as second:
        restore(second, tmp_path / "lines.jsonl")
        assert samples_of(exported(second, tmp_path)) == samples_of(path)


@pytest.mark.slow
def test_a_log_that_came_back_is_not_counted_twice(tmp_path, project):
    path = log_with_everything(tmp_path)
    restore_log(project, path)
    back = exported(project, tmp_path)
    with pytest.raises(AlreadyThere):
        restore_log(project, back)
    assert (len(project.batches.all()), len(list(project.runs.select()))) == (1, 4)


def test_scores_that_are_no_numbers_go_back(tmp_path, project):
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.scorer import Score

    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    log.samples[0].scores["odd"] = Score(value=float("nan"))
    write_eval_log(log, str(tmp_path / "odd.eval"))
    restore_log(project, tmp_path / "odd.eval")
    value = samples_of(exported(project, tmp_path))[0].scores["odd"].value
    assert value != value
    assert read_eval_log(str(tmp_path / "odd.eval")).samples[0].uuid == samples_of(tmp_path / "back.eval")[0].uuid


def log_with_scores(tmp_path, **values):
    """A log of one sample with scores of others; `verdict=None` takes ours out of it."""
    from inspect_ai.log import write_eval_log
    from inspect_ai.scorer import Score

    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    given = {name: Score(value=value) for name, value in values.items() if value is not None}
    log.samples[0].scores = {**log.samples[0].scores, **given}
    for name in values.keys() - given.keys():
        del log.samples[0].scores[name]
    write_eval_log(log, str(tmp_path / "scored.eval"))
    return tmp_path / "scored.eval"


@pytest.mark.parametrize(
    ("values", "score"),
    [
        ({"match": 0.25, "other": 1}, 0.25),
        ({"match": "C"}, 1),
        ({"match": "I"}, 0),
        ({"match": 85, "other": True}, 1),
        ({"match": {"a": 1}}, None),
    ],
)
def test_what_a_scorer_of_others_says_is_their_score(tmp_path, project, values, score):
    restore_log(project, log_with_scores(tmp_path, **values))
    (row,) = project.runs.rows([1])
    assert row.score == 0
    assert (row.own[THEIR_SCORE].score if row.own else None) == score


def test_an_answer_that_only_others_judged_is_an_attempt_with_their_score(tmp_path, project):
    restore_log(project, log_with_scores(tmp_path, verdict=None, match=0.5))
    (row,) = project.runs.rows([1])
    assert (row.score, row.own[THEIR_SCORE].score) == (None, 0.5)


def test_their_score_is_in_logs_of_our_own_and_comes_back(tmp_path, project):
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"task": "shikaku", "instance": 0, "model": "oak", "text": "[]", "score": 0.75}))
    source = tmp_path / "source.workbench"
    assert main(["import", str(source), str(path), "--wait"]) == 0
    with Project.open(source) as opened:
        log = exported(opened, tmp_path)
    assert samples_of(log)[0].scores[THEIR_SCORE].value == 0.75
    restore_log(project, log)
    (row,) = project.runs.rows([1])
    assert row.own[THEIR_SCORE].score == 0.75


@pytest.mark.slow
def test_logs_and_attempts_of_ones_own_are_written_apart(tmp_path, project):
    for name in ("shikaku", "maze_3d"):
        log, _ = run(task_of_inspect(name, instances=0), tmp_path / name, saying("[]"))
        restore_log(project, Path(log.location))
    for address in ("shikaku:0", "maze_3d:0"):
        project.attempts.add(resolve(address)[1], "[]", Actor.PERSON, "Ada")
    from inspect_ai.log import read_eval_log

    logs = [read_eval_log(str(path)).eval for path in sorted(exported(project, tmp_path).iterdir())]
    assert sorted((one.task.removeprefix("spatial_workbench/"), one.model) for one in logs) == [
        *[("maze_3d", "Ada"), ("maze_3d", "mockllm/model")],
        *[("shikaku", "Ada"), ("shikaku", "mockllm/model")],
    ]


def test_the_command_imports_a_log(tmp_path, capsys):
    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("[]"))
    path = Path(log.location)
    assert main(["import", str(tmp_path / "p.workbench"), str(path), "--format", "inspect"]) == 0
    assert "Imported: 1 attempt." in capsys.readouterr().out


def test_an_answer_that_cannot_be_read_says_so_in_the_explanation(tmp_path):
    log, _ = run(task_of_inspect("shikaku", instances=0), tmp_path, saying("I do not know"))
    assert f"failed: {READABLE}" in log.samples[0].scores["verdict"].explanation


@pytest.mark.slow
def test_the_token_limit_of_inspect_ends_a_run_which_is_then_judged(tmp_path, project):
    task = task_of_inspect("cube_full_symbolic", instances=5, agent="basic", uses_code=False)
    log, heard = run(task, tmp_path, calling("make_move", moves=["U"]), token_limit=250)
    sample = log.samples[0]
    assert (sample.error, sample.limit.type, len(heard)) == (None, "token", 3)
    assert sample.scores["verdict"].value == 0
    restore_log(project, Path(log.location))
    assert project.runs.rows([1])[0].finish_reason == "token limit"


@pytest.mark.slow
def test_the_time_limit_of_inspect_ends_a_run(tmp_path):
    async def never(messages, tools, choice, config):
        await anyio.sleep(60)

    task = task_of_inspect("cube_full_symbolic", instances=5, agent="basic", uses_code=False)
    log = evaluated(task, never, tmp_path, time_limit=1)
    assert log.samples[0].limit.type == "time"
