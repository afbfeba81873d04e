"""The gate of a workbench in a browser: one link, one cookie, one page at a time."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from spatial_workbench.app.serving.addresses import ServingAddress
from spatial_workbench.app.serving.forms import form_of
from spatial_workbench.app.serving.limits import RequestLimits
from spatial_workbench.app.serving.pages.entry_form import scale_of
from spatial_workbench.app.serving.rfb import RfbGatekeeper
from spatial_workbench.app.serving.visits import Visits
from spatial_workbench.app.serving.web.our_origin import OnlyOurOrigin, page_with_form
from spatial_workbench.app.serving.web.page_parts import PageParts
from spatial_workbench.app.serving.web.sockets import first_of, hang_up, to_browser, to_screen
from spatial_workbench.app.serving.web.unix_sockets import connected_to
from spatial_workbench.app.serving.workbench.cookie import OnlyWithCookie
from spatial_workbench.app.serving.workbench.exchange_folder import ExchangeFolder
from spatial_workbench.app.serving.workbench.files_pages import UPLOADS, FilesPages
from spatial_workbench.app.serving.workbench.pages import NO_LINK, REFUSALS, WorkbenchPages
from spatial_workbench.app.serving.workbench.window_host import BrowserLooks, WindowFailed, WindowHost
from spatial_workbench.app.serving.x_screen import MOST_CUT_BYTES

_TOKEN_BYTES = 24
_PERSON = "person"
"""Visits are counted by people; here is only one."""


class Succession:
    """Who came last: each tells the one before that it goes on elsewhere."""

    def __init__(self) -> None:
        self._last = asyncio.Event()

    def take(self) -> asyncio.Event:
        """Takes over; what is returned is set once somebody else does."""
        self._last.set()
        self._last = asyncio.Event()
        return self._last


class WorkbenchGate:
    """What a browser reaches.

    A link is a secret in an address, and programs that look at addresses, such as previews of messages, ask for it by
    GET. So GET changes nothing: the link leads to a page with a button, and only that gives the browser its cookie.
    From then on, addresses hold no secret.

    address: how browsers reach it. novnc: the folder of noVNC. visits: the browser that was let in last. make_host:
    makes a window that has not been started.
    """

    def __init__(
        self,
        address: ServingAddress,
        novnc: Path,
        visits: Visits,
        files: ExchangeFolder,
        pages: WorkbenchPages,
        make_host: Callable[[BrowserLooks], WindowHost],
    ) -> None:
        self._url = address.url
        self._secure = address.url.startswith("https:")
        # Cookies are shared by all ports of a host.
        self._cookie = f"{'__Host-' if self._secure else ''}workbench-{address.port}"
        self._token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._parts = PageParts(novnc)
        self._visits = visits
        self._pages = pages
        self._files = FilesPages(files, pages)
        self._make_host = make_host
        self._host: WindowHost | None = None
        self._opening = asyncio.Lock()
        self._news = Succession()
        self._pictures = Succession()

    @property
    def link(self) -> str:
        """The link with which the person comes in; it is valid as long as the server runs."""
        return f"{self._url}/open/{self._token}"

    def application(self) -> Starlette:
        """The program that a server runs."""
        inside = [
            Route("/workbench", self._show),
            Route("/workbench/open", self._open_again, methods=["POST"]),
            WebSocketRoute("/workbench/news", self._tell_news),
            WebSocketRoute("/workbench/picture", self._show_picture),
            *self._files.routes(),
        ]
        outside = [
            Route("/", self._without_link),
            Route("/open/{token}", self._enter, methods=["GET", "POST"]),
            *self._parts.routes(),
        ]
        refused = Middleware(
            RequestLimits, refused=lambda status: self._pages.message(REFUSALS[status]), streamed=(UPLOADS,)
        )
        letting_in = Middleware(OnlyWithCookie, is_known=self._is_known, refusal=self._pages.message(NO_LINK))
        middleware = [Middleware(OnlyOurOrigin, url=self._url), refused, letting_in]
        return Starlette(routes=[*outside, *inside], middleware=middleware, lifespan=self._lifespan)

    # Coming in ---------------------------------------------------------------------------------------------------

    async def _without_link(self, request: Request) -> Response:
        if self._is_known(request):
            return RedirectResponse("/workbench", HTTPStatus.SEE_OTHER)
        return HTMLResponse(self._pages.message(NO_LINK), HTTPStatus.NOT_FOUND)

    async def _enter(self, request: Request) -> Response:
        """The page of the link; its button opens the window, and gives the browser a fresh cookie."""
        token = request.path_params["token"].encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(token, self._token.encode()):
            return HTMLResponse(self._pages.message(NO_LINK), HTTPStatus.NOT_FOUND)
        if request.method != "POST":
            return page_with_form(self._pages.entry())
        response = await self._opened(request)
        try:
            cookie = self._visits.admit(_PERSON)
        except OSError as error:
            return self._failed(f"The cookie could not be stored: {error.strerror}.")
        response.set_cookie(self._cookie, cookie, path="/", secure=self._secure, httponly=True, samesite="strict")
        # Whoever had it open is told now, not only when the page here is ready.
        self._news.take()
        self._pictures.take()
        return response

    def _is_known(self, connection: HTTPConnection) -> bool:
        return self._visits.code_of(connection.cookies.get(self._cookie, "")) == _PERSON

    # The window --------------------------------------------------------------------------------------------------

    async def _show(self, _: Request) -> Response:
        """The page with the window, or the page that opens it again."""
        if self._host is None or not self._host.is_running:
            return page_with_form(self._pages.closed("" if self._host is None else self._host.complaint))
        return HTMLResponse(self._pages.window(self._host.screen.scale))

    async def _open_again(self, request: Request) -> Response:
        return await self._opened(request)

    async def _opened(self, request: Request) -> Response:
        """Leads to the window, which is opened if it is closed."""
        form = await form_of(request)
        looks = BrowserLooks("dark" if form.get("scheme") == "dark" else "light", scale_of(form))
        async with self._opening:
            if self._host is None or not self._host.is_running:
                host = self._make_host(looks)
                try:
                    await host.start()
                except WindowFailed as error:
                    return self._failed(str(error))
                self._host = host
        return RedirectResponse("/workbench", HTTPStatus.SEE_OTHER)

    def _failed(self, why: str) -> Response:
        words = ("The window could not be opened", "Nothing is lost. Open your link again.")
        return HTMLResponse(self._pages.message(words, why), HTTPStatus.SERVICE_UNAVAILABLE)

    async def _tell_news(self, socket: WebSocket) -> None:
        """The socket over which a page hears that the window was closed, or that somebody goes on elsewhere."""
        host = self._host
        if host is None or not host.is_running:
            await socket.close()
            return
        await socket.accept()
        elsewhere = self._news.take()
        closing = asyncio.ensure_future(host.wait())
        try:
            await first_of(asyncio.shield(closing), elsewhere.wait(), socket.receive())
            if elsewhere.is_set():
                await socket.send_json({"elsewhere": True})
            elif closing.done():
                await socket.send_json({"closed": True})
        except (WebSocketDisconnect, RuntimeError):
            return
        finally:
            closing.cancel()
            await hang_up(socket)

    async def _show_picture(self, socket: WebSocket) -> None:
        host = self._host
        if host is None or not host.is_running:
            await socket.close()
            return
        await socket.accept(subprotocol="binary" if "binary" in socket.scope["subprotocols"] else None)
        try:
            reader, writer = await connected_to(host.screen.rfb_socket)
        except OSError:
            await hang_up(socket)
            return
        elsewhere = self._pictures.take()
        gatekeeper = RfbGatekeeper(MOST_CUT_BYTES, host.screen.scale)
        try:
            await first_of(to_screen(socket, writer, gatekeeper), to_browser(reader, socket), elsewhere.wait())
        finally:
            writer.close()
            await hang_up(socket)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        yield
        async with self._opening:
            if self._host is not None:
                await self._host.stop()
