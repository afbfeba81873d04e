"""A person takes part in a real browser, from the link to the results in the project."""

import asyncio
import contextlib
import errno
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from unittest.mock import Mock

import pytest
from PIL import Image

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.serving.addresses import listening_at, serving_address
from spatial_workbench.app.serving.served_study import ServedStudy
from spatial_workbench.app.serving.server import StudyServer
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.results_file import ResultError
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.session_file import lines, read_session
from tests.app.serving.browser import CTRL, META, PROGRAM, browser
from tests.ports import free_port
from tests.studies.sittings import SECRET, study

try:
    PARTS = found_parts()
except PartsMissing as missing:
    PARTS = None
    REASON = str(missing)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]


class Served:
    """A study of two shikaku puzzles on a server of its own.

    url: the address that browsers open, with the port left open. pair: the files of a certificate and its key.
    recruiter: the file of a recruiter, if people come from one.
    """

    def __init__(self, folder, at_once=2, url="http://127.0.0.1:{port}", pair=(None, None), recruiter=None, **changes):
        self.path = folder / "humans.workbench"
        chosen = study(**{"setting": "browser", **changes})
        self.id = chosen.id
        with Project.create(self.path) as project:
            project.studies.add(chosen)
            bundle, _ = project.places.add_bundle(
                chosen.id, ["P001H", "P002Q"], passphrase=SECRET, setting=StudySetting.BROWSER
            )
        port = free_port()
        self.address = ("127.0.0.1", port)
        address = serving_address(f"127.0.0.1:{port}", url.format(port=port), (), *pair)
        self.study = ServedStudy(self.path, bundle, folder / "served", address, at_once, recruiter=recruiter)
        self.study.prepare()
        self.told = []

    @contextlib.asynccontextmanager
    async def running(self):
        self.server = StudyServer(self.study, PARTS, listening_at(*self.address), self.told.append)
        serving = asyncio.create_task(self.server.serve())
        while not self.server.is_started:
            await asyncio.sleep(0.05)
        try:
            yield self
        finally:
            self.server.stop()
            await serving

    def link_of(self, code):
        return self.server.gate.link_of(code)

    async def until_page(self, code, page):
        """Waits until the window of a code tells that it is at a page, and nothing covers it."""
        for _ in range(600):
            host = self.server.gate.seats.host_of(code)
            if host is not None and (host.page, host.cover) == (page, ""):
                await asyncio.sleep(0.3)
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"{code} is at {host and (host.page, host.cover)}, not at {page}")

    async def until_item(self, code, position, states=(TrialState.SHOWN,)):
        """Waits until the session of a code, as it is stored, is at an item, which is in one of some states."""
        path = self.study.session_of(code)
        for _ in range(600):
            trials = read_session(path).trials
            if len(trials) > position and trials[position].state in states:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"{code} does not come to item {position}")

    async def event(self, code, kind):
        """The last event of a kind in the log of a session, once it is stored; nothing is before consent."""
        for _ in range(100):
            with contextlib.closing(sqlite3.connect(self.study.session_of(code))) as connection:
                chunks = [content for (content,) in connection.execute("SELECT content FROM chunks ORDER BY number")]
                open_lines = [json.loads(line) for (line,) in connection.execute("SELECT line FROM events")]
            found = [event for event in (*lines(chunks), *open_lines) if event["kind"] == kind]
            if found:
                return found[-1]
            await asyncio.sleep(0.1)
        raise AssertionError(f"{code} has logged no {kind}")

    async def merged_sessions(self, count):
        """The sessions in the project, once there are so many."""
        for _ in range(100):
            with Project.open(self.path) as project:
                sessions = list(project.sessions.all(self.id))
            if len(sessions) >= count:
                break
            await asyncio.sleep(0.1)
        return sessions


async def pass_check(tab):
    """Types, undoes, drags and turns the wheel on the page of a link, and waits until the connection is measured."""
    await tab.value("document.getElementById('try').focus()")
    for letter in "abc":
        await tab.key(letter, text=letter)
    await tab.key("z", "KeyZ", modifiers=CTRL)
    await tab.value("document.getElementById('field').scrollIntoView({ block: 'center' })")
    await tab.drag(await tab.centre("#disc"), await tab.centre("#ring"))
    await tab.call("Input.dispatchMouseEvent", type="mouseWheel", **await tab.centre("#field"), deltaX=0, deltaY=100)
    await tab.until("!document.querySelector('#begin button').disabled")


