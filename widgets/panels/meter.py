"""A figure and what it means: "31/36", an icon, and a word, so that nothing is shown by colour alone."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.widgets.icons import IconLabel
from spatial_workbench.widgets.theme import SPACE


class Meter(QWidget):
    """A figure with its verdict beside it and words below, and an optional picture before it."""

    def __init__(self, picture: QWidget | None = None) -> None:
        super().__init__()
        self.figure = QLabel()
        self.words = QLabel()
        self.words.setObjectName("caption")
        self.icon = IconLabel()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        if picture is not None:
            layout.addWidget(picture)
        layout.addLayout(self._column())

    def show_figure(self, figure: str, words: str, met: bool | None, tip: str = "") -> None:
        """Shows a figure; `met` is None where it is neither good nor bad."""
        self.figure.setText(said(figure))
        self.words.setText(said(words))
        self.words.setVisible(bool(words))
        self.setToolTip("\n".join(filter(None, (f"{said(figure)} {said(words)}", said(tip)))))
        self.icon.setVisible(met is not None)
        self.icon.show_icon("passed" if met else "failed")

    def _column(self) -> QVBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(SPACE)
        head.addWidget(self.figure)
        head.addWidget(self.icon)
        head.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.words)
        return column


def gap(value: int, target: int) -> str:
    """How far a number is from its target: "correct", "1 missing", "2 too many"."""
    if value == target:
        return marked("correct")
    return f"{value - target} too many" if value > target else f"{target - value} missing"
