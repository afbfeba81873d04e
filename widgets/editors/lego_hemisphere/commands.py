"""Commands of buttons and keys on bricks: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, BrickShell
from spatial_workbench.engine.tasks.lego_hemisphere.answer import MAX_BRICKS, bricks_at, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, LENGTH, STUD_PITCH, WIDTH, Poses, height_of
from spatial_workbench.engine.tasks.lego_hemisphere.editing import (
    Image,
    along_studs,
    images_that_fit,
    joinable,
    moved,
    room_for_copies,
    stepped,
    turned,
)
from spatial_workbench.engine.tasks.lego_hemisphere.solver import fill_layer
from spatial_workbench.engine.tasks.lego_hemisphere.transforms import WORTH_SHARE, arrayed, worth_keeping
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editing.things import step_label
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import BrickWorkpiece


class BrickCommands:
    """The commands on the selected bricks, or on all."""

    def __init__(self, piece: BrickWorkpiece, runner: Runner) -> None:
        self.piece = piece
        self._runner = runner

    # Selected bricks ---------------------------------------------------------------------------------------------

    def delete(self) -> None:
        """Deletes the selected bricks."""
        gone = set(self.piece.selected)
        remaining = tuple(brick for i, brick in enumerate(self.piece.bricks) if i not in gone)
        if gone:
            self.piece.replace_bricks(_counted("Delete", len(gone)), remaining, select=[])

    def rotate(self, by_deg: float) -> None:
        """Turns the selected bricks together."""
        chosen = self.piece.selected
        if chosen:
            self.move_bricks("Turn", chosen, turned(self.piece.poses_of(chosen), by_deg))

    def copy(self) -> None:
        """Adds copies of the selected bricks beside them."""
        chosen = self.piece.selected
        if chosen:
            self._add_beside("Copy", self.piece.poses_of(chosen))

    def paste(self, label: str, bricks: tuple[Brick, ...]) -> None:
        """Adds bricks where they are or, if that is taken, beside it."""
        poses = poses_of(bricks)
        is_there = bool(set(bricks) & set(self.piece.bricks))
        if is_there or self.piece.objection(poses):
            self._add_beside("Paste", poses)
        else:
            self.piece.add_bricks(label, bricks, select=True)

    def _add_beside(self, verb: str, poses: Floats) -> None:
        """Adds bricks beside or on top of poses (n, 4), where there is room."""
        bricks = self.piece.bricks

        def done(poses: Floats | None) -> None:
            if poses is None:
                self.piece.say("There is no room for copies beside or on top. Shift-drag places them elsewhere.")
            elif self._is_as_before(bricks):
                self.piece.add_bricks(_counted(verb, len(poses)), bricks_at(poses), select=True)

        self._runner.run("Copying bricks", room_for_copies, self._judged_shell, bricks, poses, done=done)

    @property
    def _judged_shell(self) -> BrickShell | None:
        """The shell against which places are judged; None if they may not be judged."""
        return self.piece.shell if self.piece.is_judged else None

    def _is_as_before(self, bricks: tuple[Brick, ...]) -> bool:
        """Whether the bricks are still those with which background work began; says so if not."""
        if self.piece.bricks is bricks:
            return True
        self.piece.say("Not done: the bricks have changed in the meantime.")
        return False

    def nudge(self, way: Sequence[float], size_mm: float) -> None:
        """Moves the selected bricks by a step; steps of a stud pitch or more pass over whatever is in the way."""
        chosen = self.piece.selected
        if not chosen:
            return
        poses = self.piece.poses_of(chosen)
        step = (*(size_mm * along_studs(poses[0], way)), 0.0)
        goal = None
        if size_mm >= STUD_PITCH and self.piece.is_judged and not self.piece.allows_illegal:
            goal = stepped(self.piece.placement, poses, step, chosen)
        self.move_bricks("Move", chosen, moved(poses, step) if goal is None else goal, f"nudge {chosen}")

    def lift(self, layers: int) -> None:
        """Moves the selected bricks up or down."""
        chosen = self.piece.selected
        if chosen:
            lifted = moved(self.piece.poses_of(chosen), (0, 0, HEIGHT * layers))
            self.move_bricks("Raise" if layers > 0 else "Lower", chosen, lifted, f"lift {chosen}")

    def set_value(self, place: int, value: float) -> None:
        """Sets x, y, layer or angle of the single selected brick, as typed, and says what is wrong there."""
        (chosen,) = self.piece.selected
        pose = self.piece.poses_of([chosen])
        pose[0, place] = (value, value, height_of(round(value)), value % 360.0)[place]
        self.force_bricks(("Set x", "Set y", "Set layer", "Set angle")[place], [chosen], pose, f"type {place} {chosen}")

    def move_by(self, x: float, y: float, layers: int) -> None:
        """Moves the selected bricks by typed steps, and says what is wrong there."""
        chosen = self.piece.selected
        self.force_bricks(
            _counted("Move", len(chosen)), chosen, moved(self.piece.poses_of(chosen), (x, y, HEIGHT * layers))
        )

    def move_bricks(self, label: str, chosen: Sequence[int], poses: Floats, merge: str = "") -> bool:
        """Moves bricks to other poses, unless something is wrong there; returns whether it did."""
        objection = "" if self.piece.allows_illegal else self.piece.objection(poses, chosen)
        if objection:
            self.piece.say(f"Not moved: {objection}")
        else:
            self.piece.replace_bricks(_counted(label, len(chosen)), self.piece.with_poses(chosen, poses), merge=merge)
        return not objection

    def force_bricks(self, label: str, chosen: Sequence[int], poses: Floats, merge: str = "") -> None:
        """Moves bricks to other poses, and says what is wrong there."""
        objection = self.piece.objection(poses, chosen)
        self.piece.replace_bricks(label, self.piece.with_poses(chosen, poses), merge=merge)
        if objection:
            self.piece.say(f"Moved, but: {objection}")

    def drop_bricks(self, bricks: Sequence[int], poses: Floats, copies: bool) -> None:
        """Drops dragged bricks, or copies of them, unless something is wrong there."""
        if not copies:
            self.move_bricks("Move", bricks, poses)
        elif (objection := self.piece.objection(poses)) and not self.piece.allows_illegal:
            self.piece.say(f"Not copied: {objection}")
        else:
            self.piece.add_bricks(_counted("Copy", len(bricks)), bricks_at(poses), select=True)

    # Copies ------------------------------------------------------------------------------------------------------

    def mirror(self, axis: Literal["x", "y"]) -> None:
        """Adds the mirror images of the selected bricks, or of all, across an axis."""
        self._join(f"Mirror {axis}", axis)

    def four_fold(self) -> None:
        """Adds the selected bricks, or all, turned by 90, 180 and 270 degrees about the middle of the shell."""
        self._join("Four-fold", "turned")

    def array_copies(self, count: Sequence[int], pitch_mm: Sequence[float]) -> tuple[Brick, ...]:
        """The copies of the selected bricks that have room, without the bricks themselves."""
        sources = tuple(self.piece.bricks[i] for i in self.piece.selected)
        if not sources or int(np.prod(count)) * len(sources) > MAX_BRICKS:
            return ()
        copies = arrayed(sources, count, pitch_mm)[len(sources) :]
        return joinable(self.piece.placement if self.piece.is_judged else None, copies)

    def array_pitch_mm(self) -> tuple[float, float, float]:
        """The distances at which copies of the selected bricks touch."""
        selected = Poses(self.piece.poses_of(self.piece.selected))
        if not len(selected):
            return LENGTH, WIDTH, HEIGHT
        x, y = STUD_PITCH * np.ceil(np.round(np.ptp(selected.footprints.reshape(-1, 2), axis=0) / STUD_PITCH, 3))
        return float(x), float(y), float(np.ptp(selected.centers[:, 2]) + HEIGHT)

    def _join(self, label: str, how: Image) -> None:
        bricks = self.piece.bricks
        sources = tuple(bricks[i] for i in self.piece.selected or range(len(bricks)))

        def done(joined: tuple[tuple[Brick, ...], int]) -> None:
            fitting, left_out = joined
            if not self._is_as_before(bricks):
                return
            if fitting:
                self.piece.add_bricks(label, fitting, select=True)
            if left_out:
                self.piece.say(f"{_bricks(len(fitting))} added; {left_out} left out for lack of room.")
            elif not fitting:
                is_turned = how == "turned"
                self.piece.say("There is nothing new to turn." if is_turned else "There is nothing new to mirror.")

        self._runner.run(label, images_that_fit, self._judged_shell, bricks, sources, how, done=done)

    # Selecting ---------------------------------------------------------------------------------------------------

    def select_layer(self) -> None:
        """Selects the bricks of the active layer."""
        self.piece.select(np.flatnonzero(self.piece.poses.layers == self.piece.layer).tolist())

    # Background work ---------------------------------------------------------------------------------------------

    def fill_layer(self) -> None:
        """Lets the solver fill the empty part of the active layer."""
        layer = self.piece.layer
        self._runner.run(
            f"Filling layer {layer}",
            fill_layer,
            self.piece.shell,
            layer,
            self.piece.bricks,
            done=lambda new: self._filled(layer, new),
        )

    def _filled(self, layer: int, new: tuple[Brick, ...]) -> None:
        fitting = joinable(self.piece.placement, new)
        if not fitting:
            self.piece.say(f"Nothing more fits into layer {layer}.")
            return
        self.piece.add_bricks(f"Fill layer {layer}", fitting, select=False)
        self.piece.say(f"Layer {layer}: {_bricks(len(fitting))} added.")

    def keep_worthy(self) -> None:
        """Removes the bricks that lower the score."""
        bricks = self.piece.bricks
        self._runner.run(
            "Looking for bricks that cost points",
            worth_keeping,
            self.piece.shell,
            bricks,
            done=lambda worthy: self._remove_poor(_without(bricks, set(worthy))),
        )

    def _remove_poor(self, poor: tuple[Brick, ...]) -> None:
        if not poor:
            self.piece.say(f"Every brick is more than {WORTH_SHARE:.0%} inside the shell.")
            return
        self.piece.replace_bricks(_counted("Remove", len(poor)), _without(self.piece.bricks, set(poor)), select=[])
        self.piece.say(f"Removed {_bricks(len(poor))} that cost points.")


def _without(bricks: Sequence[Brick], others: set[Brick]) -> tuple[Brick, ...]:
    return tuple(brick for brick in bricks if brick not in others)


def _counted(verb: str, count: int) -> str:
    return step_label(verb, count, marked("{verb} brick"), marked("{verb} {count} bricks"))


def _bricks(count: int) -> str:
    return counted(count, "brick")
