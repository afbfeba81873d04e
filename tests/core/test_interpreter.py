"""How this program is started anew: from source, from a bundle, from an AppImage."""

import subprocess
import sys

import pytest

from spatial_workbench.engine.core.interpreter import program_command


@pytest.fixture
def bundled(monkeypatch):
    monkeypatch.delenv("APPIMAGE", raising=False)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/spatial-workbench/spatial-workbench")


@pytest.mark.slow
def test_the_command_of_this_program_starts_it_from_any_folder(tmp_path):
    done = subprocess.run([*program_command("tasks"), "--json"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, b"shikaku" in done.stdout) == (0, True), done.stderr


def test_a_bundle_starts_itself(bundled):
    assert program_command("tasks") == ["/opt/spatial-workbench/spatial-workbench", "tasks"]


def test_an_appimage_starts_the_file_and_not_what_is_mounted_now(bundled, monkeypatch):
    monkeypatch.setenv("APPIMAGE", "/home/me/Workbench.AppImage")
    assert program_command("tasks") == ["/home/me/Workbench.AppImage", "tasks"]
