"""Copies of bricks: mirrored, in rows, without duplicates or useless bricks. All functions return new bricks."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Literal

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.tasks.lego_hemisphere.answer import Brick, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import VOLUME, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.rules import duplicate_keys
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell
from spatial_workbench.engine.tasks.lego_hemisphere.volume import inside_of_each

WORTH_SHARE = 0.25
"""A brick raises the score if more than this share of it is inside the shell."""

Bricks = tuple[Brick, ...]


def mirrored(bricks: Iterable[Brick], axis: Literal["x", "y"]) -> Bricks:
    """The mirror images at x = 0 ("x") or y = 0 ("y")."""
    sx, sy = (-1.0, 1.0) if axis == "x" else (1.0, -1.0)
    return tuple(
        Brick.at(sx * x + 0.0, sy * y + 0.0, z, -brick.RotationDegrees % 360.0)
        for brick in bricks
        for x, y, z in [brick.Centroid]
    )


def quarter_turned(bricks: Iterable[Brick]) -> Bricks:
    """The bricks turned by 90 degrees about the z axis, counter-clockwise from above."""
    return tuple(
        Brick.at(0.0 - y, x + 0.0, z, (brick.RotationDegrees + 90.0) % 360.0)
        for brick in bricks
        for x, y, z in [brick.Centroid]
    )


def four_fold(bricks: Iterable[Brick]) -> Bricks:
    """The bricks, and the same turned by 90, 180 and 270 degrees about the z axis, each once."""
    turns = [tuple(bricks)]
    for _ in range(3):
        turns.append(quarter_turned(turns[-1]))
    return without_duplicates(brick for turn in turns for brick in turn)


def arrayed(bricks: Iterable[Brick], counts: Sequence[int], pitch_mm: Sequence[float]) -> tuple[Brick, ...]:
    """The bricks repeated in rows, columns and layers; the first copy is the bricks themselves."""
    originals = tuple(bricks)
    return tuple(
        brick if not any(step) else _moved(brick, step, pitch_mm)
        for step in product(*map(range, counts))
        for brick in originals
    )


def without_duplicates(bricks: Iterable[Brick]) -> Bricks:
    """The bricks without those that repeat an earlier one (as the check "no brick twice" has it)."""
    listed = tuple(bricks)
    first: dict[tuple[int, ...], Brick] = {}
    for key, brick in zip(duplicate_keys(Poses(poses_of(listed))), listed, strict=True):
        first.setdefault(key, brick)
    return tuple(first.values())


def worth_keeping(
    shell: BrickShell, bricks: Iterable[Brick], share: float = WORTH_SHARE, progress: Progress = silent
) -> Bricks:
    """The bricks of which more than a share is inside the shell."""
    listed = tuple(bricks)
    progress(0, 1, "comparing volumes")
    inside = inside_of_each(shell, Poses(poses_of(listed)))
    return tuple(brick for brick, volume in zip(listed, inside, strict=True) if volume > share * VOLUME)


def _moved(brick: Brick, step: tuple[int, ...], pitch_mm: Sequence[float]) -> Brick:
    x, y, z = (round(c + n * pitch, 6) for c, n, pitch in zip(brick.Centroid, step, pitch_mm, strict=True))
    return Brick.at(x, y, z, brick.RotationDegrees)
