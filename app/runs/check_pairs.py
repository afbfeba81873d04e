"""The checks of two verdicts on one answer, beside each other."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.engine.core import Check, State
from spatial_workbench.engine.evaluation.rulings import CheckPair, RulingContrast
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import top_items

_ELEMENTS = Qt.ItemDataRole.UserRole
_STATES = {
    State.PASSED: ("passed", "passed", "passed"),
    State.FAILED: ("failed", "failed", "failed"),
    State.NOT_REACHED: ("not_reached", "not_reached", "not reached"),
}
LISTED = 8
"""Problems that the tooltip of a check has."""


class CheckPairs(QTreeWidget):
    """Each check with its result in both verdicts; those that differ are marked.

    Signals:
        chosen(tuple): a check was chosen; the elements that it concerns.
    """

    chosen = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self.setRootIsDecorated(False)
        self.setIconSize(QSize(16, 16))
        self.setAccessibleName("Checks of both verdicts")
        self.setHeaderLabels(["Check", "", ""])
        self.header().setStretchLastSection(False)
        for column in range(3):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.currentItemChanged.connect(lambda *_: self._announce_chosen())
        self.itemClicked.connect(lambda *_: self._announce_chosen())

    def show_contrast(self, contrast: RulingContrast) -> None:
        """Lists the checks, and scrolls to the first that differs."""
        self.setHeaderLabels(["Check", contrast.first.verifier, contrast.second.verifier])
        self.clear()
        for pair in contrast.checks:
            self.addTopLevelItem(_row(pair))
        differing = (row for row, pair in zip(top_items(self), contrast.checks, strict=True) if pair.differs)
        first = next(differing, None)
        if first is not None:
            self.scrollToItem(first, QTreeWidget.ScrollHint.PositionAtCenter)

    def _announce_chosen(self) -> None:
        item = self.currentItem()
        self.chosen.emit(tuple(item.data(0, _ELEMENTS)) if item is not None else ())


def _row(pair: CheckPair) -> QTreeWidgetItem:
    row = QTreeWidgetItem([pair.name])
    row.setData(0, _ELEMENTS, pair.elements)
    row.setToolTip(0, pair.name)
    for column, check in ((1, pair.first), (2, pair.second)):
        _fill(row, column, check)
    row.setIcon(0, icon("warning", "warning") if pair.differs else _blank())
    if pair.differs:
        for column in range(3):
            font = row.font(column)
            font.setBold(True)
            row.setFont(column, font)
    return row


def _fill(row: QTreeWidgetItem, column: int, check: Check | None) -> None:
    if check is None:
        row.setText(column, "has no such check")
        return
    name, role, word = _STATES[check.state]
    row.setIcon(column, icon(name, role))
    row.setText(column, with_marks(f"{word}: {check.message}") if check.state is State.FAILED else word)
    row.setToolTip(column, "\n".join([row.text(column), *(problem.message for problem in check.problems[:LISTED])]))


def _blank() -> QIcon:
    """A transparent icon that keeps the column aligned."""
    empty = QPixmap(16, 16)
    empty.fill(Qt.GlobalColor.transparent)
    return QIcon(empty)
