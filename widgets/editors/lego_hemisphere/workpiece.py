"""The bricks of a document as arrays, and what is known of each: kept as long as they do not change."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.core.scene import Floats
from engine.tasks.lego_hemisphere import Brick, shell_of
from engine.tasks.lego_hemisphere.answer import bricks_at
from engine.tasks.lego_hemisphere.brick import HEIGHT, VOLUME, Poses
from engine.tasks.lego_hemisphere.placement import Placement
from engine.tasks.lego_hemisphere.volume import inside_of_each
from widgets.editing.document import AnswerDocument

Pose = tuple[float, float, float, float]

COMPUTED_AT_ONCE = 48
"""Shares of so many bricks are computed in this process; those of more come with the verdict."""


class Workpiece:
    """What the editor knows of the bricks. Bricks go by their place in the answer."""

    def __init__(self, document: AnswerDocument) -> None:
        self._document = document
        self.shell = shell_of(document.instance)
        self.top_layer = int(np.ceil(self.shell.outer_mm / HEIGHT)) + 1
        self._shares: dict[Pose, float] = {}
        self._placement: Placement | None = None
        self._bricks: tuple[Brick, ...] | None = None

    @property
    def bricks(self) -> tuple[Brick, ...]:
        """The bricks of the answer."""
        return self._document.answer.bricks

    @property
    def placement(self) -> Placement:
        """The bricks, ready to take more."""
        if self._placement is None or self._bricks is not self.bricks:
            self._bricks = self.bricks
            self._placement = Placement(self.shell, self.bricks)
        return self._placement

    @property
    def poses(self) -> Poses:
        """The bricks as arrays."""
        return self.placement.poses

    def poses_of(self, chosen: Iterable[int]) -> Floats:
        """The poses (n, 4) of some bricks."""
        return self.poses.poses[list(chosen)].reshape(-1, 4)

    def with_poses(self, chosen: Iterable[int], poses: Floats) -> tuple[Brick, ...]:
        """All bricks, some of them at other poses."""
        bricks = list(self.bricks)
        for i, brick in zip(chosen, bricks_at(poses), strict=True):
            bricks[i] = brick
        return tuple(bricks)

    def learn_shares(self) -> None:
        """Remembers the shares that the present verdict tells."""
        verdict = self._document.verdict
        shares = verdict.details.get("shares") if verdict is not None and self._document.is_verdict_current else None
        if shares is not None and len(shares) == len(self.bricks):
            self._shares = dict(zip(self._keys(), shares, strict=True))

    def shares(self) -> Floats:
        """The share of each brick in the shell, (n,): as the last verdict said or computed anew; NaN if not known."""
        keys = self._keys()
        unknown = [i for i, key in enumerate(keys) if key not in self._shares]
        if 0 < len(unknown) <= COMPUTED_AT_ONCE:
            volumes = inside_of_each(self.shell, Poses(self.poses_of(unknown)))
            self._shares |= {keys[i]: volume / VOLUME for i, volume in zip(unknown, volumes, strict=True)}
        return np.array([self._shares.get(key, np.nan) for key in keys])

    def share_at(self, poses: Floats) -> float:
        """The mean share of bricks at poses (n, 4)."""
        return float(np.mean(inside_of_each(self.shell, Poses(poses)))) / VOLUME

    def _keys(self) -> list[Pose]:
        return [(x, y, z, angle) for x, y, z, angle in self.poses.poses.tolist()]


def index_of(element: str) -> int | None:
    """The brick that an element's id means."""
    kind, _, number = element.partition(" ")
    return int(number) if kind == "brick" and number.isdigit() else None


def indices_of(elements: Iterable[str]) -> list[int]:
    """The bricks among elements."""
    return [i for i in map(index_of, elements) if i is not None]


def followed(before: tuple[Brick, ...], after: tuple[Brick, ...], chosen: Iterable[int]) -> list[int]:
    """Where some bricks are after an edit: at their place if bricks were changed or added, else the ones alike."""
    chosen = list(chosen)
    if not chosen or len(before) == len(after) or after[: len(before)] == before:
        return chosen
    places: dict[Brick, list[int]] = {}
    for i, brick in enumerate(after):
        places.setdefault(brick, []).append(i)
    found = (places.get(before[i]) for i in chosen if i < len(before))
    return sorted({there.pop(0) if len(there) > 1 else there[0] for there in found if there})
