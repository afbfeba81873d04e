"""Layers that turn: by hand, and as the animation of a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from spatial_workbench.engine.cube.facelets import apply_moves
from spatial_workbench.engine.cube.notation import inverse_move
from spatial_workbench.engine.tasks.cube.drawing import scene_of, while_turning
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editors.cube.motion import LayerMotion
from spatial_workbench.widgets.editors.cube.moves import CubeMoves

if TYPE_CHECKING:
    from spatial_workbench.widgets.editors.cube.editor import CubeEditor


class CubeTurning:
    """Shows turning layers in the view of an editor.

    motion: The animation of a move; `rest` is called at its end.
    """

    def __init__(self, editor: CubeEditor, moves: CubeMoves, rest: Callable[[], None]) -> None:
        self.motion = LayerMotion(lambda scene: editor.view.set_scene(scene), rest)
        self._editor = editor
        self._moves = moves

    def turn(self, move: str, was_seen: bool = False) -> None:
        """Turns a layer for good."""
        self._moves.turn(move, was_seen)

    def show_turning(self, move: str, share: float) -> None:
        """Shows a layer that is being dragged."""
        self.motion.stop()
        self._editor.view.set_scene(scene_of(while_turning(self._moves.run.state, move, share)))

    def show_at_rest(self) -> None:
        """Shows the cube as it is."""
        if not self._editor.animation.is_playing:
            self._editor.view.set_scene(self._editor.make_scene())

    def animate_last_move(self, step: int, before: Sequence[str], after: Sequence[str]) -> bool:
        """Animates the last move, forwards or backwards; returns whether there is one."""
        last = (after if step > 0 else before)[-1]
        was_seen = self._moves.was_seen
        self._moves.was_seen = False
        if was_seen or appearance().reduce_motion or not self._editor.isVisible() or self._moves.run.illegal:
            return False
        self.motion.start(apply_moves(self._moves.start, before), last if step > 0 else inverse_move(last))
        return True
