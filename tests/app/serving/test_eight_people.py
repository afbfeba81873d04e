"""Eight people take part in eight browsers at once, with everything that happens to people on the way."""

import asyncio
import contextlib
import json
import os
import signal
import sys

import pytest

from spatial_workbench.app.serving.served_study import BUNDLE
from spatial_workbench.app.serving.served_study import PEOPLE as PEOPLE_FOLDER
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.bundles import read_bundle
from spatial_workbench.engine.studies.files.serving_state import running_server, served_folder
from spatial_workbench.engine.studies.planning.codes import code_of
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.session_file import SUFFIX, SessionFileError, read_session, tombstone
from tests.app.serving.browser import CTRL, PROGRAM, browser
from tests.app.serving.test_taking_part import pass_check
from tests.ports import free_port
from tests.studies.sittings import SECRET, Person, study

try:
    found_parts()
except PartsMissing as missing:
    REASON = str(missing)
else:
    REASON = ""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(REASON) or PROGRAM is None, reason=REASON or "needs a browser"),
]

PEOPLE = [code_of(number) for number in range(1, 9)]
BY_KEYS = PEOPLE[:2]
LOSES_CONNECTION = PEOPLE[2]
CLOSES_THE_TAB = PEOPLE[3]
CHANGES_THE_BROWSER = PEOPLE[4]
TOO_SMALL = PEOPLE[5]
WITHDRAWS = PEOPLE[6]
SILENCE_S = 20
PICTURES = os.environ.get("PICTURES_OF_EIGHT_PEOPLE", "")
"""A folder for what people saw, to be looked at."""


class Collection:
    """A study of two shikaku puzzles for eight people, served by a process of its own that can be killed."""

    def __init__(self, folder):
        self.path = folder / "humans.workbench"
        self.study = study(setting="both", plan={"slots": 8})
        with Project.create(self.path) as project:
            project.studies.add(self.study)
            project.studies.freeze(self.study.id, SECRET)
        self.folder = served_folder(self.path, self.study.id)
        self._listen = f"127.0.0.1:{free_port()}"
        self._process = None

    async def start(self):
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "spatial_workbench", "study", "serve", str(self.path), self.study.id),
            *("--listen", self._listen, "--at-once", "8"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        while not (state := running_server(self.folder)) or state.pid != self._process.pid:
            assert self._process.returncode is None
            await asyncio.sleep(0.1)
        self.links = state.links

    async def kill(self):
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def stop(self):
        self._process.send_signal(signal.SIGINT)
        await asyncio.wait_for(self._process.wait(), 60)

    def seated(self, code):
        state = running_server(self.folder)
        return next((person for person in state.seated if person.code == code), None) if state else None

    def folder_of(self, code):
        return self.folder / PEOPLE_FOLDER / code

    def record(self, code):
        try:
            return read_session(self.folder_of(code) / f"{code}{SUFFIX}")
        except SessionFileError:
            return None

    async def until(self, code, is_there, what, seconds=180):
        for _ in range(10 * seconds):
            if is_there():
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"{code} does not come to {what}: {self.seated(code)}")

    async def until_page(self, code, page):
        def is_there():
            person = self.seated(code)
            return person is not None and (person.page, person.cover) == (page, "")

        await self.until(code, is_there, page)

    async def until_item(self, code, position):
        def is_there():
            record = self.record(code)
            trials = record.trials if record else ()
            return len(trials) > position and trials[position].state is TrialState.SHOWN

        await self.until(code, is_there, f"item {position}")


async def begin(tab, collection, code):
    """Opens the link, passes the check or says that only keys are used, and waits for the picture."""
    await tab.open(collection.links[code])
    if await tab.value("document.getElementById('keyboard') !== null"):
        if code in BY_KEYS:
            await by_keys(tab)
        else:
            await pass_check(tab)
    await tab.until("!document.querySelector('#begin button').disabled")
    await tab.value("document.querySelector('#begin button').click()")
    await tab.until("document.querySelector('#screen canvas') && document.getElementById('notice').hidden", 120)


async def by_keys(tab):
    """Passes the check without a pointer."""
    await tab.value("document.getElementById('keys-only').click()")
    await tab.value("document.getElementById('try').focus()")
    for letter in "abc":
        await tab.key(letter, text=letter)
    await tab.key("z", "KeyZ", modifiers=CTRL)
    await tab.until("!document.querySelector('#begin button').disabled")


async def agree(tab, collection, code):
    await collection.until_page(code, "consent")
    await tab.key("Tab")
    await tab.key(" ", "Space", " ")
    await tab.key("Enter", text="\r")
    await collection.until_page(code, "instructions")
    await tab.key("Enter", text="\r")
    await collection.until_item(code, 0)


async def hand_in(tab, collection, code, position):
    """Hands in an item as it is, once nothing covers it; what the server says is a second old."""
    await collection.until_item(code, position)
    for _ in range(90):
        person = collection.seated(code)
        if person is not None:
            await (tab.key("Enter", text="\r") if person.cover else tab.key("F9"))
        await asyncio.sleep(2)
        if collection.record(code).trials[position].state is TrialState.SUBMITTED:
            return
    raise AssertionError(f"{code} cannot hand in item {position}: {collection.seated(code)}")