async def begin(tab, served, code):
    """Opens the link of a code, passes the check, presses *Begin*, and waits for the picture."""
    await tab.open(served.link_of(code))
    await begin_here(tab)


async def begin_here(tab):
    """Passes the check of the page of a link, presses *Begin*, and waits for the picture."""
    if await tab.value("document.getElementById('keyboard') !== null"):
        await pass_check(tab)
    await tab.until("!document.querySelector('#begin button').disabled")
    await tab.value("document.querySelector('#begin button').click()")
    await tab.until("document.querySelector('#screen canvas') && document.getElementById('notice').hidden")


async def agree(tab, served, code):
    """Ticks the box of the consent, and continues to the first item, by keys alone."""
    await served.until_page(code, "consent")
    await tab.key("Tab")
    await tab.key(" ", "Space", " ")
    await tab.key("Enter", text="\r")
    await served.until_page(code, "instructions")
    await tab.key("Enter", text="\r")
    await served.until_item(code, 0)


async def uncover(tab, served, code):
    """Goes on as long as something covers the item: a busy machine may stall meanwhile."""
    host = served.server.gate.seats.host_of(code)
    while host.cover:
        await tab.key("Enter", text="\r")
        await asyncio.sleep(1)


async def click_until_page(tab, served, code, place, page):
    """Clicks at a place until the window is at a page: a busy machine may stall, and cover the item, before a click."""
    host = served.server.gate.seats.host_of(code)
    for _ in range(12):
        await uncover(tab, served, code)
        await tab.click(*place)
        for _ in range(50):
            if host.page == page:
                return await served.until_page(code, page)
            if host.cover:
                break
            await asyncio.sleep(0.1)
    await served.until_page(code, page)


async def hand_in(tab, served, code, position):
    """Hands in an item as it is, again where something covered it before the key arrived."""
    host = served.server.gate.seats.host_of(code)
    await served.until_item(code, position, (TrialState.SHOWN, TrialState.COVERED))
    for _ in range(12):
        await uncover(tab, served, code)
        await tab.key("F9")
        for _ in range(100):
            if read_session(served.study.session_of(code)).trials[position].state is TrialState.SUBMITTED:
                return
            if host.cover:
                break
            await asyncio.sleep(0.1)
    raise AssertionError(f"{code} cannot hand in item {position}")


async def finish(tab, served, code):
    """Hands in both items as they are."""
    for position in range(2):
        await hand_in(tab, served, code, position)


def test_one_person_takes_part_by_keys_from_the_link_to_the_results_in_the_project(tmp_path):
    async def take_part():
        served = Served(tmp_path)
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            picture = Image.open(io.BytesIO(await tab.picture()))
            assert len(picture.getcolors(1 << 24)) > 50
            await finish(tab, served, "P001H")
            await served.until_page("P001H", "end")
            return await served.merged_sessions(1)

    (session,) = asyncio.run(take_part())
    assert (session.code, session.state, session.file_faults) == ("P001H", SessionState.FINISHED, ())


def test_somebody_goes_on_in_another_browser_and_the_first_one_is_told(tmp_path):
    async def take_part():
        served = Served(tmp_path)
        async with served.running(), browser() as first, browser() as second:
            await begin(first, served, "P001H")
            await agree(first, served, "P001H")
            await begin(second, served, "P001H")
            await first.until("!document.getElementById('notice').hidden")
            assert "another tab or browser" in await first.value("document.body.innerText")
            await finish(second, served, "P001H")
            return await served.merged_sessions(1)

    (session,) = asyncio.run(take_part())
    assert session.state is SessionState.FINISHED


def test_after_the_server_was_started_again_people_go_on_where_they_were(tmp_path):
    async def take_part():
        served = Served(tmp_path)
        async with browser() as tab:
            async with served.running():
                await begin(tab, served, "P001H")
                await agree(tab, served, "P001H")
                await hand_in(tab, served, "P001H", 0)
                await served.until_item("P001H", 1)
            await tab.until("!document.getElementById('notice').hidden")
            async with served.running():
                await tab.call("Page.reload")
                await tab.until("document.querySelector('button:enabled')?.textContent === 'Go on'")
                await tab.value("document.querySelector('button').click()")
                await tab.until("document.querySelector('#screen canvas') && document.getElementById('notice').hidden")
                while not served.server.gate.seats.host_of("P001H").cover:
                    await asyncio.sleep(0.1)
                await hand_in(tab, served, "P001H", 1)
                await served.until_page("P001H", "end")
                return await served.merged_sessions(1)

    (session,) = asyncio.run(take_part())
    assert session.state is SessionState.FINISHED
    assert [trial.submissions != () for trial in session.trials] == [True, True]


