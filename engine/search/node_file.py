"""The file of a search: a line of JSON about the search, then one for each machine, in the order of their ids."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class SearchError(ValueError):
    """A search cannot be run or resumed; the message says why."""


class NodeFile:
    """The machines of a search, stored as they are made. Without a path they are only kept in memory."""

    def __init__(self, path: Path | None, about: Mapping[str, Any]) -> None:
        """Opens a file, or begins it. A last line that was cut off when the search was killed is dropped.

        Args:
            about: What the search depends on; a stored search that depends on anything else is refused.

        Raises:
            SearchError: The file holds something else.
        """
        self._path = path
        self.rows: list[Row] = []
        if path is None:
            return
        content = path.read_bytes() if path.exists() else b""
        if content:
            self.rows = _read(path, content, dict(about))
        else:
            self._append(dict(about))

    def add(self, row: Row) -> None:
        """Stores the next machine; one that is stored already has to be the same.

        Raises:
            SearchError: The stored one differs, since the program has changed.
        """
        number = row["id"]
        if number == len(self.rows):
            self.rows.append(row)
            self._append(row)
        elif self.rows[number] != row:
            raise SearchError(f"{self._path}: the search cannot be resumed, since its machine {number} has changed")

    def _append(self, row: Row) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_nodes(path: Path) -> tuple[Row, list[Row]]:
    """What a file says about its search, and the machines so far; the search may still be writing it.

    Raises:
        SearchError: The file cannot be read, or holds something else.
    """
    try:
        about, *rows = _rows_in(path, path.read_bytes())
    except OSError as error:
        raise SearchError(f"{path} cannot be read: {error.strerror}") from None
    if about.get("search") != "machines":
        raise SearchError(f"{path} is not the file of a search")
    return about, rows


def _rows_in(path: Path, content: bytes) -> list[Row]:
    """The objects in all lines that are complete."""
    length = content.rfind(b"\n") + 1
    lines = content[:length].decode("utf-8", "replace").split("\n")[:-1] or [""]
    return [_object(path, number, line) for number, line in enumerate(lines, 1)]


def _read(path: Path, content: bytes, about: Row) -> list[Row]:
    """The stored machines; a last line that was cut off is removed from the file."""
    length = content.rfind(b"\n") + 1
    stored, *rows = _rows_in(path, content)
    for name, value in about.items():
        if stored.get(name) != value:
            raise SearchError(f"{path} holds another search: the {name} differs. Choose another file")
    if [row.get("id") for row in rows] != list(range(len(rows))):
        raise SearchError(f"{path} is damaged: machines are missing")
    if length < len(content):
        with path.open("r+b") as file:
            file.truncate(length)
    return rows


def _object(path: Path, number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        reason = "is not the file of a search" if number == 1 else f"is damaged in line {number}"
        raise SearchError(f"{path} {reason}")
    return row
