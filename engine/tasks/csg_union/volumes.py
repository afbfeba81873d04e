"""Volumes of the union and of an answer, and the score that follows from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from spatial_workbench.engine.core import Figure, Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron import Faces, triangles_of

if TYPE_CHECKING:
    from manifold3d import Manifold

NEAR_CM = 0.05
"""Half the side of the cube that dilates the common solid; deviations this small cost nothing."""
FULL_SCORE = 0.95
"""A raw score above this is a score of 1."""
SAME = 1e-9
"""Differences below this share of the union's volume are noise."""
MANY_TRIANGLES = 1000
"""The number of triangles near the difference beyond which the allowance is computed only if the score needs it."""
MOST_TRIANGLES = 4000
"""The number of triangles beyond which the allowance is left out, because it would take minutes."""
GROUP = 200


@dataclass(frozen=True)
class Volumes:
    """Volumes in cm³."""

    union: float
    answer: float
    common: float
    beyond: float
    """The missing or excess volume farther than NEAR_CM (Chebyshev distance) from the common solid."""

    allows_near: bool = True
    """Whether `beyond` excludes deviations within NEAR_CM; if not, it is an upper bound."""

    @property
    def missing(self) -> float:
        """The part of the union that the answer lacks."""
        return self._unless_noise(self.union - self.common)

    @property
    def excess(self) -> float:
        """The part of the answer that is outside the union."""
        return self._unless_noise(self.answer - self.common)

    def _unless_noise(self, volume: float) -> float:
        return volume if volume > SAME * self.union else 0.0

    @property
    def raw(self) -> float:
        """The score before the full-score rule."""
        return min(self.common, self.answer) / self.union - 0.5 * self.beyond / self.union

    @property
    def score(self) -> float:
        """The score."""
        return score_of(self.raw)

    @property
    def figures(self) -> list[Figure]:
        """What the verdict shows."""
        return [
            Figure("raw score", self.raw),
            Figure("volume of the union", self.union, "cm³"),
            Figure("volume of the answer", self.answer, "cm³"),
            Figure("missing", self.missing, "cm³"),
            Figure("excess", self.excess, "cm³"),
            Figure("beyond 0.05 cm", self.beyond, "cm³"),
        ]


def score_of(raw: float) -> float:
    """1 above 0.95, else the raw score, at least 0."""
    return 1.0 if raw > FULL_SCORE else max(0.0, raw)


class NotASolid(ValueError):
    """manifold3d cannot make a solid of a mesh; the message is its status."""


def manifold_from(vertices: Floats, faces: Faces) -> Manifold:
    """The solid that closed polygonal faces bound.

    Raises:
        NotASolid: with the status's name.
    """
    from manifold3d import Error, Manifold, Mesh64

    triangles, _ = triangles_of(vertices, faces)
    mesh = Mesh64(vert_properties=np.ascontiguousarray(vertices, float), tri_verts=triangles.astype(np.uint64))
    solid = Manifold(mesh)
    if solid.status() != Error.NoError:
        raise NotASolid(solid.status().name)
    return solid


def compare(union: Manifold, answer: Manifold, progress: Progress = silent) -> Volumes:
    """The volumes that the score is made of."""
    progress(0, 1, "Comparing volumes")
    common = union ^ answer
    whole = union.volume()
    own = answer.volume()
    shared = common.volume()
    plain = Volumes(whole, own, shared, max(0.0, whole + own - 2 * shared))
    if plain.beyond <= SAME * whole:
        return Volumes(whole, own, shared, 0.0)
    apart = (union + answer) - common
    near = _near(common, apart)
    if len(near) > MOST_TRIANGLES or (len(near) > MANY_TRIANGLES and plain.raw > FULL_SCORE):
        return replace(plain, allows_near=False)
    return Volumes(whole, own, shared, _beyond(apart, near, progress))


def _near(common: Manifold, apart: Manifold) -> Floats:
    """The common solid's triangles (n, 3, 3) that may be near the difference."""
    mesh = common.to_mesh64()
    corners: Floats = np.asarray(mesh.vert_properties, float)[:, :3][np.asarray(mesh.tri_verts, np.int64)]
    if not len(corners):
        return np.zeros((0, 3, 3))
    box = np.array(apart.bounding_box())
    low, high = corners.min(axis=1) - NEAR_CM, corners.max(axis=1) + NEAR_CM
    return np.asarray(corners[((low <= box[3:]) & (high >= box[:3])).all(axis=1)])


def _beyond(apart: Manifold, near: Floats, progress: Progress) -> float:
    """The volume of the difference outside the cubes that dilate the triangles."""
    from manifold3d import Manifold, OpType

    cube = NEAR_CM * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    left = apart
    for start in range(0, len(near), GROUP):
        progress(start, len(near), "Measuring what is farther than 0.05 cm away")
        group = near[start : start + GROUP]
        hulls = [Manifold.hull_points((triangle[:, None] + cube).reshape(-1, 3)) for triangle in group]
        left = Manifold.batch_boolean([left, *hulls], OpType.Subtract)
    return max(0.0, float(left.volume()))
