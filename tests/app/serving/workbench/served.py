"""A workbench that is served from this process."""

import asyncio
import contextlib
import io

from PIL import Image

from spatial_workbench.app.serving.addresses import listening_at, serving_address
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.app.serving.workbench.server import WorkbenchServer
from spatial_workbench.app.serving.workbench.window_host import WorkbenchChoices
from spatial_workbench.engine.store import Project
from tests.app.serving.browser import CTRL
from tests.ports import free_port

SHIFT = 8
"""A modifier of keys."""

try:
    PARTS = found_parts(confines=False)
except PartsMissing:
    PARTS = None


class ServedWorkbench:
    """An empty project, served to Ada."""

    def __init__(self, folder):
        self.project = folder / "work.workbench"
        Project.create(self.project).close()
        self.files = folder / "work-files"
        self.files.mkdir()
        self.told = []

    @contextlib.asynccontextmanager
    async def running(self, url="", certificate=None, key=None):
        port = free_port()
        address = serving_address(f"127.0.0.1:{port}", url.format(port=port), (), certificate, key)
        choices = WorkbenchChoices(self.project, "Ada", self.files)
        self.server = WorkbenchServer(choices, address, PARTS, listening_at("127.0.0.1", port), self.told.append)
        serving = asyncio.create_task(self.server.serve())
        while not self.server.is_started:
            await asyncio.sleep(0.05)
        try:
            yield self
        finally:
            self.server.stop()
            await serving

    @property
    def link(self):
        return self.server.gate.link

    @property
    def window(self):
        """The process of the window."""
        return self.server.gate._host._window

    def people(self):
        with Project.open(self.project) as project:
            return project.people()


async def come_in(tab, served):
    """Opens the link, presses the button, and waits until the window is seen."""
    await tab.open(served.link)
    await tab.value("document.querySelector('button').click()")
    await tab.until("document.getElementById('notice')?.hidden")
    await until_drawn(tab)


async def until_drawn(tab, seconds=60):
    """Waits until the picture is no longer of one colour."""
    for _ in range(int(seconds / 0.2)):
        if len(set(await pixels(tab))) > 20:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("nothing is drawn")


async def seen(tab, action, seconds=60):
    """Awaits an action and waits until the picture has changed by it and rests, but no longer than so many seconds."""
    before = await pixels(tab)
    await action
    for _ in range(int(seconds / 0.2)):
        await asyncio.sleep(0.2)
        now = await pixels(tab)
        if _differ(before, now):
            break
    await rests(tab)


async def rests(tab, seconds=20):
    """Waits until two pictures in a row are alike, but no longer than so many seconds."""
    last = await pixels(tab)
    for _ in range(int(seconds / 0.4)):
        await asyncio.sleep(0.4)
        now = await pixels(tab)
        if not _differ(last, now):
            return
        last = now


def _differ(one, other):
    """Whether pictures differ by more than a blinking cursor does."""
    return len(one) != len(other) or sum(a != b for a, b in zip(one, other, strict=True)) > 4


async def pixels(tab):
    """The colours of some pixels of the window, as they are seen."""
    picture = Image.open(io.BytesIO(await tab.picture())).convert("RGB")
    width, height = picture.size
    return [picture.getpixel((x, y)) for x in range(0, width, 7) for y in range(60, height, 7)]


async def control(tab, key, code, shift=False, **more):
    """Presses a key while Control is held, and Shift if that is wanted, as a person does."""
    held = [("Control", "ControlLeft"), *([("Shift", "ShiftLeft")] if shift else [])]
    modifiers = CTRL | SHIFT if shift else CTRL
    for name, place in held:
        await tab.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=place, modifiers=modifiers)
    await tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, modifiers=modifiers, **more)
    await tab.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, modifiers=modifiers)
    for name, place in reversed(held):
        await tab.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=place)


async def type_text(tab, text):
    """Types a text."""
    for letter in text:
        await tab.key(letter, text=letter)


async def until(condition, seconds=60):
    """Waits until something is true on this side."""
    for _ in range(int(seconds / 0.1)):
        if condition():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come true")
