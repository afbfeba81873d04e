"""Bricks about to be placed: drawn in both views, with what is wrong there, and with edges over the picture."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import hull_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.editing import propose
from spatial_workbench.engine.tasks.lego_hemisphere.rules import name_bricks
from spatial_workbench.widgets.editors.lego_hemisphere.drawing import ghost_item
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece
from spatial_workbench.widgets.scene_views.view import SceneView

OUTLINED = 40
"""The number of ghosts whose edges are drawn; further ghosts have only faces."""


class Ghost:
    """What a gesture or an array would place; `changed` is called whenever it changes."""

    def __init__(self, piece: BrickWorkpiece, view: SceneView, plan: SceneView, changed: Callable[[], None]) -> None:
        self.poses: Floats = np.zeros((0, 4))
        self.problem = ""
        self.words = ""
        """What the status bar says about it: what is wrong, or what it has snapped to."""
        self._piece = piece
        self._view = view
        self._plan = plan
        self._changed = changed

    def show_bricks(self, poses: Floats, ignore: Collection[int] = (), rigid: bool = False) -> None:
        """Shows bricks at poses (n, 4) and, if they may be judged, what is wrong there."""
        problem = words = ""
        if self._piece.is_judged:
            proposal = propose(self._piece.placement, poses, ignore, rigid)
            problem = next((problem.message for problem in proposal.problems), "")
            words = problem or (f"snapped to {name_bricks(proposal.clicks, 3).lower()}" if proposal.clicks else "")
        is_other = problem != self.problem or not np.array_equal(poses, self.poses)
        self.problem = problem
        self.words = words
        if is_other:
            self.show_unjudged(poses)
        self._plan.update()
        self._view.update()
        self._changed()

    def show_unjudged(self, poses: Floats) -> None:
        """Shows bricks without judging their places."""
        self.poses = poses
        self._view.set_ghost([ghost_item(poses)] if len(poses) else (), self.problem)
        near = poses[Poses(poses).layers == self._piece.layer]
        self._plan.set_ghost([ghost_item(near)] if len(near) else (), self.problem if len(near) else "")

    def clear(self) -> None:
        """Removes the ghosts."""
        self.problem = self.words = ""
        self.show_unjudged(np.zeros((0, 4)))
        self._changed()

    def paint_edges(self, painter: QPainter, view: SceneView) -> None:
        """Paints the outlines of the bricks, even where something is in front of them."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(view.theme.color("failed" if self.problem else "accent"), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for corners in _corners(self.poses[:OUTLINED]):
            places = view.project(corners)
            if np.isfinite(places).all():
                painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in hull_of(places).tolist()]))


def _corners(poses: Floats) -> Floats:
    """The corners (n, 8, 3) of bricks at poses (n, 4)."""
    bricks = Poses(poses)
    flat = np.repeat(bricks.footprints, 2, axis=1)
    z = bricks.centers[:, 2, None] + np.tile([-HEIGHT / 2, HEIGHT / 2], 4)
    return np.concatenate([flat, z[..., None]], axis=-1)
