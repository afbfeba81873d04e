"""Where faces of a polyhedron cross, touch or cover each other although they share no vertex or edge there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.polyhedron.faces import Faces, loop_arrays, triangles_of

Flags = NDArray[np.bool_]

RELATIVE_TOLERANCE = 1e-7
"""Of the diagonal of the bounding box: what is closer touches."""
ON_SHARED_TIMES = 10.0
"""A contact counts as a shared vertex or edge within this many tolerances."""
BLOCK = 50_000
"""How many pairs of boxes or triangles are compared at once."""


@dataclass(frozen=True)
class Crossing:
    """Two faces that meet where they should not, and a point where they do."""

    first: int
    second: int
    point: tuple[float, float, float]
    is_overlap: bool = False
    """Whether they cover each other in one plane."""


def touching_distance(vertices: Floats) -> float:
    """What is closer than this touches: a share of the diagonal of the vertices' bounding box."""
    return RELATIVE_TOLERANCE * float(np.linalg.norm(np.ptp(vertices, axis=0)))


def crossings(vertices: Floats, faces: Faces, progress: Progress = silent) -> Iterator[Crossing]:
    """Each pair of faces that intersect anywhere but at shared vertices and edges.

    The faces' triangles are compared where their bounding boxes meet. A face is not compared with itself.
    """
    triangles, owners = triangles_of(vertices, faces)
    corners = vertices[triangles]
    tolerance = touching_distance(vertices)
    doubled = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    solid = doubled > tolerance * longest
    search = _Search(vertices, faces, corners[solid], triangles[solid], owners[solid], tolerance)
    yield from search.run(progress)


