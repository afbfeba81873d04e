"""Somebody who works in the window: points at the drawing, looks around, places, undoes and hands in.

Whoever points learns where the drawing answers, and points there more often. Where it never answers to a pointer that
moves, such as in a grid in which rectangles are drawn, the person draws: moves the pointer with the button held.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from spatial_workbench.app.serving.load.browser_messages import (
    CONTROL,
    F9,
    LEFT,
    MIDDLE,
    RETURN,
    pointer_event,
    stroke,
)
from spatial_workbench.app.serving.load.crowd_report import CrowdReport
from spatial_workbench.app.serving.load.screen_stream import ChangedArea, PictureUpdate
from spatial_workbench.app.serving.load.simulated_page import VIEWPORT, SimulatedPage
from spatial_workbench.engine.studies.files.serving_state import SeatedPerson
from spatial_workbench.engine.studies.sessions.pages import StudyPage

PACE_S = 1.0
"""An action each second; two for looking around, after which the view comes to rest."""
PATIENCE_S = 2.0
"""If nothing has changed near the pointer after so long, nothing will."""
STIR_S = 0.4
"""Meanwhile, the pointer does not rest for so long that a tooltip opens, which would be a change, too."""
ORBITS_EVERY, PLACES_EVERY = 6, 13
"""Every sixth action looks around, a seventh of the time; every thirteenth places something, and the next undoes it."""
TO_ITEM_S = 120
HAND_IN_S = 10
NEAR_PX = 40
_HOLD_S = 0.3
_FRAME_S = 0.017
"""How often noVNC sends a pointer that moves."""
_DRAWING = (0.54, 0.1, 0.97, 0.9)
"""Where the drawing is in the window of every task, as shares of its size: left, top, right, bottom."""
_POINTED_AT = (0.56, 0.2, 0.9, 0.72)
"""The middle of it, in which people point."""
_ORBIT_CENTRE, _ORBIT_PX = (0.62, 0.5), 60
_STEP_PX = 150
"""The pointer moves at least so far, so that what it leaves behind is not near."""
_TRIALS, _DRAWN_TRIALS, _MOST_PLACES = 8, 5, 50
"""So many moves, and moves with the button held, are tried before the person works; so many places are remembered."""
_ANSWERS = 2
"""So many of them have to be answered: single pictures may have other reasons."""
_KNOWN_SHARE, _AROUND_PX = 0.8, 30
_FRAME_SHARE = 0.25
"""A picture of a drag changes at least so large a share of what the largest one changes: a frame may come in parts."""
_Z = ord("z")


class NeverInItem(RuntimeError):
    """Somebody did not come to an item."""


class SimulatedPerson:
    """A person with a page.

    link: the link of the person. number: from 0; decides where the person points. seat: what the server says of the
    person's window.
    """

    def __init__(self, link: str, number: int, seat: Callable[[], SeatedPerson | None]) -> None:
        self.page = SimulatedPage(link, self._see)
        self.report = CrowdReport()
        self._seat = seat
        self._number = number
        self._rng = np.random.default_rng(number)
        self._pointer = (0.0, 0.0)
        self._watch: _PointerWatch | None = None
        self._answering: deque[tuple[float, float]] = deque(maxlen=_MOST_PLACES)
        """Places where pictures have changed."""
        self._draws = False
        self._sizes: list[int] = []
        """How many pixels of the drawing each picture has changed."""

    @property
    def is_in_item(self) -> bool:
        """Whether the window shows an item, and nothing covers it."""
        seat = self._seat()
        return seat is not None and (seat.page, seat.cover) == (StudyPage.ITEM, "")

    async def go_to_item(self) -> None:
        """Presses the button of each page until there is an item.

        Raises:
            NeverInItem: There is none after two minutes.
        """
        end = time.monotonic() + TO_ITEM_S
        while not self.is_in_item:
            if time.monotonic() > end:
                raise NeverInItem
            self._press(RETURN)
            # What the server says is a second old.
            await asyncio.sleep(2 * PACE_S)

    async def look_over(self) -> None:
        """Finds places of the drawing that answer to the pointer; nothing of it is reported."""
        for _ in range(_TRIALS):
            await self._point()
            await asyncio.sleep(_HOLD_S)
        if len(self._answering) < _ANSWERS:
            self._answering.clear()
            for _ in range(_DRAWN_TRIALS):
                await self._draw()
                await asyncio.sleep(_HOLD_S)
            self._draws = bool(self._answering)
        self.report = CrowdReport()

    async def work(self, end: asyncio.Event) -> None:
        """Works until the end."""
        before = self.page.bytes_received
        begin = time.monotonic()
        await asyncio.sleep(PACE_S * float(self._rng.random()))
        action = self._number
        while not end.is_set():
            started = time.monotonic()
            action += 1
            await self._act(action)
            await asyncio.sleep(max(0, started + PACE_S - time.monotonic()))
        self.report.seconds = time.monotonic() - begin
        self.report.bytes_received = self.page.bytes_received - before

    async def hand_in(self) -> None:
        """Hands in the item, again if the window objects once, and waits until another page is shown."""
        if not self.is_in_item:
            return
        end = time.monotonic() + HAND_IN_S
        while self.is_in_item and time.monotonic() < end:
            self._press(F9)
            await asyncio.sleep(2 * PACE_S)
        self.report.handed_in += not self.is_in_item

    async def _act(self, action: int) -> None:
        if not self.is_in_item:
            self._press(RETURN)
        elif action % ORBITS_EVERY == 0:
            await self._look_around()
        elif self._draws:
            await self._draw()
        elif action % PLACES_EVERY == 0:
            self._place()
        elif action % PLACES_EVERY == 1:
            self._press(CONTROL, _Z)
        else:
            await self._point()

    async def _draw(self) -> None:
        """Moves the pointer with the button held, and undoes what was drawn."""
        begin = self._pointer
        self.page.post(pointer_event(*begin, LEFT))
        await asyncio.sleep(_HOLD_S)
        if await self._point(LEFT):
            self._answering.append(begin)
        self.page.post(pointer_event(*self._pointer))
        self.report.placed += 1
        self._press(CONTROL, _Z)

    async def _point(self, buttons: int = 0) -> bool:
        """Moves the pointer, and waits for the picture that changes there; returns whether it has come."""
        self._pointer = self._somewhere_else()
        watch = self._watch = _PointerWatch(self._pointer)
        begin = time.perf_counter()
        self.page.post(pointer_event(*self._pointer, buttons))
        await self._wait_for(watch, buttons)
        self._watch = None
        if watch.near_at is not None:
            self._answering.append(self._pointer)
            self.report.near_ms.append(1000 * (watch.near_at - begin))
        elif watch.elsewhere_at is not None:
            self.report.elsewhere_ms.append(1000 * (watch.elsewhere_at - begin))
        else:
            self.report.unanswered += 1
        return watch.near_at is not None

    async def _wait_for(self, watch: _PointerWatch, buttons: int) -> None:
        """Waits for a picture near the pointer, which stirs meanwhile."""
        x, y = watch.place
        for times in range(round(PATIENCE_S / STIR_S)):
            if times:
                self.page.post(pointer_event(x + times % 2, y, buttons))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(watch.seen.wait(), STIR_S)
                return

    async def _look_around(self) -> None:
        """Turns the view to and fro for a second, by a drag with the middle button, which places nothing."""
        width, height = VIEWPORT
        x, y = _ORBIT_CENTRE[0] * width, _ORBIT_CENTRE[1] * height
        self.page.post(pointer_event(x, y))
        self.page.post(pointer_event(x, y, MIDDLE))
        self._sizes = []
        begin = time.perf_counter()
        while (passed := time.perf_counter() - begin) < PACE_S:
            turn = _ORBIT_PX * math.sin(2 * math.pi * passed / PACE_S)
            self.page.post(pointer_event(x + turn, y + turn / 3, MIDDLE))
            await asyncio.sleep(_FRAME_S)
        sizes = [size for size in self._sizes if size]
        self.page.post(pointer_event(x, y, MIDDLE))
        self.page.post(pointer_event(x, y))
        self._pointer = (x, y)
        if sizes:
            pictures = sum(size >= _FRAME_SHARE * max(sizes) for size in sizes)
            self.report.orbits.append((pictures, passed))
        else:
            self.report.still_orbits += 1
        await asyncio.sleep(PACE_S)

    def _place(self) -> None:
        self.page.post(pointer_event(*self._pointer, LEFT))
        self.page.post(pointer_event(*self._pointer))
        self.report.placed += 1

    def _press(self, *keys: int) -> None:
        self.page.post(stroke(*keys))

    def _somewhere_else(self) -> tuple[float, float]:
        """A place of the drawing, not too close to where the pointer is."""
        left, top, right, bottom = _POINTED_AT
        known = [place for place in self._answering if math.dist(place, self._pointer) >= _STEP_PX + _AROUND_PX]
        if known and self._rng.random() < _KNOWN_SHARE:
            x, y = known[self._rng.integers(len(known))]
            aside, below = self._rng.uniform(-_AROUND_PX / 2, _AROUND_PX / 2, 2)
            return x + float(aside), y + float(below)
        while True:
            across, down = map(float, self._rng.random(2))
            place = (VIEWPORT[0] * (left + (right - left) * across), VIEWPORT[1] * (top + (bottom - top) * down))
            if math.dist(place, self._pointer) >= _STEP_PX:
                return place

    def _see(self, update: PictureUpdate, at: float) -> None:
        self._sizes.append(sum(area.pixels for area in update.areas if _is_drawing(area)))
        if self._watch is not None:
            self._watch.take(update, at)


@dataclass
class _PointerWatch:
    """Notes when a picture comes that changes near a place, and when one comes that changes the drawing elsewhere."""

    place: tuple[float, float]
    near_at: float | None = None
    elsewhere_at: float | None = None
    seen: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, update: PictureUpdate, at: float) -> None:
        if self.near_at is None and any(area.is_near(*self.place, NEAR_PX) for area in update.areas):
            self.near_at = at
            self.seen.set()
        elif self.elsewhere_at is None and any(map(_is_drawing, update.areas)):
            self.elsewhere_at = at


def _is_drawing(area: ChangedArea) -> bool:
    """Whether an area reaches into the drawing: a clock in the head of the window does not."""
    left, top, right, bottom = (share * VIEWPORT[i % 2] for i, share in enumerate(_DRAWING))
    return area.x < right and area.x + area.width > left and area.y < bottom and area.y + area.height > top
