"""Workflows as agents of the machine tasks: played by a scripted model, with real simulations, and in batches."""

import json

import pytest

from spatial_workbench.engine.core import Cancelled, resolve
from spatial_workbench.engine.core.agents import AgentFailed, AgentPlan, NoReply, Reply
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, agents_offered, concerns, select
from spatial_workbench.engine.evaluation.results.settings_table import settings_table
from spatial_workbench.engine.machines.building.tree import read_tree, write_tree
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowRecord
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.physics.client import PhysicsUnavailable
from spatial_workbench.engine.store import RunFilter
from tests.evaluation.conftest import batch_of, project, run
from tests.models.conftest import chat, no_pauses, own_keyring, server

__all__ = ["batch_of", "no_pauses", "own_keyring", "project", "server"]

CAR = f"Plan.\n```json\n{json.dumps(write_tree(references()['M1'].tree))}\n```"
DEFECTS = "<Summary of Design Defects>[]</Summary of Design Defects>"
BALLAST = "<Modification Steps>\nAdd [35] to [0] in [4]\n</Modification Steps>"
WORSE = "<Modification Steps>\nRemove [6]\n</Modification Steps>"
ANSWERS = [CAR, DEFECTS, *[BALLAST] * 4, "<Required Feedback>[]</Required Feedback>", WORSE, "nothing"]
SHORT = AgentPlan(kind="iterative", options={"designs": 1, "rounds": 1, "candidates": 1})


class Script:
    """A model that gives its answers in order."""

    def __init__(self, answers):
        self.answers = list(answers)
        self.heard = []

    def reply(self, messages, seconds_left):
        self.heard.append(messages)
        if not self.answers:
            raise NoReply("The endpoint is gone.")
        return Reply(self.answers.pop(0))


def play(answers, plan=SHORT, address="machine_movement:0", **more):
    task, instance = resolve(address)
    script = Script(answers)
    return task, instance, script, task.play(instance, plan, script, **more)


def test_the_machine_tasks_offer_three_workflows():
    assert {"single", "iterative", "hierarchical"} <= set(agents_offered())


def test_the_best_machine_is_the_answer():
    task, instance, script, played = play(ANSWERS)
    record = WorkflowRecord.model_validate_json(played.record)
    tree = read_tree(json.loads(played.answer)["blocks"]).tree
    assert (played.kind, record.end, len(script.heard)) == ("machine", "finished", 9)
    assert len(tree) == len(record.machines[record.best].tree)
    assert task.verify(instance, played.answer).passed
    assert record.machines[record.best].score == max(machine.score for machine in record.machines)


def test_a_role_hears_the_rules_as_the_systems_words_and_no_earlier_turns():
    script = play([CAR], AgentPlan(kind="single"))[2]
    ((system, user),) = script.heard
    assert (system.role, user.role) == ("system", "user")
    assert "Build a machine that drives forward" in user.text


def test_what_a_single_agent_wrote_is_the_answer_as_it_is():
    task, instance, _, played = play(["I cannot."], AgentPlan(kind="single"))
    assert played.answer == "I cannot."
    assert task.verify(instance, played.answer).score == 0


def test_the_words_of_a_run_are_what_the_roles_answered():
    task, _, _, played = play(ANSWERS)
    assert "Design Defects" in task.words_of_run(played.record)
    with pytest.raises(ValueError, match="WorkflowRecord"):
        task.words_of_run("{}")


def test_a_run_that_is_out_of_time_keeps_its_best_machine():
    class Slow(Script):
        def reply(self, messages, seconds_left):
            return Reply(super().reply(messages, seconds_left).text, earlier_seconds=25.0)

    task, instance = resolve("machine_movement:0")
    played = task.play(instance, SHORT.model_copy(update={"minutes": 1.0}), Slow(ANSWERS))
    record = WorkflowRecord.model_validate_json(played.record)
    assert (record.end, record.best) == ("timeout", 0)