@dataclass
class _Search:
    vertices: Floats
    faces: Faces
    corners: Floats
    triangles: Ints
    owners: Ints
    tolerance: float

    def run(self, progress: Progress) -> Iterator[Crossing]:
        edges = np.roll(self.corners, -1, axis=1) - self.corners
        normals = np.cross(edges[:, 0], edges[:, 1])
        self.normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        self.sides = self._sides()
        seen: set[tuple[int, int]] = set()
        for first, second in self._candidates(progress):
            for crossing in self._tested(first, second):
                pair = crossing.first, crossing.second
                if pair not in seen:
                    seen.add(pair)
                    yield crossing

    def _sides(self) -> Ints:
        """A number for each side of each triangle that is an edge of its face, -1 for the others, (n, 3)."""
        count = len(self.vertices)
        start, end, owner = loop_arrays(self.faces)
        edges = np.minimum(start, end) * count + np.maximum(start, end)
        ahead = np.roll(self.triangles, -1, axis=1)
        sides = np.minimum(self.triangles, ahead) * count + np.maximum(self.triangles, ahead)
        square = count * count
        real = np.isin(self.owners[:, None] * square + sides, owner * square + edges)
        return np.where(real, sides, -1)

    def _candidates(self, progress: Progress) -> Iterator[tuple[Ints, Ints]]:
        """Pairs of triangles of different faces whose extents meet along every direction of `_directions`.

        They are sorted along the direction in which the triangles are shortest for their spread.
        """
        reach = self.corners @ self._directions().T
        low, high = reach.min(axis=1) - self.tolerance, reach.max(axis=1) + self.tolerance
        count = len(low)
        start = 0
        if not count:
            return
        best = int(((high - low).mean(axis=0) / np.maximum(np.ptp(low, axis=0), 1e-300)).argmin())
        order = np.argsort(low[:, best])
        low = low[order]
        high = high[order]
        owners = self.owners[order]
        ends = np.searchsorted(low[:, best], high[:, best], side="right")
        partners = ends - np.arange(1, count + 1)
        total = np.concatenate([[0], np.cumsum(partners)])
        while start < count:
            progress(start, count, "Looking for faces that cross")
            stop = max(start + 1, int(np.searchsorted(total, total[start] + BLOCK)) - 1)
            first = np.repeat(np.arange(start, stop), partners[start:stop])
            second = first + 1 + np.arange(len(first)) - (total[first] - total[start])
            meets = owners[first] != owners[second]
            for axis in range(low.shape[1]):
                first, second = first[meets], second[meets]
                meets = (low[first, axis] <= high[second, axis]) & (low[second, axis] <= high[first, axis])
            yield order[first[meets]], order[second[meets]]
            start = stop

    def _directions(self) -> Floats:
        """The axes, the diagonals between two of them, and the main directions of the edges: unit vectors (9+3, 3)."""
        axes = np.eye(3)
        diagonals = [
            a + sign * b for a, b in ((axes[0], axes[1]), (axes[1], axes[2]), (axes[2], axes[0])) for sign in (1, -1)
        ]
        edges = (np.roll(self.corners, 1, axis=1) - self.corners).reshape(-1, 3)
        main = np.linalg.eigh(edges.T @ edges)[1].T
        return np.concatenate([axes, np.array(diagonals) / np.sqrt(2), main])

    def _tested(self, first: Ints, second: Ints) -> Iterator[Crossing]:
        away1 = self._heights(first, second)
        away2 = self._heights(second, first)
        meets = ~(self._one_side(away1) | self._one_side(away2))
        first = first[meets]
        second = second[meets]
        away1 = away1[meets]
        away2 = away2[meets]
        flat = (away1 == 0).all(axis=1) | (away2 == 0).all(axis=1)
        yield from self._overlaps(first[flat], second[flat])
        yield from self._contacts(first[~flat], second[~flat], away1[~flat], away2[~flat])

    def _heights(self, planes: Ints, others: Ints) -> Floats:
        """How far the corners of the others lie above the planes of these triangles; 0 within the tolerance."""
        steps = self.corners[others] - self.corners[planes][:, :1]
        heights = np.einsum("ijk,ik->ij", steps, self.normals[planes])
        heights[np.abs(heights) <= self.tolerance] = 0
        return np.asarray(heights)

    @staticmethod
    def _one_side(heights: Floats) -> Flags:
        return np.asarray((heights > 0).all(axis=1) | (heights < 0).all(axis=1))

    # In one plane ------------------------------------------------------------------------------------------------

    def _overlaps(self, first: Ints, second: Ints) -> Iterator[Crossing]:
        """Coplanar triangles that overlap by more than the tolerance."""
        if not len(first):
            return
        gaps = np.maximum(self._widest_gap(first, second), self._widest_gap(second, first))
        for i in np.flatnonzero(gaps < -self.tolerance).tolist():
            a, b = int(first[i]), int(second[i])
            yield self._crossing(a, b, self.corners[[a, b]].mean(axis=(0, 1)), is_overlap=True)

    def _widest_gap(self, first: Ints, second: Ints) -> Floats:
        """The widest gap that a side of the first triangle leaves to the second; negative where they overlap."""
        start = self.corners[first]
        sides = np.roll(start, -1, axis=1) - start
        out = np.cross(sides, self.normals[first][:, None])
        out /= np.linalg.norm(out, axis=2, keepdims=True)
        reach = np.einsum("isck,isk->isc", self.corners[second][:, None] - start[:, :, None], out)
        return np.asarray(reach.min(axis=2).max(axis=1))

    # Across ------------------------------------------------------------------------------------------------------

    def _contacts(self, first: Ints, second: Ints, away1: Floats, away2: Floats) -> Iterator[Crossing]:
        """Triangles whose common points are not all on vertices and edges that their faces share."""
        if not len(first):
            return
        points1, hit1 = self._pierced(second, first, away1)
        points2, hit2 = self._pierced(first, second, away2)
        points = np.concatenate([points1, points2], axis=1)
        hit = np.concatenate([hit1, hit2], axis=1)
        shared = (self.triangles[first][:, :, None] == self.triangles[second][:, None]).any(axis=2)
        on_corner = np.zeros(hit.shape, bool)
        for corner in range(3):
            gaps = np.abs(points - self.corners[first][:, corner, None]).max(axis=2)
            on_corner |= (gaps <= ON_SHARED_TIMES * self.tolerance) & shared[:, corner, None]
        spread = np.where(hit[:, :, None], points, np.nan)
        simple = (~hit | on_corner).all(axis=1) & ((shared.sum(axis=1) == 1) | self._side_by_side(first, second))
        for i in np.flatnonzero(hit.any(axis=1) & ~simple).tolist():
            a, b = int(first[i]), int(second[i])
            point = self._not_shared(a, b, spread[i][hit[i]])
            if point is not None:
                yield self._crossing(a, b, point)

    def _side_by_side(self, first: Ints, second: Ints) -> Flags:
        """Whether two triangles share a side that is an edge of both their faces."""
        same = self.sides[first][:, :, None] == self.sides[second][:, None]
        same &= (self.sides[first] >= 0)[:, :, None]
        return np.asarray(same.any(axis=(1, 2)))

    def _pierced(self, edged: Ints, planes: Ints, away: Floats) -> tuple[Floats, Flags]:
        """Six points where the sides of a triangle may meet the other (crossings, corners), and which do."""
        start = self.corners[edged]
        end = np.roll(start, -1, axis=1)
        beyond = np.roll(away, -1, axis=1)
        across = away * beyond < 0
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(across, away / (away - beyond), 0.0)
        points = np.concatenate([start + share[:, :, None] * (end - start), start], axis=1)
        reached = np.concatenate([across, away == 0], axis=1)
        return points, reached & self._inside(points, planes)

    def _inside(self, points: Floats, planes: Ints) -> Flags:
        corners = self.corners[planes]
        sides = np.roll(corners, -1, axis=1) - corners
        inwards = np.cross(self.normals[planes][:, None], sides)
        inwards /= np.linalg.norm(inwards, axis=2, keepdims=True)
        depth = np.einsum("ipsk,isk->ips", points[:, :, None] - corners[:, None], inwards)
        return np.asarray((depth >= -self.tolerance).all(axis=2))

    def _not_shared(self, a: int, b: int, points: Floats) -> Floats | None:
        """A common point of two triangles that is on no vertex and no edge which their faces share."""
        end = points[np.linalg.norm(points - points[0], axis=1).argmax()]
        other = points[np.linalg.norm(points - end, axis=1).argmax()]
        samples = np.concatenate([points, end + np.linspace(0, 1, 5)[:, None] * (other - end)])
        first, second = self.faces[self.owners[a]], self.faces[self.owners[b]]
        gaps = _distance_to_shared(self.vertices, first, second, samples)
        worst = int(gaps.argmax())
        return samples[worst] if gaps[worst] > ON_SHARED_TIMES * self.tolerance else None

    def _crossing(self, a: int, b: int, point: Floats, is_overlap: bool = False) -> Crossing:
        first, second = sorted((int(self.owners[a]), int(self.owners[b])))
        x, y, z = point.tolist()
        return Crossing(first, second, (x, y, z), is_overlap)


def _distance_to_shared(vertices: Floats, first: Sequence[int], second: Sequence[int], points: Floats) -> Floats:
    """How far points (n, 3) are from the vertices and edges that two faces share; infinite if they share none."""
    common = set(first) & set(second)
    if not common:
        return np.full(len(points), np.inf)
    gaps = np.linalg.norm(points[:, None] - vertices[sorted(common)], axis=2).min(axis=1)
    sides = {frozenset(side) for side in zip(second, (*second[1:], second[0]), strict=True)}
    for a, b in zip(first, (*first[1:], first[0]), strict=True):
        if frozenset((a, b)) in sides:
            along = vertices[b] - vertices[a]
            share = np.clip((points - vertices[a]) @ along / max(float(along @ along), 1e-300), 0, 1)
            gaps = np.minimum(gaps, np.linalg.norm(points - vertices[a] - share[:, None] * along, axis=1))
    return np.asarray(gaps)
