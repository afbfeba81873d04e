"""`tr`: a text of the program in the language that is spoken now.

The English text is written in the sources and is the key of its translations; what changes is a named place:

    tr("Item {number} of {count}", number=3, count=8)
    ntr("{number} more try", "{number} more tries", left)

A text that is a constant is `marked` where it is defined, and passed to `tr` where it is shown. Each language is a file
of `resources/locale`; a text that it lacks is shown in English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from gettext import NullTranslations

from spatial_workbench.engine.core.languages.catalogues import CatalogueMessage, read_catalogue, translations_of
from spatial_workbench.engine.core.shipped import resource

ENGLISH = "en"
FOLDER = "locale"
SUFFIX = ".po"

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


def tr(text: str, /, **places: object) -> str:
    """A text in the language that is spoken, with its places filled in as `str.format` does."""
    # The translation of nothing is the header of a catalogue.
    translated = catalogue_of(_spoken.get()).gettext(text) if text else ""
    return translated.format(**places) if places else translated


def ntr(one: str, many: str, number: int, /, **places: object) -> str:
    """A text about a number of things, in the form that the language has for it; `{number}` is a place of it."""
    translated = catalogue_of(_spoken.get()).ngettext(one, many, number)
    return translated.format(number=number, **places)


def marked(text: str) -> str:
    """The text, unchanged: marks a constant for translation that `tr` translates where it is shown."""
    return text


def spoken_language() -> str:
    """The code of the language that is spoken."""
    return _spoken.get()


def speak(language: str) -> None:
    """Speaks a language from now on, in this thread."""
    _spoken.set(language)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Speaks a language within the `with` block."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def in_each(languages: Iterable[str], write: Callable[[], str]) -> dict[str, str]:
    """What `write` says in each of the languages that the program speaks."""
    texts = {}
    for language in languages:
        if speaks(language):
            with in_language(language):
                texts[language] = write()
    return texts


def known_languages() -> tuple[str, ...]:
    """The codes of the languages that the program speaks, English first."""
    names = (file.name for file in resource(FOLDER).iterdir())
    return (ENGLISH, *sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def language_name(language: str) -> str:
    """What a language calls itself; its code if the program does not speak it."""
    if _known(language) == ENGLISH:
        return "English"
    return catalogue_of(language).info().get("x-language-name", language)


def speaks(language: str) -> bool:
    """Whether the program speaks a language; a translation for “de” serves “de-AT”, too."""
    return _known(language) is not None


@lru_cache
def catalogue_of(language: str) -> NullTranslations:
    """The translations into a language; English if there are none."""
    messages = messages_of(language)
    return translations_of(messages) if messages else NullTranslations()


@lru_cache
def messages_of(language: str) -> tuple[CatalogueMessage, ...]:
    """The messages of a language's catalogue, with the header; none for English."""
    known = _known(language)
    if known is None or known == ENGLISH:
        return ()
    return tuple(read_catalogue(resource(FOLDER, f"{known}{SUFFIX}").read_text("utf-8")))


def _known(language: str) -> str | None:
    """The language itself or, without its country, the one that is known."""
    candidates = (language, language.replace("_", "-").partition("-")[0])
    return next((code for code in candidates if code in known_languages()), None)
