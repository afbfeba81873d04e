"""A camera that goes along with what moves, and never goes below the ground meanwhile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.scene_views.view import SceneView

CLEARANCE_SHARE = 0.02
"""How far above the ground the viewer stays, as a share of the distance to the target."""


class CameraFollower:
    """Moves the camera of a view by as much as the followed place has moved since it was last told."""

    def __init__(self, view: SceneView) -> None:
        self._view = view
        self._place: Floats | None = None
        self._start: Floats | None = None

    def begin_anew(self) -> None:
        """Forgets where the followed place was: the next one moves nothing."""
        self._place = self._start = None

    def come_back(self) -> None:
        """Takes back all that was gone along, and begins anew."""
        self.follow(self._start)
        self.begin_anew()

    def follow(self, place: Floats | None) -> None:
        """Goes along to a place (3,) of the scene; None, or a place that is not finite: stays."""
        if place is None or not np.isfinite(place).all():
            return
        camera = self._view.view_state()
        if isinstance(camera, Camera):
            step = np.zeros(3) if self._place is None else place - self._place
            x, y, z = (np.asarray(camera.target) + step).tolist()
            ground = self._view.scene.ground
            moved = replace(camera, target=(x, y, z))
            moved = moved if ground is None else above_ground(moved, ground.z)
            if moved != camera:
                self._view.set_view_state(moved)
        self._place = place
        self._start = place if self._start is None else self._start


def above_ground(camera: Camera, ground_z: float) -> Camera:
    """The camera raised about its target, just far enough that the viewer stands above the ground."""
    least = ground_z + CLEARANCE_SHARE * camera.distance
    if camera.position[2] >= least - 1e-9:
        return camera
    rise = float(np.clip((least - camera.target[2]) / camera.distance, -1.0, 1.0))
    return replace(camera, elevation_deg=float(np.degrees(np.arcsin(rise))))
