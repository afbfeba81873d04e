"""Edits of several bricks at once: proposals judged against the existing bricks, moves, turns, copies.

Everything is pure, vectorised, and fast enough to follow a pointer. Poses are (n, 4): x, y, z in mm, turn in degrees.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from spatial_workbench.engine.core.checks import Problem
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry import rectangles
from spatial_workbench.engine.tasks.lego_hemisphere.answer import MAX_BRICKS, Brick, bricks_at, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import (
    MAX_CONTACT_GAP_MM,
    MAX_OVERLAP_MM,
    MIN_CONTACT_DEPTH_MM,
    BrickAssembly,
    fits,
    misalignment,
)
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HALF_FOOTPRINT, HEIGHT, REACH, STUD_PITCH, Bools, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.placement import Placement
from spatial_workbench.engine.tasks.lego_hemisphere.rules import LOWEST_Z_MM, duplicate_keys
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell
from spatial_workbench.engine.tasks.lego_hemisphere.transforms import four_fold, mirrored, without_duplicates

Image: TypeAlias = Literal["x", "y", "turned"]
"""Mirror images across an axis, or turns by quarters."""

STEPS_TRIED = 16
"""How many steps a nudge may take to get past an obstacle."""
_DECIMALS = 6


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The bricks of two groups that meet, and how: indices into each group, and flags for each pair."""

    first: Ints
    second: Ints
    overlap: Bools
    click: Bools
    miss: Bools

    def where(self, chosen: Bools) -> "_Pairs":
        """Some of the pairs."""
        first, second = self.first[chosen], self.second[chosen]
        return _Pairs(first, second, self.overlap[chosen], self.click[chosen], self.miss[chosen])


@dataclass(frozen=True, eq=False)
class Proposal:
    """Bricks that would join those of a placement, except ignored ones (the bricks that are being moved).

    rigid: they keep their relative positions, so only the other bricks are checked.
    """

    placement: Placement
    poses: Poses
    ignore: Collection[int] = ()
    rigid: bool = False

    @property
    def problems(self) -> list[Problem]:
        """What is wrong, in words, the most serious first. The editor refuses a proposal with problems."""
        met = self._met
        others = self._others
        problems = [Problem("Is below the ground")] if self._below.any() else []
        problems += [Problem(f"Overlaps brick {i}", [f"brick {i}"]) for i in _listed(others[met.second[met.overlap]])]
        problems += [Problem("The new bricks overlap each other")] * bool(self._inner.overlap.any())
        problems += [
            Problem(f"Is off the studs of brick {i}", [f"brick {i}"]) for i in _listed(others[met.second[met.miss]])
        ]
        problems += [Problem("The new bricks do not click with each other")] * bool(self._inner.miss.any())
        floats = f"Floats on layer {self.poses.layers.min()}: there is no brick to click with"
        problems += [Problem(floats)] * bool(not problems and self._floats)
        problems += [Problem("Is wholly in the hollow")] * bool(self._in_hollow.any())
        return problems + [Problem("Is wholly outside of the shell")] * bool(self._outside.any())

    @property
    def possible(self) -> Bools:
        """Which of the bricks (n,) are possible together, preferring earlier ones. Floating is not checked."""
        good = ~(self._below | self._in_hollow | self._outside)
        good[self._met.first[self._met.overlap | self._met.miss]] = False
        clash = self._inner.overlap | self._inner.miss
        for i, j in sorted(zip(self._inner.first[clash].tolist(), self._inner.second[clash].tolist(), strict=True)):
            good[j] &= not good[i]
        return good

    @cached_property
    def clicks(self) -> tuple[int, ...]:
        """The bricks of the placement that it would click with."""
        return tuple(sorted(set(self._others[self._met.second[self._met.click]].tolist())))

    @cached_property
    def _others(self) -> Ints:
        others = np.arange(len(self.placement.poses))
        return others[~np.isin(others, list(self.ignore))] if self.ignore else others

    @cached_property
    def _met(self) -> _Pairs:
        whole = self.placement.poses
        return _pairs(self.poses, Poses(whole.poses[self._others]) if self.ignore else whole)

    @cached_property
    def _inner(self) -> _Pairs:
        if self.rigid or len(self.poses) == 1:
            return _pairs(Poses(np.zeros((0, 4))), self.poses)
        met = _pairs(self.poses, self.poses)
        return met.where(met.first < met.second)

    @cached_property
    def _floats(self) -> bool:
        held = self.poses.layers == 0
        held[self._met.first[self._met.click]] = True
        if self.rigid or held.all():
            return not held.any()
        return any(not held[part.bricks].any() for part in BrickAssembly(self.poses).parts)

    @property
    def _below(self) -> Bools:
        below: Bools = self.poses.centers[:, 2] < LOWEST_Z_MM
        return below

    @property
    def _in_hollow(self) -> Bools:
        inside: Bools = self.poses.farthest_distance < self.placement.shell.inner_mm
        return inside

    @property
    def _outside(self) -> Bools:
        outside: Bools = self.poses.nearest_distance > self.placement.shell.outer_mm
        return outside


