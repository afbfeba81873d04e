"""The bar above the world: the figures that the goals test, and the button that plays the rain."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.tasks.fluid_simulation.goals import FluidMeter as Number
from spatial_workbench.widgets.panels.meter import Meter, gap
from spatial_workbench.widgets.theme import SPACE


class GoalBar(QWidget):
    """A meter for each figure of the goals, and the moment at which the figures were taken."""

    def __init__(self, goal: str) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Goals"))
        self.moment = QLabel()
        self.moment.setObjectName("caption")
        words = " + ".join(map(said, goal.split(" + ")))
        title = QLabel(words)
        title.setToolTip(words)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(title)
        left.addWidget(self.moment)
        self.meters: list[Meter] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(6 * SPACE)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(4 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        self._layout.setSpacing(6 * SPACE)
        self._layout.addLayout(left)
        self._layout.addLayout(self._row)
        self._layout.addStretch(1)

    def add_button(self, action: QAction) -> None:
        """Adds a button at the end of the bar."""
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(action.text())
        self._layout.addWidget(button)

    def show_numbers(self, numbers: Sequence[Number], moment: str) -> None:
        """Shows the figures; `moment` says when they apply, such as "after the rain"."""
        self.moment.setText(said(moment))
        while len(self.meters) < len(numbers):
            self.meters.append(Meter())
            self._row.addWidget(self.meters[-1])
        for meter, number in zip(self.meters, numbers, strict=False):
            words = f"{number.name}: {gap_words(number)}"
            meter.show_figure(f"{number.value}/{number.target}", words, number.met, f"{_said(number)}, {said(moment)}")
        for i, meter in enumerate(self.meters):
            meter.setVisible(i < len(numbers))
        words = "; ".join(f"{_said(number)}: {said(gap_words(number))}" for number in numbers)
        self.setAccessibleDescription(f"{words}, {said(moment)}")


def gap_words(number: Number) -> str:
    """What a figure means: "met", "5 missing", "4 too many"."""
    return marked("met") if number.met else gap(number.value, number.target)


def _said(number: Number) -> str:
    """A figure such as "surface 31/36" in the language that is spoken."""
    return f"{said(number.name)} {number.value}/{number.target}"
