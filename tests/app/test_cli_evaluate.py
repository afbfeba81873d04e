"""The commands about evaluations answer in words and in JSON, and leave a project that the window opens."""

import json
import shutil

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.evaluation import batch_process
from spatial_workbench.engine.models import ModelLibrary, ModelSettings
from spatial_workbench.engine.store import Project
from tests.evaluation.conftest import oracle
from tests.models.conftest import chat, own_keyring, refuse, server

__all__ = ["own_keyring", "server"]


@pytest.fixture(autouse=True)
def own_models(tmp_path, monkeypatch):
    """No test sees a person's models."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "eval.workbench")


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """A project in which the reference and random answers to the six instances of Shikaku were judged."""
    path = tmp_path_factory.mktemp("answered") / "answered.workbench"
    words = ("--model", "reference", "--model", "random", "--tasks", "shikaku:0-5")
    assert main(["evaluate", str(path), *words]) == PASSED
    return path


@pytest.fixture
def finished(answered, path):
    """A copy of it, where the other tests make their projects."""
    return shutil.copy(answered, path)


def run(capsys, *words):
    code = main(words)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def evaluated(capsys, path, *more, tasks="shikaku:0-1"):
    return run(capsys, "evaluate", path, "--model", "reference", "--model", "random", "--tasks", tasks, *more)


def set_up(server, **settings):
    ModelLibrary().store_model(ModelSettings(name="tiny", model="tiny", base_url=server.url, timeout_s=10, **settings))


def test_evaluate_makes_the_project_and_tells_the_mean_scores(capsys, path, monkeypatch):
    told = []
    monkeypatch.setattr("spatial_workbench.app.commands.batches.print_progress", lambda text, _: told.append(text))
    code, out, err = evaluated(capsys, path)
    assert code == PASSED
    assert "reference: mean score 1.000 of 2 answers" in out
    assert "4/4" in told[-1]
    assert "4/4" not in err


@pytest.mark.slow
def test_evaluate_as_json_gives_the_batch(capsys, path):
    _, out, _ = evaluated(capsys, path, "--json")
    batch = json.loads(out)
    assert (batch["state"], batch["total"], batch["ended"]) == ("finished", 4, 4)


def test_batches_and_runs_list_what_there_is(capsys, finished):
    _, out, _ = run(capsys, "batches", finished, "--json")
    assert [row["state"] for row in json.loads(out)] == ["finished"]
    _, out, _ = run(
        capsys, "runs", finished, "--json", "--model", "reference", "--score-min", "0.9", "--task", "shikaku"
    )
    listing = json.loads(out)
    assert {row["address"] for row in listing["runs"]} == {f"shikaku:{k}" for k in range(6)}
    assert listing["count"] == 6
    _, out, _ = run(capsys, "runs", finished, "--text", "no such words")
    assert out.startswith("0 attempts")


@pytest.mark.slow
def test_stored_attempts_are_judged_again_and_what_changed_is_listed(capsys, path):
    evaluated(capsys, path, tasks="shikaku:0")
    _, out, _ = run(capsys, "verify-again", path, "--json")
    assert json.loads(out) == {"judged": 2, "changed": []}
    with Project.open(path) as project:
        (default, *_) = project.attempts.get(1).verdicts
        project.attempts.add_verdicts(1, [default.model_copy(update={"score": 0.25, "passed": False})])
    _, out, _ = run(capsys, "verify-again", path)
    assert "0.250 → 1.000" in out


@pytest.mark.slow
def test_an_endpoint_is_probed_once_and_what_it_cannot_do_is_said(capsys, path, server):
    refused = refuse(400, "reasoning_effort is not known here")
    server.answers.append(lambda body: refused if "reasoning_effort" in body else chat("Hello."))
    set_up(server, effort="high")
    code, _, err = run(capsys, "evaluate", path, "--model", "tiny", "--tasks", "shikaku:0")
    assert code == BAD_INPUT
    assert "Reasoning effort" in err
    assert ModelLibrary().find("tiny").capabilities is not None


@pytest.mark.slow
def test_every_budget_is_a_run_of_its_own(capsys, path, server):
    server.answers.append(oracle()(["shikaku:0"]))
    set_up(server)
    words = ("--model", "tiny", "--tasks", "shikaku:0", "--no-probe", "--budget", "512", "--budget", "1024")
    run(capsys, "evaluate", path, *words)
    with Project.open(path) as project:
        assert {(row.actor_name, row.budget) for row in project.runs.select()} == {
            ("tiny-512", 512),
            ("tiny-1024", 1024),
        }


@pytest.mark.slow
def test_an_agent_on_the_cube_plays_without_code(capsys, path, server):
    server.answers.append(chat('{"tool": "final_answer", "arguments": {"text": "I give up"}}'))
    set_up(server)
    words = ("--model", "tiny", "--tasks", "cube_face_view:0", "--no-probe", "--agent", "basic", "--no-code")
    code, _, _ = run(capsys, "evaluate", path, *words, "--max-steps", "3", "--reward", "sticker")
    assert code == PASSED
    with Project.open(path) as project:
        assert [row.has_transcript for row in project.runs.select()] == [True]


@pytest.mark.slow
def test_an_agent_gets_its_options(capsys, path, server):
    server.answers.append(chat("I cannot."))
    set_up(server)
    words = ("--model", "tiny", "--tasks", "machine_movement:0", "--no-probe", "--agent", "single")
    run(capsys, "evaluate", path, *words, "--agent-option", "seed=3", "--agent-option", "strategy=random")
    with Project.open(path) as project:
        (row,) = project.runs.select()
        options = json.loads(project.attempts.transcript(row.number).record)["options"]
    assert (options["seed"], options["strategy"]) == (3, "random")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--agent", "single", "--agent-option", "seed"), "NAME=VALUE is expected"),
        (("--agent", "single", "--agent-option", "seed=-1"), "Option seed of the agent"),
        (("--agent-option", "seed=1"), "needs --agent"),
        (("--agent", "nobody"), "There is no agent “nobody”"),
    ],
)
def test_options_that_an_agent_does_not_take_are_refused(capsys, path, server, words, reason):
    set_up(server)
    code, _, err = run(
        capsys, "evaluate", path, "--model", "tiny", "--tasks", "machine_movement:0", "--no-probe", *words
    )
    assert code == BAD_INPUT
    assert reason in err


@pytest.mark.slow
def test_a_batch_that_failed_is_gone_on_with(capsys, path, server):
    server.answers += [refuse(400, "no"), oracle()(["shikaku:0"])]
    set_up(server)
    _, out, _ = run(capsys, "evaluate", path, "--model", "tiny", "--tasks", "shikaku:0", "--no-probe")
    assert "failed: shikaku:0, bad request" in out
    _, out, _ = run(capsys, "resume", path, "1", "--retry-failed")
    assert "mean score 1.000 of 1 answer" in out


@pytest.mark.slow
def test_answers_are_imported_verified_and_exported_again(capsys, path, tmp_path):
    answers = tmp_path / "answers.jsonl"
    copy = tmp_path / "copy.jsonl"
    good = {"task": "two_segments", "instance": 0, "model": "mine", "text": '{"segments": []}'}
    answers.write_text("\n".join([json.dumps(good), "no json", json.dumps(good | {"instance": 99})]))
    code, out, err = run(capsys, "import", path, str(answers), "--wait")
    assert code == NOT_PASSED
    assert "mine: mean score 0.000 of 1 answer" in out
    assert "line 2 was skipped" in err
    assert "line 3 was skipped" in err
    _, out, _ = run(capsys, "export", path, "--format", "jsonl", "-o", str(copy), "--json")
    assert json.loads(out)["attempts"] == 1
    assert json.loads(copy.read_text().splitlines()[1])["text"] == '{"segments": []}'


@pytest.mark.slow
def test_the_score_of_others_is_shown_beside_ours(capsys, path, tmp_path):
    answers = tmp_path / "answers.jsonl"
    good = {"task": "two_segments", "seed": 7, "model": "mine", "text": '{"segments": []}', "score": 0.75}
    answers.write_text(json.dumps(good))
    run(capsys, "import", path, str(answers), "--wait")
    _, out, _ = run(capsys, "runs", path)
    assert "0.000" in out
    assert "two_segments@7" in out
    assert "their score 0.750" in out
    _, out, _ = run(capsys, "runs", path, "--json")
    assert json.loads(out)["runs"][0]["own"]["own:their-score"]["score"] == 0.75
    _, out, _ = run(capsys, "results", path, "--verifier", "own:their-score")
    assert "0.75" in out


@pytest.mark.slow
def test_a_file_that_was_imported_is_taken_again_only_if_that_is_said(capsys, path, tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"task": "two_segments", "instance": 0, "model": "mine", "text": "{}"}))
    run(capsys, "import", path, str(answers), "--wait")
    code, _, err = run(capsys, "import", path, str(answers))
    assert code == BAD_INPUT
    assert "The answer in the file is in this project already. Nothing was imported; with --again" in err
    _, out, _ = run(capsys, "import", path, str(answers), "--again", "--wait")
    assert "mean score" in out


def test_imported_answers_are_stored_at_once_and_verdicts_follow(capsys, path, tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(batch_process, "start", lambda *words: started.append(words[1]))
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"task": "two_segments", "instance": 0, "model": "mine", "text": "{}"}))
    code, out, _ = run(capsys, "import", path, str(answers))
    assert (code, started) == (PASSED, [1])
    assert "Stored: 1 answer, as batch 1. Verdicts follow in the background" in out


@pytest.mark.slow
def test_an_export_is_taken_over_without_judging_it_again(capsys, path, tmp_path):
    run(capsys, "evaluate", path, "--model", "reference", "--tasks", "shikaku:0")
    copy = tmp_path / "copy.jsonl"
    other = tmp_path / "other.workbench"
    run(capsys, "export", path, "--format", "jsonl", "-o", str(copy))
    code, out, _ = run(capsys, "import", str(other), str(copy))
    assert (code, out) == (PASSED, "Imported: 1 attempt.\n")
    assert "reference" in run(capsys, "runs", str(other))[1]


@pytest.mark.slow
def test_failed_attempts_are_labelled_by_a_judge(capsys, path, server):
    evaluated(capsys, path, tasks="shikaku:0")
    decision = {
        "subpass": 0,
        "failure_mode": "Evasion / Forfeit",
        "confidence": 0.9,
        "justification": "Nothing was tried.",
        "evidence_tags": ["empty"],
    }
    server.answers.append(lambda body: chat(json.dumps({"decisions": [decision]})))
    set_up(server)
    _, out, _ = run(capsys, "judge", path, "--model", "tiny", "--json")
    assert json.loads(out)["labelled"] == 1
    _, out, _ = run(capsys, "runs", path, "--label", "Evasion / Forfeit", "--json")
    assert [row["actor_name"] for row in json.loads(out)["runs"]] == ["random"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--model", "nobody", "--tasks", "shikaku"), "There is no model “nobody”"),
        (("--model", "reference", "--tasks", "nothing"), "There is no task 'nothing'"),
        (("--model", "reference", "--tasks", "shikaku:9"), "there are 0 to 5"),
        (("--model", "reference", "--tasks", "shikaku", "--repeats", "0"), "repeats"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_with_the_reason(capsys, path, words, reason):
    code, _, err = run(capsys, "evaluate", path, *words)
    assert code == BAD_INPUT
    assert reason in err


@pytest.mark.slow
def test_what_is_not_there_is_refused_with_the_reason(capsys, path, tmp_path):
    assert run(capsys, "batches", path)[0] == BAD_INPUT
    evaluated(capsys, path, "--detach", tasks="shikaku:0")
    assert "There is no batch 7" in run(capsys, "resume", path, "7")[2]
    assert "sorted by" in run(capsys, "runs", path, "--sort", "beauty")[2]
    (tmp_path / "empty.jsonl").write_text("\n")
    assert "no answer that can be used" in run(capsys, "import", path, str(tmp_path / "empty.jsonl"))[2]


def test_models_are_added_listed_and_removed(capsys, tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"name": "mine", "base_url": "http://127.0.0.1:1/v1", "model": "m"}))
    _, out, _ = run(capsys, "models", "--add", str(settings), "--json")
    names = [row["settings"]["name"] for row in json.loads(out)]
    assert names[:3] == ["reference", "random", "offline"]
    assert "mine" in names
    run(capsys, "models", "--remove", "mine")
    assert "mine" not in run(capsys, "models")[1]


@pytest.mark.slow
def test_two_runs_are_compared_in_words_in_json_and_as_files(capsys, finished, tmp_path):
    code, out, _ = run(capsys, "results", finished, "--compare", "reference", "random")
    assert code == PASSED
    assert "On 6 subtasks that both have a score for, reference scores 100.0 points more than random" in out
    _, out, _ = run(capsys, "results", finished, "--compare", "reference", "random", "--json")
    table = json.loads(out)["comparison"]["tables"][0]
    assert table["rows"][0][:6] == ["All subtasks in common", 6, 6, 1.0, 0.0, 1.0]
    run(capsys, "results", finished, "--compare", "reference", "random", "--csv", str(tmp_path / "files"))
    assert len(list((tmp_path / "files").iterdir())) == 4


def test_a_run_that_is_not_there_is_a_sentence_with_those_that_are(capsys, finished):
    code, _, err = run(capsys, "results", finished, "--compare", "reference", "oak")
    assert (code, err.strip()) == (BAD_INPUT, "There is no run “oak”; there are random, reference.")


def test_the_leaderboard_ranks_the_runs_and_is_written_in_every_format(capsys, finished, tmp_path):
    code, out, _ = run(capsys, "results", finished, "--leaderboard")
    assert code == PASSED
    assert "reference ranks first, with no other run among the first in 95 % of the draws." in out
    _, out, _ = run(capsys, "results", finished, "--leaderboard", "--sort", "score", "--ascending", "--json")
    rows = json.loads(out)["leaderboard"]["tables"][0]["rows"]
    assert [row[:4] for row in rows] == [["random", 2, 2, 2], ["reference", 1, 1, 1]]
    kinds = {"csv": "csv", "latex": "tex", "markdown": "md", "html": "html"}
    run(
        capsys,
        "results",
        finished,
        "--leaderboard",
        *(w for kind in kinds for w in (f"--{kind}", str(tmp_path / kind))),
    )
    for kind, suffix in kinds.items():
        assert "reference" in (tmp_path / kind / f"leaderboard-leaderboard.{suffix}").read_text("utf-8")


def test_a_leaderboard_is_sorted_by_columns_that_it_has(capsys, finished):
    _, _, err = run(capsys, "results", finished, "--leaderboard", "--sort", "beauty")
    assert err.startswith("There is no column “beauty”; there are run, rank, score, subtasks, passed")
    assert "add --leaderboard" in run(capsys, "results", finished, "--sort", "score")[2]


def test_a_comparison_is_written_as_latex(capsys, finished, tmp_path):
    run(capsys, "results", finished, "--compare", "reference", "random", "--latex", str(tmp_path))
    text = (tmp_path / "comparison-reference-and-random.tex").read_text("utf-8")
    assert "\\textbf{All subtasks in common} & 6 & 100.0 & 0.0 & +100.0" in text


@pytest.mark.slow
def test_a_grid_asks_every_combination_and_tells_its_cost_beforehand(capsys, path, server, tmp_path):
    set_up(server, prices={"input_usd": 0, "output_usd": 1})
    server.answers.append(oracle()(["shikaku:0"]))
    variant = tmp_path / "terse.txt"
    variant.write_text("Be brief. {prompt}")
    grid = ("--grid", "temperature=0,1", "--prompt-variant", "own", "--prompt-variant", str(variant), "--no-probe")
    code, out, err = run(capsys, "evaluate", path, "--model", "tiny", "--tasks", "shikaku:0", *grid)
    assert code == PASSED
    assert "4 runs, 4 items, 4 calls" in err
    assert "tiny · temperature 1 · prompt terse: mean score 1.000" in out


@pytest.mark.parametrize("words", [("--grid", "warmth=1"), ("--grid", "effort=some"), ("--prompt-variant", "no.txt")])
def test_a_grid_that_cannot_be_read_is_refused(capsys, path, words):
    code, _, err = evaluated(capsys, path, *words)
    assert code == BAD_INPUT
    assert words[1].partition("=")[2] in err


def test_sets_of_attempts_are_compared_by_fields(capsys, finished):
    sets = ("model=reference", "attempts=1-1000 model=random")
    _, out, _ = run(capsys, "results", finished, "--compare", *sets, "--json")
    table = json.loads(out)["comparison"]["tables"][0]
    assert table["rows"][0][:6] == ["All subtasks in common", 6, 6, 1.0, 0.0, 1.0]
    code, _, err = run(capsys, "results", finished, "--compare", "verifier=default", "verifier=unheard@2")
    assert (code, err.startswith("unheard@2 has judged no attempt; there are verdicts of ")) == (BAD_INPUT, True)
    _, _, err = run(capsys, "results", finished, "--compare", "score-min=much", "random")
    assert err.startswith("“much” cannot be a value of score-min")
