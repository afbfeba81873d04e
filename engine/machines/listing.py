"""A machine as somebody types it: what the text means, and which line every fault is in (docs/machines.md)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from engine.core.progress import Progress, silent
from engine.machines.blocks import Vector
from engine.machines.level import SIZE_LIMITS
from engine.machines.positions import read_positions
from engine.machines.spatial import spatial_faults
from engine.machines.tree import FENCE, Fault, Reading, Tree, read_tree

MAX_CHARS = 1_000_000
"""The longest list of the most blocks is shorter."""
MOST_MARKS = 100

_SPACE = re.compile(r"\s*")
_BLOCKS = re.compile(r"\"blocks\"\s*:\s*(?=\[)")
_COMMENTS = ("//", "/*", "#")


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


def _marks(faults: Sequence[Fault], reading: Reading, lines: Sequence[int]) -> Iterator[Mark]:
    """The faults with their lines, in the order of the lines; of very many, the first."""
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
    fenced = FENCE.search(text)
    attempts = [(fenced.group(1), fenced.start(1))] if fenced else []
    errors = []
    for part, start in [*attempts, (text, 0)]:
        try:
            data = json.loads(part)
        except (ValueError, RecursionError) as error:
            errors.append(_Unreadable(*_place_of(error, text, part, start)))
        else:
            return *_with_lines(data, text, part, start), start == 0 and isinstance(data, list)
    try:
        return *_literal(text), False
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        raise errors[0] from None


def _with_lines(data: Any, text: str, part: str, start: int) -> tuple[Any, list[int]]:
    """The blocks of parsed JSON, with the lines that they begin in."""
    begin = 0
    if isinstance(data, dict) and isinstance(data.get("blocks"), list):
        key = _BLOCKS.search(part)
        data, begin = data["blocks"], key.end() if key else len(part)
    if not isinstance(data, list) or not part[begin:].lstrip().startswith("["):
        return data, []
    return data, list(_lines_at(text, [start + place for place in _offsets(part, begin)]))


def _offsets(part: str, begin: int) -> Iterator[int]:
    """Where the elements of a well-formed JSON list begin."""
    decoder, place = json.JSONDecoder(), _after_space(part, begin) + 1
    while part[place := _after_space(part, place)] != "]":
        yield place
        _, place = decoder.raw_decode(part, place)
        place = _after_space(part, place)
        place += part[place] == ","


def _after_space(part: str, place: int) -> int:
    match = _SPACE.match(part, place)
    return match.end() if match else place


def _lines_at(text: str, offsets: Sequence[int]) -> Iterator[int]:
    """The lines of rising offsets."""
    line, before = 1, 0
    for offset in offsets:
        line += text.count("\n", before, offset)
        before = offset
        yield line


def _literal(text: str) -> tuple[Any, list[int]]:
    """The data of a Python literal, with the lines of its elements."""
    bare = text.strip()
    data = ast.literal_eval(bare)
    before = text[: len(text) - len(text.lstrip())].count("\n")
    body = ast.parse(bare, mode="eval").body
    return data, [element.lineno + before for element in body.elts] if isinstance(body, ast.List) else []


def _place_of(error: Exception, text: str, part: str, start: int) -> tuple[int, str]:
    """The line of an error, and what is wrong there."""
    if not isinstance(error, json.JSONDecodeError):
        return 1, "A number is too long, or lists are nested too deeply"
    place = _after_space(part, error.pos)
    line = text.count("\n", 0, start + place) + 1
    if part.startswith(_COMMENTS, place):
        return line, "JSON has no comments"
    if start == 0 and place == 0:
        return line, "There is neither a list of blocks nor a fenced block of JSON"
    column = error.pos - part.rfind("\n", 0, error.pos)
    return line, f"{error.msg}, at column {column}"
