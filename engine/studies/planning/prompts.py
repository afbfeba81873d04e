"""The lines of an item's prompt that are never broken, and so decide how much room the prompt needs."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from spatial_workbench.engine.core import InstanceError, resolve
from spatial_workbench.engine.core.formats.typesetting import unbroken_lines
from spatial_workbench.engine.studies.planning.document import ItemKind, Study

MOST_LINES = 8


def widest_lines_of(study: Study) -> dict[str, tuple[str, ...]]:
    """The widest such lines of each instance, by the ids of the items; without those that cannot be made."""
    lines = {item.id: _widest_lines(item.address) for item in study.items() if item.kind is ItemKind.INSTANCE}
    return {item: widest for item, widest in lines.items() if widest}


@lru_cache(maxsize=1024)
def _widest_lines(address: str) -> tuple[str, ...]:
    try:
        task, instance = resolve(address)
    except InstanceError:
        return ()
    lines = set(unbroken_lines(task.prompt(instance).whole_text))
    return tuple(sorted(lines, key=_columns, reverse=True)[:MOST_LINES])


def _columns(line: str) -> int:
    """How many columns of fixed pitch a line takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)
