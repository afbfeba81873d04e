"""Logs of Inspect about batches of ours: what was sent, what came back, and what all of it used."""

import json
from datetime import UTC, datetime
from importlib.util import find_spec

import pytest

from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.importing.inspect_logs import restore_log
from spatial_workbench.engine.models.capabilities import Capabilities, Feature, ProbeFinding, Result
from spatial_workbench.engine.store import Project
from tests.evaluation.conftest import run
from tests.evaluation.hands.scripts import BOX
from tests.models.conftest import called, chat, refuse

pytestmark = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="Inspect is not installed")


def logged(project, tmp_path):
    """The log of a project's only run, everything in its place."""
    from inspect_ai.log import read_eval_log

    path = export_runs(project, tmp_path / "log.eval", "inspect").path
    return read_eval_log(str(path), resolve_attachments=True)


def test_every_request_is_an_event_and_failed_ones_have_their_errors(project, server, batch_of, no_pauses, tmp_path):
    server.answers.extend([refuse(500, "overloaded"), chat("[]")])
    run(project, *batch_of(server.url, "shikaku:0"))
    (sample,) = logged(project, tmp_path).samples
    failed, answered = sample.events
    assert (failed.event, failed.output.choices, answered.error) == ("model", [], None)
    assert "overloaded" in failed.error
    assert answered.output.completion == "[]"
    assert [event.input[-1].text for event in sample.events] == [
        body["messages"][-1]["content"] for body in (seen.body for seen in server.seen)
    ]


def test_usage_is_that_of_all_requests(project, server, batch_of, no_pauses, tmp_path):
    server.answers.extend([refuse(500, "overloaded"), chat("[]")])
    run(project, *batch_of(server.url, "shikaku:0"))
    failed = json.loads(project.items.tries(1)[0].record)
    failed["usage"] = {"input_tokens": 70, "cached_tokens": 20, "output_tokens": 7}
    failed["cost_usd"] = 0.5
    with project.database.write_transaction():
        project.database.execute("UPDATE tries SET record = ? WHERE id = 1", json.dumps(failed))
    log = logged(project, tmp_path)
    used = log.samples[0].model_usage["tiny"]
    assert (used.input_tokens, used.input_tokens_cache_read, used.output_tokens, used.total_tokens) == (60, 20, 12, 92)
    assert log.stats.model_usage["tiny"] == used
    assert log.samples[0].output.usage.output_tokens == 5


def test_pictures_are_found_again_by_their_hash(project, server, batch_of, tmp_path):
    server.answers.append(chat("[]"))
    run(project, *batch_of(server.url, "cube_full_visual:0"))
    (sample,) = logged(project, tmp_path).samples
    sent = server.seen[0].body["messages"][-1]["content"]
    shown = sample.messages[-2].content
    assert [part.type for part in shown] == ["text", "image"]
    assert shown[1].image == sent[1]["image_url"]["url"]


def played_with_hands(project, server, batch_of, **options):
    server.answers.extend([called(BOX, ("state", {})), called(("submit", {}))])
    batch, plan = batch_of(
        server.url, "pack_prisms:0", agent=AgentPlan(kind=HANDS, options={"condition": "judged", **options})
    )
    found = {Feature.FUNCTIONS: ProbeFinding(result=Result.WORKS)}
    known = Capabilities(base_url=server.url, model="tiny", probed_at=datetime.now(UTC), findings=found)
    plan = plan.model_copy(update={"contenders": (plan.contenders[0].model_copy(update={"capabilities": known}),)})
    run(project, batch, plan)


def test_calls_of_hands_are_calls_with_their_results(project, server, batch_of, tmp_path):
    played_with_hands(project, server, batch_of)
    log = logged(project, tmp_path)
    (sample,) = log.samples
    kinds = [(event.event, getattr(event, "function", "")) for event in sample.events]
    assert kinds == [("model", ""), ("tool", "place"), ("tool", "state"), ("model", ""), ("tool", "submit")]
    assert sample.events[1].arguments == BOX[1]
    assert sample.events[1].result == "Done. The answer holds 1 box."
    assert [message.role for message in sample.messages][:4] == ["user", "assistant", "tool", "tool"]
    assert sample.messages[2].tool_call_id == sample.messages[1].tool_calls[0].id
    assert sample.messages[-1].role == "tool"
    assert {"place", "submit"} <= {tool.name for tool in sample.events[0].tools}


def test_the_arguments_of_a_log_are_those_of_the_agent(project, server, batch_of, tmp_path):
    played_with_hands(project, server, batch_of)
    log = logged(project, tmp_path)
    assert (log.eval.task, log.eval.task_args["agent"]) == ("pack_prisms", "hands")
    assert log.eval.task_args["options"] == {"condition": "judged"}


