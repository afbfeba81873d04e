"""A real headless browser, driven through its debugging protocol."""

import asyncio
import base64
import contextlib
import json
import os
import shutil
import signal
import tempfile
from itertools import count
from urllib.request import urlopen

from websockets.asyncio.client import connect

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
START_S = 30
CTRL = 2
META = 4
"""Modifiers of keys."""
MOST_BYTES = 100_000_000


class Tab:
    """A page of the browser.

    process: the browser, which can be stopped for a while.
    """

    def __init__(self, socket, process):
        self.process = process
        self._socket = socket
        self._numbers = count(1)

    async def call(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        number = next(self._numbers)
        await self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(await self._socket.recv())
            if message.get("method") == "Page.javascriptDialogOpening":
                # The page asks before it is left.
                agrees = {
                    "id": next(self._numbers),
                    "method": "Page.handleJavaScriptDialog",
                    "params": {"accept": True},
                }
                await self._socket.send(json.dumps(agrees))
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    async def open(self, url):
        """Goes to an address, and waits until the page is loaded."""
        await self.call("Page.navigate", url=url)
        await self.until("true")

    async def value(self, expression):
        """What an expression is on the page."""
        result = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return result["result"].get("value")

    async def until(self, expression, seconds=60):
        """Waits until the page is loaded, its scripts included, and an expression is true."""
        for _ in range(int(seconds / 0.1)):
            with contextlib.suppress(AssertionError):
                if await self.value(f"document.readyState === 'complete' && ({expression})"):
                    return
            await asyncio.sleep(0.1)
        raise AssertionError(
            f"{expression} did not come true; the page says: {await self.value('document.body.innerText')}"
        )

    async def click(self, x, y):
        """Presses and releases the left button."""
        await self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def centre(self, selector):
        """Where the centre of an element is, as parameters of the protocol."""
        box = await self.value(
            f"(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])"
            f"(document.querySelector('{selector}').getBoundingClientRect())"
        )
        return {"x": box[0], "y": box[1]}

    async def drag(self, start, end):
        """Moves the pointer with the left button held."""
        await self.call("Input.dispatchMouseEvent", type="mouseMoved", **start)
        await self.call("Input.dispatchMouseEvent", type="mousePressed", **start, button="left", clickCount=1)
        await self.call("Input.dispatchMouseEvent", type="mouseMoved", **end, button="left", buttons=1)
        await self.call("Input.dispatchMouseEvent", type="mouseReleased", **end, button="left", clickCount=1)

    async def key(self, key, code="", text="", modifiers=0):
        """Presses and releases a key, by the names that browsers give it."""
        named = {"key": key, "code": code or key, "modifiers": modifiers}
        await self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **named)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    async def resize(self, width, height, ratio=1):
        """Makes the window so large, in pixels of the page, and its frame, too.

        ratio: how many pixels of the screen a pixel of the page takes.
        """
        window = await self.call("Browser.getWindowForTarget")
        bounds = {"width": width, "height": height}
        await self.call("Browser.setWindowBounds", windowId=window["windowId"], bounds=bounds)
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False
        )

    async def picture(self):
        """What is seen, as a PNG."""
        return base64.b64decode((await self.call("Page.captureScreenshot", format="png"))["data"])


@contextlib.asynccontextmanager
async def browser(size=(1280, 800), ratio=1):
    """Starts a browser with one page, which shows nothing yet.

    size, ratio: as `Tab.resize` takes them.
    """
    folder = tempfile.mkdtemp(prefix="browser-")
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        *("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--hide-scrollbars"),
        f"--force-device-scale-factor={ratio}",
        *(f"--user-data-dir={folder}", f"--window-size={size[0]},{size[1]}", "about:blank"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        port = await asyncio.wait_for(_port(process.stderr), START_S)
        with urlopen(f"http://127.0.0.1:{port}/json") as answer:
            page = next(one for one in json.load(answer) if one["type"] == "page")
        async with connect(page["webSocketDebuggerUrl"], max_size=MOST_BYTES) as socket:
            tab = Tab(socket, process)
            await tab.call("Page.enable")
            await tab.call("Emulation.setFocusEmulationEnabled", enabled=True)
            await tab.resize(*size, ratio)
            yield tab
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        shutil.rmtree(folder, ignore_errors=True)


async def _port(stderr):
    """The port of the debugging protocol, which the browser prints."""
    while line := (await stderr.readline()).decode():
        if "DevTools listening on" in line:
            return int(line.split(":")[2].split("/")[0])
    raise AssertionError("the browser ended")
