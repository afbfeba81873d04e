"""Answers our own pages only, at our own address."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class OnlyOurOrigin:
    """Refuses requests to another host, forms and sockets from pages of others, and adds the headers of every answer.

    url: the address under which browsers reach the gate. without_origin: paths of forms that come from no page.
    """

    def __init__(self, app: ASGIApp, url: str, without_origin: Collection[str] = ()) -> None:
        self._app = app
        self._without_origin = without_origin
        self._origin = url
        self._host = urlsplit(url).netloc

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if not self._is_ours(HTTPConnection(scope)):
            refused = PlainTextResponse("", HTTPStatus.FORBIDDEN)
            await (_close(receive, send) if scope["type"] == "websocket" else refused(scope, receive, send))
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _is_ours(self, connection: HTTPConnection) -> bool:
        origin = connection.headers.get("origin")
        if connection.headers.get("host") != self._host or origin not in (None, self._origin):
            return False
        has_to_say = connection.scope["type"] == "websocket" or connection.scope["method"] not in ("GET", "HEAD")
        return origin is not None or not has_to_say or connection.scope["path"] in self._without_origin


async def _close(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close"})


def page_with_form(page: str) -> Response:
    """A page whose forms say from which origin they come; under “no-referrer”, browsers say it of forms neither."""
    return HTMLResponse(page, headers={"Referrer-Policy": "same-origin"})
