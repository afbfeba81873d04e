"""One address for people whom a recruiter sends, in front of several servers, each of which has places of its own.

Nothing is kept here. Each server is asked whether it knows somebody, and how many places it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from spatial_workbench.app.serving.addresses import ServingAddress
from spatial_workbench.app.serving.faults import tell_faults
from spatial_workbench.app.serving.gate import REPORTS, STANDING
from spatial_workbench.app.serving.limits import RequestLimits
from spatial_workbench.app.serving.pages.gate_pages import FAILED, NO_LINK, REFUSALS, GatePages
from spatial_workbench.app.serving.pages.page_languages import SpeaksWithVisitors
from spatial_workbench.app.serving.recruiting.arrivals import Arrival, ArrivalReader, ArrivalRefused
from spatial_workbench.app.serving.recruiting.entrance import ENTRY
from spatial_workbench.app.serving.recruiting.pages import BAD_LINK, FULL
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitersFile, RecruitersFileError
from spatial_workbench.app.serving.recruiting.reports import MOMENT_HEADER, SIGNATURE_HEADER
from spatial_workbench.app.serving.recruiting.standing import Standing, signed_headers, standing_of
from spatial_workbench.app.serving.web.our_origin import OnlyOurOrigin
from spatial_workbench.app.serving.web.page_parts import PageParts
from spatial_workbench.app.serving.web.server import allow_many_connections, web_server
from spatial_workbench.engine.studies.planning.document import Study

if TYPE_CHECKING:
    import httpx

ASK_S = 5
"""A server has to answer in so long."""


class SharedEntrance:
    """Sends people on to one of several servers; whoever is known to one always to that one.

    servers: their addresses, without a path. file: what all of them know of the recruiter. folder: where its file is.
    tell: called with sentences for the leader, which name nobody.

    Raises:
        RecruitersFileError: The file has no key for the entrance, or its public keys cannot be read.
    """

    def __init__(
        self, servers: Sequence[str], study: Study, file: RecruitersFile, folder: Path, tell: Callable[[str], object]
    ) -> None:
        if file.entrance_key is None:
            raise RecruitersFileError("entrance_key: is missing; the entrance needs it to ask the servers.")
        self._key = file.entrance_key
        self._servers = tuple(servers)
        self._reader = ArrivalReader(file, folder)
        self._languages = study.languages
        self._pages = GatePages(study.name, study.contact)
        self._tell = tell
        self._silent: set[str] = set()
        """Servers of which was told that they do not answer."""
        self._client: httpx.AsyncClient | None = None

    def application(self, url: str) -> Starlette:
        """The program that a server runs at an address."""
        routes = [
            Route("/", self._without_link),
            Route(ENTRY, self._arrive),
            Route(REPORTS, self._pass_on_report, methods=["POST"]),
            *PageParts().routes(),
        ]
        middleware = [
            Middleware(OnlyOurOrigin, url=url, without_origin=(REPORTS,)),
            Middleware(SpeaksWithVisitors, languages=self._languages, spoken_with=lambda _: ""),
            Middleware(RequestLimits, refused=lambda status: self._pages.message(REFUSALS[status])),
        ]
        return Starlette(routes=routes, middleware=middleware, lifespan=self._lifespan)

    async def _without_link(self, _: Request) -> Response:
        return self._message(NO_LINK, HTTPStatus.NOT_FOUND)

    async def _arrive(self, request: Request) -> Response:
        """Sends somebody on, with all that the link says."""
        query = request.url.query
        try:
            arrival = self._reader.read(query)
        except ArrivalRefused:
            return self._message(BAD_LINK, HTTPStatus.FORBIDDEN)
        standings = await self._standings(query.encode())
        server = chosen_server(self._servers, standings, arrival)
        if server is not None:
            return RedirectResponse(f"{server}{ENTRY}?{query}", HTTPStatus.SEE_OTHER)
        if len(standings) < len(self._servers):
            return self._message(FAILED, HTTPStatus.SERVICE_UNAVAILABLE)
        return self._message(FULL)

    async def _pass_on_report(self, request: Request) -> Response:
        """Tells all servers what the recruiter reports; each checks the signature, and knows its own people."""
        body = await request.body()
        names = (SIGNATURE_HEADER, MOMENT_HEADER)
        headers = {name: request.headers.get(name, "") for name in names}
        answers = await asyncio.gather(*(self._post(server, REPORTS, body, headers) for server in self._servers))
        statuses = [HTTPStatus.BAD_GATEWAY if answer is None else answer.status_code for answer in answers]
        return PlainTextResponse("", max(statuses))

    async def _standings(self, query: bytes) -> dict[str, Standing]:
        """How somebody stands with each server; those that do not answer are missing."""
        headers = signed_headers(self._key, query)
        answers = await asyncio.gather(*(self._post(server, STANDING, query, headers) for server in self._servers))
        standings = {}
        for server, answer in zip(self._servers, answers, strict=True):
            with contextlib.suppress(ValueError):
                if answer is not None and answer.status_code == HTTPStatus.OK:
                    standings[server] = standing_of(answer.content)
        self._note_silent(set(self._servers) - standings.keys())
        return standings

    async def _post(self, server: str, path: str, body: bytes, headers: Mapping[str, str]) -> httpx.Response | None:
        """The answer of a server; None if there is none."""
        import httpx

        assert self._client is not None
        try:
            return await self._client.post(f"{server}{path}", content=body, headers=dict(headers))
        except httpx.HTTPError:
            return None

    def _note_silent(self, silent: set[str]) -> None:
        for server in sorted(silent - self._silent):
            self._tell(f"{server} does not answer. Until it does, people whom no server knows cannot begin.")
        self._silent = silent

    def _message(self, words: tuple[str, str], status: HTTPStatus = HTTPStatus.OK) -> Response:
        return HTMLResponse(self._pages.message(words), status)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        import httpx

        # The system's certificates, and no proxy that the environment may name: the servers are the leader's own.
        trusted = ssl.create_default_context()
        async with httpx.AsyncClient(timeout=ASK_S, verify=trusted, trust_env=False) as client:
            self._client = client
            yield


def chosen_server(servers: Sequence[str], standings: Mapping[str, Standing], arrival: Arrival) -> str | None:
    """Where somebody goes; None if nobody can say, or if all places are taken.

    While a server is silent, it may know the person, who would get a second place elsewhere. Of several servers with
    free places, the same person always comes to the same one.
    """
    for server in servers:
        if server in standings and standings[server].is_known:
            return server
    if len(standings) < len(servers):
        return None
    having = [server for server in servers if standings[server].free > 0]
    return max(having, key=lambda server: _affinity(server, arrival), default=None)


def _affinity(server: str, arrival: Arrival) -> bytes:
    """A number for a person and a server, equally spread over servers."""
    return hashlib.sha256(f"{server}\0{arrival.person}".encode()).digest()


class EntranceServer:
    """Serves the entrance until it is stopped.

    listening: the socket on which browsers reach it; it is closed at the end.
    """

    def __init__(
        self, entrance: SharedEntrance, address: ServingAddress, listening: socket.socket, tell: Callable[[str], object]
    ) -> None:
        self._server = web_server(entrance.application(address.url), address)
        self._listening = listening
        self._tell = tell

    def run(self) -> None:
        """Serves until the process is told to end."""
        tell_faults(self._tell)
        allow_many_connections()
        asyncio.run(self.serve())

    async def serve(self) -> None:
        """Serves until it is stopped, or until the process is told to end."""
        loop = asyncio.get_running_loop()
        for ends in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(ends, self.stop)
        await self._server.serve(sockets=[self._listening])

    @property
    def is_started(self) -> bool:
        """Whether browsers can reach the entrance."""
        return self._server.started

    def stop(self) -> None:
        """Lets `serve` end soon."""
        self._server.should_exit = True