async def take_part(code, collection, meeting):
    """What one of the eight does. All meet in their first item, in which the server is killed and started again."""
    async with contextlib.AsyncExitStack() as stack:
        tab = await stack.enter_async_context(browser((1000, 600) if code == TOO_SMALL else (1280, 800)))
        if code == TOO_SMALL:
            await leave_for_size(tab, collection, code)
            await meeting.wait()
            await meeting.wait()
            return
        await begin(tab, collection, code)
        await agree(tab, collection, code)
        await keep_picture(tab, code, "item")
        await meeting.wait()
        await meeting.wait()
        if code == CHANGES_THE_BROWSER:
            tab = await stack.enter_async_context(browser())
        if code == CLOSES_THE_TAB:
            await tab.open("about:blank")
        await begin(tab, collection, code)
        if code == LOSES_CONNECTION:
            await uncover(tab, collection, code)
            os.killpg(tab.process.pid, signal.SIGSTOP)
            await asyncio.sleep(SILENCE_S)
            os.killpg(tab.process.pid, signal.SIGCONT)
        if code == WITHDRAWS:
            await withdraw(tab, collection, code)
            return
        await hand_in(tab, collection, code, 0)
        await hand_in(tab, collection, code, 1)
        await collection.until_page(code, "end")
        await keep_picture(tab, code, "end")


async def leave_for_size(tab, collection, code):
    await tab.open(collection.links[code])
    assert await tab.value("document.querySelector('#begin button').disabled")
    await keep_picture(tab, code, "small")
    await tab.value("document.querySelector('#incompatible button').click()")
    await tab.until("document.getElementById('begin') === null")


async def withdraw(tab, collection, code):
    """Stops, and has everything deleted; what a busy machine does not take in time is tried again."""
    for _ in range(10):
        await uncover(tab, collection, code)
        await tab.click(951, 22)
        await asyncio.sleep(2)
        await keep_picture(tab, code, "stop")
        for _ in range(2):
            await tab.key("Tab")
        await tab.key("Enter", text="\r")
        with contextlib.suppress(AssertionError):
            await collection.until(code, lambda: tombstone(collection.folder_of(code), code), "the end", seconds=20)
            break
    await asyncio.sleep(1)
    await keep_picture(tab, code, "withdrawn")


async def uncover(tab, collection, code):
    """Waits until somebody sees the item, and nothing covers it; what the server says is a second old."""
    for _ in range(90):
        await asyncio.sleep(2)
        person = collection.seated(code)
        if person is None or not person.is_seen:
            continue
        if (person.page, person.cover) == ("item", ""):
            return
        await tab.key("Enter", text="\r")
    raise AssertionError(f"{code} does not see the item: {collection.seated(code)}")


async def keep_picture(tab, code, name):
    if PICTURES:
        with open(f"{PICTURES}/{code}-{name}.png", "wb") as file:
            file.write(await tab.picture())


async def everybody(collection):
    """Starts the server, kills it once all are in their first item, and starts it again."""
    await collection.start()
    meeting = asyncio.Barrier(len(PEOPLE) + 1)

    async def interrupt():
        await meeting.wait()
        await collection.kill()
        await collection.start()
        await meeting.wait()

    try:
        await asyncio.gather(interrupt(), *(take_part(code, collection, meeting) for code in PEOPLE))
        await collection.stop()
    finally:
        await collection.kill()


def rows(session):
    """What a session says of each trial, times and the way to the screen aside."""
    return [
        (t.position, t.block, t.item, t.phase, t.condition, t.state, [(s.number, s.answer) for s in t.submissions])
        for t in session.trials
    ]


def test_eight_people_in_eight_browsers_have_the_rows_of_the_same_people_at_a_desk(tmp_path):
    collection = Collection(tmp_path)
    asyncio.run(everybody(collection))
    finished = [code for code in PEOPLE if code not in (TOO_SMALL, WITHDRAWS)]
    with Project.open(collection.path) as project:
        merged = {session.code: session for session in project.sessions.all(collection.study.id)}
        assert project.studies.row(collection.study.id).state is StudyState.FROZEN
    assert sorted(code for code, session in merged.items() if session.state is SessionState.FINISHED) == finished
    assert all(merged[code].sealed and merged[code].setting is StudySetting.BROWSER for code in finished)
    assert collection.record(TOO_SMALL) is None
    assert json.loads((collection.folder / "incompatible.json").read_text())
    assert not list(collection.folder_of(WITHDRAWS).glob(f"*{SUFFIX}"))
    (tmp_path / "desk").mkdir()
    bundle = read_bundle(collection.folder / BUNDLE)
    for code in finished:
        assert rows(collection.record(code)) == rows(at_a_desk(tmp_path / "desk", bundle, code)), code
    lost = collection.record(LOSES_CONNECTION).trials[0]
    assert lost.connection_ms >= 1000 * (SILENCE_S - 5)


def at_a_desk(folder, bundle, code):
    """What is recorded of somebody who does the same at a desk."""
    person = Person(folder, code=code, its_bundle=bundle)
    for _ in range(2):
        person.work(5)
        person.sitting.work.submit()
        person.see()
    return person.record
