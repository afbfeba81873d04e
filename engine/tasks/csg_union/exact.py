"""Exact arithmetic on a polyhedron: coordinates as whole numbers times one power of two."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from spatial_workbench.engine.core.progress import Progress
from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.polyhedron import Faces

Whole = tuple[int, int, int]

ROUNDING_CM = 1e-6
"""Vertices closer to a plane than this count as lying on it."""


class Exact:
    """Vertices (n, 3) as whole numbers over a common denominator."""

    def __init__(self, vertices: Floats) -> None:
        ratios = [[value.as_integer_ratio() for value in row] for row in vertices.tolist()]
        self.denominator = max(bottom for row in ratios for _, bottom in row)
        self.points: list[Whole] = [
            (x * (self.denominator // p), y * (self.denominator // q), z * (self.denominator // r))
            for (x, p), (y, q), (z, r) in ratios
        ]
        self._floats = vertices

    def volume(self, triangles: Ints) -> float:
        """The signed volume of a closed mesh: exact, rounded once at the end."""
        origin = self.points[0]
        six_times = sum(_above(origin, *(self.points[k] for k in corners)) for corners in triangles.tolist())
        return float(Fraction(six_times, 6 * self.denominator**3))

    def pierced(self, faces: Faces, triangles: Ints, progress: Progress) -> Iterator[tuple[tuple[int, int], int]]:
        """Edges of faces that go through triangles with which they share no vertex: (edge, triangle)."""
        edges = np.array(sorted({(min(e), max(e)) for face in faces for e in pairwise((*face, face[0]))}))
        ends = self._floats[edges]
        corners = self._floats[triangles]
        low, high = corners.min(axis=1), corners.max(axis=1)
        for i, (a, b) in enumerate(edges.tolist()):
            if i % 256 == 0:
                progress(i, len(edges), "Looking for edges that go through faces")
            near = (low <= ends[i].max(axis=0)).all(axis=1) & (high >= ends[i].min(axis=0)).all(axis=1)
            near &= ~np.isin(triangles, (a, b)).any(axis=1)
            for triangle in np.flatnonzero(near).tolist():
                if self._meets(a, b, triangles[triangle].tolist()):
                    yield (a, b), triangle

    def _meets(self, a: int, b: int, corners: list[int]) -> bool:
        """Whether a segment pierces a triangle; an end within rounding error of its plane counts as on it."""
        start, end = self.points[a], self.points[b]
        first, second, third = (self.points[k] for k in corners)
        below, above = _above(first, second, third, start), _above(first, second, third, end)
        if below * above >= 0 or min(abs(below), abs(above)) < self._noise(corners):
            return False
        sides = [_above(start, end, p, q) for p, q in ((first, second), (second, third), (third, first))]
        return all(side > 0 for side in sides) or all(side < 0 for side in sides)

    def _noise(self, corners: list[int]) -> int:
        """Six times the volume of a tetrahedron over a triangle that is ROUNDING_CM high."""
        a, b, c = self._floats[corners]
        doubled_cm2 = float(np.linalg.norm(np.cross(b - a, c - a)))
        return int(Fraction(doubled_cm2 * ROUNDING_CM) * self.denominator**3)


def _above(a: Whole, b: Whole, c: Whole, d: Whole) -> int:
    """Six times the signed volume of the tetrahedron a, b, c, d."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    wx, wy, wz = d[0] - a[0], d[1] - a[1], d[2] - a[2]
    return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx)
