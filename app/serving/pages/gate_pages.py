"""The pages of the gate as HTML, in the language that is spoken with whoever asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import NamedTuple

from spatial_workbench.app.serving.pages.entry_form import TYPE_PERCENTS, EntryForm
from spatial_workbench.app.serving.pages.entry_words import FLAGGED_MS, check_words, display_words, size_words
from spatial_workbench.app.serving.pages.templates import rendered
from spatial_workbench.app.serving.rfb import largest_page
from spatial_workbench.app.serving.window_news import ShownText
from spatial_workbench.engine.core.languages.translation import marked, tr

NO_LINK = (
    marked("A link is needed"),
    marked("Open the link that you were given. If you have none, ask the person who leads the study."),
)
UNKNOWN_LINK = (
    marked("This link is not known"),
    marked("Check that it is complete, or ask the person who leads the study."),
)
REFUSED_FORM = (marked("This page has expired"), marked("Open your link again."))
FAILED = (
    marked("The study could not be opened"),
    marked("Nothing is lost. Try again in a minute, or tell the person who leads the study."),
)
OVER = (marked("This study is over for you"), marked("Thank you. You can close this page."))
DRAINING = (
    marked("Nobody can begin at the moment"),
    marked("Your link stays valid. Try again later, or ask the person who leads the study."),
)

CROWDED = (
    marked("Too many people are waiting"),
    marked("Your link stays valid. Try again in some minutes."),
)
REFUSALS = {
    HTTPStatus.TOO_MANY_REQUESTS: (
        marked("Too many attempts"),
        marked("From here, too many links were tried that are not valid. Try again in ten minutes."),
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        marked("This is too long"),
        marked("Nothing was stored. Open your link again."),
    ),
    HTTPStatus.REQUEST_TIMEOUT: (
        marked("The connection is too slow"),
        marked("Nothing was stored. Open your link again."),
    ),
}
"""What is said to requests that are beyond a limit, by their status."""


INCOMPATIBLE = (
    marked("This computer does not fit"),
    marked("You cannot take part with it. Nothing about you was kept. Your link also opens on another computer."),
)


class TypedField(NamedTuple):
    """A field of a form, with what stands above it."""

    name: str
    label: str


class GatePages:
    """Writes pages for people who come to a study.

    name: the study's name. contact: whom people can ask; may be empty.
    """

    def __init__(self, name: str, contact: str = "") -> None:
        self._name = name
        self._contact = contact

    def message(self, words: tuple[str, str]) -> str:
        """A page with a title and a sentence."""
        title, text = words
        return self._page(tr(title), (tr(text),))

    def join(self, form_token: str, exit_: str, goes_on: bool, told: EntryForm) -> str:
        """The page of a link: nothing happens before the button is pressed.

        exit_: the address for somebody whose computer does not fit. goes_on: whether the person has begun before; then
        the computer was checked before. told: what the person told when they came before.
        """
        texts = (
            tr("You take part in this browser; nothing is installed."),
            tr("Use a computer with a keyboard and a mouse, and a large window."),
        )
        return rendered(
            "entry.html",
            title=self._name,
            paragraphs=(tr("Your work is stored."),) if goes_on else texts,
            exit=exit_,
            form=form_token,
            button=tr("Go on") if goes_on else tr("Begin"),
            checks=not goes_on,
            size=size_words(),
            words=check_words() | display_words(self._contact),
            percents=TYPE_PERCENTS,
            told=told,
            flagged_ms=FLAGGED_MS,
        )

    def queue(self, place: int, form_token: str, told: Mapping[str, str]) -> str:
        """The page of somebody who waits for a place on the server; it asks again by itself.

        told: the fields that were sent, which are sent again.
        """
        texts = (
            tr("You are number {place} in the queue.", place=place),
            tr("Leave this page open: it goes on by itself as soon as there is a place."),
        )
        title = tr("All places are taken at the moment")
        return self._page(title, texts, {"form": form_token, **told}, tr("Try now"))

    def typed(self, takes_pins: bool, is_wrong: bool) -> str:
        """The page on which somebody types a phrase, or a code with its PIN.

        is_wrong: whether what was typed before fits nobody.
        """
        pins = [TypedField("code", tr("Your code")), TypedField("pin", tr("Your PIN"))] if takes_pins else []
        label = tr("or the phrase that you wrote down") if takes_pins else tr("The phrase that you wrote down")
        return rendered(
            "code.html",
            title=self._name,
            wrong=tr("That fits nobody. Check it, or ask the person who leads the study.") if is_wrong else "",
            fields=[*pins, TypedField("phrase", label)],
            button=tr("Go on"),
        )

    def viewer(self, scale: float) -> str:
        """The page that shows the participant's window.

        scale: how many pixels of the window's screen stand for one of the page.
        """
        return rendered(
            "viewer.html",
            most="{} {}".format(*largest_page(scale)),
            title=self._name,
            connecting=tr("Connecting…"),
            lost=tr("The connection was lost. This page tries to connect again; if it does not, load it anew."),
            elsewhere=tr("This study was opened in another tab or browser. You can close this page."),
            texts=tr("Texts to save or print"),
            close=tr("Close"),
            back=tr("Back to the picture"),
        )

    def text(self, name: str, text: ShownText, html: str) -> str:
        """A text that the window has shown, to save or print.

        name: its name in addresses. html: the text as HTML.
        """
        return rendered(
            "text.html",
            study=self._name,
            name=name,
            text=text,
            html=html,
            hint=tr("Print or save this page with your browser, such as with Ctrl+P or Ctrl+S."),
            save=tr("Save as a text file"),
        )

    def _page(
        self, title: str, paragraphs: Iterable[str], fields: Mapping[str, str] | None = None, button: str = ""
    ) -> str:
        """A page; with fields, they are sent by a button, and after a while without it."""
        return rendered("page.html", title=title, paragraphs=list(paragraphs), fields=fields, button=button)
