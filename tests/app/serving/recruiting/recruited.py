"""A gate for people from a recruiter, with real places and sessions, and windows that are made up."""

import asyncio
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from html import unescape

from starlette.testclient import TestClient

from spatial_workbench.app.serving.addresses import serving_address
from spatial_workbench.app.serving.gate import StudyGate
from spatial_workbench.app.serving.pages.gate_pages import GatePages
from spatial_workbench.app.serving.pages.incompatible import RefusalCounts
from spatial_workbench.app.serving.recruiting.companion import join_companion
from spatial_workbench.app.serving.seats import Seats
from spatial_workbench.app.serving.served_study import ServedStudy
from spatial_workbench.app.serving.visits import Visits
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.sessions.entry import enter
from tests.app.serving.recruiting.recruiter import query, recruiters_file
from tests.app.serving.test_seats import FakeHost
from tests.studies.sittings import SECRET, study

URL = "http://127.0.0.1:8420"
HANDS = ThreadPoolExecutor(1)
"""Files are locked and released by one thread, whichever threads the pages are read in."""


class Window(FakeHost):
    """The window of a code, which works on the session in its folder."""

    def __init__(self, served, code):
        super().__init__(code)
        self.served = served

    async def start(self):
        await super().start()
        folder = self.served.folder_of(self.code)
        self.sitting = await asyncio.wrap_future(HANDS.submit(enter, self.served.bundle, self.code, folder))

    async def stop(self):
        await super().stop()
        await asyncio.wrap_future(HANDS.submit(self.sitting.close))

    @property
    def page(self):
        return str(self.sitting.state.page)

    @property
    def is_over(self):
        return self.sitting.state.page.is_last

    @is_over.setter
    def is_over(self, _):
        pass

    def consent(self):
        assert self.sitting.entering.consent({"part": True})

    def end(self):
        """The person stops, and lets the data be kept."""
        self.sitting.leaving.stop(keeps=True)

    def withdraw(self):
        self.sitting.leaving.stop(keeps=False)


class Recruited:
    """A study of two places and two reserves whose people come from a recruiter."""

    def __init__(self, folder, file=None, drains=False, reserves=2, **changes):
        self.folder = folder
        self.path = folder / "humans.workbench"
        self.told = []
        chosen = study(plan={"slots": 2, "reserve": reserves}, **changes)
        self.id = chosen.id
        if not self.path.exists():
            with Project.create(self.path) as project:
                project.studies.add(chosen)
                codes = ["P001H", "P002Q", "P003X", "P004F"][: 2 + reserves]
                self.bundle, _ = project.places.add_bundle(chosen.id, codes, passphrase=SECRET)
        self.served = ServedStudy(
            self.path,
            self.bundle,
            folder / f"humans-{self.id}.served",
            serving_address("127.0.0.1:8420"),
            4,
            drains,
            file or recruiters_file(folder),
        )
        self.served.prepare()
        self.start()

    def start(self):
        """Starts the server (again)."""
        self.gate = StudyGate(
            URL,
            self.served.links(),
            GatePages("Two mazes"),
            self.folder,
            Seats(lambda code: Window(self.served, code), 4),
            Visits(self.served.folder / "visits.json"),
            RefusalCounts(self.served.folder / "incompatible.json"),
            self.served.is_over,
            self.served.has_begun,
            self.served.drains,
        )
        self.companion = join_companion(self.gate, self.served, self.told.append)
        self.application = self.gate.application()

    def browser(self):
        return TestClient(self.application, base_url=URL, follow_redirects=False)

    def window(self, code="P001H"):
        return self.gate.seats.host_of(code)

    def people(self):
        """Who has which place: pairs of an id and a code."""
        with sqlite3.connect(self.served.folder / "recruited.sqlite") as connection:
            return connection.execute("SELECT id, code FROM people ORDER BY id").fetchall()

    def age(self, seconds):
        """Lets time pass for everybody."""
        with sqlite3.connect(self.served.folder / "recruited.sqlite") as connection:
            connection.execute("UPDATE people SET seen_at = seen_at - ?1, ended_at = ended_at - ?1", (seconds,))

    def sweep(self):
        asyncio.run(self.companion.sweep())


def field(page, name):
    """A hidden field on a page."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert found, page.text
    return unescape(found[1])


def post(browser, path, **fields):
    return browser.post(path, data=fields, headers={"Origin": URL})


def read_notice(browser, link=None):
    """Opens the link of the recruiter, and goes on after the first page; returns the page with *Begin*."""
    notice = browser.get(f"/study?{link or query()}")
    return post(browser, "/study/begin", arrival=field(notice, "arrival"))


def begin(browser, link=None):
    """From the recruiter's link to the window."""
    return post(browser, "/study/begin", form=field(read_notice(browser, link), "form"))
