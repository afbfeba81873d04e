"""The figures of two verdicts on one answer, beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.engine.evaluation.laboratory.explaining import FigurePair, Value

NONE = "–"


class FigurePairs(QTreeWidget):
    """Each figure with its value in both verdicts and the difference; those that differ are first, and bold."""

    def __init__(self) -> None:
        super().__init__()
        self.setRootIsDecorated(False)
        self.setAccessibleName("Figures of both verdicts")
        self.setHeaderLabels(["Figure", "", "", "Difference"])
        self.header().setStretchLastSection(False)
        for column in range(4):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
            self.headerItem().setTextAlignment(column, _alignment(column))

    def show_figures(self, figures: Sequence[FigurePair], first: str, second: str) -> None:
        """Lists the figures under the names of the two verifiers."""
        self.setHeaderLabels(["Figure", first, second, "Difference"])
        self.clear()
        for pair in figures:
            self.addTopLevelItem(_row(pair))


def _row(pair: FigurePair) -> QTreeWidgetItem:
    difference = pair.difference
    texts = [pair.name, _value(pair.first, pair.unit), _value(pair.second, pair.unit)]
    row = QTreeWidgetItem([*texts, f"{difference:+,.6g}" if difference else NONE])
    for column in range(4):
        row.setToolTip(column, row.text(column))
        font = row.font(column)
        font.setBold(pair.differs)
        row.setFont(column, font)
        row.setTextAlignment(column, _alignment(column))
    return row


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _value(value: Value | None, unit: str) -> str:
    if value is None:
        return NONE
    text = f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
    return f"{text} {unit}".strip()