def propose(
    placement: Placement, poses: Floats | Sequence[Sequence[float]], ignore: Collection[int] = (), rigid: bool = False
) -> Proposal:
    """The proposal of bricks at poses."""
    return Proposal(placement, Poses(np.array(poses, dtype=float).reshape(-1, 4)), ignore, rigid)


def joinable(placement: Placement | None, bricks: Iterable[Brick]) -> tuple[Brick, ...]:
    """The bricks that can join those of the placement, in order, up to the most that an answer may hold.

    Without a placement, every pose is possible.
    """
    listed = tuple(bricks)
    if not listed or placement is None:
        return listed
    possible = propose(placement, poses_of(listed)).possible
    chosen = [brick for brick, good in zip(listed, possible, strict=True) if good]
    return tuple(chosen[: MAX_BRICKS - len(placement.poses)])


def images_that_fit(
    shell: BrickShell | None,
    bricks: tuple[Brick, ...],
    sources: tuple[Brick, ...],
    how: Image,
    progress: Progress = silent,
) -> tuple[tuple[Brick, ...], int]:
    """The images of some bricks that can join all bricks, and how many have no room; without a shell, all have room.

    how: "x" or "y" for mirror images across that axis, "turned" for turns by 90, 180 and 270 degrees.
    """
    turned_or_mirrored = four_fold(sources) if how == "turned" else images(sources, how == "x", how == "y")
    copies = not_among(turned_or_mirrored, bricks)
    fitting = joinable(Placement(shell, bricks) if shell else None, copies)
    return fitting, len(copies) - len(fitting)


def room_for_copies(
    shell: BrickShell | None, bricks: tuple[Brick, ...], poses: Floats, progress: Progress = silent
) -> Floats | None:
    """The poses of copies beside or on top of poses (n, 4) where the bricks leave room; None if there is none.

    Without a shell there is room everywhere.
    """
    return copied_beside(Placement(shell, bricks) if shell else None, poses)


# Moves -----------------------------------------------------------------------------------------------------------


def moved(poses: Floats, step_mm: Sequence[float] | Floats) -> Floats:
    """The poses shifted by (x, y, z)."""
    shifted = poses.copy()
    shifted[:, :3] = np.round(poses[:, :3] + np.asarray(step_mm), _DECIMALS) + 0.0
    return shifted


def turned(poses: Floats, turn_deg: float) -> Floats:
    """The poses turned together about their middle; a quarter turn keeps studs on the first brick's lattice."""
    first = Poses(poses[:1])
    away = first.sides[0] @ (poses[:, :2].mean(axis=0) - poses[0, :2])
    pivot = poses[0, :2] + STUD_PITCH * np.round(away / STUD_PITCH) @ first.sides[0]
    sides = rectangles.axes(np.array([turn_deg]))[0]
    result = poses.copy()
    result[:, :2] = np.round(pivot + (poses[:, :2] - pivot) @ sides, _DECIMALS) + 0.0
    result[:, 3] = np.round((poses[:, 3] + turn_deg) % 360.0, _DECIMALS)
    return result


