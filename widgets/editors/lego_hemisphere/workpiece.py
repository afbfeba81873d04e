"""The bricks being edited: as arrays, with what is known about each, and which of them are selected."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, Structure, shell_of
from spatial_workbench.engine.tasks.lego_hemisphere.answer import MAX_BRICKS, bricks_at
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, VOLUME, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.editing import propose
from spatial_workbench.engine.tasks.lego_hemisphere.placement import Placement
from spatial_workbench.engine.tasks.lego_hemisphere.volume import inside_of_each
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import SceneView

Pose = tuple[float, float, float, float]

COMPUTED_AT_ONCE = 48
"""Up to this number, the shares of bricks are computed in this process; for more bricks, the verdict supplies them."""


class BrickWorkpiece:
    """The bricks of an answer, by their index. What is computed for them is cached while they do not change.

    view: the view in which bricks are selected.
    say: shows a message in the status bar.
    is_judged: whether places that break the rules are refused.
    """

    def __init__(
        self, document: AnswerDocument[Structure], view: SceneView, say: Callable[[str], None], is_judged: bool
    ) -> None:
        self._document = document
        self.say = say
        self.is_judged = is_judged
        self.allows_illegal = False
        """Whether bricks may be placed even if that breaks the rules."""
        self.shell = shell_of(document.instance)
        self.top_layer = int(np.ceil(self.shell.outer_mm / HEIGHT)) + 1
        self.layer = 0
        """The active layer."""
        self.base_layer = 0
        """The layer for bricks that are not stacked: the one that was chosen, not one reached by stacking."""
        self._shares: dict[Pose, float] = {}
        self._placement: Placement | None = None
        self._bricks: tuple[Brick, ...] | None = None
        self.selection = NumberedSelection(view, "brick", lambda: len(self.bricks))

    @property
    def bricks(self) -> tuple[Brick, ...]:
        """The bricks of the answer."""
        return self._document.answer.bricks

    @property
    def placement(self) -> Placement:
        """The bricks, prepared for placing more."""
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
        """All bricks, with some of them at other poses."""
        bricks = list(self.bricks)
        for i, brick in zip(chosen, bricks_at(poses), strict=True):
            bricks[i] = brick
        return tuple(bricks)

    @property
    def selected(self) -> list[int]:
        """The selected bricks, in the answer's order."""
        return self.selection.numbers

    def select(self, bricks: Iterable[int]) -> None:
        """Selects bricks."""
        self.selection.select(bricks)

    def replace_bricks(
        self, label: str, bricks: tuple[Brick, ...], select: Sequence[int] | None = None, merge: str = ""
    ) -> None:
        """Replaces the bricks, as one step of the history."""
        self._document.edit(label, self._document.answer.model_copy(update={"bricks": bricks}), merge)
        if select is not None:
            self.select(select)

    def add_bricks(self, label: str, bricks: tuple[Brick, ...], select: bool) -> None:
        """Adds bricks, as one step of the history."""
        count = len(self.bricks)
        if count + len(bricks) > MAX_BRICKS:
            self.say(f"Not done: an answer may have at most {MAX_BRICKS} bricks.")
            return
        self.replace_bricks(label, self.bricks + bricks, range(count, count + len(bricks)) if select else None)

    def objection(self, poses: Floats, ignore: Collection[int] = ()) -> str:
        """What is wrong with moving bricks to poses (n, 4); "" if nothing is, or if places may not be judged."""
        problems = propose(self.placement, poses, ignore, rigid=True).problems if self.is_judged else []
        return problems[0].message if problems else ""

    def learn_shares(self) -> None:
        """Stores the shares given by the current verdict."""
        verdict = self._document.verdict
        shares = verdict.details.get("shares") if verdict is not None and self._document.is_verdict_current else None
        if shares is not None and len(shares) == len(self.bricks):
            self._shares = dict(zip(self._keys(), shares, strict=True))

    def shares(self) -> Floats:
        """The share of each brick inside the shell, (n,): from the last verdict or computed here; NaN if unknown."""
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
    """The index of the brick with an id; None if it is the id of something else."""
    kind, _, number = element.partition(" ")
    return int(number) if kind == "brick" and number.isdigit() else None


def indices_of(elements: Iterable[str]) -> list[int]:
    """The indices of the bricks among elements."""
    return [i for i in map(index_of, elements) if i is not None]


def followed(before: tuple[Brick, ...], after: tuple[Brick, ...], chosen: Iterable[int]) -> list[int]:
    """The indices of some bricks after an edit: the same if bricks were changed or appended, else of equal bricks."""
    chosen = list(chosen)
    if not chosen or len(before) == len(after) or after[: len(before)] == before:
        return chosen
    places: dict[Brick, list[int]] = {}
    for i, brick in enumerate(after):
        places.setdefault(brick, []).append(i)
    candidates = (places.get(before[i]) for i in chosen if i < len(before))
    return sorted({positions.pop(0) if len(positions) > 1 else positions[0] for positions in candidates if positions})
