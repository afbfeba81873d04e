"""The page with the window, without a browser: it presses *Begin*, says that it is there, and shows pictures."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import secrets
import time
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from spatial_workbench.app.serving.load.browser_messages import (
    area_request,
    change_request,
    continuous_request,
    encodings,
    pixel_format,
    size_request,
)
from spatial_workbench.app.serving.load.exact_requests import ExactRequests
from spatial_workbench.app.serving.load.screen_stream import (
    ChangedArea,
    ContinuousOffer,
    PictureUpdate,
    ScreenAnswer,
    ScreenMessage,
    ScreenSize,
    ScreenStream,
)

VIEWPORT = (1280, 800)
"""The size of a simulated browser's window, in pixels."""
BEGIN_S = 180
"""*Begin* has to have opened a window after so long."""
_FORM_TOKEN = re.compile(r'name="form" value="([^"]+)"')


class PageFailed(RuntimeError):
    """A page did not get its window; says why."""


class SimulatedPage:
    """What a browser does with a link.

    link: the link of a person. updated: called with each picture in which something has changed, and the time
    (`time.perf_counter`); not with what was asked for again.
    """

    def __init__(self, link: str, updated: Callable[[PictureUpdate, float], object]) -> None:
        parts = urlsplit(link)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._host = parts.netloc
        self._path = parts.path
        self._updated = updated
        self._cookie = ""
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue()
        self._exact = ExactRequests(self._outgoing.put_nowait)
        self._name = secrets.token_hex(8)
        """Of the connection that brings the picture."""
        self._pieces = 0
        """That have come over it."""
        self._sends_by_itself = False
        self._size = (0, 0)
        self.bytes_received = 0
        """Of pictures."""

    async def begin(self) -> None:
        """Looks at the link, and presses *Begin*; returns once the window is there.

        Raises:
            PageFailed: The server does not open one.
        """
        try:
            self._cookie = await asyncio.to_thread(self._pressed_begin)
        except (OSError, http.client.HTTPException) as error:
            raise PageFailed(f"the server did not answer ({type(error).__name__})") from None

    def _pressed_begin(self) -> str:
        """The cookie that the server gives to the browser of somebody who takes part."""
        connection = http.client.HTTPConnection(self._host, timeout=BEGIN_S)
        connection.request("GET", self._path)
        found = _FORM_TOKEN.search(connection.getresponse().read().decode())
        if found is None:
            raise PageFailed("its link cannot be used")
        form = urlencode({"form": found[1]})
        headers = {"Origin": self._origin, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", self._path, form, headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        cookie = answer.getheader("Set-Cookie")
        if answer.status != HTTPStatus.SEE_OTHER or cookie is None:
            raise PageFailed("its window did not start")
        return cookie.partition(";")[0]

    async def show(self) -> None:
        """Shows the window until the server ends it."""
        try:
            await asyncio.gather(self._be_present(), self._show_pictures())
        finally:
            self._exact.stop()

    def post(self, message: bytes) -> None:
        """Sends keys or the pointer to the screen."""
        self._exact.wait()
        self._outgoing.put_nowait(message)

    def _socket(self, name: str) -> connect:
        address = f"ws://{self._host}/take-part/{name}"
        headers = {"Cookie": self._cookie}
        origin = Origin(self._origin)
        return connect(address, origin=origin, additional_headers=headers, compression=None, max_size=None)

    async def _be_present(self) -> None:
        async with self._socket("presence") as socket:
            described = {"browser": "other 0", "viewport": VIEWPORT, "ratio": 1}
            await socket.send(json.dumps(described))
            async for text in socket:
                if asked := json.loads(text).get("ask"):
                    shown = {"connection": self._name, "drawn": self._pieces}
                    await socket.send(json.dumps({"answer": asked, "visible": True, "focus": True, **shown}))

    async def _show_pictures(self) -> None:
        stream = ScreenStream()
        async with self._socket(f"picture?connection={self._name}") as socket:
            sending = asyncio.create_task(self._send_all(socket))
            try:
                async for data in socket:
                    assert isinstance(data, bytes)
                    self._pieces += 1
                    self.bytes_received += len(data)
                    self._exact.take()
                    for message in stream.feed(data):
                        self._take(message)
            finally:
                sending.cancel()

    async def _send_all(self, socket: ClientConnection) -> None:
        while True:
            await socket.send(await self._outgoing.get())

    def _take(self, message: ScreenMessage) -> None:
        """Does what noVNC does with a message of the screen."""
        if isinstance(message, ScreenAnswer):
            self._outgoing.put_nowait(message.content)
        elif isinstance(message, ContinuousOffer):
            self._sends_by_itself = True
            self._outgoing.put_nowait(continuous_request(*self._size))
        elif isinstance(message, ScreenSize):
            self._resize(message)
        else:
            self._exact.lose(message.lossy)
            if message.areas and not self._exact.has_asked_for(message):
                self._updated(message, time.perf_counter())
            if not self._sends_by_itself:
                self._outgoing.put_nowait(change_request(*self._size))

    def _resize(self, told: ScreenSize) -> None:
        """The screen has to be as large as the browser's window."""
        is_first = self._size == (0, 0)
        self._size = (told.width, told.height)
        if is_first:
            whole = ChangedArea(0, 0, *self._size)
            self._outgoing.put_nowait(pixel_format() + encodings() + area_request(whole))
        elif self._sends_by_itself:
            self._outgoing.put_nowait(continuous_request(*self._size))
        if told.screen is not None and self._size != VIEWPORT:
            self._outgoing.put_nowait(size_request(*VIEWPORT, told.screen))
