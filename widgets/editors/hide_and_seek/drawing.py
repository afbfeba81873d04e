"""What the editor draws on the plan beside the people: ghosts, and lines of sight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Item, Polygon, Polyline
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M, CrowdField, person_corners

FARTHEST_M = 45.0
"""The greatest length of a line of sight on the plan."""
_SQUARE = PERSON_M / 2 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def draw_ghosts(places: Floats, bad: Sequence[bool]) -> list[Item]:
    """Ghosts of people at places (n, 2), the bad ones in the failed colour."""
    return [
        Polygon(id=f"ghost {k}", points=place + _SQUARE, color="failed" if is_bad else "accent", opacity=0.5)
        for k, (place, is_bad) in enumerate(zip(places, bad, strict=True))
    ]


def lines_of_sight(field: CrowdField, centers: Floats, people: Iterable[int]) -> list[Item]:
    """Lines from a visible corner of each of these people towards the sniper."""
    return [_line_of_sight(field, centers, person) for person in people]


def _line_of_sight(field: CrowdField, centers: Floats, person: int) -> Polyline:
    corners = person_corners(centers[person : person + 1])[0]
    corner = corners[~field.hidden(corners)][-1, :2]
    way = np.array(field.sniper[:2]) - corner
    far = corner + way * min(1.0, FARTHEST_M / max(np.hypot(*way), 1e-9))
    return Polyline(
        id=f"sight {person}", points=np.array([corner, far]), color="failed", width_px=1.0, dashed=True, pickable=False
    )
