"""A workbench whose windows are made up."""

import asyncio

from starlette.testclient import TestClient

from spatial_workbench.app.serving.addresses import ServingAddress
from spatial_workbench.app.serving.visits import Visits
from spatial_workbench.app.serving.workbench.exchange_folder import ExchangeFolder
from spatial_workbench.app.serving.workbench.gate import WorkbenchGate
from spatial_workbench.app.serving.workbench.pages import WorkbenchPages
from spatial_workbench.app.serving.workbench.window_host import WorkbenchChoices

URL = "http://127.0.0.1:8420"
ORIGIN = {"Origin": URL}


class FakeScreen:
    rfb_socket = "/nowhere/rfb"
    scale = 1.0


class FakeHost:
    """A window that is made up."""

    def __init__(self):
        self.screen = FakeScreen()
        self.is_running = False
        self.complaint = ""
        self.closed = asyncio.Event()

    async def start(self):
        self.is_running = True

    async def stop(self):
        self.is_running = False
        self.closed.set()

    async def wait(self):
        await self.closed.wait()


class MadeUpWorkbench:
    """A gate whose windows are made up."""

    def __init__(self, folder, url=URL, host=FakeHost):
        (folder / "secret.txt").write_text("nobody's business")
        self.files = folder / "files"
        self.files.mkdir()
        (self.files / "notes.txt").write_text("mine")
        (folder / "core").mkdir()
        (folder / "core" / "rfb.js").write_text("export default 1")
        self.hosts = []
        self._host = host
        self.gate = WorkbenchGate(
            ServingAddress("127.0.0.1", 8420, url),
            folder,
            Visits(folder / "visits.json"),
            ExchangeFolder(self.files, 1_000_000),
            WorkbenchPages(WorkbenchChoices(folder / "work.workbench", "Ada", self.files)),
            self.make_host,
        )
        self.url = url

    def make_host(self, looks):
        made = self._host()
        made.looks = looks
        self.hosts.append(made)
        return made

    def browser(self):
        return TestClient(self.gate.application(), base_url=self.url, follow_redirects=False)

    @property
    def path(self):
        return self.gate.link.removeprefix(self.url)

    def come_in(self, browser):
        return browser.post(self.path, headers={"Origin": self.url})