def stepped(
    placement: Placement, poses: Floats, step_mm: Sequence[float], ignore: Collection[int] = ()
) -> Floats | None:
    """The poses after the fewest steps that lead to a possible place; None if there is none nearby."""
    for count in range(1, STEPS_TRIED + 1):
        goal = moved(poses, count * np.asarray(step_mm, dtype=float))
        if not propose(placement, goal, ignore, rigid=True).problems:
            return goal
    return None


def along_studs(pose: Sequence[float], way: Sequence[float]) -> Floats:
    """The direction (2,) along the studs of a brick that is nearest to a direction along an axis."""
    odd = (pose[3] + 45.0) % 90.0 - 45.0
    turned_way: Floats = np.asarray(way, dtype=float) @ rectangles.axes(np.array([odd]))[0]
    return turned_way


def copied_beside(placement: Placement | None, poses: Floats) -> Floats | None:
    """The poses of copies at the first side of the bricks where there is room, else on top; None if there is none."""
    originals = Poses(poses)
    size = np.ptp(originals.footprints.reshape(-1, 2), axis=0)
    wide, deep = STUD_PITCH * np.ceil(np.round(size / STUD_PITCH, 3))
    high = np.ptp(originals.centers[:, 2]) + HEIGHT
    for step in ((wide, 0, 0), (0, deep, 0), (-wide, 0, 0), (0, -deep, 0), (0, 0, high)):
        goal = moved(poses, step)
        if placement is None or not propose(placement, goal).problems:
            return goal
    return None


def images(bricks: Iterable[Brick], mirror_x: bool, mirror_y: bool) -> tuple[Brick, ...]:
    """The bricks and their mirror images, each once."""
    all_of_them = tuple(bricks)
    if mirror_x:
        all_of_them += mirrored(all_of_them, "x")
    if mirror_y:
        all_of_them += mirrored(all_of_them, "y")
    return without_duplicates(all_of_them)


def not_among(bricks: Iterable[Brick], others: Iterable[Brick]) -> tuple[Brick, ...]:
    """The bricks that are the same as none of the others (as the check "no brick twice" has it)."""
    listed = tuple(bricks)
    taken = set(duplicate_keys(Poses(poses_of(others))))
    keys = duplicate_keys(Poses(poses_of(listed)))
    return tuple(brick for brick, key in zip(listed, keys, strict=True) if key not in taken)


def with_images(poses: Floats, mirror_x: bool, mirror_y: bool) -> Floats:
    """The poses and those of their mirror images, each once."""
    return poses_of(images(bricks_at(poses), mirror_x, mirror_y)) if mirror_x or mirror_y else poses


# Own -------------------------------------------------------------------------------------------------------------


def _pairs(first: Poses, second: Poses) -> _Pairs:
    """The bricks of two groups that touch or share volume."""
    i, j = _near(first, second)
    flat = first.centers[i, :2], second.centers[j, :2]
    depth = rectangles.penetration(*flat, HALF_FOOTPRINT, first.sides[i], second.sides[j])
    rise = np.abs(first.centers[i, 2] - second.centers[j, 2])
    overlap = (depth > MAX_OVERLAP_MM) & (HEIGHT - rise > MAX_OVERLAP_MM)
    contact = (depth > MIN_CONTACT_DEPTH_MM) & (np.abs(rise - HEIGHT) < MAX_CONTACT_GAP_MM) & ~overlap
    click = contact.copy()
    click[contact] = fits(*misalignment(first, i[contact], second, j[contact]))
    return _Pairs(i, j, overlap, click, contact & ~click)


def _near(first: Poses, second: Poses) -> tuple[Ints, Ints]:
    """Pairs that are near enough to touch."""
    from scipy.spatial import cKDTree

    none = np.zeros(0, dtype=np.int64)
    if not len(first) or not len(second):
        return none, none
    reach = np.array([REACH, REACH, HEIGHT + MAX_CONTACT_GAP_MM])
    near = cKDTree(second.centers / reach).query_ball_point(first.centers / reach, 1.0, p=np.inf, return_sorted=True)
    counts = [len(row) for row in near]
    return np.repeat(np.arange(len(first)), counts), np.concatenate([none, *near]).astype(np.int64)


def _listed(bricks: Ints) -> list[int]:
    """Without duplicates, in order."""
    listed: list[int] = np.unique(bricks).tolist()
    return listed
