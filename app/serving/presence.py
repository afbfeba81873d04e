"""What the page in a browser says of itself: that it is there, and whether somebody looks at it.

The server asks once a second, and the page answers with the number of the picture that it drew last. A page that is
frozen does not answer, although its browser keeps the connection. What it says of visibility and focus can be forged,
and is recorded as what it is.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.websockets import WebSocket

from spatial_workbench.app.serving.window_news import MOST_FIELD_CHARS, WindowNews, is_count

ASK_S = 1.0
MOST_CHARS = 1000
MOST_TYPED_CHARS = 40_000
"""Of a message with what was typed; JSON may write a character as several."""
_ENGINE = re.compile(r"[A-Za-z]{1,20} \d{1,4}")
_MOST_PIXELS = 20_000


@dataclass(frozen=True)
class PageAnswer:
    """An answer of the page.

    Attributes:
        round_trip_ms: How long it took.
        is_looked_at: Whether the page is visible, and has the focus.
        connection: The name of the connection over which the page gets the picture; empty if there is none.
        drawn: The number of the piece of the picture that the page drew last.
    """

    round_trip_ms: int
    is_looked_at: bool
    connection: str
    drawn: int


class Presence:
    """Asks the page over a socket, and reads its answers.

    answered: called with each answer; says how old the picture is that the page shows, in milliseconds. described:
    called with what the page says of the browser: engine with its major version, size of the viewport, ratio of pixels;
    never the address or more of the user agent. typed: called with what was typed in a field of the page.
    """

    def __init__(
        self,
        socket: WebSocket,
        answered: Callable[[PageAnswer], int],
        described: Callable[[dict[str, Any]], object],
        typed: Callable[[dict[str, Any]], object],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._socket = socket
        self._answered = answered
        self._described = described
        self._typed = typed
        self._now = now
        self._asked: dict[int, float] = {}
        self._least_ms = math.inf
        """The shortest round trip."""
        self._late_ms = 0
        """How much older the picture was at the last answer than the line makes it."""

    async def ask(self) -> None:
        """Asks until it is cancelled."""
        number = 0
        while True:
            number += 1
            self._asked = {number: self._now()}
            await self._socket.send_json({"ask": number, "late_ms": self._late_ms})
            await asyncio.sleep(ASK_S)

    async def pass_on(self, news: WindowNews) -> None:
        """Tells the page what it has to know of the window, until it is cancelled."""
        async for told in news.follow():
            await self._socket.send_json({"news": told})

    async def listen(self) -> None:
        """Reads answers until the page is gone, or says something else.

        Raises:
            WebSocketDisconnect: The page is gone.
            ValueError: It said something else.
        """
        while True:
            text = await self._socket.receive_text()
            if len(text) > (MOST_TYPED_CHARS if text.startswith('{"typed":') else MOST_CHARS):
                raise ValueError("an answer that is too long")
            message = json.loads(text)
            if not isinstance(message, dict):
                raise ValueError("no answer")
            if "browser" in message:
                self._described(described_browser(message))
            elif "typed" in message:
                self._typed(typed_text(message["typed"]))
            else:
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        number, connection, drawn = message.get("answer"), message.get("connection"), message.get("drawn")
        if not (isinstance(number, int) and isinstance(connection, str) and isinstance(drawn, int) and is_count(drawn)):
            raise ValueError("no answer")
        asked = self._asked.pop(number, None)
        if asked is not None:
            is_looked_at = message.get("visible") is True and message.get("focus") is True
            round_trip_ms = round(1000 * (self._now() - asked))
            behind_ms = self._answered(PageAnswer(round_trip_ms, is_looked_at, connection, drawn))
            self._least_ms = min(round_trip_ms, self._least_ms)
            self._late_ms = max(0, round(behind_ms - self._least_ms))


def typed_text(typed: Any) -> dict[str, Any]:
    """What was typed, as the window takes it.

    Raises:
        ValueError: It is no such text.
    """
    if not isinstance(typed, dict) or typed.keys() != {"number", "heard", "text", "cursor"}:
        raise ValueError("no typed text")
    text, cursor = typed["text"], typed["cursor"]
    if not isinstance(text, str) or len(text) > MOST_FIELD_CHARS or not isinstance(cursor, list) or len(cursor) != 2:
        raise ValueError("no typed text")
    if not all(map(is_count, (typed["number"], typed["heard"], *cursor))):
        raise ValueError("no typed text")
    kept = "".join(character for character in text if character.isprintable() or character in "\n\t")
    return {**typed, "text": kept}


def described_browser(message: dict[str, Any]) -> dict[str, Any]:
    """What may be recorded of a browser's description; what is not as expected is left out."""
    description: dict[str, Any] = {}
    engine = message.get("browser")
    if isinstance(engine, str) and _ENGINE.fullmatch(engine):
        description["browser"] = engine
    viewport = message.get("viewport")
    if isinstance(viewport, list) and len(viewport) == 2 and all(map(_is_length, viewport)):
        description["viewport"] = viewport
    ratio = message.get("ratio")
    if isinstance(ratio, int | float) and not isinstance(ratio, bool) and 0 < ratio < 100:
        description["ratio"] = round(ratio, 3)
    return description


def _is_length(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST_PIXELS