def test_a_model_that_gives_no_reply_ends_the_run():
    with pytest.raises(NoReply, match="gone"):
        play(ANSWERS[:2])


def test_without_physics_the_run_does_not_count(monkeypatch):
    def fail(*arguments, **more):
        raise PhysicsUnavailable("The physics engine is missing.")

    monkeypatch.setattr("spatial_workbench.engine.tasks.machine.agents.simulated", fail)
    with pytest.raises(AgentFailed, match="missing"):
        play(ANSWERS)


def test_a_run_can_be_cancelled_between_two_questions():
    def stop(done, total, text=""):
        if done >= 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        play(ANSWERS, progress=stop)


def test_a_batch_plays_a_workflow_and_keeps_its_record(project, batch_of, server):
    server.answers += map(chat, ANSWERS)
    batch, plan = batch_of(server.url, "machine_movement:0", agent=SHORT)
    run(project, batch, plan)
    (row,) = project.runs.select()
    record = WorkflowRecord.model_validate_json(project.attempts.transcript(row.number).record)
    assert (row.passed, len(project.runs.replies(row.item)), len(record.machines)) == (True, 9, 3)
    assert "iterative, designs 1, rounds 1, candidates 1" in [
        cell.text for cell in settings_table(project).lines[0].cells
    ]
    assert server.seen[0].body["messages"][0]["role"] == "system"
    assert len(server.seen[8].body["messages"]) == 2
    assert project.runs.numbers(RunFilter(text="Defects")) == [row.number]


def test_a_batch_that_an_earlier_version_cut_off_goes_on_with_the_replies_it_had(project, batch_of, server):
    batch, plan = batch_of(server.url, "machine_movement:0", agent=SHORT)
    stored = '{"finish_reason": "stop", "usage": {"input_tokens": 7, "output_tokens": 3}}'
    whole = WorkflowRecord.model_validate_json(play(ANSWERS)[3].record)
    # They had no places, and one blind refiner was enough.
    for number, call in enumerate(whole.calls[:3]):
        project.items.add_reply(1, number, call.prompt, call.answer, None, stored, is_last=False)
    server.answers += map(chat, ANSWERS[3:])
    run(project, batch, plan)
    (row,) = project.runs.select()
    resumed = WorkflowRecord.model_validate_json(project.attempts.transcript(row.number).record)
    assert len(server.seen) == 6
    assert resumed == whole


def batch(**agent):
    asked = Contender(settings=ModelSettings(name="tiny", model="tiny", base_url="http://127.0.0.1:1/v1"))
    tasks = agent.pop("tasks", "machine_movement:0")
    return BatchPlan(name="x", contenders=(asked,), addresses=select(tasks), agent=AgentPlan(**agent))


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ({"kind": "iterative", "options": {"rounds": -1}}, "Option rounds of the agent"),
        ({"kind": "iterative", "options": {"speed": 1}}, "Option speed of the agent"),
        ({"kind": "basic", "options": {"rounds": 1}, "tasks": "cube_full_symbolic:0"}, "takes no options"),
        ({"kind": "single", "tasks": "cube_face_view:0"}, "agent that looks around"),
    ],
)
def test_a_batch_does_not_begin_with_options_that_its_tasks_do_not_take(agent, words):
    assert [concern.stops for concern in concerns(batch(**agent)) if words in concern.sentence] == [True]


def test_workflows_need_no_sandbox(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.evaluation.planning.plan._why_no_sandbox", lambda: "There is none.")
    assert not any("sandbox" in concern.sentence for concern in concerns(batch(kind="hierarchical")))


@pytest.mark.parametrize(
    ("kind", "options", "calls"),
    [("single", {}, 1), ("iterative", {}, 8 + 6 + 2 * 4 * 2), ("hierarchical", {"rounds": 0}, 1 + 24 + 6)],
)
def test_a_batch_knows_about_how_many_questions_a_workflow_asks(kind, options, calls):
    assert resolve("machine_throw:0")[0].expected_calls(AgentPlan(kind=kind, options=options)) == calls
