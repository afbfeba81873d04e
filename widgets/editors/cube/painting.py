"""Enter a real cube by painting its stickers on the net: each sticker is checked, and the depth can be computed."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QButtonGroup, QDialog, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.facelets import SOLVED
from spatial_workbench.engine.cube.letters import RGB, ColourLetter
from spatial_workbench.engine.cube.notation import format_moves
from spatial_workbench.engine.cube.optimal import Bounds
from spatial_workbench.engine.cube.states import depth_of
from spatial_workbench.engine.cube.strings import CENTRES, colours_of_faces
from spatial_workbench.engine.cube.validity import StateForm, faces_of, fault_of
from spatial_workbench.widgets.cube_net import UNKNOWN, CubeNet
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.icons import icon

NAMES = {"W": "white", "R": "red", "B": "blue", "O": "orange", "G": "green", "Y": "yellow"}


def distance(state: str, progress: Progress = silent) -> Bounds:
    """The depth of a state of 54 colour letters, or its bounds; runs in the background."""
    return depth_of(faces_of(state, StateForm.COLOURS), progress)


class PaintingDialog(QDialog):
    """A net to paint, a palette, and what is wrong with the cube so far.

    Signals:
        state_chosen(str): the person wants to solve this cube; 54 colour letters.
    """

    state_chosen = Signal(str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Paint a cube"))
        self.resize(460, 640)
        self._runner = runner
        solved = colours_of_faces(SOLVED)
        self._state = [solved[i] if i in CENTRES else UNKNOWN for i in range(54)]
        self._history: list[list[str]] = []
        self.net = CubeNet()
        self.net.is_paintable = True
        self.net.sticker_pressed.connect(self.paint)
        self._note = QLabel(wordWrap=True)
        self._note.setMinimumHeight(40)
        self._note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._icon = QLabel()
        self._depth = QPushButton(tr("Work out the depth"))
        self._depth.clicked.connect(self._work_out)
        self._solve = QPushButton(tr("Solve this cube"))
        self._solve.setToolTip(tr("Open this cube in a tab of its own"))
        self._solve.clicked.connect(lambda: self.state_chosen.emit(self.state))
        self._lay_out()
        self._show_state()

    @property
    def state(self) -> str:
        """The 54 letters; "?" for stickers that are not painted yet."""
        return "".join(self._state)

    @property
    def colour(self) -> str:
        """The colour of the brush."""
        return list(NAMES)[self._palette.checkedId()]

    def choose_colour(self, letter: str) -> None:
        """Chooses the colour of the brush."""
        self._palette.button(list(NAMES).index(letter)).setChecked(True)

    def paint(self, number: int) -> None:
        """Paints a sticker; centres stay, since they define their faces."""
        if number in CENTRES:
            self._note.setText(tr("Centres cannot be painted: they define their faces."))
        elif self._state[number] != self.colour:
            self._history.append(list(self._state))
            self._state[number] = self.colour
            self._show_state()

    def set_state(self, state: str) -> None:
        """Replaces the whole state."""
        self._history.append(list(self._state))
        self._state = list(state)
        self._show_state()

    def undo(self) -> None:
        """Undoes the last change."""
        if self._history:
            self._state = self._history.pop()
            self._show_state()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        letter = event.text().upper()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_Z:
            self.undo()
        elif letter in NAMES:
            self.choose_colour(letter)
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        self._palette = QButtonGroup(self)
        row = QHBoxLayout()
        note = QHBoxLayout()
        buttons = QHBoxLayout()
        for k, letter in enumerate(NAMES):
            swatch = _swatch_button(letter)
            self._palette.addButton(swatch, k)
            row.addWidget(swatch)
        self._palette.button(0).setChecked(True)
        note.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        note.addWidget(self._note, 1)
        undo = QPushButton(tr("Undo"))
        solved = QPushButton(tr("Solved cube"))
        undo.clicked.connect(self.undo)
        solved.clicked.connect(lambda: self.set_state(colours_of_faces(SOLVED)))
        for button in (undo, solved, self._depth, self._solve):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.addWidget(QLabel(tr("Hold the cube with the orange centre up and the red one towards you.")))
        column.addLayout(row)
        column.addWidget(self.net, 1)
        column.addLayout(note)
        column.addLayout(buttons)

    def _show_state(self) -> None:
        self.net.set_state(self.state)
        counts = Counter(self._state)
        for k, letter in enumerate(NAMES):
            self._palette.button(k).setText(f"{letter} {counts[letter]}/9")
        missing = counts[UNKNOWN]
        fault = None if missing else fault_of(self.state, StateForm.COLOURS)
        self.net.set_marked(fault.stickers if fault else ())
        is_cube = not missing and fault is None
        gap = f"{counted(missing, 'sticker is', 'stickers are')} not painted yet." if missing else ""
        self._note.setText(said(f"{fault.code}: {fault.message}." if fault else gap or "This cube is possible."))
        self._icon.setPixmap(icon("passed", "passed").pixmap(16, 16) if is_cube else QPixmap())
        self._depth.setEnabled(is_cube)
        self._solve.setEnabled(is_cube)

    def _work_out(self) -> None:
        self._note.setText(tr("Working out the depth…"))
        asked = self.state
        self._runner.run(
            "Working out the depth", distance, asked, done=lambda bounds: self._show_depth(asked, bounds), quiet=True
        )

    def _show_depth(self, asked: str, bounds: Bounds) -> None:
        if asked == self.state:
            solution = f" {format_moves(bounds.solution)}." if bounds.solution else ""
            self._note.setText(said(f"Depth {bounds}.{solution} {bounds.how}"))


def _swatch_button(letter: str) -> QToolButton:
    picture = QPixmap(24, 24)
    picture.fill(QColor(*RGB[ColourLetter(letter)]))
    button = QToolButton()
    button.setIcon(QIcon(picture))
    button.setToolTip(said(f"Paint {NAMES[letter]} ({letter})"))
    button.setCheckable(True)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setAccessibleName(said(f"Paint {NAMES[letter]}"))
    return button
