"""Commands of buttons and keys on the selected pieces: each is one step of the history, or says why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import (
    centers_of,
    mirrored,
    moved,
    on_ground,
    ring_copies,
    row_copies,
    turned,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import SPACING, stacked
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import normalised
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Axis, Pieces, labelled

ASIDE = 0.25
"""How far to the right and up a duplicate lies."""
MOST_ASIDE = 40
"""How many places are tried for pasted pieces, each `ASIDE` farther away."""


class TetrahedraCommands:
    """The commands. Consecutive moves by key are one step together.

    copied: called when copies of the selection are about to be added.
    """

    def __init__(self, pieces: Pieces, copied: Callable[[], object]) -> None:
        self._pieces = pieces
        self._copied = copied

    def orient(self, pose: Floats) -> None:
        """Gives the selected pieces the orientation of a pose (7,), each about its middle."""
        if self._pieces.selected:
            turned_alike = np.repeat(pose[None], len(self._pieces.selected), axis=0)
            turned_alike[:, :3] += centers_of(self._pieces.chosen) - centers_of(turned_alike)
            self._move_selected("Orient", turned_alike)

    def turn(self, axis: Axis, angle_deg: float) -> None:
        """Turns the selection about its middle."""
        if self._pieces.selected:
            self._move_selected("Turn", turned(self._pieces.chosen, axis, angle_deg), f"turn {self._pieces.selected}")

    def nudge(self, x: float, y: float) -> None:
        """Moves the selection on the ground."""
        if self._pieces.selected:
            self._move_selected("Move", moved(self._pieces.chosen, (x, y, 0.0)), f"nudge {self._pieces.selected}")

    def move_to(self, place: Sequence[float]) -> None:
        """Moves the selection so that the position of its first piece is x, y, z; on a level if pieces stack."""
        if self._pieces.selected:
            way = np.asarray(place) - self._pieces.chosen[0, :3]
            self._move_selected("Move", moved(self._pieces.chosen, way.tolist()))

    def lift(self, levels: int) -> None:
        """Raises or lowers the selection by levels."""
        if self._pieces.stacks:
            self._pieces.say("Switch off Stack automatically to raise pieces by hand.")
        elif self._pieces.selected:
            goal = moved(self._pieces.chosen, (0.0, 0.0, SPACING * levels))
            self._move_selected("Raise", goal, f"lift {self._pieces.selected}")

    def _move_selected(self, label: str, poses: Floats, merge: str = "") -> None:
        pieces = self._pieces.selected
        goal = self._pieces.risen(poses, tuple(pieces))
        if not self._pieces.is_refused(goal, tuple(pieces)):
            self._pieces.replace(label, pieces, goal, merge)

    def normalise(self) -> None:
        """Gives the quaternions of the selected pieces, or of all, the length 1."""
        pieces = self._pieces.selected or list(range(len(self._pieces.poses)))
        self._pieces.replace("Normalise", pieces, normalised(self._pieces.poses[pieces]))

    def type_number(self, place: int, value: float) -> None:
        """Sets a number of the selected piece, as it was typed."""
        piece = self._pieces.selected[0]
        changed = self._pieces.poses.copy()
        changed[piece, place] = value
        if changed[piece, 3:].any():
            self._pieces.replace_pieces("Set number", changed, [piece], f"type {piece} {place}")
        else:
            self._pieces.say("Not done: a quaternion of zeros has no direction.")

    def delete(self) -> None:
        """Deletes the selection."""
        if self._pieces.selected:
            label = labelled("Delete", len(self._pieces.selected))
            self._pieces.replace_pieces(label, np.delete(self._pieces.poses, self._pieces.selected, axis=0), ())

    def restack(self) -> None:
        """Moves all pieces to the lowest levels where none meet."""
        self._pieces.replace_pieces("Restack", stacked(on_ground(self._pieces.poses)), self._pieces.selected)

    def duplicate(self) -> None:
        """Adds a copy beside the selection."""
        self._add_pieces("Duplicate", moved(self._pieces.chosen, (ASIDE, ASIDE, 0.0)))

    def paste(self, label: str, poses: Floats) -> None:
        """Adds pieces where they are or, if there are others, aside where they meet none."""
        first = 1 if len(self._pieces.poses) else 0
        tries = (self._pieces.risen(moved(poses, (k * ASIDE, k * ASIDE, 0.0))) for k in range(first, MOST_ASIDE))
        goal = next((goal for goal in tries if not self._pieces.problem_of(goal)), None)
        if goal is None:
            self._pieces.say("Not done: there is no room for them.")
        elif len(goal):
            count = len(self._pieces.poses)
            self._pieces.replace_pieces(
                label, np.concatenate([self._pieces.poses, goal]), range(count, count + len(goal))
            )

    def mirror(self, axis: int) -> None:
        """Adds the mirror image of the selection."""
        self._add_pieces("Mirror", mirrored(self._pieces.chosen, axis))

    def repeat_in_row(self, count: int, step: tuple[float, float]) -> None:
        """Adds copies of the selection in a row."""
        self._add_pieces("Repeat in a row", row_copies(self._pieces.chosen, count, step))

    def repeat_in_ring(self, count: int) -> None:
        """Adds copies of the selection around the origin."""
        self._add_pieces("Repeat in a ring", ring_copies(self._pieces.chosen, count))

    def _add_pieces(self, label: str, poses: Floats) -> None:
        poses = self._pieces.risen(poses)
        if len(poses) and not self._pieces.is_refused(poses):
            self._copied()
            self._pieces.append(label, poses)
