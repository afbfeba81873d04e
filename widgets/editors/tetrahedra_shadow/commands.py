"""What can be done with the selection, or with what is placed next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core.scene import Floats
from engine.tasks.tetrahedra_shadow.editing import (
    centers_of,
    mirrored,
    moved,
    on_ground,
    ring_copies,
    row_copies,
    turned,
)
from engine.tasks.tetrahedra_shadow.presets import SPACING, pose_of, stacked
from engine.tasks.tetrahedra_shadow.solid import normalised

if TYPE_CHECKING:
    from widgets.editors.tetrahedra_shadow.editor import TetrahedraEditor

ASIDE = 0.25
"""A duplicate lies so far to the right and up."""


class Commands:
    """Each is one step of the history; keys that are pressed in a row are one together."""

    def __init__(self, editor: TetrahedraEditor) -> None:
        self.editor = editor

    # Orientation -------------------------------------------------------------------------------------------------

    def choose_orientation(self, preset: str, turn_deg: float) -> None:
        """Turns what is placed next, and while selecting what is selected, into a preset."""
        self.editor.next_pose = pose_of(preset, 0.0, 0.0, turn_deg)
        if self.editor.is_placing:
            self.editor.place_tool.again()
        elif self.editor.selected:
            there = self.editor.poses[self.editor.selected]
            new = np.repeat(self.editor.next_pose[None], len(there), axis=0)
            new[:, :3] += centers_of(there) - centers_of(new)
            self._turn_into("Orient", new)

    def orient_like_selected(self) -> None:
        """Places what comes next as the selected piece is turned."""
        if self.editor.selected:
            self.editor.next_pose = normalised(self.editor.poses[self.editor.selected[-1:]])[0]
            self.editor.next_pose[:3] = 0.0
        self.editor.use_tool(self.editor.place_tool)

    def turn(self, axis: tuple[float, float, float], angle_deg: float) -> None:
        """Turns the ghost, or the selection."""
        if self.editor.is_placing:
            self.turn_next(axis, angle_deg)
        else:
            self.turn_selected(axis, angle_deg)

    def turn_next(self, axis: tuple[float, float, float], angle_deg: float) -> None:
        """Turns what is placed next."""
        self.editor.next_pose = turned(self.editor.next_pose[None], axis, angle_deg)[0]
        self.editor.controls.like.setChecked(True)
        self.editor.place_tool.again()

    def turn_selected(self, axis: tuple[float, float, float], angle_deg: float) -> None:
        """Turns the selection about its middle; keys in a row are one step."""
        if self.editor.selected:
            self._turn_into(
                "Turn", turned(self.editor.poses[self.editor.selected], axis, angle_deg), f"turn {self.editor.selected}"
            )

    def _turn_into(self, label: str, poses: Floats, merge: str = "") -> None:
        pieces = self.editor.selected
        goal = self.editor.risen(poses, tuple(pieces)) if self.editor.stacks else poses
        problem = self.editor.problem_of(goal, tuple(pieces))
        if problem and not self.editor.overlaps:
            self.editor.say(f"Not done: {problem}")
        else:
            self.editor.replace(label, pieces, goal, merge)

    def normalise(self) -> None:
        """Gives all selected quaternions, or all, the length 1."""
        pieces = self.editor.selected or list(range(len(self.editor.poses)))
        self.editor.replace("Normalise", pieces, normalised(self.editor.poses[pieces]))

    def typed(self, place: int, value: float) -> None:
        """A number of the selected piece was typed; it is taken as it is."""
        pose = self.editor.poses[self.editor.selected[0]].copy()
        pose[place] = value
        if not pose[3:].any():
            self.editor.say("Not done: a quaternion of zeros has no direction")
            self.editor.controls.show_selection()
            return
        changed = self.editor.poses.copy()
        changed[self.editor.selected[0]] = pose
        self.editor.put("Set number", changed, self.editor.selected, f"type {self.editor.selected[0]} {place}")

    # Commands ----------------------------------------------------------------------------------------------------

    def nudge(self, x: float, y: float) -> None:
        """Moves the ghost, or the selection; keys in a row are one step."""
        if self.editor.is_placing:
            self.editor.place_tool.step(x, y)
        elif self.editor.selected:
            goal = moved(self.editor.poses[self.editor.selected], (x, y, 0.0))
            self._turn_into("Move", goal, f"nudge {self.editor.selected}")

    def lift(self, levels: int) -> None:
        """Raises or lowers the selection by levels."""
        if self.editor.stacks:
            self.editor.say("Pieces stack by themselves; take that off to raise them by hand")
        elif self.editor.selected:
            goal = moved(self.editor.poses[self.editor.selected], (0.0, 0.0, SPACING * levels))
            self._turn_into("Raise", goal, f"lift {self.editor.selected}")

    def duplicate(self) -> None:
        """Adds a copy beside the selection."""
        self._add_stacked("Duplicate", moved(self.editor.poses[self.editor.selected], (ASIDE, ASIDE, 0.0)))

    def delete(self) -> None:
        """Takes the selection away."""
        if self.editor.selected:
            label = counted("Delete", len(self.editor.selected))
            self.editor.put(label, np.delete(self.editor.poses, self.editor.selected, axis=0), ())

    def mirror(self, axis: int) -> None:
        """Adds the mirror image of the selection."""
        self._add_stacked("Mirror", mirrored(self.editor.poses[self.editor.selected], axis))

    def repeat_in_row(self, count: int, step: tuple[float, float]) -> None:
        """Adds copies of the selection in a row."""
        self._add_stacked("Repeat in a row", row_copies(self.editor.poses[self.editor.selected], count, step))

    def repeat_in_ring(self, count: int) -> None:
        """Adds copies of the selection around the origin."""
        self._add_stacked("Repeat in a ring", ring_copies(self.editor.poses[self.editor.selected], count))

    def restack(self) -> None:
        """Puts all pieces on the lowest levels where none meet."""
        self.editor.put("Restack", stacked(on_ground(self.editor.poses)), self.editor.selected)

    def step_selection(self, by: int) -> None:
        """Selects the next piece."""
        if len(self.editor.poses):
            before = self.editor.selected[0] if self.editor.selected else (-1 if by > 0 else 0)
            self.editor.use_tool(self.editor.select_tool)
            self.editor.select([(before + by) % len(self.editor.poses)])

    def select_all(self) -> None:
        """Selects all pieces."""
        self.editor.use_tool(self.editor.select_tool)
        self.editor.select(range(len(self.editor.poses)))

    def _add_stacked(self, label: str, poses: Floats) -> None:
        """Adds pieces; without stacking only where they meet nothing."""
        poses = self.editor.risen(poses)
        problem = self.editor.problem_of(poses)
        if problem and not self.editor.overlaps:
            self.editor.say(f"Not done: {problem}")
        elif len(poses):
            self.editor.use_tool(self.editor.select_tool)
            self.editor.add(label, poses)


def counted(label: str, count: int) -> str:
    """What the history calls a change of so many pieces."""
    return f"{label} tetrahedron" if count == 1 else f"{label} {count} tetrahedra"
