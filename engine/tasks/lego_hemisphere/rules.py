"""The checks of a structure, in order. Bricks are named by their place in the answer, from 0."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spatial_workbench.engine.core.checks import CheckList, Problem
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import beside
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import (
    LISTED,
    BrickAssembly,
    BrickPart,
    Misfit,
    distance_outside,
)
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, LAYER_TOLERANCE, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell

LOWEST_Z_MM = 4.7
DUPLICATE_STEP_MM = 0.1
DUPLICATE_STEP_DEG = 1.0
_ROUNDING = 1e-9

checks = CheckList()


@dataclass(frozen=True, eq=False)
class Construction:
    """What the checks look at: the shell and the bricks."""

    shell: BrickShell
    poses: Poses

    @cached_property
    def assembly(self) -> BrickAssembly:
        """How the bricks stand to each other."""
        return BrickAssembly(self.poses)


def brick_ids(bricks: Iterable[int]) -> list[str]:
    """The ids of bricks in scenes."""
    return [f"brick {i}" for i in bricks]


@checks.step("at least one brick")
def _not_empty(built: Construction) -> Iterator[Problem]:
    if not len(built.poses):
        yield Problem("There are no bricks")


@checks.step("layer height")
def _layer_height(built: Construction) -> Iterator[Problem]:
    z = built.poses.centers[:, 2]
    off = (z - HEIGHT / 2) / HEIGHT - built.poses.layers
    for i in np.flatnonzero(np.abs(off) > LAYER_TOLERANCE + _ROUNDING):
        yield _about(i, f"has its centre at z = {z[i]:g}, {_length(abs(off[i]) * HEIGHT, 0)} off its layer's height")


@checks.step("not below the ground")
def _above_ground(built: Construction) -> Iterator[Problem]:
    z = built.poses.centers[:, 2]
    for i in np.flatnonzero(z < LOWEST_Z_MM - _ROUNDING):
        yield _about(i, f"is in the ground: its centre is at z = {z[i]:g}, the lowest layer's at 4.8")


@checks.step("not wholly in the hollow")
def _not_in_hollow(built: Construction) -> Iterator[Problem]:
    for i in np.flatnonzero(built.poses.farthest_distance < built.shell.inner_mm):
        yield _about(i, f"is wholly in the hollow, within {built.shell.inner_mm:g} mm of the centre")


@checks.step("not wholly outside")
def _not_outside(built: Construction) -> Iterator[Problem]:
    nearest = built.poses.nearest_distance
    for i in np.flatnonzero(nearest > built.shell.outer_mm):
        away = _length(nearest[i], built.shell.outer_mm)
        yield _about(i, f"is wholly outside: its nearest point is {away} from the centre")


@checks.step("no brick twice")
def _no_duplicates(built: Construction) -> Iterator[Problem]:
    first: dict[tuple[int, ...], int] = {}
    for i, key in enumerate(duplicate_keys(built.poses)):
        if key in first:
            yield Problem(f"Brick {i} is the same as brick {first[key]}", brick_ids([first[key], i]))
        first.setdefault(key, i)


@checks.step("no two bricks share volume")
def _no_overlap(built: Construction) -> Iterator[Problem]:
    overlaps = built.assembly.overlaps
    for overlap in overlaps[:LISTED]:
        i, j = overlap.first, overlap.second
        yield Problem(f"Bricks {i} and {j} overlap by {beside(overlap.depth_mm, 0, 2)} mm", brick_ids([i, j]))
    if len(overlaps) > LISTED:
        yield Problem(f"More than {LISTED} pairs overlap; the first {LISTED} are listed")


@checks.step("studs aligned")
def _studs_aligned(built: Construction) -> Iterator[Problem]:
    for misfit in built.assembly.misfits:
        yield Problem(_misfit_sentence(misfit), brick_ids([misfit.lower, misfit.upper]))


@checks.step("nothing falls over")
def _balanced(built: Construction) -> Iterator[Problem]:
    for part in built.assembly.parts:
        if part.stands and not part.is_balanced:
            yield Problem(_fall_sentence(part), brick_ids(part.bricks))


@checks.step("everything connected to the ground")
def _supported(built: Construction) -> Iterator[Problem]:
    for part in built.assembly.parts:
        if not part.stands:
            yield Problem(_float_sentence(part), brick_ids(part.bricks))


def duplicate_keys(poses: Poses) -> list[tuple[int, ...]]:
    """A key for each brick; bricks of equal keys count as the same."""
    place = np.round(poses.centers / DUPLICATE_STEP_MM)
    turn = np.round(poses.angles_deg % 180.0 / DUPLICATE_STEP_DEG) % 180
    return [tuple(row) for row in np.column_stack([place, turn]).astype(np.int64).tolist()]


def name_bricks(bricks: Iterable[int], most: int = 4) -> str:
    """Bricks in words: "Brick 3", "Bricks 3, 5 and 9", "Bricks 3, 5, 9, 12 and 8 more"."""
    names = [str(i) for i in bricks]
    if len(names) == 1:
        return f"Brick {names[0]}"
    shown, rest = (names, 0) if len(names) <= most else (names[:most], len(names) - most)
    last = f"{rest} more" if rest else shown.pop()
    return f"Bricks {', '.join(shown)} and {last}"


def _about(brick: int | np.integer[Any], says: str) -> Problem:
    return Problem(f"Brick {brick} {says}", brick_ids([int(brick)]))


def _misfit_sentence(misfit: Misfit) -> str:
    who = f"Brick {misfit.upper}"
    if misfit.is_twisted:
        return f"{who} is turned {misfit.twist_deg:+.1f}° off the square of brick {misfit.lower} below it"
    x, y = (-round(step, 2) + 0.0 for step in misfit.move_mm)
    return f"{who} is off the studs of brick {misfit.lower} below it by ({x:g}, {y:g}) mm"


def _float_sentence(part: BrickPart) -> str:
    names = name_bricks(part.bricks)
    if len(part.bricks) == 1:
        return f"{names} floats: no chain of contacts leads to the ground"
    return f"{names} float: no chain of contacts leads to the ground"


def _fall_sentence(part: BrickPart) -> str:
    outside = distance_outside(part.center_mm[:2], part.support_mm)
    away = f"{_length(outside, 0)} outside of what stands on the ground"
    return f"{name_bricks(part.bricks)} fall over: their centre of mass is {away}"


def _length(length_mm: float | Floats, limit_mm: float) -> str:
    return f"{beside(float(length_mm), limit_mm, 1)} mm" if length_mm < 1e5 else marked("far")
