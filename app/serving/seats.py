"""Who has a window on this server now, and who waits for one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from enum import Enum, auto

from spatial_workbench.app.serving.consumption import present_processes
from spatial_workbench.app.serving.pages.entry_form import EntryForm
from spatial_workbench.app.serving.session_host import HostFailed, SessionHost

IDLE_S = 3600
"""A window without a browser for so long is closed; its session goes on another time."""
OVER_S = 120
"""A window without a browser whose session is over."""
WAITS_S = 40
"""Somebody who waits and does not look any more for so long loses the place in the queue."""
MOST_WAITING = 200
"""So many people may wait at the same time."""


class SeatOffer(Enum):
    """What became of somebody who wants to take part."""

    TAKEN = auto()
    QUEUED = auto()
    CROWDED = auto()
    FAILED = auto()


class Seats:
    """Starts a window for each person who takes part, as many as there are seats, and closes those that nobody sees.

    make_host: makes the window of a code, not started yet. at_once: how many seats there are.
    """

    def __init__(
        self, make_host: Callable[[str], SessionHost], at_once: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.at_once = at_once
        self.most_waiting = MOST_WAITING
        self._make_host = make_host
        self._now = now
        self._hosts: dict[str, SessionHost] = {}
        self._watchers: dict[str, int] = {}
        self._seen: dict[str, float] = {}
        self._queue: dict[str, float] = {}
        """When the people in the queue last looked, the first in the queue first."""
        self._opening = asyncio.Lock()

    def host_of(self, code: str) -> SessionHost | None:
        """The window of a code, if it runs."""
        host = self._hosts.get(code)
        return host if host is not None and host.is_running else None

    def last_host_of(self, code: str) -> SessionHost | None:
        """The window that a code had last, even if it was closed."""
        return self._hosts.get(code)

    @property
    def taken(self) -> list[str]:
        """The codes with a window."""
        return [code for code in self._hosts if self.host_of(code) is not None]

    async def take(self, code: str, entry: EntryForm) -> SeatOffer:
        """Opens the window of a code, if it is not open; or puts the code into the queue.

        entry: what the person has told on the page of the link.
        """
        async with self._opening:
            if (host := self.host_of(code)) is not None:
                host.tell_entry(entry)
                return SeatOffer.TAKEN
            await self.tidy()
            if self.place_of(code) > self._free:
                if self.place_of(code) > self.most_waiting:
                    return SeatOffer.CROWDED
                self._queue[code] = self._now()
                return SeatOffer.QUEUED
            if (former := self._hosts.pop(code, None)) is not None:
                await former.stop()
            host = self._make_host(code)
            host.tell_entry(entry)
            try:
                await host.start()
            except (HostFailed, OSError):
                await host.stop()
                return SeatOffer.FAILED
            self._queue.pop(code, None)
            self._hosts[code] = host
            self._seen[code] = self._now()
            return SeatOffer.TAKEN

    def place_of(self, code: str) -> int:
        """The place of a code in the queue, from 1, whether it waits already or would have to."""
        self._forget_who_left()
        waiting = list(self._queue)
        return waiting.index(code) + 1 if code in waiting else len(waiting) + 1

    @property
    def waiting(self) -> int:
        """How many people are in the queue."""
        self._forget_who_left()
        return len(self._queue)

    def look(self, code: str) -> None:
        """Somebody in the queue has looked whether there is a seat."""
        if code in self._queue:
            self._queue[code] = self._now()

    def arrive(self, code: str) -> None:
        """A browser shows the window of a code."""
        self._watchers[code] = self._watchers.get(code, 0) + 1

    def watchers_of(self, code: str) -> int:
        """How many sockets show the window of a code."""
        return self._watchers.get(code, 0)

    def leave(self, code: str) -> None:
        """A browser shows it no longer."""
        self._watchers[code] -= 1
        self._seen[code] = self._now()

    def is_watched(self, code: str) -> bool:
        """Whether a browser shows the window of a code."""
        return self._watchers.get(code, 0) > 0

    async def dismiss(self, code: str) -> None:
        """Closes the window of a code, whoever sees it; nobody waits for it any more."""
        async with self._opening:
            self._queue.pop(code, None)
            if (host := self._hosts.pop(code, None)) is not None:
                await host.stop()

    async def tidy(self) -> None:
        """Closes windows that nobody has seen for long."""
        unseen = [code for code in self.taken if not self._watchers.get(code) and self._is_stale(code)]
        await asyncio.gather(*(self._hosts[code].stop() for code in unseen))

    async def hold_to_limits(self) -> list[str]:
        """Ends the windows that take too much of the machine; a sentence for each."""
        hosts = {code: self._hosts[code] for code in self.taken}
        excesses = await asyncio.to_thread(_excesses, hosts)
        await asyncio.gather(*(hosts[code].kill() for code in excesses))
        return [f"The window of {code} was ended, since it took {excess}." for code, excess in excesses.items()]

    async def close(self) -> None:
        """Closes all windows; sessions go on another time."""
        await asyncio.gather(*(host.stop() for host in self._hosts.values()))

    @property
    def _free(self) -> int:
        return self.at_once - len(self.taken)

    def _is_stale(self, code: str) -> bool:
        limit = OVER_S if self._hosts[code].is_over else IDLE_S
        return self._now() - self._seen[code] > limit

    def _forget_who_left(self) -> None:
        now = self._now()
        self._queue = {code: seen for code, seen in self._queue.items() if now - seen < WAITS_S}


def _excesses(hosts: Mapping[str, SessionHost]) -> dict[str, str]:
    """What windows take too much of, by their codes."""
    table = present_processes()
    found = {code: host.excess(table) for code, host in hosts.items()}
    return {code: excess for code, excess in found.items() if excess}
