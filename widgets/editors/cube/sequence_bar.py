"""The row below the cube: the moves as text to read, type and paste."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.cube.notation import NotationError, format_moves, parse_moves, quarter_turns
from spatial_workbench.widgets.layouts import row
from spatial_workbench.widgets.theme import SPACE


class SequenceBar(QWidget):
    """A line of notation.

    Signals:
        typed(tuple[str, ...]): the person finished a sequence; half turns have become two quarter turns.
    """

    typed = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Moves"))
        self.field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.field.setPlaceholderText(tr("Type moves, such as R U2"))
        self.field.setToolTip(tr("The moves so far. U R F D L B, with ' counter-clockwise and 2 for a half turn."))
        self.field.returnPressed.connect(self._finish_typing)
        self.field.textEdited.connect(lambda _: self._show_problem(""))
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self._shown: Sequence[str] | None = None
        self._lay_out()
        self._show_problem("")

    def show_moves(self, moves: Sequence[str]) -> None:
        """Shows the moves of the answer; unless they have changed, what is being typed stays."""
        if moves != self._shown:
            self._shown = moves
            self.field.setText(format_moves(moves))
            self._show_problem("")

    def _finish_typing(self) -> None:
        try:
            moves = quarter_turns(parse_moves(self.field.text()))
        except NotationError as error:
            self._show_problem(str(error))
            self.field.setCursorPosition(error.position)
            return
        self._shown = None
        self.typed.emit(moves)

    def _show_problem(self, problem: str) -> None:
        self.note.setText(said(problem))
        self.note.setVisible(bool(problem))

    def _lay_out(self) -> None:
        name = QLabel(tr("Moves"))
        name.setBuddy(self.field)
        row(self, name, self.field, self.note, margins=(3 * SPACE, 2 * SPACE), spacing=2 * SPACE)
