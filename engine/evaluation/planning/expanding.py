"""The runs that a grid and budgets make of a model: its settings once for each combination, under a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spatial_workbench.engine.evaluation.planning.grid import MOST_RUNS, GridProblem, Point, SettingsGrid, point_words
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.models import with_budget

_SETTINGS = ("temperature", "effort", "top_p")


def expanded(contender: Contender, grid: SettingsGrid, budgets: Sequence[int] = ()) -> list[Contender]:
    """A contender once for each combination of a grid, and each of those once for each budget.

    Raises:
        GridProblem: There would be more than MOST_RUNS.
    """
    provider = contender.settings.provider
    count = grid.count(provider) * (len(budgets) or 1)
    if count > MOST_RUNS:
        raise GridProblem(f"{count:,} runs of a model are more than a batch takes ({MOST_RUNS:,}).")
    runs = [_placed(contender, point) for point in grid.points(provider)]
    return [_capped(run, budget) for run in runs for budget in budgets] if budgets else runs


def _placed(contender: Contender, point: Point) -> Contender:
    """A contender with the settings of a combination."""
    if not point:
        return contender
    name = contender.settings.name
    changes: dict[str, Any] = {key: point[key] for key in _SETTINGS if point.get(key) is not None}
    if "tools" in point:
        changes |= {"tools": True, "api": "responses"} if point["tools"] else {"tools": False}
    more = {"variant": point.get("variants"), "repeats": point.get("repeats")}
    settings = contender.settings.changed(name=f"{name} · {point_words(point)}", **changes)
    return contender.model_copy(update={"settings": settings, "base": contender.base or name, **more})


def _capped(contender: Contender, budget: int) -> Contender:
    name = contender.settings.name
    settings = with_budget(contender.settings, budget)
    return contender.model_copy(update={"settings": settings, "base": contender.base or name})
