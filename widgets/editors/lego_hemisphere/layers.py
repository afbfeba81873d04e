"""The active layer, and which bricks are hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from spatial_workbench.engine.tasks.lego_hemisphere.rules import brick_ids
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece
from spatial_workbench.widgets.scene_views.view import SceneView


class BrickLayers:
    """Makes a layer the active one, and hides bricks in all views.

    lift: moves dragged bricks up or down; returns whether there are any.
    follow: updates the ghost for another layer.
    changed, draw_later: called when the layer was set, and when the plan shows another layer.
    """

    def __init__(
        self,
        piece: BrickWorkpiece,
        views: Sequence[SceneView],
        lift: Callable[[int], bool],
        follow: Callable[[], None],
        changed: Callable[[], None],
        draw_later: Callable[[], object],
    ) -> None:
        self.hides_above = Setting(False, self.hide)
        """Whether the layers above the active one are hidden."""
        self._piece = piece
        self._views = views
        self._lift = lift
        self._follow = follow
        self._changed = changed
        self._draw_later = draw_later
        self._dragged: Sequence[int] = ()

    def go_to_placed(self, layer: int) -> None:
        """Makes the layer of a placed brick the active one; other bricks are still placed on the chosen layer."""
        self.go_to(layer, base=False)

    def step(self, by: int) -> None:
        """Moves dragged bricks up or down or, if there are none, the active layer."""
        if not self._lift(by):
            self.go_to(self._piece.layer + by)

    def go_to(self, layer: int, base: bool = True) -> None:
        """Makes a layer the active one and, with `base`, the layer for bricks that are not stacked."""
        layer = max(0, min(self._piece.top_layer, layer))
        if base:
            self._piece.base_layer = layer
        if layer != self._piece.layer:
            self._piece.layer = layer
            self.hide()
            self._draw_later()
        if base:
            self._follow()
        self._changed()

    def hide(self) -> None:
        """Hides dragged bricks and, if that is switched on, the layers above the active one."""
        hidden = set(brick_ids(self._dragged))
        if self.hides_above.value:
            hidden |= set(brick_ids(np.flatnonzero(self._piece.poses.layers > self._piece.layer).tolist()))
        for view in self._views:
            view.set_hidden(hidden)

    def hide_dragged(self, bricks: Sequence[int]) -> None:
        """Hides bricks that are being dragged, and no others."""
        self._dragged = bricks
        self.hide()

    def type_number(self, layer: float) -> None:
        """Makes the layer with a typed number the active one."""
        self.go_to(round(layer))
