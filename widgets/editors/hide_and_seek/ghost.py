"""People about to be placed or moved, and why they may not stand there."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek.field import overlapping_pairs
from spatial_workbench.widgets.editors.hide_and_seek.aiming import CrowdAim
from spatial_workbench.widgets.editors.hide_and_seek.crowd import PlacedCrowd
from spatial_workbench.widgets.editors.hide_and_seek.drawing import draw_ghosts
from spatial_workbench.widgets.scene_views.view import SceneView


class CrowdGhost:
    """Shows people as ghosts in a view; `changed` is called when others are shown."""

    def __init__(self, view: SceneView, crowd: PlacedCrowd, aim: CrowdAim, changed: Callable[[], object]) -> None:
        self._view = view
        self._crowd = crowd
        self._aim = aim
        self._changed = changed

    def show_people(self, places: Floats) -> None:
        """Shows people at these places as ghosts, and why a single person may not stand there."""
        why = self._crowd.refusal(places[0], self._crowd.neighbors) if len(places) == 1 else ""
        judged = len(places) > 0 and self._crowd.judges()
        seen = self._crowd.field.visible_people(places).tolist() if judged else [False] * len(places)
        self._view.set_ghost(draw_ghosts(places, seen), why)
        self._aim.snapped_to = self._aim.snapped_to if len(places) else ""
        self._changed()

    def show_move(self, step: Floats) -> None:
        """Shows where the selected people would go."""
        chosen = self._crowd.selection.numbers
        moved = self._crowd.centers.copy()
        moved[chosen] += step
        bad = {i for pair in overlapping_pairs(moved) for i in pair} if self._crowd.is_judged else ()
        self._view.set_ghost(draw_ghosts(moved[chosen], [i in bad for i in chosen]))
