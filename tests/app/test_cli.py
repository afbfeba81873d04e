"""The command line answers in words and in JSON, with the exit codes that scripts rely on."""

import io
import json
import os
import subprocess
import sys
from datetime import date
from unittest.mock import Mock

import platformdirs
import pytest

from spatial_workbench.app.commands.main import NOBODY_READS, main
from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.core import silent, task
from spatial_workbench.engine.store import Project
from tests.machines.levels.test_level_files import PLAIN

FOR_EVER = Mock(delete_after=date.max)
GOOD = '{"segments": [[[0, 0], [1, 1]], [[0.8, 0], [0.2, 1]]]}'
WRONG = '{"segments": [[[0.2, 0], [0.2, 1]], [[0.8, 0], [0.8, 1]]]}'


def run(capsys, *words):
    code = main(words)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def with_input(monkeypatch, text):
    class Standard:
        buffer = io.BytesIO(text.encode())

    monkeypatch.setattr("sys.stdin", Standard)


@pytest.mark.parametrize("name", ["work.workbench", "WORK.WORKBENCH", "a b.workbench"])
def test_a_project_alone_opens_in_the_window(monkeypatch, tmp_path, name):
    opened = []
    monkeypatch.setattr("spatial_workbench.app.window.application.has_display", lambda: True)
    monkeypatch.setattr("spatial_workbench.app.window.application.run", lambda project: opened.append(project) or 0)
    assert (main([str(tmp_path / name)]), opened) == (0, [tmp_path / name])


@pytest.mark.parametrize("name", ["one.study", "ONE.STUDY"])
def test_a_study_alone_opens_the_participants_window(monkeypatch, tmp_path, name):
    opened = []
    monkeypatch.setattr("spatial_workbench.app.window.application.has_display", lambda: True)
    monkeypatch.setattr(
        "spatial_workbench.app.commands.studies.taking_part.bundle_in",
        lambda path: Mock(study=Mock(retention=FOR_EVER)),
    )
    monkeypatch.setattr(
        "spatial_workbench.app.studies.participant.application.run", lambda _, path, *rest: opened.append(path) or 0
    )
    assert (main([str(tmp_path / name)]), opened) == (0, [tmp_path / name])


def test_tasks_lists_every_task(capsys):
    code, out, _ = run(capsys, "tasks", "--json")
    assert code == PASSED
    assert {"two_segments", "lego_hemisphere", "fluid_simulation"} <= {row["id"] for row in json.loads(out)}


def test_show_prints_what_a_solver_is_told(capsys):
    code, out, _ = run(capsys, "show", "two_segments:0")
    assert code == PASSED
    assert "segments" in out


def test_show_json_holds_the_schema(capsys):
    _, out, _ = run(capsys, "show", "two_segments:0", "--json")
    assert "segments" in json.loads(out)["schema"]["properties"]


def test_what_solve_prints_is_what_verify_reads(capsys, monkeypatch):
    _, answer, _ = run(capsys, "solve", "two_segments:5", "--json")
    with_input(monkeypatch, answer)
    code, out, _ = run(capsys, "verify", "two_segments:5", "-", "--json", "--crosscheck")
    verdict = json.loads(out)
    assert code == PASSED
    assert verdict["passed"]
    assert verdict["disagreement"] is False


def test_a_wrong_answer_exits_with_1(capsys, tmp_path):
    (tmp_path / "answer.json").write_text(WRONG)
    code, out, _ = run(capsys, "verify", "two_segments:0", str(tmp_path / "answer.json"))
    assert code == NOT_PASSED
    assert "not passed" in out


def test_the_verifier_can_be_chosen(capsys, tmp_path):
    (tmp_path / "answer.json").write_text(GOOD)
    _, out, _ = run(
        capsys, "verify", "two_segments:0", str(tmp_path / "answer.json"), "--verifier", "published", "--json"
    )
    assert json.loads(out)["verifier"] == "published"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "nothing:0"), "no task 'nothing'"),
        (("show", "two_segments:99"), "instances 0 to 26"),
        (("verify", "two_segments:0", "missing.json"), "missing.json: No such file"),
        (("verify", "two_segments:0", "-", "--verifier", "mine"), "default"),
    ],
)
def test_bad_input_exits_with_2_and_says_why(capsys, words, message):
    code, _, err = run(capsys, *words)
    assert code == BAD_INPUT
    assert message in err


@pytest.mark.parametrize("text", ["", "no", '{"segments": 3}', '{"segments": [[[0,0],[1,NaN]],[[0,0],[1,1]]]}'])
def test_an_answer_that_cannot_be_read_exits_with_2_also_in_json(capsys, monkeypatch, text):
    with_input(monkeypatch, text)
    code, out, err = run(capsys, "verify", "two_segments:0", "-", "--json")
    assert code == BAD_INPUT
    assert json.loads(out)["error"] == err.strip()
    assert "Traceback" not in err


