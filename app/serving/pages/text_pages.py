"""The consent text and the debriefing as pages that can be saved or printed, once the window has shown them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from spatial_workbench.app.serving.pages.gate_pages import NO_LINK, GatePages
from spatial_workbench.app.serving.seats import Seats
from spatial_workbench.app.serving.window_news import ShownText

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


class TextPages:
    """Pages for the person whose window has shown the texts, and for nobody else.

    code_of: the code of the browser that asks; None for strangers.
    """

    def __init__(self, code_of: Callable[[HTTPConnection], str | None], seats: Seats, pages: GatePages) -> None:
        self._code_of = code_of
        self._seats = seats
        self._pages = pages

    def routes(self) -> list[Route]:
        """A page for each text, and the text alone."""
        return [
            Route("/take-part/texts/{name}", self._page),
            Route("/take-part/texts/{name}/file", self._file),
        ]

    async def _page(self, request: Request) -> Response:
        text = self._text_of(request)
        if text is None:
            return HTMLResponse(self._pages.message(NO_LINK), HTTPStatus.NOT_FOUND)
        return HTMLResponse(self._pages.text(request.path_params["name"], text, html_of(text.text)))

    async def _file(self, request: Request) -> Response:
        text = self._text_of(request)
        if text is None:
            return PlainTextResponse("", HTTPStatus.NOT_FOUND)
        name = f"attachment; filename={request.path_params['name']}.txt"
        return PlainTextResponse(text.text, headers={"Content-Disposition": name})

    def _text_of(self, request: Request) -> ShownText | None:
        code = self._code_of(request)
        host = None if code is None else self._seats.last_host_of(code)
        return None if host is None else host.news.texts.get(request.path_params["name"])


def html_of(text: str) -> str:
    """A text of a study as HTML: Markdown in which HTML, links and pictures are plain characters."""
    rendered: str = _markdown().render(text)
    return rendered


@lru_cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    rules = ["link", "image", "autolink", "html_inline", "html_block", "reference"]
    return MarkdownIt("commonmark", {"html": False}).disable(rules)
