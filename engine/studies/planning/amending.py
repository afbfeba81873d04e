"""Amendments: which changes keep the sessions of two versions from being analysed together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from spatial_workbench.engine.studies.analysis.rules import rules_of
from spatial_workbench.engine.studies.planning.document import Study


def incomparable_parts(before: Study, after: Study) -> list[str]:
    """The parts that have changed and that never may if sessions are to be pooled."""
    return [name for name, part in _PARTS.items() if part(before) != part(after)]


def _items(study: Study) -> Any:
    return [(block.id, block.order, block.condition, block.items) for block in study.blocks]


_PARTS: Mapping[str, Callable[[Study], Any]] = {
    "items": _items,
    "limits": lambda study: study.limits,
    "conditions": lambda study: (study.conditions, study.assignment),
    "consent": lambda study: study.consent,
    "rules": rules_of,
}
