"""The commands about sets of puzzles."""

import json
from pathlib import Path

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.models import ModelLibrary, ModelSettings
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.store import Actor, Project
from tests.models.conftest import chat, own_keyring, server

__all__ = ["own_keyring", "server"]

NAMES = ["Harbour_Clocks", "Supper_Without_a_Lamp"]
YES = '{"correct": true, "explanation": "It is there."}'


@pytest.fixture(autouse=True)
def own_files(tmp_path, monkeypatch):
    """No test sees a person's sets, models or scratch project."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def folder(tmp_path):
    """A folder with two puzzles that have no errors."""
    chosen = PuzzleSet(tmp_path / "hunt")
    chosen.path.mkdir()
    for puzzle in originals()[:2]:
        save(chosen, puzzle.folder, Change(writes=puzzle.files()))
    return str(chosen.path)


def run(capsys, *words):
    code = main(("puzzles", *words))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def told(capsys, *words):
    code, out, _ = run(capsys, *words, "--json")
    return code, json.loads(out)


def spoil(folder):
    save(PuzzleSet(Path(folder)), NAMES[0], Change(writes={METADATA: b'{"title": ""}'}))


def set_up(server, *texts):
    server.answers.extend(chat(text) for text in texts or (YES, YES, YES))
    ModelLibrary().store_model(
        ModelSettings(name="tiny", model="tiny", base_url=server.url, timeout_s=10, max_wait_s=0)
    )


@pytest.mark.slow
def test_check_passes_a_set_without_errors(capsys, folder):
    code, data = told(capsys, "check", folder)
    assert (code, data["puzzles"], data["errors"]) == (PASSED, 2, 0)


def test_check_names_the_puzzle_and_the_field_and_does_not_pass(capsys, folder):
    spoil(folder)
    code, data = told(capsys, "check", folder)
    assert (code, {row["puzzle"] for row in data["findings"] if row["level"] == "error"}) == (NOT_PASSED, {NAMES[0]})


def test_a_set_that_is_not_there_is_bad_input(capsys):
    code, out, err = run(capsys, "stats", "nowhere")
    assert (code, out) == (BAD_INPUT, "")
    assert "no set of puzzles called “nowhere”" in err


def test_import_makes_a_set_that_other_commands_know_by_name(capsys, folder, tmp_path):
    code, data = told(capsys, "import", folder, str(tmp_path / "mine"), "--name", "mine")
    assert (code, data["set"], data["puzzles"]) == (PASSED, "mine", NAMES)
    assert told(capsys, "check", "mine")[1]["puzzles"] == 2
    assert resolve(f"puzzle_hunt:mine/{NAMES[0]}")[1].parameters["set"] == "mine"


def test_a_plan_of_an_import_writes_nothing(capsys, folder, tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    code, data = told(capsys, "import", folder, str(tmp_path / "notes.txt"), str(tmp_path / "new"), "--plan")
    assert code == NOT_PASSED
    assert [row["folder"] for row in data["puzzles"]] == sorted(NAMES)
    assert data["skipped"] == ["notes.txt is neither a folder, a zip file, a PDF nor a picture"]
    assert not (tmp_path / "new").exists()


def test_an_import_skips_what_is_there_if_asked_to(capsys, folder):
    code, data = told(capsys, "import", folder, folder, "--duplicates", "skip")
    assert (code, data["puzzles"]) == (NOT_PASSED, [])
    assert len(data["skipped"]) == len(NAMES)


def test_stats_count_puzzles_and_steps(capsys, folder):
    _, data = told(capsys, "stats", folder)
    assert (data["set"]["puzzles"], data["set"]["mean_steps"], data["review"]["kappa"]) == (2, 4.5, None)
    assert "kappa n/a" in run(capsys, "stats", folder)[1]


def test_export_writes_verified_puzzles_only_unless_all_are_wanted(capsys, folder, tmp_path):
    code, _, err = run(capsys, "export", folder, "-o", str(tmp_path / "out"))
    assert (code, "verified" in err) == (BAD_INPUT, True)
    code, data = told(capsys, "export", folder, "-o", str(tmp_path / "out"), "--all")
    assert (code, data["train"] + data["test"]) == (PASSED, 2)


def test_a_review_goes_from_one_project_to_another(capsys, folder, tmp_path):
    first, second, file = (str(tmp_path / name) for name in ("a.workbench", "b.workbench", "r.jsonl"))
    assert told(capsys, "review", "send", folder, "--author", "Ada", "--project", first)[1]["sent"] == NAMES
    assert told(capsys, "review", "export", folder, "-o", file, "--project", first)[1]["events"] == 2
    assert told(capsys, "review", "merge", file, file, "--project", second)[1][1]["known"] == 2
    assert told(capsys, "stats", folder, "--project", second)[1]["states"] == {"checked": 2}


def test_a_damaged_line_of_a_review_is_named(capsys, tmp_path):
    (tmp_path / "r.jsonl").write_text("{\n")
    code, out, _ = run(capsys, "review", "merge", str(tmp_path / "r.jsonl"))
    assert (code, "line 1 cannot be read" in out) == (NOT_PASSED, True)


@pytest.mark.slow
def test_a_model_flags_what_was_sent_to_review(capsys, folder, server):
    set_up(server, '{"flags": []}', '{"flags": [{"step": 1, "kind": "jump", "reason": "why"}]}')
    run(capsys, "review", "send", folder, "--author", "Ada")
    code, data = told(capsys, "flag", folder, "--model", "tiny")
    assert (code, data["flagged"], data["clear"]) == (PASSED, 1, 1)


@pytest.mark.slow
def test_a_model_judges_the_steps_of_attempts(capsys, tmp_path, server):
    set_up(server)
    path = str(tmp_path / "a.workbench")
    with Project.create(path) as project:
        project.attempts.add(resolve("puzzle_hunt:5")[1], "Answer: PARCEL", Actor.MODEL, "birch")
    code, data = told(capsys, "judge", path, "--model", "tiny")
    assert (code, data["judged"], data["requests"]) == (PASSED, 1, 4)
