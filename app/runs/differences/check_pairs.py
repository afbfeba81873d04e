"""The checks of two verdicts on one answer, beside each other."""

from __future__ import annotations

from itertools import zip_longest

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTreeWidget, QTreeWidgetItem

from spatial_workbench.engine.core import Check, State
from spatial_workbench.engine.evaluation.rulings import CheckPair, RulingContrast
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import Index, top_items

_ELEMENTS = Qt.ItemDataRole.UserRole
_STATES = {
    State.PASSED: ("passed", "passed", "passed"),
    State.FAILED: ("failed", "failed", "failed"),
    State.NOT_REACHED: ("not_reached", "not_reached", "not reached"),
}
_NAME = Qt.ItemDataRole.UserRole + 1
_MARGIN_PX = 4
OPENED = 20
"""Up to so many problems, a check that differs shows them at once."""


class WrappedRows(QStyledItemDelegate):
    """Makes a row of a tree as high as its longest text needs in its column, of which trees take no notice."""

    def __init__(self, tree: QTreeWidget) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        text = str(index.data() or "")
        if not text or self._tree.isFirstColumnSpanned(index.row(), index.parent()):
            return hint
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        width = self._tree.columnWidth(index.column()) - 2 * _MARGIN_PX - self._before(index)
        area = QRect(0, 0, max(1, width), 10_000)
        height = shown.fontMetrics.boundingRect(area, int(Qt.TextFlag.TextWordWrap), text).height()
        return QSize(hint.width(), max(hint.height(), height + 2 * _MARGIN_PX))

    def _before(self, index: Index) -> int:
        """The width of what stands before the text: the branches of the tree, and the icon."""
        depth = 1
        parent = index.parent()
        while parent.isValid():
            depth, parent = depth + 1, parent.parent()
        branches = depth * self._tree.indentation() if index.column() == 0 else 0
        has_icon = index.data(Qt.ItemDataRole.DecorationRole) is not None
        return branches + (self._tree.iconSize().width() + _MARGIN_PX if has_icon else 0)


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
        # The rows become higher where the columns become narrower.
        self.setItemDelegate(WrappedRows(self))
        self.header().sectionResized.connect(lambda *_: self.scheduleDelayedItemsLayout())
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