@pytest.mark.parametrize("address", ["two_segments:0", "lego_hemisphere:0"])
def test_render_draws_a_picture(capsys, tmp_path, qapp, address):
    target = tmp_path / "picture.png"
    code, _, _ = run(capsys, "render", address, "-o", str(target), "--size", "320x240", "--theme", "dark")
    assert code == PASSED
    assert target.read_bytes().startswith(b"\x89PNG")


def test_render_makes_a_video_of_what_happens_to_an_answer(capsys, tmp_path, qapp):
    answer = tmp_path / "answer.json"
    answer.write_text(run(capsys, "solve", "cube_full_symbolic:0")[1], "utf-8")
    target = tmp_path / "moves.gif"
    words = ("--video", str(target), "--size", "160x90", "--rate", "10", "--speed", "4")
    code, out, _ = run(capsys, "render", "cube_full_symbolic:0", str(answer), *words)
    assert (code, target.read_bytes()[:6]) == (PASSED, b"GIF89a")
    assert "pictures" in out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--video", "out.gif"), "Nothing moves"),
        (("--video", "out.avi"), ".mp4, .webm, .gif"),
        (("--video", "out.gif", "--size", "161x90"), "161 × 90"),
        (("--video", "out.gif", "-o", "out.png"), "not both"),
        ((), "-o FILE.png"),
    ],
)
def test_a_video_that_cannot_be_made_is_refused_in_a_sentence(capsys, tmp_path, monkeypatch, qapp, words, why):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "render", "shikaku:0", *words)
    assert (code, list(tmp_path.iterdir())) == (BAD_INPUT, [])
    assert why in err


def test_a_picture_that_cannot_be_written_exits_with_2(capsys, qapp):
    code, _, err = run(capsys, "render", "two_segments:0", "-o", "/nowhere/at/all.png")
    assert code == BAD_INPUT
    assert err == "/nowhere/at/all.png: No such file or directory\n"


def test_wrong_words_exit_with_2_and_the_usage(capsys):
    with pytest.raises(SystemExit) as left:
        main(["dance"])
    assert left.value.code == BAD_INPUT


@pytest.mark.slow
def test_convert_writes_bricks_for_other_programs_and_reads_them_back(capsys, tmp_path):
    answer, model, again = (str(tmp_path / name) for name in ("a.json", "a.ldr", "b.json"))
    (tmp_path / "a.json").write_text('{"bricks": [{"Centroid": [0, 0, 4.8], "RotationDegrees": 90}]}')
    assert run(capsys, "convert", "lego_hemisphere:0", answer, "-o", model)[0] == PASSED
    assert "3001.dat" in (tmp_path / "a.ldr").read_text()
    assert run(capsys, "convert", "lego_hemisphere:0", model, "-o", again)[0] == PASSED
    assert json.loads((tmp_path / "b.json").read_text())["bricks"][0]["RotationDegrees"] in (90, 270)


@pytest.mark.slow
def test_convert_turns_a_machine_into_global_positions_and_back(capsys, tmp_path):
    tree, positions, again = (str(tmp_path / name) for name in ("a.tree.json", "a.positions.json", "b.tree.json"))
    root = {"type": 0, "id": 0, "parent": -1, "face_id": -1}
    (tmp_path / "a.tree.json").write_text(json.dumps([root, {"type": 63, "id": 1, "parent": 0, "face_id": 0}]))
    assert run(capsys, "convert", "machine_movement:0", tree, "-o", positions)[0] == PASSED
    assert json.loads((tmp_path / "a.positions.json").read_text())[1]["Position"] == [0, 0, 0.5]
    assert run(capsys, "convert", "machine_movement:0", positions, "-o", again)[0] == PASSED
    assert json.loads((tmp_path / "b.tree.json").read_text()) == json.loads((tmp_path / "a.tree.json").read_text())


@pytest.mark.slow
def test_convert_writes_files_of_the_game_and_of_robots_and_names_what_these_cannot_hold(capsys, tmp_path):
    tree, game, again, robot = (str(tmp_path / name) for name in ("a.tree.json", "a.bsg", "b.tree.json", "a.urdf"))
    rows = [{"type": 0, "id": 0, "parent": -1, "face_id": -1}, {"type": 44, "id": 1, "parent": 0, "face_id": 0}]
    (tmp_path / "a.tree.json").write_text(json.dumps(rows))
    assert run(capsys, "convert", "machine_movement:0", tree, "-o", game)[0] == PASSED
    assert run(capsys, "convert", "machine_movement:0", game, "-o", again)[0] == PASSED
    assert json.loads((tmp_path / "b.tree.json").read_text()) == rows
    code, out, _ = run(capsys, "convert", "machine_movement:0", tree, "-o", robot)
    assert code == PASSED
    assert "! URDF has no ball joints: block 1" in out


@pytest.mark.slow
def test_convert_names_the_blocks_of_a_game_s_file_that_cannot_be_carried(capsys, tmp_path):
    (tmp_path / "a.bsg").write_text('<Machine><Blocks><Block id="43"/><Block id="99"/></Blocks></Machine>')
    out = str(tmp_path / "b.json")
    code, _, err = run(capsys, "convert", "machine_movement:0", str(tmp_path / "a.bsg"), "-o", out)
    assert code == BAD_INPUT
    assert "block 0: type 43" in err
    assert "block 1: type 99" in err


