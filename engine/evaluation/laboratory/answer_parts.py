"""The parts of an answer as plain data, by their paths: lists, numbers, texts; and how large an answer is.

A path is a tuple of keys and places, such as ("bricks", 3, "xyz", 0).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[str | int, ...]
MOST_OF_A_VECTOR = 16
"""As many numbers has a matrix that moves a body."""


def parts_of(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All parts of plain data with their paths, the whole first, parents before what they hold."""
    yield path, data
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield from parts_of(value, (*path, key))


def paths_to(data: Any, chosen: Callable[[Any], bool]) -> list[Path]:
    """The paths of the parts that are chosen, without the reasoning."""
    return [path for path, part in parts_of(data) if path[:1] != ("reasoning",) and chosen(part)]


def is_number(part: Any) -> bool:
    """Whether a part is a number; truth values are none."""
    return isinstance(part, int | float) and not isinstance(part, bool)


def part_at(data: Any, path: Path) -> Any:
    """The part at a path. Raises LookupError."""
    for key in path:
        data = data[key]
    return data


def with_part(data: Any, path: Path, value: Any) -> Any:
    """A copy of plain data in which the part at a path is another; what is not on the path is shared."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[key] = with_part(data[key], rest, value)
    return copy


def plain_data(text: str) -> Any:
    """The JSON data in the text of an answer; the text itself if it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def as_answer(data: Any) -> str:
    """The text of an answer from plain data; what is a text already stays as it is."""
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def element_count(text: str) -> int:
    """How many elements an answer has: the entries of its largest list, or the lines of a text.

    The few numbers of an entry, such as the corners of a box or a matrix, are no elements.
    """
    data = plain_data(text)
    if isinstance(data, str):
        return data.count("\n") + 1
    lists = paths_to(data, lambda part: isinstance(part, list))
    return max((len(part_at(data, path)) for path in lists if not _is_vector(path, part_at(data, path))), default=0)


def _is_vector(path: Path, part: list[Any]) -> bool:
    is_within = any(isinstance(key, int) for key in path)
    return is_within and len(part) <= MOST_OF_A_VECTOR and all(is_number(entry) for entry in part)


def most_digits(text: str) -> int:
    """The most digits of a number in the data of an answer."""
    data = plain_data(text)
    numbers = [part for path, part in parts_of(data) if is_number(part) and path[:1] != ("reasoning",)]
    return max((digits_of(number) for number in numbers), default=0)


def digits_of(number: float) -> int:
    """The significant digits of a number as it is written: 3 for 0.125 and 120; 0 for 0."""
    written = json.dumps(abs(number)).partition("e")[0]
    return len(written.replace(".", "").strip("0")) if written[:1].isdigit() else len(written)


def size_of(text: str) -> tuple[int, int, int]:
    """A key by which smaller answers come first: elements, digits, characters."""
    return element_count(text), most_digits(text), len(text)
