"""The pieces of the answer, and the commands on those that are selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow import Tetrahedra
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import MAX_PIECES, pieces_at, poses_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import (
    Surroundings,
    centers_of,
    mirrored,
    moved,
    on_ground,
    ring_copies,
    row_copies,
    target_outlines,
    tidy,
    turned,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import piece_ids
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import Live
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import SPACING, settled, stacked
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import outlines_of, shadows_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import normalised, vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import SceneView

ASIDE = 0.25
"""How far to the right and up a duplicate lies."""
MOST_ASIDE = 40
"""Pasted pieces lie at most so many times as far aside."""
Axis = tuple[float, float, float]


class Pieces:
    """The pieces. Every change is one step of the history; consecutive moves by key are one step together.

    stacks: Whether pieces take the lowest free level automatically.
    snaps: Whether shadows snap to each other.
    overlaps: Whether pieces may intersect.
    say: shows a message until the next change.
    copied: called when copies of the selection are about to be added.
    """

    def __init__(
        self,
        document: AnswerDocument[Tetrahedra],
        target: TetrahedraTarget,
        view: SceneView,
        say: Callable[[str], None],
        copied: Callable[[], None],
    ) -> None:
        self.live = Live(target)
        self.stacks = True
        self.snaps = True
        self.overlaps = False
        self._document = document
        self._say = say
        self._copied = copied
        self.selection = NumberedSelection(view, "tetrahedron", lambda: len(self.poses))
        self._surroundings: tuple[tuple[int, ...], Surroundings] | None = None

    @property
    def selected(self) -> list[int]:
        """The selected pieces, in the answer's order."""
        return self.selection.numbers

    def select(self, pieces: Iterable[int]) -> None:
        """Selects pieces."""
        self.selection.select(pieces)

    @property
    def poses(self) -> Floats:
        """The poses (n, 7)."""
        return self.live.poses

    @property
    def chosen(self) -> Floats:
        """The poses of the selected pieces."""
        return self.poses[self.selected]

    def read(self) -> bool:
        """Reads the pieces of the document; returns whether they have changed."""
        poses = poses_of(self._document.answer.tetrahedrons)
        if np.array_equal(poses, self.poses):
            return False
        self._surroundings = None
        self.live.set_poses(poses)
        return True

    # Where pieces may be -----------------------------------------------------------------------------------------

    def snapped(self, poses: Floats, reach: float, ignore: tuple[int, ...] = ()) -> tuple[Floats, str]:
        """Poses (n, 7) moved together so that a corner of the first shadow snaps, and what it has snapped to."""
        if not self.snaps:
            return poses, ""
        if self._surroundings is None or self._surroundings[0] != ignore:
            self._surroundings = ignore, self._surroundings_without(ignore)
        outline = outlines_of(shadows_of(vertices_of(poses[:1])))[0]
        snap = self._surroundings[1].snap(outline, reach)
        return moved(poses, (*snap.shift, 0.0)), f"snapped to {snap.words}" if snap.words else ""

    def _surroundings_without(self, ignore: tuple[int, ...]) -> Surroundings:
        others = [
            (f"tetrahedron {i}", outline) for i, outline in enumerate(outlines_of(self.live.shadows)) if i not in ignore
        ]
        return Surroundings([*target_outlines(self.live.target), *others])

    def risen(self, poses: Floats, ignore: tuple[int, ...] = ()) -> Floats:
        """Poses (n, 7) on the lowest levels where they meet nothing, if pieces stack automatically."""
        return settled(np.delete(self.poses, list(ignore), axis=0), poses) if self.stacks else poses

    def problem_of(self, poses: Floats, ignore: tuple[int, ...] = ()) -> str:
        """Which pieces would be intersected at these poses, in words; "" if none."""
        met = [] if self.stacks else self.live.met_by(poses, ignore)
        return f"Intersects {', '.join(piece_ids(met[:3]))}" if met else ""

    def _is_refused(self, poses: Floats, ignore: tuple[int, ...] = ()) -> bool:
        problem = "" if self.overlaps else self.problem_of(poses, ignore)
        if problem:
            self._say(f"Not done: {problem}")
        return bool(problem)

    # Steps of the history ----------------------------------------------------------------------------------------

    def put(self, label: str, poses: Floats, select: Iterable[int] | None = None, merge: str = "") -> None:
        """Replaces the pieces, unless there are too many."""
        if len(poses) > MAX_PIECES:
            self._say(f"Not done: an answer may have at most {MAX_PIECES} tetrahedra.")
            return
        self._say("")
        answer = self._document.answer.model_copy(update={"tetrahedrons": pieces_at(poses)})
        self._document.edit(label, answer, merge)
        if select is not None:
            self.select(select)

    def place(self, pose: Floats) -> None:
        """Adds a piece at a pose (7,), without further checks."""
        self.put("Place tetrahedron", np.concatenate([self.poses, tidy(pose[None])]))

    def drop(self, label: str, pieces: Sequence[int], goal: Floats, copies: bool) -> None:
        """Drops dragged pieces, or copies of them, at these poses, unless they would intersect others."""
        if self._is_refused(goal, () if copies else tuple(pieces)):
            return
        if copies:
            self._append(label, goal)
        else:
            self._replace(label, pieces, goal)

    def _append(self, label: str, poses: Floats) -> None:
        count = len(self.poses)
        new = range(count, count + len(poses))
        self.put(_labelled(label, len(poses)), np.concatenate([self.poses, poses]), new)

    def _replace(self, label: str, pieces: Sequence[int], poses: Floats, merge: str = "") -> None:
        changed = self.poses.copy()
        changed[list(pieces)] = tidy(poses)
        self.put(_labelled(label, len(pieces)), changed, pieces, merge)

    # Changing the selection --------------------------------------------------------------------------------------

    def orient(self, pose: Floats) -> None:
        """Gives the selected pieces the orientation of a pose (7,), each about its middle."""
        if self.selected:
            turned_alike = np.repeat(pose[None], len(self.selected), axis=0)
            turned_alike[:, :3] += centers_of(self.chosen) - centers_of(turned_alike)
            self._move_selected("Orient", turned_alike)

    def turn(self, axis: Axis, angle_deg: float) -> None:
        """Turns the selection about its middle."""
        if self.selected:
            self._move_selected("Turn", turned(self.chosen, axis, angle_deg), f"turn {self.selected}")

    def nudge(self, x: float, y: float) -> None:
        """Moves the selection on the ground."""
        if self.selected:
            self._move_selected("Move", moved(self.chosen, (x, y, 0.0)), f"nudge {self.selected}")

    def lift(self, levels: int) -> None:
        """Raises or lowers the selection by levels."""
        if self.stacks:
            self._say("Switch off Stack automatically to raise pieces by hand.")
        elif self.selected:
            goal = moved(self.chosen, (0.0, 0.0, SPACING * levels))
            self._move_selected("Raise", goal, f"lift {self.selected}")

    def _move_selected(self, label: str, poses: Floats, merge: str = "") -> None:
        pieces = self.selected
        goal = self.risen(poses, tuple(pieces))
        if not self._is_refused(goal, tuple(pieces)):
            self._replace(label, pieces, goal, merge)

    def normalise(self) -> None:
        """Gives the quaternions of the selected pieces, or of all, the length 1."""
        pieces = self.selected or list(range(len(self.poses)))
        self._replace("Normalise", pieces, normalised(self.poses[pieces]))

    def type_number(self, place: int, value: float) -> None:
        """Sets a number of the selected piece, as it was typed."""
        piece = self.selected[0]
        changed = self.poses.copy()
        changed[piece, place] = value
        if changed[piece, 3:].any():
            self.put("Set number", changed, [piece], f"type {piece} {place}")
        else:
            self._say("Not done: a quaternion of zeros has no direction.")

    def delete(self) -> None:
        """Deletes the selection."""
        if self.selected:
            label = _labelled("Delete", len(self.selected))
            self.put(label, np.delete(self.poses, self.selected, axis=0), ())

    def restack(self) -> None:
        """Moves all pieces to the lowest levels where none meet."""
        self.put("Restack", stacked(on_ground(self.poses)), self.selected)

    # What is added to it -----------------------------------------------------------------------------------------

    def duplicate(self) -> None:
        """Adds a copy beside the selection."""
        self._add("Duplicate", moved(self.chosen, (ASIDE, ASIDE, 0.0)))

    def paste(self, label: str, poses: Floats) -> None:
        """Adds pieces where they are or, if there are others, aside where they meet none."""
        first = 1 if len(self.poses) else 0
        tries = (self.risen(moved(poses, (k * ASIDE, k * ASIDE, 0.0))) for k in range(first, MOST_ASIDE))
        goal = next((goal for goal in tries if not self.problem_of(goal)), None)
        if goal is None:
            self._say("Not done: there is no room for them.")
        elif len(goal):
            count = len(self.poses)
            self.put(label, np.concatenate([self.poses, goal]), range(count, count + len(goal)))

    def mirror(self, axis: int) -> None:
        """Adds the mirror image of the selection."""
        self._add("Mirror", mirrored(self.chosen, axis))

    def repeat_in_row(self, count: int, step: tuple[float, float]) -> None:
        """Adds copies of the selection in a row."""
        self._add("Repeat in a row", row_copies(self.chosen, count, step))

    def repeat_in_ring(self, count: int) -> None:
        """Adds copies of the selection around the origin."""
        self._add("Repeat in a ring", ring_copies(self.chosen, count))

    def _add(self, label: str, poses: Floats) -> None:
        poses = self.risen(poses)
        if len(poses) and not self._is_refused(poses):
            self._copied()
            self._append(label, poses)


def _labelled(label: str, count: int) -> str:
    """The label of a change of a number of pieces."""
    return f"{label} tetrahedron" if count == 1 else f"{label} {count} tetrahedra"
