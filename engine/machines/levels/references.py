"""A machine for every level that is worth something there, shipped with the workbench (docs/machines.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.machines.building.tree import Tree, read_tree
from spatial_workbench.engine.machines.results.scoring import Rule


@dataclass(frozen=True)
class Reference:
    """A shipped machine: its tree, what it is worth by each rule, and where it comes from.

    `note` says what a level asks for that it does not reach.
    """

    tree: Tree
    rewards: Mapping[Rule, float]
    origin: str
    note: str = ""


@cache
def references() -> Mapping[str, Reference]:
    """The shipped machines by level."""
    text = resource("machines", "references.json").read_text("utf-8")
    return {level: _reference(row) for level, row in json.loads(text)["references"].items()}


def _reference(row: Mapping[str, object]) -> Reference:
    reading = read_tree(row["tree"])
    assert reading.tree is not None
    rewards: Mapping[Rule, float] = row["rewards"]  # type: ignore[assignment]
    return Reference(reading.tree, rewards, str(row["origin"]), str(row.get("note", "")))
