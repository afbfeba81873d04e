"""What an author chooses to publish."""

from __future__ import annotations

from dataclasses import dataclass

USUAL_TITLE = "Results"


class CannotPublish(ValueError):
    """What was chosen cannot be published; the message is a sentence that says why."""


@dataclass(frozen=True)
class SiteChoice:
    """What goes on a site.

    Attributes:
        title: What the site is called. The name of the project's file is never published.
        people: Names, as the project has them, of people who agreed that their attempts are shown without a name.
            Authors of imported answers count as people.
        named: Names of people who also agreed to be named.
        studies: Ids, names or beginnings of hashes of studies whose outcomes are unsealed.
        pictures: Whether attempts are drawn; without pictures, nothing turns either.
        motion: Whether drawings of attempts are replayed; without it, they turn, but nothing in them moves.
        canary: A GUID for the site's canary; empty: that of the site that is replaced, or a new one.
    """

    title: str = USUAL_TITLE
    people: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()
    pictures: bool = True
    motion: bool = True
    canary: str = ""
