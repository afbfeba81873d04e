"""Stands in for the physics in tests of searches."""

from spatial_workbench.engine.machines.results.scoring import Measure


def by_weight(tree, level):
    """A machine is worth what its blocks' types add up to."""
    worth = float(sum(row["type"] for row in tree) % 101)
    shown = list(Measure("distance", worth, "m"))
    return {"valid": True, "score": worth, "rank": worth, "shown": shown, "success": None, "notes": []}


def never_valid(tree, level):
    return by_weight(tree, level) | {"valid": False}
