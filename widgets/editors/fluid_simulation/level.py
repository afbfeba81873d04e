"""The strip beside the views: the level that tools work on, and buttons for what is shown."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QSlider, QToolButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH
from spatial_workbench.widgets.theme import SPACE

ICON = QSize(20, 20)


class LevelStrip(QWidget):
    """A slider from z = 0 to 7 with buttons.

    Signals:
        level_changed(int): the person chose another level.
    """

    level_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(52)
        self.slider = QSlider(Qt.Orientation.Vertical)
        self.slider.setRange(0, DEPTH - 1)
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBothSides)
        self.slider.setAccessibleName(tr("Level"))
        self.slider.setToolTip(said("The level that tools work on  (Page Up, Page Down)"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.slider.valueChanged.connect(self._moved)
        self._number = QLabel()
        self._number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        caption = QLabel(tr("Level"))
        caption.setObjectName("caption")
        caption.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE, 2 * SPACE, SPACE, 2 * SPACE)
        self._column.setSpacing(SPACE)
        self._column.addWidget(caption)
        self._column.addWidget(self._number)
        self._column.addWidget(self.slider, 1, Qt.AlignmentFlag.AlignHCenter)

    def add_buttons(self, up: QAction, down: QAction, *switches: QAction) -> None:
        """Adds buttons above and below the slider, and `switches` at the end."""
        self._column.insertWidget(self._column.indexOf(self.slider), _button(up))
        self._column.addWidget(_button(down))
        self._column.addSpacing(2 * SPACE)
        for action in switches:
            self._column.addWidget(_button(action))

    def show_level(self, level: int) -> None:
        """Shows a level without emitting `level_changed`."""
        self.slider.blockSignals(True)
        self.slider.setValue(level)
        self.slider.blockSignals(False)
        self._number.setText(f"z = {level}")

    def _moved(self, level: int) -> None:
        self._number.setText(f"z = {level}")
        self.level_changed.emit(level)


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(ICON)
    button.setAutoRaise(True)
    button.setAccessibleName(action.text())
    button.setMinimumWidth(44)
    return button
