"""The published results of machine design, which stand beside ours and are never ranked with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from spatial_workbench.engine.core.shipped import resource

_GROUPS = {"T2": "catapult", "M1": "car"}
"""The levels that the publication used, by the name of its group."""
_WORKFLOWS = {
    "single_agent": "single agent",
    "iterative_editing": "iterative editing",
    "hierarchical_design": "hierarchical design",
}


@dataclass(frozen=True)
class PublishedBest:
    """The farthest that a model's machines came in a workflow, m."""

    model: str
    workflow: str
    metres: float


@cache
def published_best(level: str) -> tuple[PublishedBest, ...]:
    """The best machine of every model and workflow, the farthest first; none for levels that were not published."""
    text = resource("machines", "published_results.json").read_text("utf-8")
    rows = json.loads(text)["tables"]["table_1"]["rows"]
    bests = [
        PublishedBest(row["model"], words, row[name]["max"])
        for row in rows
        if row["group"] == _GROUPS.get(level)
        for name, words in _WORKFLOWS.items()
        if row.get(name) and row[name]["max"] is not None
    ]
    return tuple(sorted(bests, key=lambda best: -best.metres))