def test_the_limit_that_ended_a_run_is_told(project, server, batch_of, tmp_path):
    played_with_hands(project, server, batch_of, calls=2)
    (sample,) = logged(project, tmp_path).samples
    assert (sample.limit.type, sample.limit.limit, sample.limit.reason) == ("custom", 2, "calls")


def test_an_answer_of_hands_is_what_was_handed_in(project, server, batch_of, tmp_path):
    played_with_hands(project, server, batch_of)
    (sample,) = logged(project, tmp_path).samples
    assert len(json.loads(sample.output.completion)["boxes"]) == 1


def test_a_hosted_tool_is_shown_with_what_came_of_it(project, server, batch_of, tmp_path):
    batch, plan = batch_of(server.url, "shikaku:0")
    server.answers.append(chat("[]"))
    run(project, batch, plan)
    ran = {"tool": "code_interpreter_call", "input": "print(2)", "output": "2"}
    with project.database.write_transaction():
        (row,) = project.items.tries(1)
        record = json.dumps({**json.loads(row.record), "tool_calls": [ran]})
        project.database.execute("UPDATE tries SET record = ?", record)
    (sample,) = logged(project, tmp_path).samples
    used = sample.messages[-1].content[0]
    assert (used.tool_type, used.name, used.arguments, used.result) == (
        *("code_execution", "code_interpreter_call"),
        *("print(2)", "2"),
    )


def test_what_was_sent_comes_back_with_the_log(project, server, batch_of, tmp_path):
    played_with_hands(project, server, batch_of)
    export_runs(project, tmp_path / "log.eval", "inspect")
    sent = [json.loads(json.loads(one.record)["sent"]) for one in project.items.tries(1)]
    with Project.create(tmp_path / "second.workbench") as second:
        restore_log(second, tmp_path / "log.eval")
        again = [json.loads(json.loads(one.record)["sent"]) for one in second.items.tries(1)]
        assert again == sent
        events = logged(second, tmp_path).samples[0].events
    assert len(events) == 5


def test_a_score_that_was_edited_in_a_log_of_ours_is_a_persons_score(project, server, batch_of, tmp_path):
    from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
    from inspect_ai.scorer import ScoreEdit

    server.answers.append(chat("[]"))
    run(project, *batch_of(server.url, "shikaku:0"))
    project.judgements.override_score(1, 0.5, False, "half", "Bo")
    log = read_eval_log(str(export_runs(project, tmp_path / "log.eval", "inspect").path))
    edit = ScoreEdit(value=1.0, provenance=ProvenanceData(author="Ada", reason="it was right"))
    edit_score(log, "shikaku:0", "default", edit, recompute_metrics=False)
    write_eval_log(log, str(tmp_path / "edited.eval"))
    with Project.create(tmp_path / "second.workbench") as second:
        restore_log(second, tmp_path / "edited.eval")
        overrides = second.judgements.overrides(1)
    assert [(one.person, one.score) for one in overrides] == [("Bo", 0.5), ("Ada", 1.0)]


def test_a_batch_of_several_tasks_becomes_a_log_a_task(project, server, batch_of, tmp_path):
    from inspect_ai.log import read_eval_log

    server.answers.append(chat("[]"))
    run(project, *batch_of(server.url, "shikaku:0,maze_3d:0"))
    folder = export_runs(project, tmp_path / "logs.eval", "inspect").path
    logs = [read_eval_log(str(path)) for path in sorted(folder.iterdir())]
    assert sorted((log.eval.task, len(log.samples)) for log in logs) == [("maze_3d", 1), ("shikaku", 1)]
    with Project.create(tmp_path / "second.workbench") as second:
        for path in sorted(folder.iterdir()):
            restore_log(second, path)
        assert sorted(row.task for row in second.runs.select()) == ["maze_3d", "shikaku"]


def test_a_request_to_the_responses_endpoint_is_read_as_messages():
    from spatial_workbench.engine.evaluation.export.conversations import messages_of

    sent = {
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Build."}]},
            {"role": "assistant", "content": [{"type": "output_text", "text": "So."}]},
            {"type": "function_call", "call_id": "c1", "name": "place", "arguments": '{"size": 0}'},
            {"type": "function_call_output", "call_id": "c1", "output": "Done."},
        ],
    }
    system, user, assistant, tool = messages_of(sent, {})
    assert (system.text, user.text, assistant.text, tool.text) == ("Be brief.", "Build.", "So.", "Done.")
    assert (assistant.tool_calls[0].arguments, tool.function) == ({"size": 0}, "place")


def test_a_picture_that_is_not_found_is_named():
    from spatial_workbench.engine.evaluation.export.conversations import messages_of

    shown = {"type": "image_url", "image_url": {"url": "png sha256:abc"}}
    (message,) = messages_of({"messages": [{"role": "user", "content": [shown]}]}, {})
    assert message.text == "[png sha256:abc]"
