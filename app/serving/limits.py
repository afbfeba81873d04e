"""Limits of what one side may ask of the server: failures by address and by link, and the size of what is sent.

Many people of one campus share an address, so the limit of an address is generous; that of a link is strict. Neither is
asked of people who take part already: a cookie has 256 bits, and cannot be found by trying.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import NamedTuple

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY_BYTES = 64_000
BODY_S = 15
"""A form has to have come after so long."""
WITHIN_S = 600
"""Failures are counted over so long."""
MOST_OF_ADDRESS = 300
MOST_OF_LINK = 20
_MOST_KEYS = 10_000
_REACHED_BY_COOKIE = ("/take-part", "/workbench", "/parts/", "/novnc/")
_SHOWN_TO_ALL = ("/", "/favicon.ico")
_LINKS_OF_ALL = ("/study", "/recruiter/", "/code")
"""Addresses that everybody shares: there, one side must not shut the others out."""
_FAILURES = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


class RecentFailures:
    """Counts failures by keys, such as an address or a code.

    most: so many may be made within ten minutes. It forgets the oldest keys when there are very many.
    """

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._now = now
        self._times: dict[str, deque[float]] = {}

    def note(self, key: str) -> None:
        """One more failure."""
        times = self._times.pop(key, None) or deque(maxlen=self._most)
        times.append(self._now())
        self._times[key] = times
        if len(self._times) > _MOST_KEYS:
            del self._times[next(iter(self._times))]

    def are_too_many(self, key: str) -> bool:
        """Whether nothing more may be tried for now."""
        times = self._times.get(key)
        return times is not None and len(times) == self._most and self._now() - times[0] < WITHIN_S


class _Keys(NamedTuple):
    """By what the failures of a request are counted."""

    address: str
    path: str

    @property
    def are_guessed(self) -> bool:
        """Whether something could be found by trying."""
        return self.path not in _SHOWN_TO_ALL and not self.path.startswith(_REACHED_BY_COOKIE)


class RequestLimits:
    """Refuses to try further links after too many failures, and bodies that are too large or come too slowly.

    refused: the page of a refusal, for a status. streamed: how the paths begin whose bodies are passed on unread, for
    who reads them has limits of its own.
    """

    def __init__(
        self,
        app: ASGIApp,
        refused: Callable[[HTTPStatus], str],
        by_address: RecentFailures | None = None,
        by_link: RecentFailures | None = None,
        streamed: tuple[str, ...] = (),
    ) -> None:
        self._streamed = streamed
        self._app = app
        self._refused = refused
        self._by_address = by_address or RecentFailures(MOST_OF_ADDRESS)
        self._by_link = by_link or RecentFailures(MOST_OF_LINK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        keys = _Keys(network_of(scope["client"]), scope["path"])
        if self._is_locked(keys):
            await self._refuse(HTTPStatus.TOO_MANY_REQUESTS, scope, receive, send)
            return
        try:
            is_streamed = bool(self._streamed) and scope["path"].startswith(self._streamed)
            given = receive if is_streamed else await _with_body(scope, receive)
        except _BodyRefused as refusal:
            await self._refuse(refusal.status, scope, receive, send)
            return

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in _FAILURES:
                self._note(keys)
            await send(message)

        await self._app(scope, given, send_and_count)

    def _is_locked(self, keys: _Keys) -> bool:
        too_many = self._by_address.are_too_many(keys.address) or self._by_link.are_too_many(keys.path)
        return keys.are_guessed and too_many

    def _note(self, keys: _Keys) -> None:
        if keys.are_guessed:
            self._by_address.note(keys.address)
            if not keys.path.startswith(_LINKS_OF_ALL):
                self._by_link.note(keys.path)

    async def _refuse(self, status: HTTPStatus, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {"Connection": "close"}
        if status is HTTPStatus.TOO_MANY_REQUESTS:
            headers["Retry-After"] = str(WITHIN_S)
        await HTMLResponse(self._refused(status), status, headers)(scope, receive, send)


class _BodyRefused(Exception):
    """A body is too large, or comes too slowly."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


async def _with_body(scope: Scope, receive: Receive) -> Receive:
    """What gives the body of a request, which has been read."""
    if scope["method"] in ("GET", "HEAD"):
        return receive
    try:
        async with asyncio.timeout(BODY_S):
            body = await _body(receive)
    except TimeoutError:
        raise _BodyRefused(HTTPStatus.REQUEST_TIMEOUT) from None
    messages: deque[Message] = deque([{"type": "http.request", "body": body, "more_body": False}])

    async def receive_body() -> Message:
        return messages.popleft() if messages else await receive()

    return receive_body


async def _body(receive: Receive) -> bytes:
    body: bytes = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST_BODY_BYTES:
            raise _BodyRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if not message.get("more_body", False):
            return body


def network_of(client: tuple[str, int] | None) -> str:
    """The key of an address: of IPv6, the network that one side has as a whole."""
    host = client[0] if client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
