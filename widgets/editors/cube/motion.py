"""The animation of a turning layer: a few frames between two states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.engine.tasks.cube.drawing import scene_of, while_turning

FRAME_MS = 36
FRAMES = 4


class LayerMotion(QObject):
    """Shows one turn, and calls `done` at its end."""

    def __init__(self, show: Callable[[Scene], None], done: Callable[[], None]) -> None:
        super().__init__()
        self._show = show
        self._done = done
        self._scenes: list[Scene] = []
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._step)

    @property
    def is_running(self) -> bool:
        """Whether a layer is turning."""
        return self._timer.isActive()

    def start(self, state: Colours, move: str) -> None:
        """Turns a layer, beginning at a state."""
        shares = [(i + 1) / FRAMES for i in range(FRAMES - 1)]
        self._scenes = [scene_of(while_turning(state, move, share)) for share in shares]
        self._timer.start()
        self._step()

    def stop(self) -> None:
        """Stops the animation where it is."""
        self._timer.stop()

    def _step(self) -> None:
        if self._scenes:
            self._show(self._scenes.pop(0))
        else:
            self._timer.stop()
            self._done()


def turn_between(before: Sequence[str], after: Sequence[str]) -> int:
    """1 if `after` has one move more than `before`, -1 if it has one less, 0 if they differ otherwise."""
    if tuple(after[:-1]) == tuple(before) and after:
        return 1
    return -1 if before and tuple(before[:-1]) == tuple(after) else 0
