"""In which language somebody reads the pages: the one chosen there, or else what the browser prefers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from spatial_workbench.engine.core.languages.translation import in_language, language_name, spoken_language

PARAMETER = "language"
"""The parameter of an address that says in which language its page is."""
_PREFERENCE = re.compile(r"([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:;q=([01](?:\.\d{0,3})?))?")
_MOST_PREFERENCES = 20


@dataclass(frozen=True)
class LanguageChoice:
    """Another language of a page.

    Attributes:
        language: Its code.
        name: What it calls itself.
        address: The page in this language, as an address relative to the page.
    """

    language: str
    name: str
    address: str


_choices: ContextVar[tuple[LanguageChoice, ...]] = ContextVar("choices", default=())


def language_choices() -> tuple[LanguageChoice, ...]:
    """The other languages of the page that is asked for now; none if it answers a form, which is not sent again."""
    return _choices.get()


class SpeaksWithVisitors:
    """Answers each request in one of the study's languages.

    languages: their codes, the usual one first. spoken_with: the language of the person whose browser asks; "" if
    nothing is known of it.
    """

    def __init__(self, app: ASGIApp, languages: Sequence[str], spoken_with: Callable[[HTTPConnection], str]) -> None:
        self._app = app
        self._languages = languages
        self._spoken_with = spoken_with

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        with in_language(self._language(connection)):
            token = _choices.set(tuple(self._others(connection)) if scope.get("method") == "GET" else ())
            try:
                await self._app(scope, receive, send)
            finally:
                _choices.reset(token)

    def _language(self, connection: HTTPConnection) -> str:
        for known in (connection.query_params.get(PARAMETER, ""), self._spoken_with(connection)):
            if known in self._languages:
                return known
        return preferred(connection.headers.get("accept-language", ""), self._languages)

    def _others(self, connection: HTTPConnection) -> list[LanguageChoice]:
        kept = [(name, value) for name, value in connection.query_params.multi_items() if name != PARAMETER]
        return [
            LanguageChoice(language, language_name(language), f"?{urlencode([*kept, (PARAMETER, language)])}")
            for language in self._languages
            if language != spoken_language()
        ]


def preferred(header: str, languages: Sequence[str]) -> str:
    """The language that a browser prefers among several, by its header `Accept-Language`; the first if it likes none.

    A browser that prefers "de-AT" likes "de", too, and the other way round.
    """
    parts = header.replace(" ", "").split(",")[:_MOST_PREFERENCES]
    wanted = [(float(match[2] or 1), match[1].lower()) for match in map(_PREFERENCE.fullmatch, parts) if match]
    for weight, language in sorted(wanted, key=lambda one: -one[0]):
        liked = [known for known in languages if _language_of(known) == _language_of(language)]
        if weight and liked:
            return next((known for known in liked if known.lower() == language), liked[0])
    return languages[0]


def _language_of(code: str) -> str:
    """A language without its country."""
    return code.partition("-")[0].lower()
