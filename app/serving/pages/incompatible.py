"""The exit for people whose computer does not fit: a page, and a count of reasons without identity."""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from spatial_workbench.app.serving.forms import form_of
from spatial_workbench.app.serving.links import JoinLinks
from spatial_workbench.app.serving.pages.gate_pages import INCOMPATIBLE, REFUSED_FORM, UNKNOWN_LINK, GatePages
from spatial_workbench.engine.core.files import write_whole

REASONS = ("window", "touch", "keyboard", "pointer", "connection")
OTHER = "other"


class RefusalCounts:
    """How often the check was not passed, by what was lacking first.

    path: where the counts are kept.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, reason: str) -> None:
        """Counts one more. Raises OSError."""
        counts = self.counts()
        kept = reason if reason in REASONS else OTHER
        counts[kept] = counts.get(kept, 0) + 1
        write_whole(self._path, json.dumps(counts, indent=1).encode())

    def counts(self) -> dict[str, int]:
        """The number of each reason; none if there is no such file, or if it is damaged."""
        try:
            kept = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {reason: kept[reason] for reason in (*REASONS, OTHER) if isinstance(kept.get(reason), int)}


class IncompatibleExit:
    """The way out of the check. Nothing is stored but a number."""

    def __init__(self, links: JoinLinks, pages: GatePages, counts: RefusalCounts) -> None:
        self._links = links
        self._pages = pages
        self._counts = counts

    def routes(self) -> list[Route]:
        """What browsers reach of it, and where the check measures round trips."""
        return [
            Route("/join/{token}/incompatible", self._leave, methods=["POST"]),
            Route("/round-trip", self._answer),
        ]

    async def _leave(self, request: Request) -> Response:
        token = request.path_params["token"]
        if self._links.code_of(token) is None:
            return HTMLResponse(self._pages.message(UNKNOWN_LINK), HTTPStatus.NOT_FOUND)
        form = await form_of(request)
        if not self._links.is_form_token(token, form.get("form", "")):
            return HTMLResponse(self._pages.message(REFUSED_FORM), HTTPStatus.FORBIDDEN)
        self._counts.add(form.get("reason", ""))
        return HTMLResponse(self._pages.message(INCOMPATIBLE))

    async def _answer(self, _: Request) -> Response:
        return Response(status_code=HTTPStatus.NO_CONTENT)
