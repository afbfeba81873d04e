"""The stack of digits as a scene."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Boxes, Ground, Item, Label, Polyline, Scene
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced
from spatial_workbench.engine.tasks.printable_prime.solids import stack_solids

COLORS = {8: 0, 9: 1, 6: 4, 5: 2, 2: 3, 3: 5, 7: 6, 1: 7, 0: 2, 4: 3}
"""Series colour of a digit; neighbours in a long stack differ."""
_FRAME = np.array([[-9.0, -13.0], [9.0, -13.0], [9.0, 13.0], [-9.0, 13.0]])


def draw_stack(stack: Sequence[DigitPlaced], goal_mm: float, gap_mm: float = 0.0) -> Scene:
    """The digits as bars, mm, z up from the build plate; digit k has the id "digit k"."""
    items: list[Item] = [*_goal(goal_mm, gap_mm * len(stack))]
    if stack:
        solids = stack_solids(stack, gap_mm)
        boxes = np.concatenate(solids)
        ids = [f"digit {k}" for k, bars in enumerate(solids) for _ in bars]
        colors = [f"series {COLORS[placed.digit]}" for placed, bars in zip(stack, solids, strict=True) for _ in bars]
        items.append(
            Boxes(name="digits", ids=ids, centers=boxes.mean(axis=1), sizes=boxes[:, 1] - boxes[:, 0], colors=colors)
        )
    top = max(goal_mm, max((float(bars[:, 1, 2].max()) for bars in solids), default=0.0) if stack else 0.0)
    return Scene(
        items=tuple(items),
        unit="mm",
        ground=Ground(pitch=10.0, extent=(-30.0, -30.0, 30.0, 30.0)),
        bounds=((-16.0, -16.0, 0.0), (16.0, 16.0, top)),
    )


def _goal(goal_mm: float, spread_mm: float) -> list[Item]:
    """A frame at the height to reach; left out while the layers are pulled apart, when heights mean nothing."""
    if goal_mm <= 0 or spread_mm > 0:
        return []
    corners = np.column_stack([_FRAME, np.full(4, goal_mm)])
    return [
        Polyline(id="height goal", points=corners, color="target", closed=True, dashed=True, pickable=False),
        Label(id="height goal words", position=(9.0, -13.0, goal_mm), text=f"{goal_mm:g} mm", color="target"),
    ]
