"""The ghost of pieces about to be placed or moved, in both views, and what their shadows would fill."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import centers_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.judging import piece_ids
from spatial_workbench.widgets.editors.tetrahedra_shadow.drawing import TetrahedraDrawing
from spatial_workbench.widgets.editors.tetrahedra_shadow.measuring import ShadowMeasuring
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Pieces
from spatial_workbench.widgets.scene_views.view import SceneView


class TetrahedraStage:
    """Shows and places the ghost; `views` are the 3D view and the plan.

    changed: called when the ghost has changed, and the fit with it.
    """

    def __init__(
        self,
        pieces: Pieces,
        views: tuple[SceneView, SceneView],
        drawing: TetrahedraDrawing,
        measuring: ShadowMeasuring,
        is_judged: bool,
        changed: Callable[[], None],
    ) -> None:
        self.words = ""
        """What the status bar says about the ghost: what is wrong, or what it has snapped to."""
        self._pieces = pieces
        self._views = views
        self._drawing = drawing
        self._measuring = measuring
        self._is_judged = is_judged
        self._changed = changed
        self._ghost_count: int | None = None
        self._ghost_problem = ""
        self._is_hiding = False

    def show_ghost(self, poses: Floats, ignore: tuple[int, ...] = (), words: str = "") -> None:
        """Shows pieces at these poses, what their shadows would fill, and what is wrong there."""
        self._ghost_problem = self._pieces.problem_of(poses, ignore) if self._is_judged else ""
        self.words = self._ghost_problem or words
        self._pieces.say("")
        space, plan = self._views
        space.set_ghost(self._drawing.ghost_in_space(poses), self._ghost_problem)
        plan.set_ghost(self._drawing.ghost_in_plan(poses), self._ghost_problem)
        self._ghost_count = len(self._pieces.poses) - len(ignore) + len(poses)
        self._measuring.show_ghost(poses, ignore)
        self._changed()

    def clear_ghost(self) -> None:
        """Removes the ghost."""
        self._ghost_problem = ""
        self.words = ""
        self._ghost_count = None
        for view in self._views:
            view.set_ghost(())
        self._measuring.end_ghost()
        self._changed()

    def place(self, pose: Floats) -> bool:
        """Adds the ghost as a piece, unless it intersects another; returns whether it did."""
        if self._ghost_problem and not self._pieces.overlaps:
            self._pieces.say(f"Not placed: {self._ghost_problem}")
            return False
        self._pieces.add_piece(pose)
        return True

    def hide_pieces(self, pieces: Iterable[int] = ()) -> None:
        """Hides pieces that are being dragged, and shows all others."""
        hidden = tuple(piece_ids(pieces))
        self._is_hiding = bool(hidden)
        for view in self._views:
            view.set_hidden(hidden)

    @property
    def shown_count(self) -> int:
        """How many pieces are shown, including the ghost's."""
        return len(self._pieces.poses) if self._ghost_count is None else self._ghost_count

    def middle_of_selection(self) -> Floats | None:
        """Where the handles of the selection are (3,); None while there are none."""
        if not self._pieces.selected or self._is_hiding:
            return None
        middle: Floats = centers_of(self._pieces.chosen).mean(axis=0)
        return middle
