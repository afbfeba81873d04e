"""The legends of the two views: what their colours and lines mean."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.tasks.lego_hemisphere.drawing import LAYER_COLORS
from spatial_workbench.widgets.editors.lego_hemisphere.drawing import GOOD_COLOR, Coloring, heat_role
from spatial_workbench.widgets.scene_views.legend import Entry, Key

POOR = (("warning", "less than half inside"), ("failed", "less than 25 % inside: costs points"))


HEAT_ROLES = tuple(heat_role(share) for share in (0.1, 0.4, 0.7, 1.0))


def entries_in_space(coloring: Coloring, colors: Sequence[str], heat: bool) -> list[Entry]:
    """The legend of the 3D view, with only the colours that occur."""
    entries = [Entry("shell at the active layer", ("accent",), Key.LINE)]
    if coloring is not Coloring.SHARE and colors:
        entries.append(Entry("bricks, by layer", LAYER_COLORS))
    elif colors:
        entries.append(Entry("half or more inside", (GOOD_COLOR,)))
    if coloring is not Coloring.LAYER:
        entries += [Entry(words, (role,)) for role, words in POOR if role in colors]
    return entries + _heat_entries(heat)


def entries_in_plan(heat: bool) -> list[Entry]:
    """The legend of the plan."""
    lines = (("shell at mid-height", Key.LINE), ("at the bottom", Key.THIN_LINE), ("at the top", Key.DASHES))
    return [Entry(words, ("text",), key) for words, key in lines] + _heat_entries(heat)


def _heat_entries(heat: bool) -> list[Entry]:
    return [Entry("missing: little to all", HEAT_ROLES)] if heat else []
