"""Polylines: lines of a width in pixels, dashed or with an arrow head at their end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from spatial_workbench.engine.core.scene import Polyline
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.items.base import Layer, LayerDrawer
from spatial_workbench.widgets.render3d.shapes import as_3d, chain, dashes, turned_frame, unit_cone
from spatial_workbench.widgets.render3d.vtkdata import segments, surface

HEAD_PX = 9.0
"""Length of the arrow head of an infinitely thin line; it grows with the line's width."""


class PolylineDrawer(LayerDrawer[Polyline]):
    """Draws a Polyline; its arrow head keeps its size on the screen."""

    def layers(self, item: Polyline) -> Sequence[Layer]:
        points = as_3d(item.points)
        if len(points) < 2:
            return []
        pairs = chain(len(points), item.closed)
        if item.dashed:
            track = np.concatenate([points, points[:1]]) if item.closed else points
            reach = float(np.linalg.norm(np.ptp(points, axis=0)))
            points, pairs = dashes(track, max(reach / 48, 1e-9))
        layers = [Layer("flat", segments(points, pairs), width_px=item.width_px)]
        if item.arrow:
            layers.append(Layer("plain", surface(*unit_cone())))
        return layers

    def fit_pixels(self, camera: Camera, height_px: float, ratio: float) -> None:
        super().fit_pixels(camera, height_px, ratio)
        if not self.item.arrow or len(self.parts) < 2:
            return
        points = as_3d(self.item.points)
        tip = points[-1]
        before = points[-2]
        _, depth = camera.project(tip[None], (height_px, height_px))
        reach = 1.0 if camera.orthographic else max(float(depth[0]), 1e-9) / camera.distance
        pixel = camera.pixel_size(height_px) * reach * ratio
        frame = turned_frame(tip - before)
        matrix = np.eye(4)
        matrix[:3, :3] = frame * pixel * (HEAD_PX + 2 * self.item.width_px)
        # The tip is a little beyond the end, so that the blunt end of the line is inside the head.
        matrix[:3, 3] = tip + frame[:, 0] * pixel * self.item.width_px
        held = vtkMatrix4x4()
        held.DeepCopy(matrix.ravel().tolist())
        for actor in self.parts[1].actors:
            actor.SetUserMatrix(held)
