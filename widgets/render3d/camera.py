"""The camera of a 3D view: a turntable about a target, computed in numpy, independent of any toolkit.

Directions are in the scene's frame (z up). Pixels count from the top left of the picture, x to the right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from spatial_workbench.engine.core.scene import Floats

VIEW_ANGLE_DEG = 28.0
"""Vertical field of view; narrow, so that parallel edges look nearly parallel."""

MARGIN = 1.12
"""How much wider and higher than the framed points the picture is."""

STANDARD_VIEWS: dict[str, tuple[float, float]] = {
    "isometric": (-58.0, 30.0),
    "front": (-90.0, 0.0),
    "back": (90.0, 0.0),
    "left": (180.0, 0.0),
    "right": (0.0, 0.0),
    "top": (-90.0, 90.0),
    "bottom": (-90.0, -90.0),
}
"""Azimuth and elevation of the viewer in degrees: "front" looks along +y, "right" along -x."""

Bounds = tuple[Floats, Floats]
"""Lowest and highest corner, (3,) each."""


@dataclass(frozen=True)
class Camera:
    """Where the viewer stands: on a sphere of radius `distance` about `target`.

    At the target, the orthographic and the perspective picture have the same scale.
    """

    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 10.0
    azimuth_deg: float = STANDARD_VIEWS["isometric"][0]
    elevation_deg: float = STANDARD_VIEWS["isometric"][1]
    orthographic: bool = False

    @property
    def axes(self) -> Floats:
        """(3, 3): the picture's right, its up, and the direction towards the viewer."""
        azimuth = np.radians(self.azimuth_deg)
        elevation = np.radians(self.elevation_deg)
        ca = np.cos(azimuth)
        sa = np.sin(azimuth)
        ce = np.cos(elevation)
        se = np.sin(elevation)
        return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])

    @property
    def position(self) -> Floats:
        """Where the viewer stands, (3,)."""
        position: Floats = np.asarray(self.target) + self.distance * self.axes[2]
        return position

    @property
    def half_height(self) -> float:
        """Half the height of the visible area at the target, in scene units."""
        return self.distance * float(np.tan(np.radians(VIEW_ANGLE_DEG) / 2))

    def pixel_size(self, height_px: float) -> float:
        """Scene units per pixel at the target."""
        return 2 * self.half_height / height_px

    # Between the scene and the picture ---------------------------------------------------------------------------

    def project(self, points: Floats, size: tuple[float, float]) -> tuple[Floats, Floats]:
        """Where points (n, 3) are in a picture of (width, height) pixels.

        Returns:
            (n, 2) pixels, NaN behind the viewer, and (n,) distances along the line of view.
        """
        local = (np.asarray(points, float) - self.position) @ self.axes.T
        depth = -local[:, 2]
        reach = np.full(len(local), self.distance) if self.orthographic else depth
        pixel = self.pixel_size(size[1]) * np.where(reach > 1e-9, reach, np.nan) / self.distance
        centre = np.array([size[0] / 2, size[1] / 2])
        return centre + local[:, :2] * [1, -1] / pixel[:, None], depth

    def ray(self, x: float, y: float, size: tuple[float, float]) -> tuple[Floats, Floats]:
        """The line of sight through a pixel: origin and unit direction."""
        right, up, back = self.axes
        pixel = self.pixel_size(size[1])
        offset = right * (x - size[0] / 2) * pixel - up * (y - size[1] / 2) * pixel
        if self.orthographic:
            return self.position + offset, -back
        direction = offset - back * self.distance
        return self.position, direction / np.linalg.norm(direction)

    def clipping_range(self, bounds: Bounds) -> tuple[float, float]:
        """The near and the far distance that contain a box, with room for what may be placed beside it."""
        low, high = bounds
        radius = float(np.linalg.norm(high - low)) / 2 or 1.0
        depth = float((self.position - (low + high) / 2) @ self.axes[2])
        far = max(depth + 3 * radius, self.distance * 0.1)
        near = depth - 3 * radius
        return (near, far) if self.orthographic else (max(near, far * 2e-3), far)

    # Moving ------------------------------------------------------------------------------------------------------

    def orbited(self, right_deg: float, up_deg: float) -> Camera:
        """Turned about the target."""
        elevation = float(np.clip(self.elevation_deg + up_deg, -90.0, 90.0))
        azimuth = (self.azimuth_deg + right_deg + 180.0) % 360.0 - 180.0
        return replace(self, azimuth_deg=azimuth, elevation_deg=elevation)

    def panned(self, dx_px: float, dy_px: float, height_px: float) -> Camera:
        """Moved so that the scene follows the pointer by this many pixels at the target."""
        right, up, _ = self.axes
        step = (-dx_px * right + dy_px * up) * self.pixel_size(height_px)
        return replace(self, target=_triple(np.asarray(self.target) + step))

    def zoomed(self, factor: float, anchor: Floats) -> Camera:
        """Moved nearer by a factor below 1, with the anchor, a point of the scene, fixed in the picture."""
        target = anchor + (np.asarray(self.target) - anchor) * factor
        return replace(self, target=_triple(target), distance=self.distance * factor)

    def looking(self, view: str) -> Camera:
        """Turned to a standard view.

        Raises:
            KeyError: no such view.
        """
        azimuth, elevation = STANDARD_VIEWS[view]
        return replace(self, azimuth_deg=azimuth, elevation_deg=elevation)

    def framing(self, points: Floats, aspect: float) -> Camera:
        """Moved so that the points (n, 3) fill a picture of aspect width / height, without turning."""
        axes = self.axes
        local = np.asarray(points, float) @ axes.T
        slope = float(np.tan(np.radians(VIEW_ANGLE_DEG) / 2))
        slopes = np.array([slope * aspect, slope]) / MARGIN
        centre = (local.min(axis=0) + local.max(axis=0)) / 2
        distance = self._distance_for(local - centre, slopes)
        for _ in range(3 if not self.orthographic else 0):
            centre[:2] += _imbalance(local - centre, distance)
            distance = self._distance_for(local - centre, slopes)
        return replace(self, target=_triple(centre @ axes), distance=distance)

    def _distance_for(self, local: Floats, slopes: Floats) -> float:
        depth = 0.0 if self.orthographic else local[:, 2:]
        distance = float((np.abs(local[:, :2]) / slopes + depth).max())
        return max(distance, 1e-6) if distance > 0 else 1.0

    def towards(self, other: Camera, share: float) -> Camera:
        """A camera on the way from this one (share 0) to another (share 1), turned the shorter way."""
        turn = (other.azimuth_deg - self.azimuth_deg + 180.0) % 360.0 - 180.0
        start, end = np.asarray(self.target), np.asarray(other.target)
        return replace(
            other,
            target=_triple(start + (end - start) * share),
            distance=self.distance * (other.distance / self.distance) ** share,
            azimuth_deg=self.azimuth_deg + turn * share,
            elevation_deg=self.elevation_deg + (other.elevation_deg - self.elevation_deg) * share,
        )


def box_corners(bounds: Bounds) -> Floats:
    """The eight corners of a box, (8, 3)."""
    low, high = bounds
    picks = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    return np.where(picks == 1, high, low).astype(float)


def _imbalance(local: Floats, distance: float) -> Floats:
    """How far off centre the projected points are, in scene units at the target."""
    seen = local[:, :2] * (distance / np.maximum(distance - local[:, 2:], 1e-9))
    middle: Floats = (seen.min(axis=0) + seen.max(axis=0)) / 2
    return middle


def _triple(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