def test_while_a_browser_does_not_answer_the_time_stands_still(tmp_path):
    async def take_part():
        served = Served(tmp_path)
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await asyncio.sleep(3)
            os.killpg(tab.process.pid, signal.SIGSTOP)
            await asyncio.sleep(8)
            os.killpg(tab.process.pid, signal.SIGCONT)
            host = served.server.gate.seats.host_of("P001H")
            while not host.cover:
                await asyncio.sleep(0.1)
            assert host.cover == "connection"
            await finish(tab, served, "P001H")
            await served.until_page("P001H", "end")
            return await served.merged_sessions(1)

    (session,) = asyncio.run(take_part())
    first, second = session.trials
    assert first.connection_ms >= 6_000
    assert first.gap_ms >= first.connection_ms
    assert first.round_trips.count >= 3
    assert second.connection_ms == 0


def test_a_picture_that_stands_still_in_a_living_page_is_covered_and_was_no_time(tmp_path):
    async def take_part():
        served = Served(tmp_path)
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await asyncio.sleep(3)
            await tab.value("window.nextFrame = requestAnimationFrame; window.requestAnimationFrame = () => 0; 1")
            host = served.server.gate.seats.host_of("P001H")
            while not host.cover:
                await asyncio.sleep(0.1)
            assert host.cover == "connection"
            await asyncio.sleep(3)
            await tab.value("window.requestAnimationFrame = window.nextFrame; 1")
            await tab.call("Page.reload")
            await tab.until("document.querySelector('#screen canvas') && document.getElementById('notice').hidden")
            await finish(tab, served, "P001H")
            await served.until_page("P001H", "end")
            return await served.merged_sessions(1)

    (session,) = asyncio.run(take_part())
    assert session.trials[0].connection_ms >= 6_000


def test_a_picture_in_which_nothing_moves_is_no_loss(tmp_path):
    async def take_part():
        served = Served(tmp_path, limits={"pauses": {"kind": "none"}})
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await asyncio.sleep(8)
            assert served.server.gate.seats.host_of("P001H").cover == ""
            await finish(tab, served, "P001H")
            await served.until_page("P001H", "end")
            return await served.merged_sessions(1)

    (session,) = asyncio.run(take_part())
    assert session.trials[0].connection_ms == 0


