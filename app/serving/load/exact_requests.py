"""Asks again for what JPEG has drawn, without loss, once nothing moves, as exact.js does on the page."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from spatial_workbench.app.serving.load.browser_messages import area_request, encodings
from spatial_workbench.app.serving.load.screen_stream import ChangedArea, PictureUpdate

REST_S = 0.25
COME_S = 0.06
"""After so long without a further piece, what was asked for is taken to have come."""
MOST_PIXELS = 1 << 17
"""So much is asked for at a time."""


class ExactRequests:
    """What a page asks for again.

    send: sends a message to the screen.
    """

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send
        self._lost: ChangedArea | None = None
        self._waiting: deque[ChangedArea] = deque()
        self._asked: ChangedArea | None = None
        self._is_asking = False
        self._timer: asyncio.TimerHandle | None = None

    def lose(self, areas: Iterable[ChangedArea]) -> None:
        """JPEG was drawn in these areas."""
        for area in areas:
            self._lost = area if self._lost is None else self._lost.joined(area)
            self.wait()

    def wait(self) -> None:
        """Somebody does something: what moves comes first."""
        if self._lost is not None:
            self.stop()
            self._set_timer(REST_S, self._begin)

    def take(self) -> None:
        """A piece of the picture has come."""
        if self._is_asking:
            self._set_timer(COME_S, self._ask)

    def has_asked_for(self, update: PictureUpdate) -> bool:
        """Whether a picture is what was asked for again, so that it does not tell that something has changed."""
        if self._asked is None or sum(area.pixels for area in update.areas) < self._asked.pixels:
            return False
        self._asked = None
        return True

    def stop(self) -> None:
        """Asks for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._is_asking:
            self._is_asking = False
            self._send(encodings())

    def _begin(self) -> None:
        assert self._lost is not None
        self._is_asking = True
        self._waiting = deque(bands(self._lost))
        self._send(encodings(loses=False))
        self._ask()

    def _ask(self) -> None:
        if self._waiting:
            self._asked = self._waiting.popleft()
            self._send(area_request(self._asked))
        else:
            self._lost = None
            self.stop()

    def _set_timer(self, seconds: float, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, then)


def bands(area: ChangedArea) -> Iterator[ChangedArea]:
    """An area in parts that may be asked for at a time, from top to bottom."""
    rows = max(1, MOST_PIXELS // area.width)
    for top in range(0, area.height, rows):
        yield ChangedArea(area.x, area.y + top, area.width, min(rows, area.height - top))
