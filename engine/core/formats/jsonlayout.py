"""JSON for people: a list of records has one record per line."""

import json
from typing import Any

LINE_WIDTH = 110

_encode = json.JSONEncoder(ensure_ascii=False).encode


def layout(data: Any, indent: str = "") -> str:
    """JSON text in which each value that fits on a line is on one line, except lists of records.

    `indent` is the indentation of the line on which the text begins.
    """
    flat = _encode(data)
    if len(flat) + len(indent) <= LINE_WIDTH and not _is_list_of_records(data):
        return flat
    inner = indent + "  "
    if isinstance(data, dict) and data:
        rows = [f"{_encode(key)}: {layout(value, inner)}" for key, value in data.items()]
        return "{\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}}}"
    if isinstance(data, list) and data:
        return "[\n" + ",\n".join(inner + layout(value, inner) for value in data) + f"\n{indent}]"
    return flat


def _is_list_of_records(data: Any) -> bool:
    if isinstance(data, dict):
        return any(_is_list_of_records(value) for value in data.values())
    return isinstance(data, list) and any(isinstance(value, dict) for value in data)
