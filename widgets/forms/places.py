"""Places in a document of plain data, such as "limits.item_s"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Data = dict[str, Any]


def value_at(data: Mapping[str, Any], path: str) -> Any:
    """The part of a document at a place such as "limits.item_s"; None if the document leaves it out."""
    *above, last = path.split(".")
    part: Any = data
    for name in above:
        part = part[name]
    return part.get(last)


def with_value(data: Mapping[str, Any], path: str, value: Any) -> Data:
    """The document with another part at a place."""
    name, _, rest = path.partition(".")
    return {**data, name: with_value(data[name], rest, value) if rest else value}


def covers(path: str, place: str) -> bool:
    """Whether a problem's place lies within a field's path."""
    return place == path or place.startswith((f"{path}.", f"{path}["))


def row_and_part(path: str, names: Sequence[Any], place: str) -> tuple[int, str]:
    """The row in a list of records at `path`, and the part of that record, which a problem's place lies in.

    names: What a place may call the records instead of numbering them.

    Returns:
        -1 for a place in no single record, and "" for one in no single part.
    """
    rest = place.removeprefix(path)
    if match := re.match(r"\[(\d+)\](?:\.(\w+))?", rest):
        return int(match[1]), match[2] or ""
    if (match := re.match(r"\.([\w-]+)(?:\.(\w+))?", rest)) and names:
        return (names.index(match[1]) if match[1] in names else -1), match[2] or ""
    return -1, ""
