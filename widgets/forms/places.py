"""Places in a document of plain data, such as "limits.item_s"."""

from __future__ import annotations

from collections.abc import Mapping
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
