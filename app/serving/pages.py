"""The pages of the gate as HTML, in the language of the study."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from spatial_workbench.app.serving.rfb import SMALLEST
from spatial_workbench.engine.core.languages.translation import in_language, marked, tr
from spatial_workbench.engine.core.shipped import resource

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = "serving"
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


class SizeCheck(NamedTuple):
    """The least size of a browser's window, and what is said of one that has it or not.

    The page puts the size that it finds in place of %width and %height.
    """

    least: str
    fits: str
    small: str


class GatePages:
    """Writes pages for people who come to a study.

    name: the study's name. language: in which language the pages are.
    """

    def __init__(self, name: str, language: str) -> None:
        self._name = name
        self._language = language

    def message(self, words: tuple[str, str]) -> str:
        """A page with a title and a sentence."""
        title, text = words
        with in_language(self._language):
            return self._page(tr(title), (tr(text),))

    def join(self, form_token: str, goes_on: bool) -> str:
        """The page of a link: nothing happens before the button is pressed.

        goes_on: whether the person has begun before.
        """
        with in_language(self._language):
            if goes_on:
                return self._page(self._name, (tr("Your work is stored."),), form_token, tr("Go on"), size=_size())
            texts = (
                tr("You take part in this browser; nothing is installed."),
                tr("Use a computer with a keyboard and a mouse, and a large window."),
            )
            return self._page(self._name, texts, form_token, tr("Begin"), size=_size())

    def queue(self, place: int, form_token: str) -> str:
        """The page of somebody who waits for a place on the server; it asks again by itself."""
        with in_language(self._language):
            texts = (
                tr("You are number {place} in the queue.", place=place),
                tr("Leave this page open: it goes on by itself as soon as there is a place."),
            )
            return self._page(
                tr("All places are taken at the moment"), texts, form_token, tr("Try now"), asks_again=True
            )

    def viewer(self) -> str:
        """The page that shows the participant's window."""
        with in_language(self._language):
            return (
                _templates()
                .get_template("viewer.html")
                .render(
                    title=self._name,
                    language=self._language,
                    connecting=tr("Connecting…"),
                    lost=tr("The connection was lost. This page tries to connect again; if it does not, load it anew."),
                    elsewhere=tr("This study was opened in another tab or browser. You can close this page."),
                )
            )

    def _page(
        self,
        title: str,
        paragraphs: Iterable[str],
        form: str = "",
        button: str = "",
        asks_again: bool = False,
        size: SizeCheck | None = None,
    ) -> str:
        return (
            _templates()
            .get_template("page.html")
            .render(
                title=title,
                language=self._language,
                paragraphs=list(paragraphs),
                form=form,
                button=button,
                asks_again=asks_again,
                size=size,
            )
        )


def _size() -> SizeCheck:
    """How large the browser's window has to be, in the language that is spoken."""
    width, height = SMALLEST
    found = {"width": "%width", "height": "%height"}
    return SizeCheck(
        f"{width} {height}",
        tr("Your window has {width} × {height} pixels: large enough.", **found),
        tr(
            "Your window has {width} × {height} pixels. It has to have {least_width} × {least_height}: enlarge it, or "
            "make the page smaller with Ctrl and −.",
            **found,
            least_width=width,
            least_height=height,
        ),
    )


def part(name: str) -> str:
    """The style sheet or a script."""
    return resource(FOLDER, name).read_text("utf-8")


@lru_cache
def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(loader=FunctionLoader(part), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
