"""The translation drill: turn the observed string into the string that solvers take, face by face.

This is what a Standard-Solver agent has to do by itself. The check says no more than the solver's tool would.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.engine.cube.strings import solver_of_colours
from spatial_workbench.engine.cube.validity import StateForm, fault_of

ENV_ORDER, SOLVER_ORDER = "ULFRDB", "URFDLB"
ABOUT = marked(
    "On the left is the observation: colours, with the faces in the order U L F R D B, and B as it lies below D. "
    "On the right, write the input of a two-phase solver: letters of faces, in the order U R F D L B, with B seen from "
    "behind and U on top."
)


class DrillDialog(QDialog):
    """Shows the observed string on the left, and six fields of nine letters on the right."""

    def __init__(self, state: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Translate the string"))
        self.resize(640, 380)
        self._state = state
        self.fields: dict[str, QLineEdit] = {}
        self._note = QLabel(wordWrap=True)
        self._note.setMinimumHeight(44)
        self._lay_out()

    @property
    def typed(self) -> str:
        """The solver's string so far."""
        return "".join(self.fields[face].text().strip().upper() for face in SOLVER_ORDER)

    def check(self) -> bool:
        """Shows what the solver's tool would answer; returns whether the string is right."""
        fault = fault_of(self.typed, StateForm.SOLVER)
        if fault is not None:
            self._note.setText(said(f"{fault.code}: {fault.message}"))
            return False
        right = self.typed == solver_of_colours(self._state)
        words = "The solver accepts it." if right else "The solver accepts it, but it describes a different cube."
        self._note.setText(said(words))
        return right

    def turn(self, face: str) -> None:
        """Turns the letters of one field by 90 degrees clockwise."""
        text = self.fields[face].text()
        if len(text) == 9:
            self.fields[face].setText("".join(text[3 * (2 - i % 3) + i // 3] for i in range(9)))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        about = QLabel(tr(ABOUT), wordWrap=True)
        about.setObjectName("secondary")
        column.addWidget(about)
        sides = QHBoxLayout()
        sides.addLayout(self._observed_side())
        sides.addLayout(self._solver_side(), 1)
        column.addLayout(sides, 1)
        column.addWidget(self._note)
        check = QPushButton(tr("Check"))
        check.clicked.connect(self.check)
        column.addWidget(check, 0, Qt.AlignmentFlag.AlignRight)

    def _observed_side(self) -> QGridLayout:
        grid = QGridLayout()
        for i, face in enumerate(ENV_ORDER):
            grid.addWidget(QLabel(face), i, 0)
            letters = QLabel(self._state[9 * i : 9 * i + 9])
            letters.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            letters.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(letters, i, 1)
        return grid

    def _solver_side(self) -> QGridLayout:
        grid = QGridLayout()
        for i, face in enumerate(SOLVER_ORDER):
            field = QLineEdit(maxLength=9)
            field.setPlaceholderText(tr("nine letters"))
            field.setAccessibleName(tr("Face {face} for the solver", face=face))
            turn = QPushButton("⟳")
            turn.setToolTip(tr("Turn these nine letters by 90 degrees"))
            turn.setAccessibleName(tr("Turn face {face}", face=face))
            turn.setAutoDefault(False)
            turn.clicked.connect(lambda _=False, face=face: self.turn(face))
            self.fields[face] = field
            for k, widget in enumerate((QLabel(face), field, turn)):
                grid.addWidget(widget, i, k)
        return grid
