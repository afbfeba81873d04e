"""Numbers with their nouns, as sentences name them."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things: "1 cell", "2 cells", "1,024 points".

    plural: what more than one are called, if an "s" is not enough; a verb may follow in both ("part is", "parts are").
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
