"""The checks of two verdicts on one answer, beside each other."""

from __future__ import annotations

from itertools import zip_longest

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
_NAME = Qt.ItemDataRole.UserRole + 1
OPENED = 20
"""Up to so many problems, a check that differs shows them at once."""


class CheckPairs(QTreeWidget):
    """Each check with its result in both verdicts, and below it what is wrong, one by one.

    Those that differ are first and marked; those that failed in both follow.

    Signals:
        chosen(str, tuple): a check was chosen; its name, and the elements that it, or the chosen problem, concerns.
    """

    chosen = Signal(str, tuple)

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setIconSize(QSize(16, 16))
        self.setAccessibleName("Checks of both verdicts")
        self.setHeaderLabels(["Check", "", ""])
        self.header().setStretchLastSection(False)
        for column in range(3):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.currentItemChanged.connect(lambda *_: self._announce_chosen())
        self.itemClicked.connect(lambda *_: self._announce_chosen())

    def show_contrast(self, contrast: RulingContrast) -> None:
        """Lists the checks."""
        self.setHeaderLabels(["Check", contrast.first.verifier, contrast.second.verifier])
        self.clear()
        for pair in contrast.by_weight:
            row = _row(pair)
            self.addTopLevelItem(row)
            row.setExpanded(pair.differs and row.childCount() <= OPENED)

    def choose(self, name: str) -> None:
        """Chooses a check by its name; nothing happens if it is not listed."""
        for row in top_items(self):
            if row.data(0, _NAME) == name:
                self.setCurrentItem(row)

    def _announce_chosen(self) -> None:
        item = self.currentItem()
        if item is not None:
            self.chosen.emit((item.parent() or item).data(0, _NAME), tuple(item.data(0, _ELEMENTS)))


def _row(pair: CheckPair) -> QTreeWidgetItem:
    row = QTreeWidgetItem([pair.name])
    row.setData(0, _ELEMENTS, pair.elements)
    row.setData(0, _NAME, pair.name)
    row.setToolTip(0, pair.name)
    for column, check in ((1, pair.first), (2, pair.second)):
        _fill(row, column, check)
    row.setIcon(0, icon("warning", "warning") if pair.differs else _blank())
    if pair.differs:
        for column in range(3):
            font = row.font(column)
            font.setBold(True)
            row.setFont(column, font)
    row.addChildren(_problems(pair))
    return row


def _problems(pair: CheckPair) -> list[QTreeWidgetItem]:
    """A row for each problem of either verdict; a check with one problem says it itself."""
    ours, theirs = (check.problems if check is not None else () for check in (pair.first, pair.second))
    if max(len(ours), len(theirs)) < 2:
        return []
    rows = []
    for first, second in zip_longest(ours, theirs):
        row = QTreeWidgetItem(
            ["", with_marks(first.message) if first else "", with_marks(second.message) if second else ""]
        )
        elements = (*(first.elements if first else ()), *(second.elements if second else ()))
        row.setData(0, _ELEMENTS, tuple(dict.fromkeys(elements)))
        rows.append(row)
    return rows


def _fill(row: QTreeWidgetItem, column: int, check: Check | None) -> None:
    if check is None:
        row.setText(column, "has no such check")
        return
    name, role, word = _STATES[check.state]
    row.setIcon(column, icon(name, role))
    row.setText(column, with_marks(f"{word}: {check.message}") if check.state is State.FAILED else word)
    row.setToolTip(column, row.text(column))


def _blank() -> QIcon:
    """A transparent icon that keeps the column aligned."""
    empty = QPixmap(16, 16)
    empty.fill(Qt.GlobalColor.transparent)
    return QIcon(empty)
