"""The example machines, to begin from (docs/machines.md)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.machines.building.tree import Tree, read_tree


@dataclass(frozen=True)
class Example:
    """A machine with a title and a sentence about it."""

    title: str
    about: str
    tree: Tree


_TITLES = {
    "four_wheel_car": "Car",
    "rotating_block_catapult": "Motor catapult",
    "spring_catapult": "Spring catapult",
    "delivery_pusher": "Pusher",
    "published_layered_catapult": "Published catapult",
}


@cache
def examples() -> tuple[Example, ...]:
    """The examples in their order."""
    rows = json.loads(resource("machines", "examples.json").read_text("utf-8"))["machines"]
    return tuple(_example(row) for row in rows)


def _example(row: dict[str, object]) -> Example:
    tree = read_tree(row["tree"]).tree
    assert tree is not None
    return Example(_TITLES[str(row["name"])], str(row["description"]), tree)
