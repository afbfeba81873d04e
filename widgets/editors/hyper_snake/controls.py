"""Beside the field: the slice's axes and places, and how the path stands."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from engine.core.words import counted
from engine.tasks.hyper_snake.drawing import axis_color
from engine.tasks.hyper_snake.editing import Prospects
from engine.tasks.hyper_snake.field import Cell, Field, written
from engine.tasks.hyper_snake.layout import Slice
from widgets.meter import Meter
from widgets.theme import SPACE, Theme


class SliceControl(QWidget):
    """Chooses up to three axes, and a place on each of the others.

    Signals:
        changed(): another slice is chosen.
    """

    changed = Signal()

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field
        self.combos = [self._combo(k) for k in range(min(3, field.axes))]
        self.sliders = [self._slider(axis) for axis in range(field.axes)]
        self._names = [QLabel(self) for _ in range(field.axes)]
        self.follows = QCheckBox("Follow the head")
        self.follows.setChecked(True)
        self.follows.setToolTip("The slice goes along with the head")
        self.follows.toggled.connect(lambda _: self.changed.emit())
        self._lay_out()
        self._show_rows()

    @property
    def slice(self) -> Slice:
        """The slice that is chosen."""
        axes = tuple(combo.currentIndex() for combo in self.combos)
        return Slice.through(axes, [slider.value() for slider in self.sliders])

    def go_to(self, cell: Cell) -> None:
        """Puts the sliders where a cell is, without telling anybody."""
        for slider, place in zip(self.sliders, cell, strict=True):
            slider.blockSignals(True)
            slider.setValue(place)
            slider.blockSignals(False)
        self._show_rows()

    def show_theme(self, theme: Theme) -> None:
        """Writes the axes in their colours."""
        for axis, name in enumerate(self._names):
            name.setStyleSheet(f"color: {theme.color(axis_color(axis)).name()}")

    def _combo(self, k: int) -> QComboBox:
        combo = QComboBox()
        combo.addItems([f"axis {axis}" for axis in range(self._field.axes)])
        combo.setCurrentIndex(k)
        combo.setAccessibleName(f"Axis {'xyz'[k]} of the slice")
        combo.setToolTip(f"The axis that is shown along {'xyz'[k]}")
        combo.currentIndexChanged.connect(lambda index, k=k: self._axis_chosen(k, index))
        return combo

    def _slider(self, axis: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal, self, maximum=self._field.size[axis] - 1)
        slider.setPageStep(1)
        slider.setAccessibleName(f"Place of the slice on axis {axis}")
        slider.setToolTip(f"Place of the slice on axis {axis}")
        slider.valueChanged.connect(lambda _: self._moved())
        return slider

    def _axis_chosen(self, k: int, axis: int) -> None:
        """An axis that another one had is exchanged with it."""
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
            name.setText(f"axis {axis}: {slider.value()}")
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


class Standing(QWidget):
    """How long the path is, what it scores, and what it can still reach."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field
        self.length, self.score, self.best = Meter(), Meter(), Meter()
        self.food, self.trouble = QLabel(), QLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        for widget in (self.length, self.score, self.best, self.food, self.trouble):
            column.addWidget(widget)
        for label in (self.food, self.trouble):
            label.setWordWrap(True)
        self.trouble.setObjectName("secondary")
        self.best.hide()

    def show_best(self, shown: bool) -> None:
        """Shows or hides the best score that the path can still reach."""
        self.best.setVisible(shown)

    def show_prospects(self, prospects: Prospects) -> None:
        """Shows how a path stands."""
        field, length = self._field, prospects.length
        self.length.show_figure(
            f"{length} of {counted(field.free_count, 'cell')}",
            f"{field.needed} score 1 · at most {field.bound}",
            True if length >= field.needed else None,
            "No path is longer than the bound: cells alternate between two colours",
        )
        self.score.show_figure(f"{prospects.score:.3f}", "score now", True if prospects.score >= 1 else None)
        can = prospects.best_score >= 1
        words = f"best still possible · {counted(prospects.best_length, 'cell')}"
        self.best.show_figure(f"{prospects.best_score:.3f}", words, can)
        self.food.setText("\n".join(self._food_lines(prospects)))
        self.trouble.setText(_trouble_words(prospects))

    def _food_lines(self, prospects: Prospects) -> list[str]:
        pockets = set(prospects.pockets)
        lines = []
        for number, reached, sides in prospects.food:
            cell = written(self._field.cell(number))
            if reached:
                lines.append(f"✓ Food {cell} reached")
            elif number in pockets:
                lines.append(f"✗ Food {cell} is cut off")
            else:
                lines.append(f"○ Food {cell}: {counted(sides, 'open side')}")
        return lines


def _trouble_words(prospects: Prospects) -> str:
    if prospects.score >= 1:
        return "Nothing more to gain"
    pockets, ends = len(prospects.pockets), len(prospects.dead_ends)
    words = [f"{counted(pockets, 'cell')} cut off"] if pockets else []
    words += [counted(ends, "dead end")] if ends else []
    return " · ".join(words) or "No cell is cut off, no dead ends"
