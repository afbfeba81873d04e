"""What the page in a browser has to know of the window: texts to save, the field with the focus, the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

CONSENT = "consent"
DEBRIEFING = "debriefing"
TEXTS = (CONSENT, DEBRIEFING)
MOST_TEXT_CHARS = 60_000
MOST_FIELD_CHARS = 5000
_MOST_TITLE_CHARS = 200


@dataclass(frozen=True)
class ShownText:
    """A text that the window has shown.

    Attributes:
        title: Its title, in the language of the text.
        text: Markdown without HTML or links.
        language: The code of its language.
    """

    title: str
    text: str
    language: str


class WindowNews:
    """Keeps what the window tells for the page, and passes it on to whoever follows."""

    def __init__(self) -> None:
        self.texts: dict[str, ShownText] = {}
        """The texts that the window has shown, by their names."""
        self.types_in_page = False
        """Whether the person types into fields of the page, for a screen reader, dictation or an input method."""
        self._times_wanted = 0
        self._field: dict[str, Any] | None = None
        self._is_over = False
        self._changed = asyncio.Event()

    def take(self, told: dict[str, Any]) -> None:
        """Takes a line of the window. What is not as expected is left out: strangers use the window."""
        if told.get("is_over") is True:
            self._is_over = True
        if isinstance(texts := told.get("texts"), dict):
            self.texts = {name: text for name in TEXTS if (text := _text_of(texts.get(name))) is not None}
        if told.get("texts_wanted") is True:
            self._times_wanted += 1
        if "field" in told:
            self._field = _field_of(told["field"])
        self._changed.set()

    async def follow(self) -> AsyncIterator[dict[str, Any]]:
        """What the page has to know: now, and again whenever it is something else."""
        last: dict[str, Any] = {}
        while True:
            self._changed.clear()
            news = self._news()
            if news != last:
                last = news
                yield news
            await self._changed.wait()

    def _news(self) -> dict[str, Any]:
        """The texts as pairs of name and title, how often they were asked for, the field, and whether all is over."""
        return {
            "texts": [[name, text.title] for name, text in self.texts.items()],
            "wanted": self._times_wanted,
            "field": self._field,
            "types": self.types_in_page,
            "over": self._is_over,
        }


def _text_of(told: Any) -> ShownText | None:
    if not isinstance(told, dict):
        return None
    title, text, language = (told.get(name) for name in ("title", "text", "language"))
    if not (isinstance(title, str) and isinstance(text, str) and isinstance(language, str)):
        return None
    return ShownText(title[:_MOST_TITLE_CHARS], text[:MOST_TEXT_CHARS], language[:20])


def _field_of(told: Any) -> dict[str, Any] | None:
    """The field with the focus, if it is described as the window does."""
    if not isinstance(told, dict):
        return None
    numbers = [told.get(name) for name in ("number", "heard", "most")]
    cursor = told.get("cursor")
    is_counted = isinstance(cursor, list) and len(cursor) == 2 and all(map(is_count, [*numbers, *cursor]))
    label, text = told.get("label"), told.get("text")
    if not (is_counted and isinstance(label, str) and isinstance(text, str) and len(text) <= MOST_FIELD_CHARS):
        return None
    return {
        **{name: told[name] for name in ("number", "heard", "most", "cursor", "text")},
        "label": label[:_MOST_TITLE_CHARS],
        "lines": told.get("lines") is True,
        "low": told.get("low") is True,
    }


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 0."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
