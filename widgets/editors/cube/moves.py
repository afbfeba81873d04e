"""The moves of the answer, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from spatial_workbench.engine.core import silent
from spatial_workbench.engine.cube.notation import inverse_move, not_taken_back
from spatial_workbench.engine.tasks.cube import CubeAnswer, start_of
from spatial_workbench.engine.tasks.cube.judging import Run, make_moves
from spatial_workbench.widgets.editing.document import AnswerDocument


class CubeMoves(QObject):
    """Makes moves, each as a step of the history.

    ends_solved: whether the run ends when the cube is solved.
    say: shows why a move is not made.

    Signals:
        making(): a move is about to be made.
        made(): a move was made, or all moves were replaced.
    """

    making = Signal()
    made = Signal()

    def __init__(
        self, parent: QObject, document: AnswerDocument[CubeAnswer], ends_solved: bool, say: Callable[[str], object]
    ) -> None:
        super().__init__(parent)
        self.start = start_of(document.instance)
        self.was_seen = False
        """Whether the last turn has been shown already, as it was made by a drag."""
        self._document = document
        self._ends_solved = ends_solved
        self._say = say

    @property
    def run(self) -> Run:
        """What the moves of the answer make of the cube."""
        return self._run_of(self._document.answer)

    def _run_of(self, answer: CubeAnswer) -> Run:
        return make_moves(self.start, answer.moves, silent, ends_solved=self._ends_solved)

    def _has_ended(self, answer: CubeAnswer) -> bool:
        """Whether further moves no longer count; never, if moves may not be judged."""
        return self._ends_solved and self._run_of(answer).is_solved

    def goes_on(self) -> bool:
        """Whether further moves count."""
        return not self._has_ended(self._document.answer)

    def turn(self, move: str, was_seen: bool = False) -> None:
        """Turns a face, unless the run has ended; `was_seen` says that the turn has been shown already."""
        self.was_seen = was_seen
        self._make_move(
            f"Turn {move}", move, f"Turn {move} back (counts as a move)", f"Turn {move} again (counts as a move)"
        )

    def take_back(self) -> None:
        """Makes the opposite of the last move that has not been taken back yet."""
        left = not_taken_back(self.run.moves)
        if left:
            back = "Make the move again (counts as a move)"
            again = "Take back again (counts as a move)"
            self._make_move("Take back", inverse_move(left[-1]), back, again)
        else:
            self._say("There is no move to take back.")

    def _make_move(self, label: str, move: str, back: str, again: str) -> None:
        """Makes a move as a step of the history; undo makes the opposite one."""
        if self._has_ended(self._document.answer):
            self._say("The cube is solved. Clear removes all moves, so that you can start again.")
            return
        self.making.emit()
        self._document.do(label, self._adding(move), self._adding(inverse_move(move)), back, again)
        self.made.emit()

    def _adding(self, move: str) -> Callable[[CubeAnswer], CubeAnswer]:
        """A function that adds a move to an answer, unless its run has ended."""

        def added(answer: CubeAnswer) -> CubeAnswer:
            moves = answer.moves if self._has_ended(answer) else (*answer.moves, move)
            return CubeAnswer(moves=moves, reasoning=answer.reasoning)

        return added

    def clear(self) -> None:
        """Removes all moves."""
        self.set_moves("Clear moves", ())

    def set_moves(self, label: str, moves: Sequence[str]) -> None:
        """Replaces the moves, as a step of the history."""
        self._document.edit(label, CubeAnswer(moves=tuple(moves), reasoning=self._document.answer.reasoning))
        self.made.emit()
