"""A trial drives simulated people against a real server, and leaves the project as it was."""

import hashlib
import json
import signal
import subprocess
import sys

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.serving.load import load_trial, taken_share
from spatial_workbench.app.serving.load.copied_study import copy_study
from spatial_workbench.app.serving.load.load_trial import memory_lacking
from spatial_workbench.app.serving.served_study import BUNDLE, PEOPLE
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.store import Project
from tests.studies.sittings import SECRET, study

try:
    found_parts()
except PartsMissing as missing:
    REASON = str(missing)
else:
    REASON = ""

pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or "serves")


def frozen_project(folder, **changes):
    chosen = study(**{"setting": "browser", "plan": {"slots": 1}, **changes})
    path = folder / "humans.workbench"
    with Project.create(path) as project:
        project.studies.add(chosen)
        project.studies.freeze(chosen.id, SECRET)
    return path


def command(path, *options):
    return ["study", "serve", str(path), "Two mazes", *options]


def contents(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--try-load", "0"], "--try-load must be from 1 to 500."),
        (["--try-load", "501"], "--try-load must be from 1 to 500."),
        (["--try-load", "1", "--seconds", "0"], "--seconds must be more than 0."),
    ],
)
def test_what_cannot_be_tried_is_refused(tmp_path, capsys, options, sentence):
    assert main(command(frozen_project(tmp_path), *options)) == 2
    assert capsys.readouterr().err.strip() == sentence


def test_before_the_machine_swaps_it_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(taken_share, "free_memory", lambda: 900_000_000)
    assert main(command(frozen_project(tmp_path), "--try-load", "2")) == 2
    assert "2 people may need 1.0 GB of memory, at 250 MB each; 0.9 GB are free." in capsys.readouterr().err


def test_memory_that_just_suffices_is_enough():
    assert memory_lacking(2, 1_000_000_000) == ""


def test_a_study_at_desks_is_refused(tmp_path, capsys):
    assert main(command(frozen_project(tmp_path, setting="desk"), "--try-load", "1")) == 2
    assert "at a desk" in capsys.readouterr().err


def test_a_draft_is_refused(tmp_path, capsys):
    path = tmp_path / "humans.workbench"
    with Project.create(path) as project:
        project.studies.add(study(setting="browser"))
    assert main(command(path, "--try-load", "1")) == 2
    assert "is a draft" in capsys.readouterr().err


def test_where_nobody_is_eligible_it_is_refused(tmp_path, capsys):
    age = {"key": "age", "type": "integer", "ask": "How old are you?", "range": [10, 90], "required": True}
    path = frozen_project(tmp_path, covariates=[age], eligibility=[{"covariate": "age", "op": ">=", "value": 99}])
    assert main(command(path, "--try-load", "1")) == 2
    assert "No answers were found" in capsys.readouterr().err


def test_a_server_that_does_not_start_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(load_trial, "python_command", lambda *_: ["false"])
    assert main(command(frozen_project(tmp_path), "--try-load", "1")) == 2
    assert "The server of the trial did not start." in capsys.readouterr().err


@pytest.mark.slow
def test_a_window_that_does_not_start_is_told(tmp_path, capsys, monkeypatch):
    def spoilt_copy(bundle, people, folder):
        copy_study(bundle, people, folder)
        (folder / PEOPLE / "P001H" / BUNDLE).write_bytes(b"spoilt")

    path = frozen_project(tmp_path)
    monkeypatch.setattr(load_trial, "copy_study", spoilt_copy)
    assert main(command(path, "--try-load", "1")) == 2
    assert "P001H cannot take part: its window did not start." in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_people_are_tried_and_nothing_of_the_project_changes(tmp_path, capsys):
    path = frozen_project(tmp_path)
    before = contents(tmp_path)
    assert main(command(path, "--try-load", "2", "--seconds", "8", "--json")) == 0
    said = capsys.readouterr()
    figures = json.loads(said.out)
    assert "All are in an item." in said.err
    assert (figures["people"], figures["handed_in"]) == (2, 2)
    assert figures["moves"] > figures["unanswered"]
    assert figures["person_bytes"] > 50_000_000
    assert figures["memory"]["Xvnc"] > 0
    assert figures["bytes_a_second"] > 0
    assert contents(tmp_path) == before


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_an_interrupt_ends_the_trial_and_prints_what_there_is(tmp_path):
    path = frozen_project(tmp_path)
    words = [sys.executable, "-m", "spatial_workbench", *command(path, "--try-load", "1", "--seconds", "600")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as trial:
        while "All are in an item" not in trial.stderr.readline():
            assert trial.poll() is None
        trial.send_signal(signal.SIGINT)
        table, _ = trial.communicate(timeout=120)
    assert trial.returncode == 0
    assert table.startswith("people")
    assert "1 person" in table
