"""Finds the grid of a maze in what somebody wrote: in a code block, after “Final answer:”, in prose, after thinking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.reading.candidates import FINAL_MARKER, without_thinking
from spatial_workbench.engine.core.reading.how_read import (
    AROUND,
    AS_IT_IS,
    FENCE,
    FINAL,
    SPACES,
    THINKING,
    HowItWasRead,
    HowRead,
    Repair,
)
from spatial_workbench.engine.core.reading.pipeline import is_object, read_data

OF_ROWS = frozenset("0123456789AB.")
TAKEN_OUT = Repair("taken out of “maze”", "The maze was taken out of the field “maze”")
_FIELD = "maze"
_BLANKS = " \t\r`"


@dataclass(frozen=True)
class FoundGrid:
    """The text of a grid, and how it was found."""

    text: str
    how: HowItWasRead


@dataclass(frozen=True)
class _Block:
    """Lines that look like rows, one below the other.

    Attributes:
        before: The lines of text before it and after the last block.
    """

    lines: tuple[str, ...]
    before: tuple[str, ...] = ()

    def is_grid(self, size: int) -> bool:
        """Whether it has the form of a grid of that many rows and columns."""
        return len(self.lines) == size and all(len(line) == size for line in self.lines)


def find_grid(text: str, size: int) -> FoundGrid:
    """The last grid of `size` rows and columns in a text.

    A text without any is returned as it is, or the last lines of a code block that are like rows; `how` says so.
    """
    plain = text.strip().replace("\r\n", "\n")
    if _Block(tuple(plain.split("\n"))).is_grid(size) and all(map(_is_row, plain.split("\n"))):
        return FoundGrid(text, AS_IT_IS)
    inner, repairs = _without_envelope(text)
    cleaned = without_thinking(inner)
    repairs = (*repairs, *((THINKING,) if cleaned != inner else ()))
    blocks = list(_blocks(cleaned))
    grids = [block for block in blocks if block.is_grid(size)]
    if grids:
        last = grids[-1]
        count = len({block.lines for block in grids})
        return FoundGrid("\n".join(last.lines), HowItWasRead((*repairs, *_places(last, len(blocks), cleaned)), count))
    likely = [block for block in blocks if len(block.lines) > 1]
    if likely and "```" in cleaned:
        return FoundGrid("\n".join(likely[-1].lines), HowItWasRead(repairs, failure=HowRead.UNREADABLE))
    return FoundGrid(text, HowItWasRead(failure=HowRead.UNREADABLE if likely else HowRead.NO_ANSWER))


def _without_envelope(text: str) -> tuple[str, tuple[Repair, ...]]:
    """The text in the field "maze" of JSON."""
    if f'"{_FIELD}"' not in text:
        return text, ()
    try:
        data = read_data(text, lambda data: is_object(data) and isinstance(data.get(_FIELD), str))
    except AnswerError:
        return text, ()
    return data[_FIELD], (TAKEN_OUT,)


def _blocks(text: str) -> Iterator[_Block]:
    rows: list[str] = []
    between: list[str] = []
    for line in [*FINAL_MARKER.sub(lambda match: f"{match.group().strip()}\n", text).split("\n"), ""]:
        row = line.strip(_BLANKS)
        if _is_row(row):
            rows.append(row)
            continue
        if rows:
            yield _Block(tuple(rows), tuple(between))
            rows = []
            between = []
        between.append(line.strip())


def _is_row(line: str) -> bool:
    """Whether a line is intended as a row: half of it or more is digits and markers, and there is no blank in it."""
    return bool(line) and " " not in line and 2 * sum(character in OF_ROWS for character in line) >= len(line)


def _places(block: _Block, count: int, text: str) -> Sequence[Repair]:
    words = [line for line in block.before if line]
    if words and words[-1].startswith("```"):
        return (FENCE,)
    if words and FINAL_MARKER.match(words[-1]):
        return (FINAL,)
    is_alone = count == 1 and len(text.split()) == len(block.lines)
    return (SPACES,) if is_alone else (AROUND,)
