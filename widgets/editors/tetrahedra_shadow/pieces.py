"""The pieces of the answer: which are selected, what they snap to, and where they may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow import Tetrahedra
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import MAX_PIECES, pieces_at, poses_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import (
    Surroundings,
    moved,
    target_outlines,
    tidy,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import piece_ids
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import Live
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import settled
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import outlines_of, shadows_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.editing.things import step_label
from spatial_workbench.widgets.scene_views.view import SceneView

Axis = tuple[float, float, float]


class Pieces:
    """The pieces. Every change is one step of the history; consecutive moves by key are one step together.

    stacks: Whether pieces take the lowest free level automatically.
    snaps: Whether shadows snap to each other.
    overlaps: Whether pieces may intersect.
    say: shows a message until the next change.
    """

    def __init__(
        self,
        document: AnswerDocument[Tetrahedra],
        target: TetrahedraTarget,
        view: SceneView,
        say: Callable[[str], None],
    ) -> None:
        self.live = Live(target)
        self.stacks = True
        self.snaps = True
        self.overlaps = False
        self._document = document
        self.say = say
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

    def read_answer(self) -> bool:
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

    def is_refused(self, poses: Floats, ignore: tuple[int, ...] = ()) -> bool:
        """Whether pieces may not be at these poses; says why."""
        problem = "" if self.overlaps else self.problem_of(poses, ignore)
        if problem:
            self.say(f"Not done: {problem}")
        return bool(problem)

    # Steps of the history ----------------------------------------------------------------------------------------

    def replace_pieces(self, label: str, poses: Floats, select: Iterable[int] | None = None, merge: str = "") -> None:
        """Replaces the pieces, unless there are too many."""
        if len(poses) > MAX_PIECES:
            self.say(f"Not done: an answer may have at most {MAX_PIECES} tetrahedra.")
            return
        self.say("")
        answer = self._document.answer.model_copy(update={"tetrahedrons": pieces_at(poses)})
        self._document.edit(label, answer, merge)
        if select is not None:
            self.select(select)

    def add_piece(self, pose: Floats) -> None:
        """Adds a piece at a pose (7,), without further checks."""
        self.replace_pieces("Place tetrahedron", np.concatenate([self.poses, tidy(pose[None])]))

    def drop_pieces(self, label: str, pieces: Sequence[int], goal: Floats, copies: bool) -> None:
        """Drops dragged pieces, or copies of them, at these poses, unless they would intersect others."""
        if self.is_refused(goal, () if copies else tuple(pieces)):
            return
        if copies:
            self.append(label, goal)
        else:
            self.replace(label, pieces, goal)

    def append(self, label: str, poses: Floats) -> None:
        """Adds pieces, and selects them."""
        count = len(self.poses)
        new = range(count, count + len(poses))
        self.replace_pieces(labelled(label, len(poses)), np.concatenate([self.poses, poses]), new)

    def replace(self, label: str, pieces: Sequence[int], poses: Floats, merge: str = "") -> None:
        """Gives some pieces other poses, and selects them."""
        changed = self.poses.copy()
        changed[list(pieces)] = tidy(poses)
        self.replace_pieces(labelled(label, len(pieces)), changed, pieces, merge)


def labelled(label: str, count: int) -> str:
    """The label of a change of a number of pieces."""
    return step_label(label, count, marked("{verb} tetrahedron"), marked("{verb} {count} tetrahedra"))
