"""The page on which somebody types a code with its PIN, or the phrase that was shown after consent."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from spatial_workbench.app.serving.forms import form_of
from spatial_workbench.app.serving.limits import MOST_OF_LINK, RecentFailures
from spatial_workbench.app.serving.links import MOST_TYPED, JoinLinks
from spatial_workbench.app.serving.pages.gate_pages import GatePages
from spatial_workbench.engine.studies.planning.codes import CodeError, code_of, number_of

ADDRESS = "/code"


class TypedCodes:
    """Finds the link of somebody who types what was dealt, and leads there; nothing is dealt by that.

    takes_pins: whether codes were dealt with PINs; people from a recruiter have a phrase only.
    """

    def __init__(self, links: JoinLinks, pages: GatePages, takes_pins: bool) -> None:
        self._links = links
        self._pages = pages
        self._takes_pins = takes_pins
        self._failures = RecentFailures(MOST_OF_LINK)

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [Route(ADDRESS, self._ask), Route(ADDRESS, self._enter, methods=["POST"])]

    async def _ask(self, _: Request) -> Response:
        return self._page()

    async def _enter(self, request: Request) -> Response:
        form = await form_of(request)
        code = self._links.code_of_phrase(form["phrase"]) if form.get("phrase", "").strip() else self._by_pin(form)
        if code is None:
            return self._page(HTTPStatus.FORBIDDEN)
        return RedirectResponse(f"/join/{self._links.token_of(code)}", HTTPStatus.SEE_OTHER)

    def _by_pin(self, form: dict[str, str]) -> str | None:
        """The code that was typed with its PIN; None if they do not fit, or if the code was tried too often."""
        try:
            code = code_of(number_of(form.get("code", "")[:MOST_TYPED]))
        except CodeError:
            return None
        if not self._takes_pins or self._failures.are_too_many(code):
            return None
        if self._links.is_pin(code, form.get("pin", "")):
            return code
        self._failures.note(code)
        return None

    def _page(self, status: HTTPStatus = HTTPStatus.OK) -> Response:
        page = HTMLResponse(self._pages.typed(self._takes_pins, is_wrong=status != HTTPStatus.OK), status)
        page.headers["Referrer-Policy"] = "same-origin"
        return page
