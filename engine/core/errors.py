"""The error about an answer that cannot be read, and how errors are worded for people."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from spatial_workbench.engine.core.formats.jsontext import Path, format_path
from spatial_workbench.engine.core.reading.how_read import HowRead


class AnswerError(ValueError):
    """An answer cannot be read; says where, and what to do about it.

    Attributes:
        message: A plain sentence.
        path: The place in the data, such as ("bricks", 3, "Centroid").
        line: The line of the text (from 1), if the answer was text and the place is known.
        how: Why there is no answer.
    """

    def __init__(
        self, message: str, path: Path = (), line: int | None = None, how: HowRead = HowRead.UNREADABLE
    ) -> None:
        self.message = message
        self.path = path
        self.line = line
        self.how = how
        super().__init__(message)

    @property
    def place(self) -> str:
        """The path in the usual notation: bricks[3].Centroid[0]."""
        return format_path(self.path)

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return where + self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.path, self.line, self.how)


class UnknownName(KeyError):
    """There is nothing of that name; the message names what there is."""

    def __str__(self) -> str:
        return str(self.args[0])


def meant(word: str, known: Iterable[str]) -> str:
    """What may have been meant by an unknown word: "; did you mean “width”?". Empty if no known word is near."""
    near = get_close_matches(word, tuple(known), n=1, cutoff=0.6)
    return f"; did you mean “{near[0]}”?" if near else ""


def option_sentence(error: ValidationError, known: Iterable[str], kind: str = "option") -> str:
    """What is wrong with options that a record refuses: the first fault, with what may be given instead.

    Args:
        known: The names of all options.
        kind: What an option is called in the sentence.
    """
    first = error.errors(include_url=False)[0]
    place = format_path(first["loc"])
    if first["type"] != "extra_forbidden":
        return f"{place or kind}: {first['msg']}"
    names = tuple(known)
    there_are = f"There are {', '.join(names)}." if names else "There are none."
    return f"“{place}” is no {kind}{meant(place, names) or '.'} {there_are}"


def sentence_of(error: BaseException) -> str:
    """An error in words for a person: the message alone of our own errors and the system's, otherwise with the type."""
    speaks = isinstance(error, OSError) or type(error).__module__.startswith("spatial_workbench.")
    text = str(error)
    return text if speaks and text else f"{type(error).__name__}: {text}".removesuffix(": ")
