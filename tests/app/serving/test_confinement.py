"""Whatever a person finds in the window, there is nothing behind it."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from spatial_workbench.app.serving import consumption
from spatial_workbench.app.serving.confinement import FILE_BYTES, PROCESSES, SCRATCH_BYTES, confined
from spatial_workbench.app.serving.consumption import excess_of, present_processes
from spatial_workbench.app.serving.plain_files import is_plain
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


@pytest.mark.parametrize("path", ["/tmp/x", "/dev/shm/x"])
def test_scratch_files_in_memory_are_limited(inside, path):
    blocks = SCRATCH_BYTES // (1 << 20) + 1
    status, _, complaint = inside(f"dd if=/dev/zero of={path} bs=1M count={blocks}")
    assert status != 0
    assert "No space left" in complaint


@pytest.mark.parametrize("path", ["/x", "/dev/x", "/etc/x", "/proc/x"])
def test_files_are_written_nowhere_else(inside, path):
    assert inside(f"touch {path}")[0] != 0


def test_a_window_leaves_the_gate_the_first_turn(inside):
    assert inside("nice")[1] == "5"


NOBODY = 65534


def runs_as_nobody():
    """Whether an ordinary user can make namespaces here."""
    words = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return subprocess.run(words, user=NOBODY, group=NOBODY, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(os.geteuid() == 0 and not runs_as_nobody(), reason="an ordinary user cannot make namespaces here")
def test_an_ordinary_user_starts_no_more_processes_than_the_limit():
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o777)
        for name in ("own", "x"):
            os.mkdir(f"{folder}/{name}")
            os.chmod(f"{folder}/{name}", 0o777)
        line = f"for n in $(seq {2 * PROCESSES}); do sleep 5 & done; echo all"
        words = confined(["/bin/sh", "-c", line], {}, Path(folder, "x"), [Path(folder, "own")])
        identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, **identity)
    assert "Cannot fork" in done.stderr
    assert "all" not in done.stdout


@pytest.fixture
def running(inside):
    """Runs a line of the shell where the window of a person would be, and measures what it takes."""
    started = []

    def run(line):
        words = confined(["/bin/sh", "-c", line], {}, inside.root / "x", [inside.own])
        started.append(subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for _ in range(1200):
            if excess := excess_of(present_processes(), [started[-1].pid], [inside.own]):
                return excess
            time.sleep(0.05)
        return ""

    yield run
    for process in started:
        process.kill()
        process.wait()


def test_a_session_with_too_many_processes_is_noticed(running, monkeypatch):
    monkeypatch.setattr(consumption, "PROCESSES", 20)
    assert running("for n in $(seq 40); do sleep 30 & done; wait") == "more than 20 processes"


def test_the_memory_of_all_processes_counts_together(running, monkeypatch):
    monkeypatch.setattr(consumption, "MEMORY_BYTES", 100 << 20)
    hold = r"x=$(head -c 30000000 /dev/zero | tr '\0' x); sleep 30; :"
    assert running(f"for n in 1 2 3 4; do ({hold}) & done; wait") == "more than 100 MB of memory"


def test_too_much_of_the_disk_is_noticed(running, inside, monkeypatch):
    monkeypatch.setattr(consumption, "DISK_BYTES", 10 << 20)
    monkeypatch.setattr(consumption, "FILES", 20)
    many = f"for n in $(seq 30); do echo > {inside.own}/$n; done; sleep 30"
    told = "more than 10 MB or 20 files of the disk"
    assert running(f"mkdir {inside.own}/in; dd if=/dev/zero of={inside.own}/in/x bs=1M count=11; sleep 30") == told
    (inside.own / "in" / "x").unlink()
    assert running(many) == told


def test_what_leads_elsewhere_or_waits_for_a_reader_is_no_file_of_a_session(tmp_path):
    (tmp_path / "results").write_text("{}")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "results")
    found = [is_plain(tmp_path / name) for name in ("results", "pipe", "link", "none")]
    assert found == [True, False, False, False]
