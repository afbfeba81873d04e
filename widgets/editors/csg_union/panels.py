"""Forms of the panel: a solid to be added, and by how much the selection moves or turns."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from engine.tasks.csg_union.solids import Solid
from widgets.theme import SPACE
from widgets.tool_panel import number_field

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
        self.sizes = [number_field(f"Size {i + 1}", (0.001, FARTHEST), 1, 3) for i in range(3)]
        self.size_names = [QLabel() for _ in range(3)]
        self.place = [
            number_field(f"Centre {a}", (-FARTHEST, FARTHEST), 1, 4, tip=f"Move along {a} (cm)") for a in "xyz"
        ]
        self.turns = [number_field(f"Turn about {a}", (-360, 360), 15, 3, "°") for a in "xyz"]
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
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(SPACE)
        rows = [*zip(self.size_names, self.sizes, strict=True)]
        rows += [(QLabel(f"At {a}"), field) for a, field in zip("xyz", self.place, strict=True)]
        rows += [(QLabel(f"Turn {a}"), field) for a, field in zip("xyz", self.turns, strict=True)]
        for row, (name, field) in enumerate(rows):
            grid.addWidget(name, row, 0)
            grid.addWidget(field, row, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
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
        self.steps = [
            number_field(f"Move {a}", (-FARTHEST, FARTHEST), 1, 4, tip=f"How far along {a} (cm)") for a in "xyz"
        ]
        self.move_button = QPushButton("Move")
        self.move_button.setToolTip("Move the selection by these centimetres")
        self.move_button.clicked.connect(lambda: self.moved.emit(*(field.value() for field in self.steps)))
        self.axis = QComboBox()
        self.axis.addItems(["x", "y", "z"])
        self.axis.setCurrentIndex(2)
        self.axis.setAccessibleName("Axis of the turn")
        self.angle = number_field("Angle", (-360, 360), 15, 3, "°", "Counter-clockwise about the axis")
        self.angle.setValue(90)
        self.turn_button = QPushButton("Turn")
        self.turn_button.setToolTip("Turn the selection about its middle")
        self.turn_button.clicked.connect(lambda: self.turned.emit(self.axis.currentIndex(), self.angle.value()))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(SPACE)
        for row, (name, field) in enumerate(zip("xyz", self.steps, strict=True)):
            grid.addWidget(QLabel(f"By {name}"), row, 0)
            grid.addWidget(field, row, 1)
        grid.addWidget(self.move_button, 3, 0, 1, 2)
        row = QHBoxLayout()
        row.addWidget(self.axis)
        row.addWidget(self.angle, 1)
        grid.addLayout(row, 4, 0, 1, 2)
        grid.addWidget(self.turn_button, 5, 0, 1, 2)
