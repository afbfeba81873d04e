"""Where commands write: “-o -” is standard output everywhere, and no device is ever replaced."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.store import Actor, Project

ADDRESS = "shikaku:0"


@pytest.fixture
def answer(tmp_path):
    task, instance = resolve(ADDRESS)
    path = tmp_path / "answer.json"
    path.write_text(task.format(task.solve(instance)))
    return str(path)


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "p.workbench"
    with Project.create(path) as opened:
        opened.attempts.add(resolve(ADDRESS)[1], "{}", Actor.MODEL, "oak", verdicts=())
    return str(path)


def words_of(name, project, answer):
    return {
        "convert": ["convert", ADDRESS, answer, "-o"],
        "render": ["render", ADDRESS, answer, "-o"],
        "export": ["export", project, "--format", "csv", "-o"],
        "metadata": ["metadata", project, "-o"],
        "report": ["report", project, "-o"],
    }[name]


BEGINS = {"convert": b"{", "render": b"\x89PNG", "export": b"attempt,", "metadata": b"{", "report": b"<!"}


@pytest.mark.parametrize("name", BEGINS)
def test_a_file_for_the_output_goes_there_alone(name, project, answer, capfdbinary):
    assert main([*words_of(name, project, answer), "-"]) == 0
    sys.stdout.flush()
    written = capfdbinary.readouterr()
    assert written.out.startswith(BEGINS[name])
    assert written.err or name in ("render", "convert", "metadata", "report", "export")
    assert not Path("-").exists()


def test_what_went_to_the_output_is_the_file(project, tmp_path, capfdbinary):
    main(["export", project, "--format", "csv", "-o", str(tmp_path / "a.csv")])
    sys.stdout.flush()
    capfdbinary.readouterr()
    main(["export", project, "--format", "csv", "-o", "-"])
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == (tmp_path / "a.csv").read_bytes()


@pytest.mark.parametrize("words", [["dataset", "--tasks", "shikaku", "-o"], ["example", "-o"]])
def test_a_folder_cannot_go_to_the_output(words, capsys):
    assert main([*words, "-"]) == 2
    assert "cannot go to standard output" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
@pytest.mark.parametrize("name", ["convert", "metadata", "export"])
def test_a_device_is_written_to_and_not_replaced(name, project, answer, tmp_path):
    link = tmp_path / "stdout"
    link.symlink_to("/dev/stdout")
    command = [sys.executable, "-m", "spatial_workbench", *words_of(name, project, answer), str(link)]
    done = subprocess.run(command, capture_output=True, check=True)
    assert BEGINS[name] in done.stdout
    assert os.readlink(link) == "/dev/stdout"


def test_the_result_of_a_command_is_json_beside_its_file(project, tmp_path, capsys):
    assert main(["metadata", project, "-o", str(tmp_path / "m.json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == str(tmp_path / "m.json")
