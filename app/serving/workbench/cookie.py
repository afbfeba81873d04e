"""Lets nobody in without the cookie."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

INSIDE = "/workbench"
"""How the paths begin that need the cookie."""


class OnlyWithCookie:
    """Refuses requests and sockets inside, before anything of them is read, unless the browser is known.

    is_known: whether a browser was let in. refusal: the page that others see.
    """

    def __init__(self, app: ASGIApp, is_known: Callable[[HTTPConnection], bool], refusal: str) -> None:
        self._app = app
        self._is_known = is_known
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_inside = scope["type"] in ("http", "websocket") and scope["path"].startswith(INSIDE)
        if not is_inside or self._is_known(HTTPConnection(scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close"})
        else:
            refused = HTMLResponse(self._refusal, HTTPStatus.FORBIDDEN, {"Connection": "close"})
            await refused(scope, receive, send)
