"""The bar above the slice: which axes it shows, and where it lies on the others."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.hyper_snake.drawing import axis_color
from spatial_workbench.engine.tasks.hyper_snake.field import Cell, SnakeField
from spatial_workbench.engine.tasks.hyper_snake.layout import Slice
from spatial_workbench.widgets.theme import SPACE, Theme
from spatial_workbench.widgets.wheel_fields import ChoiceBox


class SliceControl(QWidget):
    """Chooses up to three axes, and a place on each of the others.

    Signals:
        changed(): another slice was chosen.
    """

    changed = Signal()

    def __init__(self, field: SnakeField) -> None:
        super().__init__()
        self._field = field
        self.combos = [self._combo(k) for k in range(min(3, field.axes))]
        self.sliders = [self._slider(axis) for axis in range(field.axes)]
        self._names = [QLabel(self) for _ in range(field.axes)]
        self.follows = QCheckBox(tr("Follow the head"))
        self.follows.setChecked(True)
        self.follows.setToolTip(tr("Move the slice along with the head"))
        self.follows.toggled.connect(lambda _: self.changed.emit())
        self._lay_out()
        self._show_rows()

    @property
    def slice(self) -> Slice:
        """The chosen slice."""
        axes = tuple(combo.currentIndex() for combo in self.combos)
        return Slice.through(axes, [slider.value() for slider in self.sliders])

    def go_to(self, cell: Cell) -> None:
        """Moves the sliders to a cell, without emitting `changed`."""
        for slider, place in zip(self.sliders, cell, strict=True):
            slider.blockSignals(True)
            slider.setValue(place)
            slider.blockSignals(False)
        self._show_rows()

    def show_theme(self, theme: Theme) -> None:
        """Gives the axes' names their colours."""
        for axis, name in enumerate(self._names):
            name.setStyleSheet(f"color: {theme.color(axis_color(axis)).name()}")

    def _combo(self, k: int) -> QComboBox:
        combo = ChoiceBox()
        combo.addItems([said(f"axis {axis}") for axis in range(self._field.axes)])
        combo.setCurrentIndex(k)
        combo.setAccessibleName(said(f"Axis {'xyz'[k]} of the slice"))
        combo.setToolTip(said(f"The axis that is shown along {'xyz'[k]}"))
        combo.currentIndexChanged.connect(lambda index, k=k: self._axis_chosen(k, index))
        return combo

    def _slider(self, axis: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal, self)
        slider.setMaximum(self._field.size[axis] - 1)
        slider.setPageStep(1)
        slider.setAccessibleName(said(f"Place of the slice on axis {axis}"))
        slider.setToolTip(said(f"Place of the slice on axis {axis}"))
        slider.valueChanged.connect(lambda _: self._moved())
        return slider

    def _axis_chosen(self, k: int, axis: int) -> None:
        """If the axis was chosen in another box, that box gets the one that has become free."""
        left = set(range(self._field.axes)) - {combo.currentIndex() for combo in self.combos}
        for other, combo in enumerate(self.combos):
            if other != k and combo.currentIndex() == axis:
                combo.setCurrentIndex(min(left))
        self._show_rows()
        self.changed.emit()

    def _moved(self) -> None:
        self.follows.setChecked(False)
        self._show_rows()
        self.changed.emit()

    def _show_rows(self) -> None:
        shown = self.slice.axes
        for axis, (name, slider) in enumerate(zip(self._names, self.sliders, strict=True)):
            name.setText(said(f"axis {axis}: {slider.value()}"))
            name.setVisible(axis not in shown)
            slider.setVisible(axis not in shown)
        for k, axis in enumerate(axis for axis in range(self._field.axes) if axis not in shown):
            self._grid.addWidget(self._names[axis], k // 2, 2 * (k % 2))
            self._grid.addWidget(self.sliders[axis], k // 2, 2 * (k % 2) + 1)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        column.setSpacing(SPACE)
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        for combo in self.combos:
            row.addWidget(combo, 1)
        row.addWidget(self.follows)
        column.addLayout(row)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * SPACE)
        self._grid.setVerticalSpacing(SPACE)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        column.addLayout(self._grid)
