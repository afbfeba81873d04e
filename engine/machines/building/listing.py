"""A machine as somebody types it: what the text means, and which line every fault is in (docs/machines.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.reading.candidates import find_candidates
from spatial_workbench.engine.core.reading.limits import within_limits
from spatial_workbench.engine.core.reading.mending import data_at
from spatial_workbench.engine.core.reading.pipeline import no_data
from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.building.positions import read_positions
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import Fault, MachineReading, Tree, is_listing, read_tree
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS

MAX_CHARS = 1_000_000
"""The longest list of as many blocks as are allowed is shorter."""
MOST_MARKS = 100

_BLOCKS = re.compile(r"\bblocks\b[\"'”]?\s*:\s*(?=\[)")
_OBJECT = re.compile(r"(?:[\s,]|//[^\n]*|#[^\n]*|/\*.*?\*/)*(?=\{)", re.DOTALL)


@dataclass(frozen=True)
class Mark:
    """A fault in a line of the text, counted from 1; `entry` is the block, None: the whole list."""

    line: int
    code: str
    sentence: str
    entry: int | None = None
    is_warning: bool = False


@dataclass(frozen=True)
class Listing:
    """What a text means.

    Attributes:
        tree: The machine; None while a rule of files is broken.
        marks: What is wrong, by line.
        lines: The line where each block's entry begins.
        is_plain: Whether the text is a JSON list in the project's own naming, without anything around it.
    """

    tree: Tree | None
    marks: tuple[Mark, ...] = ()
    lines: tuple[int, ...] = ()
    is_plain: bool = True


def write_listing(rows: Sequence[Mapping[str, Any]]) -> str:
    """Blocks as JSON with one line for each."""
    return "[\n" + ",\n".join(f"  {json.dumps(dict(row))}" for row in rows) + "\n]"


def read_listing(text: str, size_limits: Vector = SIZE_LIMITS, progress: Progress = silent) -> Listing:
    """Reads a text by the rules of machine files, and checks the rules of files and of space."""
    if len(text) > MAX_CHARS:
        return _refused(Mark(1, "NOT_A_LIST", f"The text has {len(text):,} characters; at most {MAX_CHARS:,} are read"))
    try:
        data, lines, is_plain = _located(text)
    except _Unreadable as error:
        return _refused(error.mark)
    is_placed = isinstance(data, list) and any(isinstance(row, dict) and "Position" in row for row in data)
    reading = read_positions(data) if is_placed else read_tree(data)
    is_plain = is_plain and not is_placed and "order_id" not in str(data[:1] if isinstance(data, list) else "")
    faults = list(reading.faults)
    if reading.tree is not None and not is_placed:
        faults += spatial_faults(reading.tree, size_limits)
    return Listing(reading.tree, tuple(_marks(faults, reading, lines)), tuple(lines), is_plain)


class _Unreadable(Exception):
    """A text that holds no data."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.mark = Mark(line, "NOT_A_LIST", sentence)


def _refused(mark: Mark) -> Listing:
    return Listing(None, (mark,), (), is_plain=True)


def _marks(faults: Sequence[Fault], reading: MachineReading, lines: Sequence[int]) -> Iterator[Mark]:
    """The faults with their lines, in the order of the lines; only the first if there are very many."""
    marks = [_mark(fault, lines, is_warning=False) for fault in islice(faults, 10 * MOST_MARKS)]
    marks += [_mark(fault, lines, is_warning=True) for fault in reading.warnings]
    return islice(sorted(marks, key=lambda mark: mark.line), MOST_MARKS)


def _mark(fault: Fault, lines: Sequence[int], is_warning: bool) -> Mark:
    has_line = fault.entry is not None and fault.entry < len(lines)
    line = lines[fault.entry] if has_line and fault.entry is not None else 1
    return Mark(line, fault.code, fault.sentence, fault.entry, is_warning)


# Reading -------------------------------------------------------------------------------------------------------------


def _located(text: str) -> tuple[Any, list[int], bool]:
    """The data of a text, the lines of its blocks, and whether it is bare JSON; raises _Unreadable."""
    found = find_candidates(text)
    fits = [candidate for candidate in found.candidates if is_listing(candidate.data)]
    if not fits or found.is_cut_off:
        error = no_data(found)
        raise _Unreadable(error.line or 1, error.message)
    last = fits[-1]
    data = last.data
    begin = last.start
    if isinstance(data, dict):
        key = _BLOCKS.search(text, last.start, last.end)
        data = data["blocks"]
        begin = key.end() if key else last.end
    is_plain = isinstance(last.data, list) and not last.repairs
    return within_limits(data), list(_lines_at(text, list(_offsets(text, begin, last.end)))), is_plain


def _offsets(text: str, begin: int, end: int) -> Iterator[int]:
    """Where the objects begin in a list that stands between two places."""
    place = text.find("[", begin, end) + 1
    while place and (opening := _OBJECT.match(text, place, end)):
        place = opening.end()
        yield place
        place = data_at(text, place).end


def _lines_at(text: str, offsets: Sequence[int]) -> Iterator[int]:
    """The line numbers of rising offsets."""
    line = 1
    before = 0
    for offset in offsets:
        line += text.count("\n", before, offset)
        before = offset
        yield line
