"""The walk-through: a bar above the view that names the next block, until an example machine is built."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.poses import PlacedFace, kind_of
from spatial_workbench.engine.machines.levels.examples import Example, examples
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.walk_through import MachineStep, next_step
from spatial_workbench.widgets.editors.machine.gestures import MARK_PX, MARKS
from spatial_workbench.widgets.editors.machine.workbench import Workbench
from spatial_workbench.widgets.layouts import row
from spatial_workbench.widgets.scene_views.view import SceneView
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
        self._example = examples()[0]
        self._goal = MachineAssembly(self._example.tree)
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
    def targets(self) -> tuple[PlacedFace, ...]:
        """The face that the next block goes to, or both of a linear one; empty where it cannot be built now."""
        if not self.is_on or self._step is None or self._step.is_taken or self._step.face is None:
            return ()
        return (self._step.face,) if self._step.second is None else (self._step.face, self._step.second)

    @property
    def kind(self) -> int:
        """The type of the next block."""
        assert self._step is not None
        return self._step.type

    def start_steps(self, example: Example) -> None:
        """Shows the steps to a machine from now on."""
        self._example = example
        self._goal = MachineAssembly(example.tree)
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
            self.words.setText(tr("The machine is built. Press F5 to simulate it, or Shift+F5 to drive it."))
        else:
            self.words.setText(said(_words_of(self._step, assembly)))


class WalkMarks:
    """An overlay with a numbered mark at each end of the next linear block, also where a block hides the face."""

    def __init__(self, walk: WalkThrough, bench: Workbench) -> None:
        self._walk = walk
        self._bench = bench

    def __call__(self, painter: QPainter, view: SceneView) -> None:
        targets = self._walk.targets
        if self._bench.assembly is None or len(targets) != len(MARKS):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = view.project(np.array([self._bench.shown(face.position) for face in targets]))
        for mark, (x, y) in zip(MARKS, places, strict=True):
            if not np.isfinite((x, y)).all():
                continue
            painter.setPen(view.theme.color("on_accent"))
            painter.setBrush(view.theme.color("accent"))
            painter.drawEllipse(QPointF(x, y), MARK_PX, MARK_PX)
            painter.drawText(
                QRectF(x - MARK_PX, y - MARK_PX, 2 * MARK_PX, 2 * MARK_PX), Qt.AlignmentFlag.AlignCenter, mark
            )


def _words_of(step: MachineStep, assembly: MachineAssembly) -> str:
    place = f"Step {step.number} of {step.count}: "
    if step.face is None:
        return f"{place}a block that carries it is missing. Undo the last change to go on."
    if step.is_taken:
        return f"{place}something else stands on its face. Undo the last change to go on."
    name = block_types()[step.type].name
    if step.second is not None:
        ends = f"{_words_of_face(step.face, assembly)}, then {_words_of_face(step.second, assembly)}"
        return f"{place}choose {name} at the left and click marks 1 and 2: {ends}. The middle button turns the view."
    where = _words_of_face(step.face, assembly)
    return f"{place}choose {name} at the left and click the marked square, {where}. The middle button turns the view."


def _words_of_face(face: PlacedFace, assembly: MachineAssembly) -> str:
    return f"face {face.face} of block {face.block}, {kind_of(assembly.tree[face.block]).name}"
