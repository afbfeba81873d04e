"""Ends connections that do not come to an end by themselves: heads that never arrive, and answers that nobody reads."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from spatial_workbench.app.serving.addresses import is_one_of
from spatial_workbench.app.serving.limits import network_of

HEAD_S = 10.0
"""The head of a request has to have come after so long, the first as well as a later one."""
READ_S = 30.0
"""Somebody who has not read what is waiting for so long is cut off; at most some 64 kB wait in memory."""
MOST_OF_ADDRESS = 500
"""Connections of one address before they have become sockets; a proxy has no such limit."""


class _Deadline:
    """Something that has to happen in time."""

    def __init__(self, seconds: float, missed: Callable[[], object]) -> None:
        self._seconds = seconds
        self._missed = missed
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """It is waited for, from now or from an earlier call."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._missed)

    def meet(self) -> None:
        """It has happened."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class HttpWithDeadlines(H11Protocol):
    """uvicorn's protocol, for people who may be slow on purpose."""

    counted: Counter[str]
    proxies: tuple[str, ...]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        self._head = _Deadline(HEAD_S, transport.abort)
        self._reading = _Deadline(READ_S, transport.abort)
        self._head.begin()
        host = self.client[0] if self.client else ""
        self._counts_as = "" if is_one_of(host, self.proxies) else network_of(self.client)
        if self._counts_as:
            self.counted[self._counts_as] += 1
            if self.counted[self._counts_as] > MOST_OF_ADDRESS:
                transport.abort()

    def data_received(self, data: bytes) -> None:
        """Something of a request has come."""
        super().data_received(data)
        if self._is_answering:
            self._head.meet()
        elif self in self.connections and not self.transport.is_closing():
            self._head.begin()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a socket, which has deadlines of its own; uvicorn counts it as one no longer."""
        self._end()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Much is waiting to be read."""
        super().pause_writing()
        self._reading.begin()

    def resume_writing(self) -> None:
        """Little is waiting."""
        super().resume_writing()
        self._reading.meet()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more is asked; what has not been read by now is not waited for."""
        super().timeout_keep_alive_handler()
        self._reading.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody is gone."""
        self._end()
        super().connection_lost(exc)

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _end(self) -> None:
        self._head.meet()
        self._reading.meet()
        if self._counts_as:
            self.counted[self._counts_as] -= 1
            if not self.counted[self._counts_as]:
                del self.counted[self._counts_as]
            self._counts_as = ""


class SocketWithDeadlines(WebSocketsSansIOProtocol):
    """uvicorn's protocol, for people who may not read on purpose."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection has become a socket."""
        super().connection_made(transport)
        self._reading = _Deadline(READ_S, self.transport.abort)

    def pause_writing(self) -> None:
        """Much is waiting to be read."""
        super().pause_writing()
        self._reading.begin()

    def resume_writing(self) -> None:
        """Little is waiting."""
        super().resume_writing()
        self._reading.meet()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody is gone."""
        self._reading.meet()
        super().connection_lost(exc)


def protocols(proxies: tuple[str, ...]) -> dict[str, Any]:
    """uvicorn's settings that bound connections, and what waits in them."""
    members = {"counted": Counter(), "proxies": proxies}
    return {
        # The heads of h11 are bounded, unlike those of httptools.
        "http": type("BoundedHttp", (HttpWithDeadlines,), members),
        "h11_max_incomplete_event_size": 32_768,
        "ws": SocketWithDeadlines,
    }
