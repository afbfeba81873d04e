"""Forms of the panel: a solid to be added, and by how much the selection moves or turns."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from engine.tasks.csg_union.solids import Solid
from widgets.theme import SPACE

KINDS = ("box", "prism", "cone", "wedge", "tetrahedron", "sphere24")
WORDS = ("Box", "Prism", "Cone", "Wedge", "Tetrahedron", "Sphere of 24")
SIZES: dict[str, tuple[tuple[str, float], ...]] = {
    "box": (("x", 10), ("y", 10), ("z", 10)),
    "prism": (("Corners", 6), ("Radius", 5), ("Height", 10)),
    "cone": (("Corners", 24), ("Radius", 5), ("Height", 10)),
    "wedge": (("x", 10), ("y", 10), ("z", 10)),
    "tetrahedron": (("x", 10), ("y", 10), ("z", 10)),
    "sphere24": (("Radius", 5),),
}
FARTHEST = 1000.0


class PrimitiveForm(QWidget):
    """Kind, sizes, place and turn of a solid.

    Signals:
        changed(): another number: show it.
        added(): the person wants it.
    """

    changed = Signal()
    added = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind = QComboBox()
        self.kind.addItems(list(WORDS))
        self.kind.setAccessibleName("Kind of solid")
        self.kind.setToolTip("Polygons have their first corner on +X; sizes are in cm")
        self.sizes = [ShortField(f"Size {i + 1}", (0.001, FARTHEST)) for i in range(3)]
        self.size_names = [QLabel() for _ in range(3)]
        self.place = [ShortField(f"At {a}", (-FARTHEST, FARTHEST), tip=f"Move along {a} (cm)") for a in "xyz"]

        self.turns = [ShortField(f"Turn about {a}", (-360, 360), 15, f"Degrees about {a}") for a in "xyz"]
        self.add_button = QPushButton("Add solid")
        self.add_button.setToolTip("Add it as a shell of its own")
        self.add_button.clicked.connect(lambda: self.added.emit())
        self._lay_out()
        self.kind.currentIndexChanged.connect(self._kind_changed)
        for field in (*self.sizes, *self.place, *self.turns):
            field.valueChanged.connect(lambda _: self.changed.emit())
        self._kind_changed()

    def solid(self) -> Solid:
        """The solid in the fields."""
        kind = KINDS[self.kind.currentIndex()]
        size = tuple(field.value() for field in self.sizes[: len(SIZES[kind])])
        at, turn = (tuple(field.value() for field in fields) for fields in (self.place, self.turns))
        if kind == "tetrahedron":
            x, y, z = size
            return Solid(kind, (), at, turn, ((0, 0, 0), (x, 0, 0), (0, y, 0), (0, 0, z)))
        return Solid(kind, size, at, turn)

    def _kind_changed(self) -> None:
        kind = KINDS[self.kind.currentIndex()]
        for i, (name, field) in enumerate(zip(self.size_names, self.sizes, strict=True)):
            is_used = i < len(SIZES[kind])
            name.setVisible(is_used)
            field.setVisible(is_used)
            if is_used:
                word, value = SIZES[kind][i]
                whole = word == "Corners"
                name.setText(word)
                field.setAccessibleName(word)
                field.blockSignals(True)
                field.setDecimals(0 if whole else 3)
                field.setRange(3 if whole else 0.001, 96 if whole else FARTHEST)
                field.setValue(value)
                field.blockSignals(False)
        self.changed.emit()

    def _lay_out(self) -> None:
        grid = _grid()
        axes = [[QLabel(f"{word} {axis}") for axis in "xyz"] for word in ("At", "Turn")]
        for i, (names, fields) in enumerate(
            ((self.size_names, self.sizes), (axes[0], self.place), (axes[1], self.turns))
        ):
            for column, (name, field) in enumerate(zip(names, fields, strict=True)):
                name.setObjectName("caption")
                grid.addWidget(name, 2 * i, column)
                grid.addWidget(field, 2 * i + 1, column)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.kind)
        layout.addLayout(grid)
        layout.addWidget(self.add_button)


class MoveForm(QWidget):
    """A step and a turn for the selection.

    Signals:
        moved(float, float, float): by so many cm.
        turned(int, float): about an axis, by degrees.
    """

    moved = Signal(float, float, float)
    turned = Signal(int, float)

    def __init__(self) -> None:
        super().__init__()
        self.steps = [ShortField(f"Move by {a}", (-FARTHEST, FARTHEST), tip=f"How far along {a} (cm)") for a in "xyz"]

        self.move_button = QPushButton("Move")
        self.move_button.setToolTip("Move the selection by these centimetres")
        self.move_button.clicked.connect(lambda: self.moved.emit(*(field.value() for field in self.steps)))
        self.axis = QComboBox()
        self.axis.addItems(["x", "y", "z"])
        self.axis.setCurrentIndex(2)
        self.axis.setAccessibleName("Axis of the turn")
        self.angle = ShortField("Angle", (-360, 360), 15, "Degrees, counter-clockwise about the axis")
        self.angle.setValue(90)
        self.turn_button = QPushButton("Turn")
        self.turn_button.setToolTip("Turn the selection about its middle")
        self.turn_button.clicked.connect(lambda: self.turned.emit(self.axis.currentIndex(), self.angle.value()))
        grid = _grid()
        for column, (axis, field) in enumerate(zip("xyz", self.steps, strict=True)):
            name = QLabel(f"By {axis}")
            name.setObjectName("caption")
            grid.addWidget(name, 0, column)
            grid.addWidget(field, 1, column)
        grid.addWidget(self.move_button, 2, 0, 1, 3)
        grid.addWidget(self.axis, 3, 0)
        grid.addWidget(self.angle, 3, 1)
        grid.addWidget(self.turn_button, 3, 2)
        self.setLayout(grid)
        grid.setContentsMargins(0, 0, 0, 0)


_NO_ARROWS = (
    "QAbstractSpinBox { padding: 4px 2px; } QAbstractSpinBox::up-button, QAbstractSpinBox::down-button,"
    "QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow { width: 0px; image: none; }"
    "QLineEdit { padding: 0px 2px; border: none; }"
)


class ShortField(QDoubleSpinBox):
    """A number without arrows and trailing zeros, three of which fit in a row."""

    def __init__(self, name: str, bounds: tuple[float, float], step: float = 1.0, tip: str = "") -> None:
        super().__init__()
        self.setRange(*bounds)
        self.setDecimals(4)
        self.setSingleStep(step)
        self.setKeyboardTracking(False)
        self.setMinimumWidth(44)
        self.setStyleSheet(_NO_ARROWS)
        self.setAccessibleName(name)
        self.setToolTip(tip or name)

    def textFromValue(self, value: float) -> str:
        return f"{value:.10g}"


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE)
    grid.setVerticalSpacing(SPACE // 2)
    for column in range(3):
        grid.setColumnStretch(column, 1)
    return grid