def test_a_level_of_one_s_own_is_added_listed_and_solved(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *arguments, **more: tmp_path)
    file = tmp_path / "plain.level.json"
    assert run(capsys, "levels")[1].strip() == "No levels have been added."
    file.write_text(json.dumps(PLAIN))
    code, out, _ = run(capsys, "levels", str(file))
    assert code == PASSED
    address = out.strip()
    assert address.startswith("machine_movement:levels/plain-")
    assert run(capsys, "levels")[1].strip() == f"{address}  Plain"
    assert run(capsys, "show", str(file))[1] == run(capsys, "show", address)[1]
    file.write_text(json.dumps(PLAIN | {"window_s": 0}))
    code, _, err = run(capsys, "show", str(file))
    assert code == BAD_INPUT
    assert "“plain.level.json” is no level. window_s: Input should be greater than or equal to 1" in err


def test_convert_says_what_cannot_be_represented(capsys, tmp_path):
    (tmp_path / "a.ldr").write_text("1 4 0 0 0 1 0 0 0 1 0 0 0 1 3003.dat")
    code, _, err = run(capsys, "convert", "lego_hemisphere:0", str(tmp_path / "a.ldr"), "-o", str(tmp_path / "b.json"))
    assert code == BAD_INPUT
    assert "3003.dat" in err


def test_a_command_whose_output_nobody_reads_ends_quietly():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "spatial_workbench", "tasks"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (NOBODY_READS, b"")


@pytest.mark.slow
def test_a_verified_answer_can_be_kept_as_an_attempt_of_its_maker(capsys, tmp_path):
    answer = tmp_path / "answer.json"
    answer.write_text(GOOD)
    project = tmp_path / "kept.workbench"
    code, _, err = run(capsys, "verify", "two_segments:0", str(answer), "--store", str(project), "--model", "birch")
    assert (code, "Stored as attempt 1 of birch" in err) == (PASSED, True)
    with Project.open(project) as stored:
        attempt = stored.attempts.get(1)
    assert (attempt.answer, attempt.actor, attempt.actor_name, attempt.passed) == (GOOD, "model", "birch", True)
    assert [verdict.verifier for verdict in attempt.verdicts] == ["default", "published", "crosscheck"]


def test_an_answer_that_is_kept_is_judged_once_by_each_verifier(capsys, tmp_path, monkeypatch):
    asked, kind = [], type(task("two_segments"))
    for name in ("verify", "crosscheck"):
        judge = getattr(kind, name)
        monkeypatch.setattr(kind, name, lambda *a, judge=judge, name=name: asked.append((name, *a[3:4])) or judge(*a))
    answer = tmp_path / "answer.json"
    answer.write_text(GOOD)
    project = str(tmp_path / "kept.workbench")
    code, out, _ = run(
        capsys, "verify", "two_segments:0", str(answer), "--crosscheck", "--store", project, "--person", "Ada"
    )
    assert (code, "The methods agree." in out) == (PASSED, True)
    assert asked == [("verify", "default"), ("verify", "published"), ("crosscheck", silent)]


def test_an_answer_that_cannot_be_read_is_kept_too(capsys, tmp_path):
    answer = tmp_path / "answer.json"
    answer.write_text('{"segments": [[')
    project = tmp_path / "kept.workbench"
    code, _, _ = run(capsys, "verify", "two_segments:0", str(answer), "--store", str(project), "--person", "Ada")
    assert code == BAD_INPUT
    with Project.open(project) as stored:
        attempt = stored.attempts.get(1)
    assert (attempt.answer, attempt.actor, attempt.score) == ('{"segments": [[', "person", 0)


def test_an_answer_is_not_kept_without_the_name_of_its_maker(capsys, tmp_path):
    answer = tmp_path / "answer.json"
    answer.write_text(GOOD)
    project = tmp_path / "kept.workbench"
    code, _, err = run(capsys, "verify", "two_segments:0", str(answer), "--store", str(project))
    assert (code, project.exists()) == (BAD_INPUT, False)
    assert "says who made it" in err


def test_a_seed_or_parameters_have_an_address(capsys):
    assert run(capsys, "address", "shikaku", "--seed", "7", "--parameters", '{"width": 10}')[:2] == (
        PASSED,
        "shikaku@7?width=10\n",
    )
    _, out, _ = run(capsys, "address", "terrain_levelling", "--parameters", '{"n": 20}', "--json")
    assert json.loads(out) == {"address": "terrain_levelling:1"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("shikuku", "--seed", "1"), "did you mean “shikaku”?"),
        (("shikaku",), "neither a seed nor parameters"),
        (("shikaku", "--parameters", "width=10"), "JSON is expected"),
        (("shikaku", "--parameters", '{"width": 10}'), "give a seed, too"),
        (("shikaku", "--parameters", "[1]"), "an object with their names and values is expected"),
    ],
)
def test_what_describes_no_instance_has_no_address(capsys, arguments, words):
    code, _, err = run(capsys, "address", *arguments)
    assert code == BAD_INPUT
    assert words in err
