"""The bar above the world: the numbers of the goals' tests, and the button that lets it rain."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from engine.tasks.fluid_simulation.goals import Meter as Number
from widgets.meter import Meter, gap
from widgets.theme import SPACE


class GoalBar(QWidget):
    """One meter for each number of the goals, and the moment that they are of."""

    def __init__(self, goal: str, rain: QAction) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Goals")
        self.moment = QLabel()
        self.moment.setObjectName("caption")
        title = QLabel(goal)
        title.setToolTip(goal)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(title)
        left.addWidget(self.moment)
        self.meters: list[Meter] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(6 * SPACE)
        button = QToolButton()
        button.setDefaultAction(rain)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(rain.text())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(6 * SPACE)
        layout.addLayout(left)
        layout.addLayout(self._row)
        layout.addStretch(1)
        layout.addWidget(button)

    def show_numbers(self, numbers: Sequence[Number], moment: str) -> None:
        """Shows the numbers; `moment` says when the world has them, such as "after the rain"."""
        self.moment.setText(moment)
        while len(self.meters) < len(numbers):
            self.meters.append(Meter())
            self._row.addWidget(self.meters[-1])
        for meter, number in zip(self.meters, numbers, strict=False):
            words = f"{number.name}: {said(number)}"
            meter.show_figure(f"{number.value}/{number.wanted}", words, number.met, f"{number}, {moment}")
        for i, meter in enumerate(self.meters):
            meter.setVisible(i < len(numbers))
        self.setAccessibleDescription("; ".join(f"{number}: {said(number)}" for number in numbers) + f", {moment}")


def said(number: Number) -> str:
    """What a number means: "met", "5 missing", "4 too many"."""
    return "met" if number.met else gap(number.value, number.wanted)
