"""The gate of a study in a browser: pages, cookies, and the sockets to the screens of the participants."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from spatial_workbench.app.serving.forms import form_of
from spatial_workbench.app.serving.limits import RequestLimits
from spatial_workbench.app.serving.links import JoinLinks
from spatial_workbench.app.serving.pages.entry_form import NOTHING_TOLD, EntryForm, entry_form_of
from spatial_workbench.app.serving.pages.gate_pages import (
    CROWDED,
    DRAINING,
    FAILED,
    NO_LINK,
    OVER,
    REFUSALS,
    REFUSED_FORM,
    UNKNOWN_LINK,
    GatePages,
)
from spatial_workbench.app.serving.pages.incompatible import IncompatibleExit, RefusalCounts
from spatial_workbench.app.serving.pages.page_languages import SpeaksWithVisitors
from spatial_workbench.app.serving.pages.text_pages import TextPages
from spatial_workbench.app.serving.pages.typed_codes import TypedCodes
from spatial_workbench.app.serving.picture_line import PictureLine
from spatial_workbench.app.serving.presence import PageAnswer, Presence
from spatial_workbench.app.serving.rfb import RfbGatekeeper
from spatial_workbench.app.serving.seats import SeatOffer, Seats
from spatial_workbench.app.serving.session_host import SessionHost
from spatial_workbench.app.serving.visits import Visits, carried_by
from spatial_workbench.app.serving.web.our_origin import OnlyOurOrigin
from spatial_workbench.app.serving.web.page_parts import PageParts
from spatial_workbench.app.serving.web.sockets import first_of, hang_up, to_browser, to_screen
from spatial_workbench.app.serving.web.unix_sockets import connected_to
from spatial_workbench.engine.core.languages.translation import ENGLISH, spoken_language

STANDING = "/study/standing"
"""Where the entrance of several servers asks about somebody; it signs what it asks."""
REPORTS = "/recruiter/reports"
"""Where a recruiter sends signed reports; they come from no page, and with no cookie."""
MOST_PICTURES = 8
"""Sockets for pictures of one person: pages that are closed may linger."""


class VisitCompanion(Protocol):
    """Goes with people whom a recruiter has sent."""

    def routes(self) -> list[BaseRoute]:
        """Pages beyond those of the gate."""

    async def accompany(self, code: str, carried: str, socket: WebSocket) -> None:
        """Goes with somebody as long as the page with the window is connected; ends when it has to be left.

        carried: what the browser keeps for the server.
        """

    def way_out(self, code: str) -> str | None:
        """Where somebody goes whose session is over; None if it is not."""


@dataclass
class StudyGate:
    """What the gate knows.

    Attributes:
        url: The address under which browsers reach it, without a path.
        links: The links of the codes.
        pages: What it says.
        novnc: The folder of noVNC.
        seats: The windows of the people who take part, and who waits for one.
        visits: The browsers that have come with a link.
        refusals: Counts those whose computer does not fit.
        is_over: Whether the session of a code has ended.
        has_begun: Whether the session of a code has begun.
        drains: Whether nobody begins any more; who has begun may go on.
        languages: The codes of the languages in which people can read, the usual one first.
        companion: Has further pages, and goes with people from consent to their way out.
    """

    url: str
    links: JoinLinks
    pages: GatePages
    novnc: Path
    seats: Seats
    visits: Visits
    refusals: RefusalCounts
    is_over: Callable[[str], bool]
    has_begun: Callable[[str], bool]
    drains: bool = False
    languages: tuple[str, ...] = (ENGLISH,)
    companion: VisitCompanion | None = None
    _watching: dict[str, asyncio.Event] = field(default_factory=dict)
    """Set once the person of a code goes on elsewhere; one for each page that shows a window."""
    _lines: dict[tuple[str, str], PictureLine] = field(default_factory=dict)
    """The connections that show pictures, by code and the name that the page has given to the connection."""

    def application(self) -> Starlette:
        """The program that a server runs."""
        routes = [
            Route("/", self._without_link),
            Route("/join/{token}", self._join),
            Route("/join/{token}", self._begin, methods=["POST"]),
            *IncompatibleExit(self.links, self.pages, self.refusals).routes(),
            Route("/take-part", self._take_part),
            *TextPages(self._code_of, self.seats, self.pages).routes(),
            *TypedCodes(self.links, self.pages, takes_pins=self.companion is None).routes(),
            *([] if self.companion is None else self.companion.routes()),
            WebSocketRoute("/take-part/picture", self._picture),
            WebSocketRoute("/take-part/presence", self._presence),
            *PageParts(self.novnc).routes(),
        ]
        limits = Middleware(RequestLimits, refused=lambda status: self.pages.message(REFUSALS[status]))
        speaks = Middleware(SpeaksWithVisitors, languages=self.languages, spoken_with=self._language_of)
        origin = Middleware(OnlyOurOrigin, url=self.url, without_origin=(REPORTS, STANDING))
        middleware = [origin, speaks, limits]
        return Starlette(routes=routes, middleware=middleware, lifespan=self._lifespan)

    def link_of(self, code: str) -> str:
        """The link with which a code takes part."""
        return f"{self.url}/join/{self.links.token_of(code)}"

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers take the prefix over TLS only."""
        return "__Host-study" if self.url.startswith("https:") else "study"

    # Coming in ---------------------------------------------------------------------------------------------------

    async def _without_link(self, _: Request) -> Response:
        return HTMLResponse(self.pages.message(NO_LINK), HTTPStatus.NOT_FOUND)

    async def _join(self, request: Request) -> Response:
        """The page of a link, or of somebody in the queue; nothing is dealt by looking at it."""
        token = request.path_params["token"]
        code = self.links.code_of(token)
        if code is None:
            return HTMLResponse(self.pages.message(UNKNOWN_LINK), HTTPStatus.NOT_FOUND)
        if (refusal := self._refusal(code)) is not None:
            return self._refused(code, refusal)
        self.seats.look(code)
        page = HTMLResponse(
            self.pages.join(
                self.links.form_token_of(token),
                f"/join/{token}/incompatible",
                self.has_begun(code),
                self.told_before(code),
            )
        )
        # Under “no-referrer”, browsers do not say either from which origin a form comes.
        page.headers["Referrer-Policy"] = "same-origin"
        return page

    async def _begin(self, request: Request) -> Response:
        """Opens the window of a link, and gives the browser a fresh cookie for it."""
        token = request.path_params["token"]
        code = self.links.code_of(token)
        if code is None:
            return HTMLResponse(self.pages.message(UNKNOWN_LINK), HTTPStatus.NOT_FOUND)
        form_token = self.links.form_token_of(token)
        form = await form_of(request)
        if not self.links.is_form_token(token, form.get("form", "")):
            return HTMLResponse(self.pages.message(REFUSED_FORM), HTTPStatus.FORBIDDEN)
        return await self.let_in(code, form_token, entry=entry_form_of(form))

    async def let_in(self, code: str, form_token: str, carried: str = "", entry: EntryForm = NOTHING_TOLD) -> Response:
        """Opens the window of a code, or says why not; the browser gets a fresh cookie.

        form_token: what the page of a queue sends again. carried: what the browser keeps for the server in the cookie.
        entry: what the person has told on the page of a link.
        """
        if (refusal := self._refusal(code)) is not None:
            return self._refused(code, refusal)
        match await self.seats.take(code, replace(entry, language=spoken_language())):
            case SeatOffer.QUEUED:
                page = HTMLResponse(self.pages.queue(self.seats.place_of(code), form_token, entry.fields()))
                page.headers["Referrer-Policy"] = "same-origin"
                return page
            case SeatOffer.CROWDED:
                return HTMLResponse(self.pages.message(CROWDED), HTTPStatus.SERVICE_UNAVAILABLE)
            case SeatOffer.FAILED:
                return HTMLResponse(self.pages.message(FAILED), HTTPStatus.SERVICE_UNAVAILABLE)
        try:
            going_on = self._with_cookie(RedirectResponse("/take-part", HTTPStatus.SEE_OTHER), code, carried)
        except OSError:
            return HTMLResponse(self.pages.message(FAILED), HTTPStatus.SERVICE_UNAVAILABLE)
        if (former := self._watching.pop(code, None)) is not None:
            former.set()
        return going_on

    def told_before(self, code: str) -> EntryForm:
        """What the person of a code has told before."""
        host = self.seats.last_host_of(code)
        return NOTHING_TOLD if host is None else host.entry

    def _refusal(self, code: str) -> tuple[str, str] | None:
        """Why a code cannot take part now, as a title and a sentence."""
        if self.is_over(code) and self.seats.host_of(code) is None:
            return OVER
        return DRAINING if self.drains and not self.has_begun(code) else None

    def _refused(self, code: str, refusal: tuple[str, str]) -> Response:
        """The page that says why a code cannot take part, or the way out of somebody whose session is over."""
        if self.companion is not None and (address := self.companion.way_out(code)):
            return RedirectResponse(address, HTTPStatus.SEE_OTHER)
        return HTMLResponse(self.pages.message(refusal))

    def _with_cookie(self, response: Response, code: str, carried: str) -> Response:
        secure = self.url.startswith("https:")
        value = self.visits.admit(code, carried)
        response.set_cookie(self.cookie, value, path="/", secure=secure, httponly=True, samesite="lax")
        return response

    def _code_of(self, connection: HTTPConnection) -> str | None:
        return self.visits.code_of(self._cookie_of(connection))

    def _language_of(self, connection: HTTPConnection) -> str:
        code = self._code_of(connection)
        host = None if code is None else self.seats.last_host_of(code)
        return "" if host is None else host.language

    def _cookie_of(self, connection: HTTPConnection) -> str:
        return connection.cookies.get(self.cookie, "")

    # Taking part -------------------------------------------------------------------------------------------------

    async def _take_part(self, request: Request) -> Response:
        """The page with the window; where the window is closed, the page of the link, to go on."""
        code = self._code_of(request)
        if code is None:
            return HTMLResponse(self.pages.message(NO_LINK), HTTPStatus.FORBIDDEN)
        host = self.seats.host_of(code)
        if host is None:
            return RedirectResponse(f"/join/{self.links.token_of(code)}", HTTPStatus.SEE_OTHER)
        return HTMLResponse(self.pages.viewer(host.scale))

    async def _picture(self, socket: WebSocket) -> None:
        code = self._code_of(socket)
        host = None if code is None else self.seats.host_of(code)
        if code is None or host is None or self.seats.watchers_of(code) >= MOST_PICTURES:
            await socket.close()
            return
        await socket.accept(subprotocol="binary" if "binary" in socket.scope["subprotocols"] else None)
        self.seats.arrive(code)
        try:
            await self._show(socket, code, host)
        finally:
            self.seats.leave(code)
            await hang_up(socket)

    async def _show(self, socket: WebSocket, code: str, host: SessionHost) -> None:
        """Connects a browser with the screen of a window, until one of them ends it."""
        try:
            reader, writer = await connected_to(host.screen.rfb_socket)
        except OSError:
            return
        key = code, socket.query_params.get("connection", "")
        line = self._lines[key] = PictureLine()
        try:
            await first_of(to_screen(socket, writer, RfbGatekeeper(scale=host.scale)), to_browser(reader, socket, line))
        finally:
            if self._lines.get(key) is line:
                del self._lines[key]
            writer.close()

    async def _presence(self, socket: WebSocket) -> None:
        """The socket over which a page says that it is there, and hears that somebody goes on elsewhere."""
        code = self._code_of(socket)
        host = None if code is None else self.seats.host_of(code)
        if code is None or host is None:
            await socket.close()
            return
        await socket.accept()
        goes_on_elsewhere = self._watching[code] = asyncio.Event()
        presence = Presence(socket, partial(self._pass_on_answer, code, host), host.tell_browser, host.tell_typed)
        try:
            await first_of(
                presence.ask(),
                presence.listen(),
                presence.pass_on(host.news),
                goes_on_elsewhere.wait(),
                *self._companionship(socket, code),
            )
            if goes_on_elsewhere.is_set():
                await socket.send_json({"elsewhere": True})
        except WebSocketDisconnect:
            return
        finally:
            if self._watching.get(code) is goes_on_elsewhere:
                del self._watching[code]
            await hang_up(socket)

    def _pass_on_answer(self, code: str, host: SessionHost, answer: PageAnswer) -> int:
        """Tells the window of an answer, and returns how old the picture is that the page shows, in milliseconds.

        A page without a picture is no sign that somebody sees anything.

        Raises:
            ValueError: The page says that it drew what was not sent.
        """
        line = self._lines.get((code, answer.connection))
        if line is None:
            return 0
        behind_ms = line.behind_ms(answer.drawn)
        host.tell_answer(answer, behind_ms)
        return behind_ms

    def _companionship(self, socket: WebSocket, code: str) -> Iterator[Awaitable[object]]:
        if self.companion is not None:
            yield self.companion.accompany(code, carried_by(self._cookie_of(socket)), socket)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        yield
        await self.seats.close()
