"""The walk-through: a bar above the view that names the next block, until the example car is built."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.poses import PlacedFace, kind_of
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.walk_through import MachineStep, next_step
from spatial_workbench.widgets.layouts import row
from spatial_workbench.widgets.theme import SPACE


class WalkThrough(QWidget):
    """Shows the next step while it is on; once it was ended, only the person can restart it.

    Signals:
        ended(): the person ended it.
    """

    ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._goal = MachineAssembly(examples()[0].tree)
        self._step: MachineStep | None = None
        self.is_on = False
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.end_button = QPushButton(tr("Skip"))
        self.end_button.setToolTip(tr("End the walk-through; it does not come back by itself"))
        self.end_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.end_button.clicked.connect(self.end_steps)
        bar = row(self, self.words, self.end_button, margins=(3 * SPACE, SPACE), spacing=2 * SPACE)
        bar.setStretch(0, 1)
        self.hide()

    @property
    def target(self) -> PlacedFace | None:
        """The face that the next block goes to."""
        return self._step.face if self.is_on and self._step is not None and not self._step.is_taken else None

    @property
    def kind(self) -> int:
        """The type of the next block."""
        assert self._step is not None
        return self._step.type

    def start_steps(self) -> None:
        """Shows steps from now on."""
        self.is_on = True
        self.show()

    def end_steps(self) -> None:
        """Shows no further steps."""
        self.is_on = False
        self._step = None
        self.hide()
        self.ended.emit()

    def show_next_step(self, assembly: MachineAssembly | None) -> None:
        """Shows the next step for a machine."""
        if not self.is_on:
            return
        self._step = None if assembly is None else next_step(self._goal, assembly)
        self.end_button.setText(tr("Skip") if self._step is not None else tr("Close"))
        if assembly is None:
            self.words.setText(tr("The text is no machine. Undo it to go on."))
        elif self._step is None:
            self.words.setText(tr("The car is built. Press F5 to simulate it, or Shift+F5 to drive it."))
        else:
            self.words.setText(said(_words_of(self._step, assembly)))


def _words_of(step: MachineStep, assembly: MachineAssembly) -> str:
    place = f"Step {step.number} of {step.count}: "
    if step.face is None:
        return f"{place}a block that carries it is missing. Undo the last change to go on."
    if step.is_taken:
        return f"{place}something else stands on its face. Undo the last change to go on."
    name = block_types()[step.type].name
    parent = kind_of(assembly.tree[step.face.block]).name
    where = f"face {step.face.face} of block {step.face.block}, {parent}"
    return f"{place}choose {name} at the left and click the marked square, {where}. The middle button turns the view."
