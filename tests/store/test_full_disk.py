"""Where the disk is full, it is said so: a project is not called damaged, and nothing empty is left behind."""

import os
import shutil
import sqlite3
import subprocess

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.store import Actor, Project, ProjectError


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 2 MB; only an administrator of Linux can make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=2000k", "tmpfs", str(folder)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be made here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(folder):
    with open(os.open(folder / "filling", os.O_CREAT | os.O_WRONLY), "wb", buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue


def test_a_project_on_a_full_disk_is_not_called_damaged(small_disk, capsys):
    Project.create(small_disk / "p.workbench").close()
    fill(small_disk)
    assert main(["runs", str(small_disk / "p.workbench")]) == 2
    assert "is full" in capsys.readouterr().err
    (small_disk / "filling").unlink()
    assert main(["runs", str(small_disk / "p.workbench")]) == 0


def test_a_project_that_cannot_be_made_leaves_nothing(small_disk):
    fill(small_disk)
    with pytest.raises(ProjectError, match="is full"):
        Project.create(small_disk / "p.workbench")
    assert os.listdir(small_disk) == ["filling"]


def test_a_picture_that_does_not_fit_leaves_nothing(small_disk, capsys):
    fill(small_disk)
    assert main(["render", "two_segments:0", "-o", str(small_disk / "picture.png")]) == 2
    assert "The disk is full" in capsys.readouterr().err
    assert os.listdir(small_disk) == ["filling"]


def test_a_disk_that_fills_up_is_named(tmp_path):
    task, instance = resolve("two_segments:0")
    project = Project.create(tmp_path / "p.workbench")
    project.database.sqlite.execute("PRAGMA max_page_count = 1")
    with pytest.raises(ProjectError, match=r"full"), project:
        project.attempts.add(instance, "x" * 100_000, Actor.MODEL, "m", 1.0, task.verify_all(instance, "x"))
    with pytest.raises(sqlite3.ProgrammingError):
        project.database.sqlite.execute("SELECT 1")
