"""Criteria 3 to 6: how much of the parts, in mm³, is inside, outside, in each other and on the rods."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.rays import transformed
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid

SHARED_MM3 = 1.0
ROD_SIDES = 64
ROD_FROM, ROD_BEYOND = -10.0, 20.0
"""The rods' test cylinders reach from below the cage to above the outer limit: -10 to 760 where that is 740."""
ENGAGED_BEYOND = 60.0
"""Those of criterion 6 reach from 0 to 800."""


@dataclass(frozen=True, eq=False)
class Posed:
    """A solid in its place. Always made by `posed`, so that the same solid in the same place is the same object."""

    solid: CageSolid
    matrix: Floats

    @cached_property
    def manifold(self) -> Any:
        """The solid in its place (manifold3d)."""
        return self.solid.manifold.transform(self.matrix[:3])

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the box around it."""
        points = transformed(self.solid.vertices, self.matrix)
        return points.min(axis=0), points.max(axis=0)

    def may_meet(self, low: Floats, high: Floats) -> bool:
        """Whether the box around it shares volume with another box."""
        mine = self.bounds
        return bool((mine[0] < high).all() and (low < mine[1]).all())


@remember_solids(maxsize=256)
def _posed(solid: CageSolid, numbers: tuple[float, ...]) -> Posed:
    return Posed(solid, np.array(numbers).reshape(4, 4))


def posed(solid: CageSolid, matrix: Floats) -> Posed:
    """A solid in the place that a rigid transform (4, 4) gives it."""
    return _posed(solid, tuple(matrix.ravel().tolist()))


@remember_solids(maxsize=512)
def inside_mm3(part: Posed, cage: Cage) -> float:
    """How much of a part is in the space that must stay free."""
    return shared_with_box(part, *cage.inner_box)


@remember_solids(maxsize=512)
def outside_mm3(part: Posed, cage: Cage) -> float:
    """How much of a part is beyond the outer limit."""
    low, high = cage.outer_box
    if (part.bounds[0] >= low).all() and (part.bounds[1] <= high).all():
        return 0.0
    return max(0.0, part.solid.volume - shared_with_box(part, low, high))


@remember_solids(maxsize=2048)
def on_rod_mm3(
    part: Posed, axis: tuple[float, float], diameter: float, ends: tuple[float, float], outer: bool
) -> float:
    """What a part shares with a cylinder on an axis; `outer`: its polygon is drawn around the circle, else inside."""
    radius = diameter / 2 / (np.cos(np.pi / ROD_SIDES) if outer else 1.0)
    low, high = np.array([*axis, ends[0]]), np.array([*axis, ends[1]])
    around = np.array([radius, radius, 0.0])
    if not part.may_meet(low - around, high + around):
        return 0.0
    return float((part.manifold ^ _cylinder(radius, ends).translate((*axis, 0.0))).volume())


def rod_ends(cage: Cage) -> tuple[float, float]:
    """The lower and upper end of the rods' test cylinders."""
    return ROD_FROM, cage.outer_height + ROD_BEYOND


def engaged_ends(cage: Cage) -> tuple[float, float]:
    """The lower and upper end of the cylinders of criterion 6."""
    return 0.0, cage.outer_height + ENGAGED_BEYOND


def engaged(part: Posed, cage: Cage) -> list[int]:
    """The numbers of the rods that hold a part."""
    ends = engaged_ends(cage)
    return [i for i, axis in enumerate(cage.axes) if on_rod_mm3(part, axis, cage.blocked, ends, False) > SHARED_MM3]


def common(first: Posed, second: Posed) -> Any:
    """The intersection of two parts (manifold3d); None if their bounding boxes do not meet."""
    if not first.may_meet(*second.bounds):
        return None
    return first.manifold ^ second.manifold


shared = remember_solids(maxsize=512)(common)
"""`common`, cached."""


def shared_mm3(first: Posed, second: Posed) -> float:
    """The volume that two parts have in common."""
    both = shared(first, second)
    return 0.0 if both is None else float(both.volume())


def shared_with_box(part: Posed, low: Floats, high: Floats) -> float:
    """How much of a part is in a box."""
    import manifold3d

    if not part.may_meet(low, high):
        return 0.0
    box = manifold3d.Manifold.cube(tuple((high - low).tolist())).translate(tuple(low.tolist()))
    return float((part.manifold ^ box).volume())


def _cylinder(radius: float, ends: tuple[float, float]) -> Any:
    import manifold3d

    return manifold3d.Manifold.cylinder(ends[1] - ends[0], radius, radius, ROD_SIDES).translate((0, 0, ends[0]))


def rigid_problem(matrix: NDArray[np.float64] | None, count: int) -> str:
    """Why a transform is not a rigid motion; empty if it is one. `count`: how many numbers were given."""
    if matrix is None:
        return f"its transform has {counted(count, 'number')} instead of 16"
    if np.abs(matrix[3] - (0, 0, 0, 1)).max() > RIGID:
        return "the last row of its transform is not 0 0 0 1"
    turn = matrix[:3, :3]
    determinant = float(np.linalg.det(turn))
    if np.abs(turn @ turn.T - np.eye(3)).max() > RIGID:
        return f"its transform scales or shears (determinant {determinant:.3g})"
    return "its transform mirrors it (determinant -1)" if determinant < 0 else ""


RIGID = 1e-4
"""Tolerance for a transform's entries when it is compared with a rigid motion."""
