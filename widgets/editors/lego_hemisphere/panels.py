"""The numbers of what is selected, and the numbers of an array."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from widgets.number_box import number_field
from widgets.theme import SPACE

FARTHEST_MM = 3000.0
NOTHING_SELECTED = "Click a brick with Select, or drag a box around several."


class SelectionPanel(QWidget):
    """Place and turn of one brick, or by how much several are to be moved.

    Signals:
        set_to(int, float): x, y (mm), layer or angle (degrees) of the one brick, by their places 0 to 3.
        moved_by(float, float, int): several bricks by x, y (mm) and layers.
    """

    set_to = Signal(int, float)
    moved_by = Signal(float, float, int)

    def __init__(self, top_layer: int) -> None:
        super().__init__()
        self.note = QLabel(NOTHING_SELECTED)
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.fields = [
            number_field("x", (-FARTHEST_MM, FARTHEST_MM), 8, 2, "mm", "x of the brick's centre"),
            number_field("y", (-FARTHEST_MM, FARTHEST_MM), 8, 2, "mm", "y of the brick's centre"),
            number_field("Layer", (0, top_layer), 1, 0, "", "Layer of the brick; 0 lies on the ground"),
            number_field("Angle", (0, 360), 15, 1, "°", "Turn of the brick; at 0 its long side is along x"),
        ]
        self.fields[3].setWrapping(True)
        for i, field in enumerate(self.fields):
            field.valueChanged.connect(lambda value, i=i: self.set_to.emit(i, value))
        self.steps = [
            number_field("Move by x", (-FARTHEST_MM, FARTHEST_MM), 8, 2, "mm", "How far along x"),
            number_field("Move by y", (-FARTHEST_MM, FARTHEST_MM), 8, 2, "mm", "How far along y"),
            number_field("Move by layers", (-top_layer, top_layer), 1, 0, "", "How many layers up"),
        ]
        self.move_button = QPushButton(self.tr("Move"))
        self.move_button.setToolTip(self.tr("Move the selected bricks by these steps"))
        self.move_button.clicked.connect(self._move)
        self._one = _grid(("x", "y", "Layer", "Angle"), self.fields)
        self._several = _grid(("x by", "y by", "Layers"), self.steps)
        layout = _column(self)
        for widget in (self.note, self._one, self._several, self.move_button):
            layout.addWidget(widget)
        self.show_nothing()

    def show_nothing(self) -> None:
        """No brick is selected."""
        self._show(NOTHING_SELECTED)

    def show_one(self, values: Sequence[float], note: str) -> None:
        """One brick: x, y, layer and angle."""
        for field, value in zip(self.fields, values, strict=True):
            field.blockSignals(True)
            field.setValue(value)
            field.blockSignals(False)
        self._show(note, self._one)

    def show_several(self, note: str) -> None:
        """Several bricks."""
        self._show(note, self._several, self.move_button)

    def _show(self, note: str, *shown: QWidget) -> None:
        self.note.setText(note)
        for widget in (self._one, self._several, self.move_button):
            widget.setVisible(widget in shown)

    def _move(self) -> None:
        x, y, layers = (field.value() for field in self.steps)
        self.moved_by.emit(x, y, round(layers))


class ArrayPanel(QWidget):
    """How many copies along x, y and z, and how far apart.

    Signals:
        changed(): another number.
        applied(), cancelled(): what the person wants with the preview.
    """

    changed = Signal()
    applied = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.counts = [number_field(f"Copies along {axis}", (1, 50), tip=f"Bricks along {axis}") for axis in "xyz"]
        self.pitches = [
            number_field(f"Pitch {axis}", (-1000, 1000), step, decimals, "mm", f"Distance along {axis}")
            for axis, step, decimals in (("x", 8, 1), ("y", 8, 1), ("z", 9.6, 1))
        ]
        for field in (*self.counts, *self.pitches):
            field.valueChanged.connect(lambda _: self.changed.emit())
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        layout = _column(self)
        layout.addWidget(self._grid())
        layout.addWidget(self.note)
        layout.addLayout(self._buttons())

    def start(self, pitch_mm: Sequence[float]) -> None:
        """Begins with a row of two at these distances."""
        for field, value in zip((*self.counts, *self.pitches), (2, 1, 1, *pitch_mm), strict=True):
            field.blockSignals(True)
            field.setValue(value)
            field.blockSignals(False)

    @property
    def count(self) -> tuple[int, int, int]:
        """Bricks along x, y and z."""
        x, y, z = (round(field.value()) for field in self.counts)
        return x, y, z

    @property
    def pitch_mm(self) -> tuple[float, float, float]:
        """Their distances."""
        x, y, z = (field.value() for field in self.pitches)
        return x, y, z

    def _grid(self) -> QWidget:
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(SPACE)
        for column, title in ((1, "Count"), (2, "Pitch")):
            caption = QLabel(title)
            caption.setObjectName("caption")
            grid.addWidget(caption, 0, column)
        for row, axis in enumerate("xyz", 1):
            grid.addWidget(QLabel(axis), row, 0)
            self.counts[row - 1].setMinimumWidth(56)
            grid.addWidget(self.counts[row - 1], row, 1)
            grid.addWidget(self.pitches[row - 1], row, 2)
        grid.setColumnStretch(2, 1)
        return body

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        self.apply_button = QPushButton(self.tr("Apply"))
        self.apply_button.setObjectName("primary")
        self.apply_button.setToolTip(self.tr("Place the bricks that are shown"))
        self.apply_button.clicked.connect(self.applied)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.setToolTip(self.tr("Close this without placing anything"))
        cancel.clicked.connect(self.cancelled)
        row.addWidget(self.apply_button, 1)
        row.addWidget(cancel, 1)
        return row


def _grid(labels: Sequence[str], fields: Sequence[QDoubleSpinBox]) -> QWidget:
    body = QWidget()
    grid = QGridLayout(body)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(2 * SPACE)
    grid.setVerticalSpacing(SPACE)
    grid.setColumnStretch(1, 1)
    for row, (label, field) in enumerate(zip(labels, fields, strict=True)):
        name = QLabel(label)
        name.setBuddy(field)
        name.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(name, row, 0)
        grid.addWidget(field, row, 1)
    return body


def _column(owner: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(owner)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2 * SPACE)
    return layout
