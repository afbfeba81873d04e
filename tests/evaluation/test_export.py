"""Attempts as files for other programs."""

import csv
import json
from statistics import fmean

import pytest

from spatial_workbench.engine.core import Aid, Cancelled, CannotRepresent, Check, Problem, Verdict, resolve
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.evaluation.export import export_runs, write_rows
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.models import ModelSettings, RecordedReplies, Request, read_answers
from spatial_workbench.engine.store import Actor, Asked, BatchState, ItemState, RemarkKind, Transcript
from tests.evaluation.conftest import oracle, run, store
from tests.models.conftest import ScriptedReply
from tools.studio.quickstart import add_recorded_run

ADDRESSES = ["shikaku:0", "shikaku:1"]


@pytest.fixture
def asked(project, server, batch_of):
    """A batch of two questions to a model, one of them answered wrongly."""
    server.answers.append(oracle(wrong=["shikaku:1"])(ADDRESSES))
    batch, plan = batch_of(server.url, ",".join(ADDRESSES), {"max_output_tokens": 4096})
    run(project, batch, plan)
    return batch


def lines(path):
    """All lines but the first, which tells of batches."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


def verdict(address, score, name="default", problem="brick 17 floats"):
    check = Check.of("held", [] if score == 1 else [Problem(problem)])
    return Verdict(instance=address, verifier=name, version="2", score=score, passed=score == 1, checks=(check,))


def by_hand(project, address="shikaku:0", name="Ada", score=1.0, actor=Actor.PERSON, **asked):
    verdicts = verdict(address, score), verdict(address, score, "crosscheck")
    return project.attempts.add(resolve(address)[1], '{"a": 1}', actor, name, 3.5, verdicts, asked=Asked(**asked))


def test_a_line_tells_everything_of_an_attempt(project, asked, tmp_path):
    number = next(row.number for row in project.runs.select() if row.address == "shikaku:1")
    project.judgements.override_score(number, 0.5, False, "half right", "Ada")
    project.judgements.add_label(number, "ok", "Evasion / Forfeit", '{"confidence": 0.9}')
    assert export_runs(project, tmp_path / "runs.jsonl", "jsonl").count == 2
    right, wrong = sorted(lines(tmp_path / "runs.jsonl"), key=lambda line: line["instance"])
    assert (right["passed"], right["batch_name"], right["settings"]["model"]) == (True, "test", "tiny")
    assert (right["usage"]["output_tokens"], len(right["tries"])) == (5, 1)
    assert [judged["verifier"] for judged in wrong["verdicts"]] == [judged["verifier"] for judged in right["verdicts"]]
    assert (wrong["score"], wrong["first_score"], wrong["overrides"][0]["reason"]) == (0.5, 0.0, "half right")
    assert (right["how_read"], right["mending"], right["verdicts"][0]["how_read"]) == ("as it is", None, "as it is")
    assert wrong["labels"][0]["decision"] == {"confidence": 0.9}


def test_what_was_exported_can_be_imported(project, asked, tmp_path):
    export_runs(project, tmp_path / "runs.jsonl", "jsonl")
    answers, problems = read_answers(tmp_path / "runs.jsonl")
    assert not problems
    assert {answer.address for answer in answers} == set(ADDRESSES)
    given = RecordedReplies(answers).ask(Request("", address="shikaku:1")).text
    assert given == "I do not know."


def test_attempts_of_one_name_at_one_instance_come_back_as_repeats(project, tmp_path):
    for name in ("Ada", "Ada", ""):
        by_hand(project, name=name)
    export_runs(project, tmp_path / "runs.jsonl", "jsonl")
    answers, _ = read_answers(tmp_path / "runs.jsonl")
    assert [(answer.model, answer.repeat) for answer in answers] == [("Ada", 0), ("Ada", 1), ("without a name", 0)]


def test_no_key_is_in_an_export(project, asked, tmp_path):
    export_runs(project, tmp_path / "runs.jsonl", "jsonl")
    text = (tmp_path / "runs.jsonl").read_text("utf-8").lower()
    assert "authorization" not in text
    assert "api_key" not in text


def test_only_the_batches_that_are_wanted_are_exported(project, asked, tmp_path):
    by_hand(project)
    assert export_runs(project, tmp_path / "runs.csv", "csv", [asked]).count == 2
    assert export_runs(project, tmp_path / "runs.csv", "csv").count == 3


def test_the_table_has_a_row_for_each_attempt(project, tmp_path):
    by_hand(project, score=0.0, output_tokens=7)
    export_runs(project, tmp_path / "runs.csv", "csv")
    with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["attempt"], row["actor_name"], row["score"], row["output_tokens"], row["batch"]) == (
        *("1", "Ada", "0.0", "7"),
        "",
    )


def test_the_table_tells_how_runs_ended_and_what_one_noted_oneself(project, tmp_path):
    instance = resolve("shikaku:0")[1]
    played = Transcript(kind="cube", record='{"end": "step_limit"}')
    number = project.attempts.add(
        instance, "{}", Actor.MODEL, "elm", transcript=played, asked=Asked(finish_reason="stop")
    )
    project.remarks.add([number], RemarkKind.TAG, "look again", "Ada")
    project.remarks.add([number], RemarkKind.NOTE, "odd", "Ada")
    export_runs(project, tmp_path / "runs.csv", "csv")
    with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["end"], row["cut_off"], row["finish_reason"]) == ("step_limit", "steps", "stop")
    assert (row["own_labels"], row["newest_note"]) == ("look again", "odd")


def test_the_table_has_what_is_not_finished_and_says_so(project, tmp_path):
    asked = Contender(settings=ModelSettings(name="tiny", model="tiny", provider="recorded"))
    store(project, BatchPlan(name="small", contenders=(asked,), addresses=("shikaku:0",)))
    export_runs(project, tmp_path / "runs.csv", "csv")
    with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["address"], row["cut_off"], row["score"], row["error"]) == ("shikaku:0", "unfinished", "", "")
    project.items.fail(1, ItemState.ERROR, "item limit", "It may cost $1.")
    export_runs(project, tmp_path / "runs.csv", "csv")
    with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
        assert [row["cut_off"] for row in csv.DictReader(file)] == ["spending"]


def test_the_table_tells_attempts_with_solving_aids_from_those_without(project, tmp_path):
    instance = resolve("two_segments:0")[1]
    project.drafts.add_aid(instance, "Load reference solution", Aid.SOLVING, 3.0, "Ada")
    project.attempts.add(instance, "{}", Actor.PERSON, "Ada")
    project.attempts.add(instance, "{}", Actor.PERSON, "Ben")
    export_runs(project, tmp_path / "runs.csv", "csv")
    with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
        assert [(row["actor_name"], row["solving_aids"]) for row in csv.DictReader(file)] == [
            ("Ada", "1"),
            ("Ben", "0"),
        ]


def test_the_table_names_attempts_by_people_who_explored(project, tmp_path):
    project.drafts.add_aid(resolve("two_segments:0")[1], "Explore", Aid.SOLVING, 0.0, "Ada")
    for name in ("Ada", "Ben"):
        project.attempts.add(resolve("two_segments:0")[1], "{}", Actor.PERSON, name)
    export_runs(project, tmp_path / "runs.csv", "csv")
    with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
        assert [row["explored"] for row in csv.DictReader(file)] == ["True", "False"]


def test_a_name_that_looks_like_a_formula_stays_text(tmp_path):
    write_rows(tmp_path / "table.csv", ["a", "b"], [["=1+1", -1.5]])
    assert (tmp_path / "table.csv").read_text().splitlines() == ["a,b", "'=1+1,-1.5"]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "inspect"])
def test_an_export_that_is_cancelled_leaves_what_was_there(kind, project, tmp_path):
    by_hand(project)
    path = tmp_path / "old.eval"
    path.write_text("old")

    def stop(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        export_runs(project, path, kind, progress=stop)
    assert path.read_text() == "old"
    assert list(tmp_path.glob(".old*")) == []


def test_without_the_package_inspect_logs_are_refused_with_the_command_that_helps(project, tmp_path, monkeypatch):
    by_hand(project)
    monkeypatch.setattr("spatial_workbench.engine.core.extras.find_spec", lambda name: None)
    with pytest.raises(CannotRepresent, match=r"pip install 'spatial-workbench\[inspect\]'"):
        export_runs(project, tmp_path / "runs.eval", "inspect")


@pytest.mark.slow
def test_inspect_reads_a_run_with_its_scores_and_messages(project, asked, tmp_path):
    log_module = pytest.importorskip("inspect_ai.log")
    path = tmp_path / "runs.eval"
    assert export_runs(project, path, "inspect").count == 2
    log = log_module.read_eval_log(str(path))
    samples = {sample.id: sample for sample in log.samples}
    right, wrong = (samples[address] for address in ADDRESSES)
    assert (log.eval.model, log.eval.task, right.scores["default"].value) == ("tiny", "shikaku", 1.0)
    assert (wrong.scores["default"].value, wrong.output.completion) == (0.0, "I do not know.")
    assert [message.role for message in wrong.messages] == ["user", "assistant"]
    assert resolve("shikaku:1")[0].prompt(resolve("shikaku:1")[1]).text in wrong.input[-1].text
    assert right.output.usage.output_tokens is not None
    assert {score.name: score.metrics["mean"].value for score in log.results.scores}["default"] == 0.5


def test_in_an_inspect_log_the_checks_explain_and_repeats_are_epochs(project, tmp_path):
    log_module = pytest.importorskip("inspect_ai.log")
    by_hand(project, score=0.0)
    number = by_hand(project, score=0.0)
    project.judgements.override_score(number, 1.0, True, "it stands", "Bo")
    export_runs(project, tmp_path / "ada", "inspect")
    first, second = log_module.read_eval_log(str(tmp_path / "ada.eval")).samples
    assert "brick 17 floats" in first.scores["default"].explanation
    assert (first.epoch, second.epoch, second.scores["default"].value) == (1, 2, 1.0)
    original, edit = second.scores["default"].history
    assert (original.value, edit.provenance.author, edit.provenance.reason) == (0.0, "Bo", "it stands")


def test_several_runs_become_a_folder_of_logs(project, tmp_path):
    log_module = pytest.importorskip("inspect_ai.log")
    by_hand(project)
    by_hand(project, name="a/b", tools=True, actor=Actor.MODEL)
    written = export_runs(project, tmp_path / "logs.eval", "inspect")
    assert written.path == tmp_path / "logs"
    paths = sorted((tmp_path / "logs").iterdir())
    assert [path.name for path in paths] == ["01-Ada-shikaku.eval", "02-a_b-tools-shikaku.eval"]
    assert [log_module.read_eval_log(str(path)).eval.model for path in paths] == ["Ada", "a/b"]


def test_an_agents_steps_become_messages(project, tmp_path):
    log_module = pytest.importorskip("inspect_ai.log")
    add_recorded_run(project)
    export_runs(project, tmp_path / "agent.eval", "inspect")
    (sample,) = log_module.read_eval_log(str(tmp_path / "agent.eval")).samples
    roles = [message.role for message in sample.messages]
    assert roles[:3] == ["user", "assistant", "user"]
    assert len(roles) > 6
    assert sample.scores["default"].value == 1.0


def test_an_agents_line_has_its_transcript_and_its_moves_as_answer(project, tmp_path):
    add_recorded_run(project)
    export_runs(project, tmp_path / "agent.jsonl", "jsonl")
    (line,) = lines(tmp_path / "agent.jsonl")
    assert json.loads(line["text"])["moves"] == line["transcript"]["moves"]


@pytest.fixture
def half_failed(project, server, batch_of, no_pauses):
    """A batch of two questions, one of them answered rightly, the other refused by the endpoint."""
    answer = oracle()(ADDRESSES[:1])

    def reply(body):
        text = json.dumps(body)
        known = resolve(ADDRESSES[0])[0].prompt(resolve(ADDRESSES[0])[1]).text
        return answer(body) if json.dumps(known)[1:-1] in text else ScriptedReply([b'{"error": {}}'], status=400)

    server.answers.append(reply)
    batch, plan = batch_of(server.url, ",".join(ADDRESSES))
    run(project, batch, plan)
    return batch


def test_a_question_that_failed_is_a_row_with_its_error_that_has_no_score(project, half_failed, tmp_path):
    assert export_runs(project, tmp_path / "runs.csv", "csv").count == 2
    with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
        right, failed = csv.DictReader(file)
    assert (right["score"], right["error"]) == ("1.0", "")
    assert (failed["attempt"], failed["address"], failed["score"], failed["passed"]) == (
        "",
        "shikaku:1",
        "",
        "",
    )
    assert failed["error"] == project.items.of_batch(half_failed)[1].error
    assert (right["how_read"], failed["how_read"]) == ("as it is", "error")


def test_a_question_that_failed_is_a_line_with_its_error_and_its_tries(project, half_failed, tmp_path):
    export_runs(project, tmp_path / "runs.jsonl", "jsonl")
    right, failed = lines(tmp_path / "runs.jsonl")
    assert (right["error"], failed["score"], failed["text"], failed["attempt"]) == (None, None, None, None)
    assert (failed["error"], failed["item"]["message"]) == (failed["tries"][0]["error"], failed["item"]["message"])
    answers, problems = read_answers(tmp_path / "runs.jsonl")
    assert (len(answers), problems) == (1, ())


def test_the_means_of_an_inspect_log_are_those_of_the_results(project, half_failed, tmp_path):
    log_module = pytest.importorskip("inspect_ai.log")
    export_runs(project, tmp_path / "runs.eval", "inspect")
    log = log_module.read_eval_log(str(tmp_path / "runs.eval"))
    mean = {score.name: score.metrics["mean"].value for score in log.results.scores}["default"]
    assert mean == fmean(item.value for item in scored(project) if item.value is not None) == 1.0
    failed = next(sample for sample in log.samples if sample.id == "shikaku:1")
    assert failed.error.message.startswith(project.items.of_batch(half_failed)[1].error)
    assert (log.status, log.results.total_samples, log.results.completed_samples) == ("success", 2, 1)


def test_an_inspect_log_tells_what_was_used_and_when(project, asked, tmp_path):
    log_module = pytest.importorskip("inspect_ai.log")
    export_runs(project, tmp_path / "runs.eval", "inspect")
    log = log_module.read_eval_log(str(tmp_path / "runs.eval"))
    total = sum(row.output_tokens for row in project.runs.select())
    assert log.stats.model_usage["tiny"].output_tokens == total
    assert log.stats.started_at <= log.samples[0].started_at <= log.samples[0].completed_at <= log.stats.completed_at


@pytest.mark.parametrize(
    ("state", "status"),
    [(BatchState.FINISHED, "success"), (BatchState.CANCELLED, "cancelled"), (BatchState.PAUSED, "started")],
)
def test_the_status_of_an_inspect_log_is_that_of_the_batch(project, asked, tmp_path, state, status):
    log_module = pytest.importorskip("inspect_ai.log")
    project.batches.set_state(asked, state)
    export_runs(project, tmp_path / "runs.eval", "inspect")
    assert log_module.read_eval_log(str(tmp_path / "runs.eval"), header_only=True).status == status
