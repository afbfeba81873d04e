"""A field for some of several values, each a box to tick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from spatial_workbench.widgets.forms.fields import FormField
from spatial_workbench.widgets.theme import SPACE


class ChecksField(FormField):
    """Some of several values, in their order; what is none of them stays, and stands behind them.

    columns: How many boxes stand beside each other.
    """

    def __init__(
        self, path: str, label: str, options: Sequence[tuple[Any, str]], hint: str = "", columns: int = 2
    ) -> None:
        self.boxes: dict[Any, QCheckBox] = {}
        self._others: list[Any] = []
        rows = -(-len(options) // columns)
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(SPACE)
        for place, (value, words) in enumerate(options):
            box = QCheckBox(words)
            box.clicked.connect(lambda _: self.edited.emit())
            grid.addWidget(box, place % rows, place // rows)
            self.boxes[value] = box
        super().__init__(path, label, body, hint)

    @property
    def value(self) -> Any:
        return [*(value for value, box in self.boxes.items() if box.isChecked()), *self._others]

    def show_value(self, value: Any) -> None:
        chosen = list(value) if isinstance(value, list | tuple) else []
        self._others = [entry for entry in chosen if entry not in self.boxes]
        for option, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(option in chosen)
