"""The numbers of the four ends: side, fraction along it, coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QGridLayout, QLabel, QToolButton, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.two_segments.board import Point, SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.editing import END_NAMES
from spatial_workbench.widgets.number_box import number_field
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

SIDE_NAMES = ("Bottom", "Right", "Top", "Left")


class EndsPanel(QWidget):
    """A row for each end: its name, its side, and t, its place along that side from 0 to 1.

    Signals:
        moved(int, float): the person set the boundary parameter of an end (0 to 3).
        chosen(int): the person chose an end.
    """

    moved = Signal(int, float)
    chosen = Signal(int)

    def __init__(self, board: SegmentsBoard) -> None:
        super().__init__()
        self._board = board
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE)
        self._grid.setVerticalSpacing(SPACE)
        self._grid.setColumnStretch(1, 1)
        self.rows = [self._row(end) for end in range(len(END_NAMES))]

    def show_ends(self, points: Sequence[Point], chosen: int | None) -> None:
        """Shows where the ends are, without emitting signals."""
        for end, (name, side, along, place) in enumerate(self.rows):
            s = self._board.nearest_s(points[end])
            for widget in (name, side, along):
                widget.blockSignals(True)
            name.setChecked(end == chosen)
            side.setCurrentIndex(int(s))
            along.setValue(s - int(s))
            for widget in (name, side, along):
                widget.blockSignals(False)
            x, y = points[end]
            place.setText(f"({x:.{self._board.decimals}f}, {y:.{self._board.decimals}f})")

    def _row(self, end: int) -> tuple[QToolButton, QComboBox, QDoubleSpinBox, QLabel]:
        name = QToolButton()
        name.setText(END_NAMES[end])
        name.setCheckable(True)
        name.setToolTip(said(f"Choose end {END_NAMES[end]}: the arrow keys move it (Tab chooses the next)"))
        name.setAccessibleName(said(f"Choose end {END_NAMES[end]}"))
        name.clicked.connect(lambda: self.chosen.emit(end))
        side = ChoiceBox()
        side.addItems([said(word) for word in SIDE_NAMES])
        side.setAccessibleName(said(f"Side of end {END_NAMES[end]}"))
        side.setToolTip(tr("The side that the end is on"))
        side.setMinimumContentsLength(6)
        along = number_field(f"t of end {END_NAMES[end]}", (0.0, 1.0), 0.01, self._board.decimals)
        along.setToolTip(tr("t: fraction along the side, counter-clockwise; s = side number + t"))
        along.setMinimumWidth(68)
        place = QLabel()
        place.setObjectName("caption")
        place.setAlignment(Qt.AlignmentFlag.AlignRight)
        side.activated.connect(lambda index: self.moved.emit(end, index + along.value()))
        along.valueChanged.connect(lambda t: self.moved.emit(end, side.currentIndex() + t))
        for column, widget in enumerate((name, side, along)):
            self._grid.addWidget(widget, 2 * end, column)
        self._grid.addWidget(place, 2 * end + 1, 0, 1, 3)
        return name, side, along, place
