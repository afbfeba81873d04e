"""Positions in JSON text: finds the character at which a path in the data begins."""

import json
import re

Path = tuple[str | int, ...]

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def format_path(path: Path) -> str:
    """The usual notation: ("bricks", 3, "Centroid") gives bricks[3].Centroid."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def locate(text: str, path: Path) -> int | None:
    """The offset of the value at `path` in valid JSON text, or of the deepest part of the path that exists.

    Returns None if the text cannot be followed.
    """
    try:
        position = _skip_space(text, 0)
        for part in path:
            next_position = _step(text, position, part)
            if next_position is None:
                break
            position = next_position
        return position
    except (ValueError, IndexError, RecursionError):
        return None


def _step(text: str, position: int, part: str | int) -> int | None:
    """The offset of one member of the object or array at `position`."""
    opening = text[position]
    if opening not in "{[" or (opening == "[") != isinstance(part, int):
        return None
    position = _skip_space(text, position + 1)
    index = 0
    while text[position] not in "}]":
        key: str | int = index
        if opening == "{":
            key, position = _DECODER.raw_decode(text, position)
            position = _skip_space(text, _skip_space(text, position) + 1)
        if key == part:
            return position
        _, position = _DECODER.raw_decode(text, position)
        position = _skip_space(text, position)
        if text[position] == ",":
            position = _skip_space(text, position + 1)
        index += 1
    return None


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
