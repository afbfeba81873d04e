"""Whatever a person finds in the window, there is nothing behind it."""

import os
import subprocess
import sys
import time

import pytest

from spatial_workbench.app.serving.confinement import FILE_BYTES, confined
from spatial_workbench.engine.sandbox.bubblewrap import ENVIRONMENT

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="studies are served from Linux")


@pytest.fixture
def inside(tmp_path):
    """Runs a line of the shell where the window of a person would be."""
    own = tmp_path / "own"
    sockets = tmp_path / "x"
    for folder in (own, sockets, tmp_path / "others"):
        folder.mkdir()
    (tmp_path / "others" / "answer").write_text("somebody's answer")
    (tmp_path / "humans.workbench").write_text("a project")

    def run(line):
        command = confined(["/bin/sh", "-c", line], {"STUDY": "yes"}, sockets, [own])
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout.strip(), done.stderr

    run.own = own
    run.root = tmp_path
    return run


def test_a_window_reaches_its_own_folder(inside):
    status, _, complaint = inside(f"echo done > {inside.own}/result")
    assert (status, complaint) == (0, "")
    assert (inside.own / "result").read_text() == "done\n"


@pytest.mark.parametrize("path", ["others/answer", "humans.workbench", "others", "new"])
def test_a_window_reaches_nothing_of_others(inside, path):
    status, said, _ = inside(f"cat {inside.root}/{path} || ls {inside.root}/{path}")
    assert status != 0
    assert said == ""


@pytest.mark.parametrize("path", ["/etc/passwd", "/root", "/home", "/etc/shadow", "/var/log", "/run", "/sys"])
def test_a_window_sees_nothing_of_the_machine(inside, path):
    assert inside(f"ls {path}")[0] != 0


def test_a_window_changes_nothing_of_the_system(inside):
    assert inside("touch /usr/bin/more-than-there-was")[0] != 0


def test_a_window_sees_no_process_but_its_own(inside):
    _, seen, _ = inside("ls -d /proc/[0-9]* | wc -l")
    assert int(seen) < 8


def test_a_window_has_no_network(inside):
    _, devices, _ = inside("tail -n +3 /proc/net/dev | cut -d: -f1")
    assert devices.split() in ([], ["lo"])


def test_a_window_sees_nothing_of_our_environment(inside, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    _, seen, _ = inside("env")
    assert "secret" not in seen
    assert "STUDY=yes" in seen


def test_a_window_sees_no_display_but_its_own(inside):
    assert inside("ls -A /tmp/.X11-unix") == (0, "", "")


def test_a_file_of_a_window_grows_no_larger_than_its_limit(inside):
    blocks = FILE_BYTES // (1 << 20) + 1
    status, _, _ = inside(f"dd if=/dev/zero of={inside.own}/huge bs=1M count={blocks} 2>/dev/null")
    assert status != 0
    assert os.path.getsize(inside.own / "huge") <= FILE_BYTES


def test_a_window_ends_with_the_server(inside):
    words = confined(["/bin/sleep", "60"], {}, inside.root / "x", [inside.own])
    starts = f"import subprocess; subprocess.Popen({words!r}, env={ENVIRONMENT!r})"
    code = f"{starts}; import os, time; time.sleep(1); os._exit(0)"
    marked = [word for word in words if word.startswith(str(inside.root))]
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)
    for _ in range(100):
        running = subprocess.run(["pgrep", "-f", marked[0]], capture_output=True, text=True).stdout.split()
        if not running:
            break
        time.sleep(0.1)
    assert running == []
