"""The shell to be built: its shape as solids, as an inside test, and as outlines at a height.

A "sphere" of radius r is the convex hull of rings of vertices: ring i of n lies at the polar angle (i + 1/2) 180 / n
degrees, its vertices at the azimuths j 360 / m degrees. The published scores use 8 rings of 16 ("faceted16"); "smooth"
uses 64 rings of 128. The shell is the upper half of the outer sphere without the inner one. All lengths in mm.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry import convex
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, Bools

if TYPE_CHECKING:
    from manifold3d import Manifold
else:
    Manifold = Any

TargetShape = Literal["faceted16", "smooth"]
FACETS: dict[TargetShape, tuple[int, int]] = {"faceted16": (16, 8), "smooth": (128, 64)}
"""Segments around and rings of each shape."""

FORGIVEN_MM = 0.05
"""Slivers thinner than this do not count as a difference (half side of the dilating cube)."""

_NOWHERE = -1.0
"""Profile radius above and below a sphere: no point has a gauge this small."""


@dataclass(frozen=True)
class BrickShell:
    """A hemispherical shell, centred on the origin, flat side on z = 0, dome upward."""

    inner_mm: float
    outer_mm: float
    target: TargetShape = "faceted16"

    def ring_points(self, radius_mm: float) -> Floats:
        """The vertices (rings * segments, 3) of the sphere of that radius."""
        segments, rings = FACETS[self.target]
        polar = (np.arange(rings) + 0.5) * np.pi / rings
        azimuth = np.arange(segments) * 2 * np.pi / segments
        x = np.outer(np.sin(polar), np.cos(azimuth))
        y = np.outer(np.sin(polar), np.sin(azimuth))
        z = np.broadcast_to(np.cos(polar)[:, None], x.shape)
        return radius_mm * np.stack([x, y, z], axis=-1).reshape(-1, 3)

    def profile(self, radius_mm: float, z_mm: Floats) -> Floats:
        """Circumradius of the sphere's cross-section at heights z >= 0; negative where there is none."""
        _, rings = FACETS[self.target]
        polar = (np.arange(rings)[::-1] + 0.5) * np.pi / rings
        heights = radius_mm * np.cos(polar)
        radii = radius_mm * np.sin(polar)
        return np.interp(z_mm, heights, radii, left=_NOWHERE, right=_NOWHERE)

    def gauge(self, xy_mm: Floats) -> Floats:
        """Circumradius of the regular polygon (a vertex on +x) through each point of (..., 2)."""
        segments, _ = FACETS[self.target]
        half = np.pi / segments
        azimuth = np.arctan2(xy_mm[..., 1], xy_mm[..., 0]) % (2 * half)
        gauge: Floats = np.hypot(xy_mm[..., 0], xy_mm[..., 1]) * np.cos(azimuth - half) / np.cos(half)
        return gauge

    def in_sphere(self, radius_mm: float, points_mm: Floats) -> Bools:
        """Which points (..., 3) with z >= 0 lie in the sphere of that radius: booleans (...)."""
        inside: Bools = self.gauge(points_mm[..., :2]) <= self.profile(radius_mm, points_mm[..., 2])
        return inside

    def contains(self, points_mm: Floats) -> Bools:
        """Which points (..., 3) lie in the shell: booleans (...)."""
        in_outer, in_inner = (self.in_sphere(radius, points_mm) for radius in (self.outer_mm, self.inner_mm))
        inside: Bools = in_outer & ~in_inner & (points_mm[..., 2] >= 0)
        return inside

    def outlines(self, z_mm: float) -> tuple[Floats, ...]:
        """Corners (segments, 2) of the outer and the inner polygon at a height, as far as the shell reaches there."""
        segments, _ = FACETS[self.target]
        azimuth = np.arange(segments) * 2 * np.pi / segments
        ring = np.stack([np.cos(azimuth), np.sin(azimuth)], axis=-1)
        radii = (float(self.profile(radius, np.array(z_mm))) for radius in (self.outer_mm, self.inner_mm))
        return tuple(radius * ring for radius in radii if radius > 0)

    def layer_outlines(self, layer: int) -> dict[str, tuple[Floats, ...]]:
        """The outlines at the "bottom", "middle" and "top" of a layer."""
        heights = {"bottom": 0.0, "middle": 0.5, "top": 1.0}
        return {name: self.outlines(HEIGHT * (layer + part)) for name, part in heights.items()}

    @property
    def volume_mm3(self) -> float:
        """The volume R of the target."""
        return float(self.solid.volume())

    @property
    def solid(self) -> Manifold:
        """The target as a solid."""
        return _solids(self)[0]

    @property
    def grown(self) -> Manifold:
        """The target grown by an axis-aligned cube of half side 0.05."""
        return _solids(self)[1]

    @property
    def mesh(self) -> tuple[Floats, Ints]:
        """Vertices (n, 3) and triangles (m, 3) of the target's surface."""
        mesh = self.solid.to_mesh64()
        return np.array(mesh.vert_properties, dtype=float)[:, :3], np.array(mesh.tri_verts, dtype=np.int64)


@remember_solids(16)
def _solids(shell: BrickShell) -> tuple[Manifold, Manifold]:
    outer, inner = shell.ring_points(shell.outer_mm), shell.ring_points(shell.inner_mm)
    solid = (convex.hull(outer) - convex.hull(inner)).trim_by_plane((0, 0, 1), 0)
    around = convex.hull(convex.grown_by_cube(outer, FORGIVEN_MM))
    within = convex.hull(convex.shrunk_by_cube(inner, FORGIVEN_MM))
    return solid, (around - within).trim_by_plane((0, 0, 1), -FORGIVEN_MM)
