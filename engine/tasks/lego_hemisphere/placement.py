"""Placing one brick among others, fast enough for every move of the pointer."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.checks import Problem
from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry import rectangles
from spatial_workbench.engine.tasks.lego_hemisphere.answer import Brick, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import (
    MAX_CONTACT_GAP_MM,
    MAX_OVERLAP_MM,
    MIN_CONTACT_DEPTH_MM,
    fits,
    misalignment,
)
from spatial_workbench.engine.tasks.lego_hemisphere.brick import (
    HALF_FOOTPRINT,
    HEIGHT,
    LAYER_TOLERANCE,
    REACH,
    STUD_PITCH,
    VOLUME,
    Bools,
    Poses,
    height_of,
)
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell
from spatial_workbench.engine.tasks.lego_hemisphere.volume import inside_of_each

SNAP_ANGLE_DEG = 15.0
_DECIMALS = 6


@dataclass(frozen=True)
class BrickFit:
    """How a brick would stand: the bricks it overlaps, clicks with or misses, and its share in the shell."""

    overlaps: tuple[int, ...]
    clicks: tuple[int, ...]
    misses: tuple[int, ...]
    share: float
    grounded: bool

    @property
    def allowed(self) -> bool:
        """Whether it breaks no rule that concerns its neighbours."""
        return not self.overlaps and not self.misses

    @property
    def problems(self) -> list[Problem]:
        """What is wrong, in words; the first is the gravest."""
        problems = [Problem(f"Overlaps brick {i}", [f"brick {i}"]) for i in self.overlaps]
        problems += [Problem(f"Is off the studs of brick {i}", [f"brick {i}"]) for i in self.misses]
        if not self.grounded and not self.clicks and not problems:
            problems.append(Problem("Floats: there is no brick to click with"))
        return problems


class Placement:
    """Bricks in a shell, prepared for adding one more. Immutable.

    Poses are (x, y, z, angle) in mm and degrees.
    """

    def __init__(self, shell: BrickShell, bricks: Iterable[Brick]) -> None:
        self.shell = shell
        self.poses = Poses(poses_of(bricks))

    def fit(self, pose: Iterable[float], ignore: Collection[int] = ()) -> BrickFit:
        """How a brick would stand at a pose, among all bricks but those that are ignored (the one that is dragged)."""
        brick = Poses(np.array([tuple(pose)], dtype=float))
        near = self._near(brick, ignore)
        depth = self._depth(brick, near)
        rise = brick.centers[0, 2] - self.poses.centers[near, 2]
        overlap = (depth > MAX_OVERLAP_MM) & (HEIGHT - np.abs(rise) > MAX_OVERLAP_MM)
        contact = (depth > MIN_CONTACT_DEPTH_MM) & (np.abs(np.abs(rise) - HEIGHT) < MAX_CONTACT_GAP_MM)
        clicks = contact.copy()
        clicks[contact] = self._clicks(brick, near[contact])
        return BrickFit(
            overlaps=tuple(near[overlap].tolist()),
            clicks=tuple(near[clicks].tolist()),
            misses=tuple(near[contact & ~clicks & ~overlap].tolist()),
            share=inside_of_each(self.shell, brick)[0] / VOLUME,
            grounded=bool(brick.layers[0] == 0),
        )

    def problems_of(self, pose: Iterable[float], ignore: Collection[int] = ()) -> list[Problem]:
        """What would be wrong with a brick at a pose."""
        return self.fit(pose, ignore).problems

    def snap(
        self,
        point: Iterable[float],
        layer: int,
        angle_deg: float,
        free: bool = False,
        ignore: Collection[int] = (),
        beside: int | None = None,
    ) -> tuple[float, float, float, float]:
        """The pose for a brick whose centre is pointed at: point (x, y) in mm, on a layer.

        Where it would lie on or under another brick it takes that one's stud lattice and angle; elsewhere it takes
        those of the brick `beside` it, or else steps of 8 mm and 15 degrees, or, if `free`, none.
        """
        x, y, *_ = point
        z = height_of(layer)
        brick = Poses(np.array([[x, y, z, angle_deg]]))
        host = self.host(brick.poses[0], ignore)
        if host is None and not free:
            host = beside
        if host is not None:
            return self._on_lattice(brick, host)
        if free:
            return x, y, z, angle_deg % 360.0
        x, y = (STUD_PITCH * round(c / STUD_PITCH) + 0.0 for c in (x, y))
        return x, y, z, SNAP_ANGLE_DEG * round(angle_deg / SNAP_ANGLE_DEG) % 360.0

    def _near(self, brick: Poses, ignore: Collection[int]) -> Ints:
        """Bricks near enough to touch."""
        reach = np.array([REACH, REACH, HEIGHT + MAX_CONTACT_GAP_MM])
        near = np.flatnonzero((np.abs(self.poses.centers - brick.centers[0]) < reach).all(axis=1))
        return near[~np.isin(near, list(ignore))] if ignore else near

    def _depth(self, brick: Poses, near: Ints) -> Floats:
        first = np.repeat(brick.centers[:, :2], len(near), axis=0)
        sides = np.repeat(brick.sides, len(near), axis=0)
        return rectangles.penetration(
            first, self.poses.centers[near, :2], HALF_FOOTPRINT, sides, self.poses.sides[near]
        )

    def _clicks(self, brick: Poses, others: Ints) -> Bools:
        """Whether the studs of the brick and of each other brick align; it is the same for the lattice of either."""
        return fits(*misalignment(self.poses, others, brick, np.zeros(len(others), dtype=np.int64)))

    def host(self, pose: Iterable[float], ignore: Collection[int] = ()) -> int | None:
        """The brick whose lattice a brick takes: the one below with the largest overlap, or else one above."""
        brick = Poses(np.array([tuple(pose)], dtype=float))
        near = self._near(brick, ignore)
        rise = brick.centers[0, 2] - self.poses.centers[near, 2]
        depth = self._depth(brick, near)
        for side in (1.0, -1.0):
            touching = (depth > MIN_CONTACT_DEPTH_MM) & (np.abs(side * rise - HEIGHT) < HEIGHT * LAYER_TOLERANCE)
            if touching.any():
                return int(near[touching][np.argmax(depth[touching])])
        return None

    def _on_lattice(self, brick: Poses, host: int) -> tuple[float, float, float, float]:
        """The nearest pose on the stud lattice of a brick."""
        center = self.poses.centers[host, :2]
        sides = self.poses.sides[host]
        steps = np.round(sides @ (brick.centers[0, :2] - center) / STUD_PITCH)
        x, y = np.round(center + STUD_PITCH * steps @ sides, _DECIMALS).tolist()
        base = float(self.poses.angles_deg[host])
        angle = base + 90.0 * round((float(brick.angles_deg[0]) - base) / 90.0)
        return x, y, float(brick.centers[0, 2]), round(angle % 360.0, _DECIMALS)
