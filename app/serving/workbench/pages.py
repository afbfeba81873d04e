"""The pages of a workbench in a browser, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from spatial_workbench.app.serving.pages.templates import rendered
from spatial_workbench.app.serving.rfb import LARGEST, largest_page
from spatial_workbench.app.serving.workbench.exchange_folder import ExchangedFile
from spatial_workbench.app.serving.workbench.window_host import WorkbenchChoices

NO_LINK = ("A link is needed", "Open the link that the server printed when it was started.")
REFUSALS = {
    HTTPStatus.TOO_MANY_REQUESTS: (
        "Too many attempts",
        "From here, too many links were tried that are not valid. Try again in ten minutes.",
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("This is too long", "Nothing was stored."),
    HTTPStatus.REQUEST_TIMEOUT: ("The connection is too slow", "Nothing was stored."),
}
"""What is said to requests that are beyond a limit, by their status."""


class WorkbenchPages:
    """Writes the pages."""

    def __init__(self, choices: WorkbenchChoices) -> None:
        self._choices = choices

    def message(self, words: tuple[str, str], fault: str = "") -> str:
        """A page with a title and a sentence.

        fault: what went wrong, in the words of the program that failed.
        """
        title, text = words
        return self._asking(title, text, fault=fault)

    def entry(self) -> str:
        """The page of the link: nothing happens before the button is pressed."""
        text = f"{self._choices.project.name}, as {self._choices.person}."
        more = "Whoever else has it open is told that it went on here."
        return self._asking("Spatial Workbench", text, more, button="Open", opens=True)

    def closed(self, fault: str) -> str:
        """The page after the window was closed.

        fault: why it ended, if nobody closed it.
        """
        title = "The window ended by itself" if fault else "The window is closed"
        text = "Everything is stored. Evaluations that were started go on."
        form = {"action": "/workbench/open", "button": "Open again", "opens": True}
        return self._asking(title, text, fault=fault, has_files=True, **form)

    def window(self, scale: float) -> str:
        """The page that shows the window.

        scale: how many pixels of the window's screen stand for one of the page.
        """
        return rendered(
            "workbench.html",
            project=self._choices.project.name,
            person=self._choices.person,
            most=_size(largest_page(scale)),
        )

    def files(self, files: Sequence[ExchangedFile], folder: Path, most_bytes: int) -> str:
        """The page of files.

        most_bytes: how large a file from the browser may be.
        """
        return rendered("files.html", files=files, folder=folder, most_bytes=most_bytes)

    def delete(self, name: str, address: str) -> str:
        """The page that asks before a file is deleted."""
        text = "It cannot be brought back."
        return self._asking(f"Delete {name}?", text, action=address, button="Delete", back="/workbench/files")

    def _asking(self, title: str, *paragraphs: str, **values: Any) -> str:
        """A page with sentences, and a button if it has a name."""
        usual = {"fault": "", "action": "", "button": "", "back": "", "opens": False, "has_files": False}
        given = {**usual, "most": _size(LARGEST), **values}
        return rendered("asking.html", title=title, paragraphs=paragraphs, **given)


def _size(size: tuple[int, int]) -> str:
    """A size as the scripts read it."""
    return "{} {}".format(*size)
