"""Aids: hints, the distance to the solved cube, painting a real cube, and the translation drill."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.facelets import is_solved
from spatial_workbench.engine.cube.optimal import Bounds
from spatial_workbench.widgets.editors.cube.drill import DrillDialog
from spatial_workbench.widgets.editors.cube.moves import CubeMoves
from spatial_workbench.widgets.editors.cube.painting import PaintingDialog, distance

if TYPE_CHECKING:
    from spatial_workbench.widgets.editors.cube.editor import CubeEditor


class CubeAdvice:
    """Advises the person; `words` is what is known of the solution."""

    def __init__(self, editor: CubeEditor, moves: CubeMoves) -> None:
        self.words = ""
        self._editor = editor
        self._moves = moves

    def forget(self) -> None:
        """Forgets what is known: the moves have changed."""
        self.words = ""

    def hint(self) -> None:
        """Shows the next move of a solution."""
        self._ask_distance(_first_of)

    def show_distance(self) -> None:
        """Shows how many moves are needed."""
        self._ask_distance(_needed)

    def paint(self) -> None:
        """Opens a net to be painted; its cube becomes an instance of its own."""
        dialog = PaintingDialog(self._editor.runner, self._editor)
        dialog.state_chosen.connect(self._open_painted)
        dialog.state_chosen.connect(dialog.accept)
        _open(dialog)

    def drill(self) -> None:
        """Opens the translation drill with the current state."""
        _open(DrillDialog(self._moves.run.state, self._editor))

    def _ask_distance(self, words: Callable[[Bounds], str]) -> None:
        state = self._moves.run.state
        if is_solved(state):
            self._advise("The cube is solved.")
            return
        self._advise("Working it out…")

        def done(bounds: Bounds) -> None:
            if self._moves.run.state == state:
                self._advise(words(bounds))

        self._editor.runner.run("Working out the distance", distance, state, done=done, quiet=True)

    def _advise(self, words: str) -> None:
        self.words = words
        self._editor.refresh()

    def _open_painted(self, state: str) -> None:
        self._editor.open_requested.emit(Instance.generated(self._editor.task.id, 0, {}, {"state": state}).address)


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _first_of(bounds: Bounds) -> str:
    """The first move of a known solution, and the solution's length."""
    if not bounds.solution:
        return f"No solution is known: {bounds.how}"
    kind = "a shortest solution" if bounds.is_exact else "a known solution"
    return f"Next: {bounds.solution[0]}, the first of {counted(len(bounds.solution), 'move')} of {kind}."


def _needed(bounds: Bounds) -> str:
    """How many moves are needed, as far as that is known."""
    moves = counted(bounds.lower, "move is", "moves are") if bounds.is_exact else f"{bounds} moves are"
    return f"{moves} needed. {bounds.how}"