async def leaves_at_once(tab):
    """Whether the page lets itself be left without a question."""
    await tab.value("window.left = dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    return await tab.value("window.left")


def test_who_leaves_the_page_is_asked_first_until_the_session_is_over(tmp_path):
    async def take_part():
        served = Served(tmp_path)
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            assert not await leaves_at_once(tab)
            await agree(tab, served, "P001H")
            assert not await leaves_at_once(tab)
            await finish(tab, served, "P001H")
            await served.until_page("P001H", "end")
            await asyncio.sleep(0.5)
            assert await leaves_at_once(tab)

    asyncio.run(take_part())


def test_on_a_mac_command_is_control(tmp_path):
    async def take_part():
        served = Served(tmp_path)
        async with served.running(), browser() as tab:
            agent = await tab.value("navigator.userAgent")
            await tab.call("Emulation.setUserAgentOverride", userAgent=agent, platform="MacIntel")
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await tab.call("Input.dispatchKeyEvent", type="keyDown", key="Meta", code="MetaLeft", modifiers=META)
            await tab.call("Input.dispatchKeyEvent", type="keyDown", key="=", code="Equal", modifiers=META)
            await tab.call("Input.dispatchKeyEvent", type="keyUp", key="Meta", code="MetaLeft")
            assert (await served.event("P001H", "view"))["type_scale"] == 1.1
            await hand_in(tab, served, "P001H", 0)
            await served.until_item("P001H", 1)

    asyncio.run(take_part())


def test_nobody_begins_in_a_window_that_is_too_small(tmp_path):
    async def look():
        served = Served(tmp_path)
        async with served.running(), browser((1000, 600)) as tab:
            await tab.open(served.link_of("P001H"))
            assert not await tab.value("document.getElementById('window').classList.contains('done')")
            assert "1000 × 600 pixels. It has to have 1280 × 720" in await tab.value("document.body.innerText")
            await tab.resize(1400, 900)
            await tab.until("document.getElementById('window').classList.contains('done')")
            assert "1400 × 900 pixels: large enough" in await tab.value("document.body.innerText")

    asyncio.run(look())


def test_the_end_of_the_command_merges_the_last_results_and_says_nothing_of_signals(tmp_path):
    served = Served(tmp_path)
    listen = "{}:{}".format(*served.address)
    command = [sys.executable, "-m", "spatial_workbench", "study", "serve", str(served.path), served.id]
    with subprocess.Popen(
        [*command, "--listen", listen], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        said = [server.stdout.readline() for _ in range(3)]
        time.sleep(2)
        refused = subprocess.run([*command, "--listen", listen], capture_output=True, text=True, timeout=60)
        server.send_signal(signal.SIGINT)
        rest, _ = server.communicate(timeout=60)
    assert "/join/" in "".join(said)
    assert "Traceback" not in rest
    assert (server.returncode, refused.returncode) == (0, 2)
    assert "cannot be served: Address already in use." in refused.stderr


def test_a_server_without_the_project_collects_results_that_are_merged_elsewhere(tmp_path):
    served = Served(tmp_path)
    served.study = replace(served.study, project=None)

    async def take_part():
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await finish(tab, served, "P001H")
            await served.until_page("P001H", "end")
            while not any("Written into" in told for told in served.told):
                await asyncio.sleep(0.1)

    asyncio.run(take_part())
    (results,) = served.study.collected.iterdir()
    assert main(["study", "merge", str(served.path), str(results)]) == 0
    (session,) = asyncio.run(served.merged_sessions(1))
    assert (session.code, session.state, session.file_faults) == ("P001H", SessionState.FINISHED, ())


def test_a_file_that_cannot_be_read_holds_up_nobody_elses_results(tmp_path, monkeypatch):
    served = Served(tmp_path)
    bad, good, foreign = (served.study.folder_of("P001H") / f"{name}.results" for name in ("bad", "good", "foreign"))

    def merge(path):
        if path != good:
            raise PermissionError(errno.EACCES, "Permission denied") if path == bad else ResultError("of another place")

    async def merge_all():
        async with served.running():
            monkeypatch.setattr(served.server, "_merge", merge)
            monkeypatch.setattr(ServedStudy, "results_files", lambda _: [bad, foreign, good])
            for path in (bad, good, foreign):
                path.write_bytes(b"results")
            while len(served.told) < 3:
                await asyncio.sleep(0.1)

    asyncio.run(merge_all())
    assert sorted(served.told) == [
        "Merged into the project: good.results",
        "Not merged: of another place",
        "bad.results could not be merged yet. [Errno 13] Permission denied",
    ]


def test_while_the_disk_is_full_this_is_said_once_and_results_are_merged_later(tmp_path, monkeypatch):
    served = Served(tmp_path)

    async def merge():
        async with served.running():
            results = served.study.folder_of("P001H") / "P001H.results"
            fault = OSError(errno.ENOSPC, "No space left on device")
            monkeypatch.setattr(served.server, "_merge", Mock(side_effect=[fault, fault, None]))
            monkeypatch.setattr(ServedStudy, "results_files", lambda _: [results])
            results.write_bytes(b"results")
            while len(served.told) < 2:
                await asyncio.sleep(0.1)

    asyncio.run(merge())
    assert served.told == [
        "P001H.results could not be merged yet. [Errno 28] No space left on device",
        "Merged into the project: P001H.results",
    ]


def test_places_are_not_exchanged_while_there_are_sessions_of_others(tmp_path, capsys):
    served = Served(tmp_path)
    folder = tmp_path / f"humans-{served.id}.served"
    replace(served.study, folder=folder).prepare()
    session = folder / "people" / "P001H" / "P001H.session"
    session.touch()
    assert main(["study", "serve", str(served.path), served.id, "--codes", "P003-P004"]) == 2
    assert "holds sessions of other places" in capsys.readouterr().err
    assert session.exists()
