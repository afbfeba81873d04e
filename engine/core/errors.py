"""The error about an answer that cannot be read, and how errors are worded for people."""

from typing import Any

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


def sentence_of(error: BaseException) -> str:
    """An error in words for a person: the message alone of our own errors and the system's, otherwise with the type."""
    speaks = isinstance(error, OSError) or type(error).__module__.startswith("spatial_workbench.")
    text = str(error)
    return text if speaks and text else f"{type(error).__name__}: {text}".removesuffix(": ")
