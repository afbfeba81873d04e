"""The colours of models in charts: a published model has the same in every chart."""

from __future__ import annotations

from collections.abc import Iterable

from spatial_workbench.engine.evaluation.results.charts import natural
from spatial_workbench.engine.evaluation.scbench import published

SERIES = 8
"""How many colours of series people can distinguish."""


def model_roles(names: Iterable[str]) -> dict[str, str]:
    """The role of the colour of each model, by its name or the published id.

    The published models have the first colours, whether they are among the names or not; the others have the rest, in
    the natural order of their names.
    """
    fixed = {model.id: place for place, model in enumerate(published().models)}
    free = range(len(fixed), SERIES)
    others = sorted({name for name in names if name not in fixed}, key=natural)
    places = fixed | {name: free[k % len(free)] for k, name in enumerate(others)}
    return {name: f"series {place}" for name, place in places.items()}
