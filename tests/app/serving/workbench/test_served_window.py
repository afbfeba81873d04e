"""The window of a served workbench: it can do what it can do at a desk, and it never outlives its server."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spatial_workbench.app.serving.workbench import window_host
from spatial_workbench.app.serving.x_screen import XScreen
from spatial_workbench.engine.core.interpreter import program_command, python_environment
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.records import BatchState
from spatial_workbench.root import ROOT
from tests.app.serving.browser import PROGRAM, browser
from tests.app.serving.workbench.served import PARTS, ServedWorkbench, come_in, control, rests, seen, type_text, until
from tests.ports import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]
LISTS_BATCHES = 5
"""So often Tab is pressed in the dialog of a new batch, from the search for tasks to the field for addresses."""


@pytest.fixture
def served(tmp_path):
    return ServedWorkbench(tmp_path)


def environment_of(process):
    """The environment of a process, as it was started."""
    parts = Path("/proc", str(process.pid), "environ").read_bytes().split(b"\0")
    return dict(part.decode().split("=", 1) for part in parts if part)


def batches_of(path):
    with Project.open(path) as project:
        return project.batches.all()


def test_an_evaluation_that_is_started_in_the_window_runs_and_is_stored(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await rests(tab)
            await seen(tab, control(tab, "E", "KeyE", shift=True))
            for _ in range(LISTS_BATCHES):
                await tab.key("Tab")
            await seen(tab, type_text(tab, "two_segments:0"))
            await tab.key("Enter")
            await until(lambda: [batch.state for batch in batches_of(served.project)] == [BatchState.FINISHED], 120)
        with Project.open(served.project) as project:
            assert list(project.batches.scores(1).values()) == [1.0]

    asyncio.run(go())


PROGRAMS = """
import json
answer = json.load(open("parts.json"))
for part in answer["parts"]:
    part["fileContents"] = f"import numpy\\nprint({part['fileContents']!r})"
    part["fileType"] = "Python Generating STL"
json.dump(answer, open("programs.json", "w"))
"""


def test_programs_of_models_run_in_the_sandbox_where_the_window_runs(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            surroundings = environment_of(served.window)
            folder = os.readlink(f"/proc/{served.window.pid}/cwd")
            assert folder == str(served.files)
            await asyncio.to_thread(verify_programs, folder, surroundings)

    asyncio.run(go())


def verify_programs(folder, surroundings):
    def run(*words):
        return subprocess.run(
            program_command(*words), cwd=folder, env=surroundings, capture_output=True, text=True, timeout=200
        )

    Path(folder, "parts.json").write_text(run("solve", "interlocking_parts:0", "--json").stdout)
    subprocess.run([sys.executable, "-c", PROGRAMS], cwd=folder, check=True)
    verdict = json.loads(run("verify", "interlocking_parts:0", "programs.json", "--json").stdout)
    assert verdict["passed"], verdict


class Command:
    """`spatial-workbench serve` as a process of its own."""

    def __init__(self, project):
        self.port = free_port()
        self.process = subprocess.Popen(
            program_command("serve", str(project), "--person", "Ada", "--new", "--listen", f"127.0.0.1:{self.port}"),
            env=python_environment(),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.link = self.process.stdout.readline().strip()

    def children(self):
        """Xvnc and the window."""
        path = Path("/proc", str(self.process.pid), "task", str(self.process.pid), "children")
        return [int(pid) for pid in path.read_text().split()]

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_window_and_its_screen_end_with_the_server_whatever_ends_it(tmp_path, number):
    project = tmp_path / "work.workbench"
    Project.create(project).close()
    command = Command(project)

    async def come():
        async with browser() as tab:
            await tab.open(command.link)
            await tab.value("document.querySelector('button').click()")
            await tab.until("document.getElementById('notice')?.hidden")

    try:
        asyncio.run(come())
        children = command.children()
        assert len(children) == 2
        command.process.send_signal(number)
        command.process.wait(60)
        deadline = time.monotonic() + 60
        while any(map(is_alive, children)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert [pid for pid in children if is_alive(pid)] == []
    finally:
        command.end()


def test_screens_that_start_at_once_have_displays_of_their_own(tmp_path):
    async def started(number):
        folder = tmp_path / str(number)
        folder.mkdir()
        screen = XScreen(PARTS.xvnc, folder, is_trusted=True)
        await screen.start()
        return screen

    async def displays():
        screens = await asyncio.gather(*map(started, range(3)))
        found = {screen.environment()["DISPLAY"] for screen in screens}
        await asyncio.gather(*(screen.stop() for screen in screens))
        return found

    assert len(asyncio.run(displays())) == 3


def is_alive(pid):
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_command_prints_one_link_with_a_token_and_nothing_else(tmp_path):
    project = tmp_path / "work.workbench"
    Project.create(project).close()
    command = Command(project)
    try:
        assert re.fullmatch(rf"http://127\.0\.0\.1:{command.port}/open/[\w-]{{22,}}", command.link)
        command.process.send_signal(signal.SIGINT)
        assert command.process.stdout.read() == ""
        assert command.process.wait(60) == 0
    finally:
        command.end()
    assert (tmp_path / "work-files").is_dir()
    shutil.rmtree(tmp_path / "work-files")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("echo No module named numpy >&2; exit 1", "No module named numpy"), ("exit 0", "The window was closed at once.")],
)
def test_a_window_that_does_not_start_says_why_and_leaves_no_screen(served, monkeypatch, tmp_path, line, sentence):
    monkeypatch.setattr(window_host, "program_command", lambda *words: ["/bin/sh", "-c", line])
    choices = window_host.WorkbenchChoices(served.project, "Ada", served.files)
    host = window_host.WindowHost(PARTS.xvnc, tmp_path, choices)

    async def go():
        with pytest.raises(window_host.WindowFailed, match=sentence):
            await host.start()

    asyncio.run(go())
    assert not host.screen.is_running


def test_the_window_has_the_persons_environment_but_nothing_of_another_desktop(served, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    monkeypatch.setenv("QT_QPA_PLATFORM", "wayland")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "GNOME")
    choices = window_host.WorkbenchChoices(served.project, "Ada", served.files)
    seen = window_host.WindowHost(PARTS.xvnc, tmp_path, choices)._environment()
    assert seen["OPENAI_API_KEY"] == "mine"
    assert (seen["QT_QPA_PLATFORM"], seen["QT_QPA_PLATFORMTHEME"]) == ("xcb", "generic")
    assert {"WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP"} & seen.keys() == set()
