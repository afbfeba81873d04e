"""Tables that take long to compute, kept in the user's cache under what they are computed from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.evaluation.results.tables import Table
from spatial_workbench.engine.evaluation.scored import Scored

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORMAT = 1
"""Changes when figures are computed in another way, so that tables that were kept are made again."""


class KeptTables:
    """Tables in a folder; None: nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def of(
        self, title: str, records: Iterable[Iterable[Scored]], make: Callable[[], tuple[Table, ...]]
    ) -> tuple[Table, ...]:
        """The tables that were made of the same records before, or else new ones.

        title: What they are about, with the names of what is compared.
        """
        if self._folder is None:
            return make()
        path = self._folder / f"{_key(title, records)}.tables"
        if (kept := _read(path)) is not None:
            return kept
        tables = make()
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, _form().dump_json(tables))
        return tables


def _read(path: Path) -> tuple[Table, ...] | None:
    try:
        tables: tuple[Table, ...] = _form().validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None
    return tables


def _key(title: str, records: Iterable[Iterable[Scored]]) -> str:
    digest = hashlib.sha256(f"{FORMAT}\0{application_version()}\0{title}".encode())
    for items in records:
        digest.update(b"\0")
        for item in items:
            digest.update(repr(item).encode())
    return digest.hexdigest()[:40]


@cache
def _form() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[Table, ...])
