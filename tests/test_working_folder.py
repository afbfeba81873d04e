"""What lies in the working folder is data: no process of this program ever imports it."""

import subprocess
import sys
from pathlib import Path

import pytest

from spatial_workbench.engine.core.interpreter import python_command, python_environment, search_path

TRAPS = (
    "engine",
    "app",
    "widgets",
    "json",
    "pickle",
    "struct",
    "numpy",
    "pydantic",
    "multiprocessing",
    "sitecustomize",
)
PROGRAM = str(Path(sys.executable).with_name("spatial-workbench"))


@pytest.fixture
def trapped(tmp_path):
    """A folder whose modules leave a mark when they are imported."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in TRAPS:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'a').write({name!r})")
    return folder


def run(folder, *words):
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert not (folder.parent / "mark").exists()
    return done


@pytest.mark.slow
def test_a_batch_runs_in_a_folder_with_an_engine_of_its_own(trapped):
    done = run(trapped, "evaluate", "a.workbench", "--model", "reference", "--tasks", "shikaku:0", "--workers", "1")
    assert (done.returncode, "mean score 1.000" in done.stdout) == (0, True), done.stderr


@pytest.mark.slow
def test_a_file_is_read_in_a_folder_with_an_engine_of_its_own(trapped):
    (trapped / "a.3mf").write_text("junk")
    assert "not a zip archive" in run(trapped, "convert", "pack_prisms:0", "a.3mf", "-o", "a.json").stderr


@pytest.mark.slow
def test_physics_runs_in_a_folder_with_an_engine_of_its_own(trapped):
    code = "from spatial_workbench.engine.physics.client import physics; print(physics().version())"
    command = python_command("-c", code)
    done = subprocess.run(command, cwd=trapped, env=python_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, bool(done.stdout.strip())) == (0, True), done.stderr
    assert not (trapped.parent / "mark").exists()


def test_the_working_folder_is_not_on_the_path_of_children(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    assert str(tmp_path) not in search_path()
