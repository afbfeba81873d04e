"""The grid of a batch: several values for settings, and variants of the prompt, of which every combination is a run."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from spatial_workbench.app.evaluation.variant_list import VariantList
from spatial_workbench.engine.evaluation.planning.grid import (
    AXES,
    DEFAULT,
    GridProblem,
    SettingsGrid,
    make_grid,
    read_values,
)
from spatial_workbench.engine.models import ReasoningEffort
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_TYPED = {
    "temperature": ("none, or such as 0, 0.5, 1", f"Each value is a run of its own; “{DEFAULT}” is the model's own"),
    "effort": ("none, or such as low, high", f"{', '.join(ReasoningEffort)}; “{DEFAULT}” is the model's own"),
    "top_p": ("none, or such as 0.9, 1", f"Each value is a run of its own; “{DEFAULT}” is the model's own"),
    "repeats": ("as above, or such as 1, 8", "In place of the repeats above; each value is a run of its own"),
}
"""What to type for an axis, and more about it."""
_TOOLS: tuple[tuple[str, tuple[bool, ...]], ...] = (
    ("as above", ()),
    ("with and without", (True, False)),
)


class GridForm(QWidget):
    """A field for each axis of a grid; axes without values are left as the models' settings have them.

    Signals:
        changed(): an axis has other values.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, QLineEdit] = {}
        self.tools = ChoiceBox()
        for words, values in _TOOLS:
            self.tools.addItem(words, values)
        self.tools.setToolTip("Whether the provider's tools are an axis of the grid")
        self.variants = VariantList()
        form = QFormLayout(self)
        form.setVerticalSpacing(2 * SPACE)
        form.setHorizontalSpacing(4 * SPACE)
        for name, title in AXES.items():
            field = self._field(name)
            field.setAccessibleName(title)
            form.addRow(title, field)
        self.tools.currentIndexChanged.connect(self.changed)
        self.variants.changed.connect(self.changed)

    @property
    def fault(self) -> str:
        """Why the grid cannot be used; empty if it can."""
        try:
            self.grid()
        except GridProblem as error:
            return str(error)
        return ""

    def grid(self) -> SettingsGrid:
        """The grid as it is typed.

        Raises:
            GridProblem: A value is wrong.
        """
        axes: dict[str, Any] = {name: read_values(name, line.text()) for name, line in self.lines.items()}
        return make_grid({**axes, "tools": self.tools.currentData(), "variants": self.variants.chosen()})

    def show_grid(self, grid: SettingsGrid | None) -> None:
        """Shows a grid; None: none."""
        shown = grid or SettingsGrid()
        for name, line in self.lines.items():
            line.setText(", ".join(map(_written, getattr(shown, name))))
        self.tools.setCurrentIndex(1 if len(set(shown.tools)) > 1 else 0)
        self.variants.show_variants(shown.variants)

    def _field(self, name: str) -> QWidget:
        if name not in _TYPED:
            return self.tools if name == "tools" else self.variants
        line = QLineEdit()
        placeholder, tip = _TYPED[name]
        line.setPlaceholderText(placeholder)
        line.setToolTip(tip)
        line.textChanged.connect(self.changed)
        self.lines[name] = line
        return line


def _written(value: Any) -> str:
    return DEFAULT if value is None else f"{value:g}" if isinstance(value, float) else str(value)
