"""The list of a run's machines as a tree: pictures, steps, figures and changes."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QIcon, QPixmap
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.app.attempts.machine_pictures import MachinePictures
from spatial_workbench.engine.search.run_tree import NOT_TAKEN, RunNode, RunTree
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.theme import SPACE, Theme

MACHINE, STEP, REACHED, RESULT, CHANGED = range(5)
_HEADERS = ("Machine", "Step", "Reached", "Result", "Changed")
_WIDTHS = (160, 140, 96, 112)
_PICTURE = QSize(54, 38)
_SIGNS = {"passed": "✓", "failed": "✗", "warning": "–"}
_KEY = Qt.ItemDataRole.UserRole
_ORDER = Qt.ItemDataRole.UserRole + 1


class NodeList(QTreeWidget):
    """The nodes of a run below those that they were made of. Sorting keeps every node below its parent.

    Signals:
        chosen(): another node is current.
    """

    chosen = Signal()

    def __init__(self, pictures: MachinePictures) -> None:
        super().__init__()
        self.setHeaderLabels(_HEADERS)
        self.setAccessibleName("Machines of the run")
        self.setIconSize(_PICTURE)
        self.setIndentation(3 * SPACE)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self._pictures = pictures
        self._pictures.drawn.connect(self._show_picture)
        self._items: dict[str, QTreeWidgetItem] = {}
        self._run: RunTree | None = None
        self._only_valid = False
        header = self.header()
        header.setStretchLastSection(True)
        for column, width in enumerate(_WIDTHS):
            self.setColumnWidth(column, width)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setToolTip("Click to sort; “Machine” is the order in which they were made")
        self.setSortingEnabled(True)
        self.sortByColumn(MACHINE, Qt.SortOrder.AscendingOrder)
        self.currentItemChanged.connect(lambda *_: self.chosen.emit())
        appearance().changed.connect(self._draw_anew)

    def show_run(self, run: RunTree) -> None:
        """Shows a run; if it has grown, only adds the new machines."""
        if any(run.node(key) is None for key in self._items):
            self.clear()
            self._items.clear()
        self.setSortingEnabled(False)
        before = self._run
        self._run = run
        for order, node in enumerate(run.nodes):
            if node.key not in self._items:
                self._add(node, order)
            if before is None or before.node(node.key) != node:
                self._fill(node)
        unit = next((node.shown.unit for node in run.nodes if node.shown is not None), "")
        self.headerItem().setText(REACHED, f"Reached, {unit}" if unit else "Reached")
        self._mark_best()
        self._filter()
        self.setSortingEnabled(True)

    def choose(self, key: str) -> None:
        """Makes a node current."""
        self.setCurrentItem(self._items[key])
        self.scrollToItem(self._items[key])

    def current(self) -> str | None:
        """The key of the current node."""
        item = self.currentItem()
        return None if item is None else str(item.data(MACHINE, _KEY))

    def picked(self) -> list[str]:
        """The keys of the selected nodes, in the order in which they were made."""
        items = sorted(self.selectedItems(), key=lambda item: int(item.data(MACHINE, _ORDER)))
        return [str(item.data(MACHINE, _KEY)) for item in items]

    def show_only_valid(self, only: bool) -> None:
        """Hides nodes that are not valid machines, unless a machine was made from them."""
        self._only_valid = only
        self._filter()

    def shown_keys(self) -> Iterator[str]:
        """The keys of the nodes that are not hidden."""
        return (key for key, item in self._items.items() if not item.isHidden())

    def close_list(self) -> None:
        """Follows the theme no more."""
        appearance().changed.disconnect(self._draw_anew)

    def _add(self, node: RunNode, order: int) -> None:
        parent = self._items.get(node.parent or "")
        item = _Item(self) if parent is None else _Item(parent)
        item.setData(MACHINE, _KEY, node.key)
        item.setData(MACHINE, _ORDER, order)
        item.setTextAlignment(REACHED, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setSizeHint(MACHINE, _PICTURE + QSize(0, SPACE))
        item.setExpanded(True)
        self._items[node.key] = item
        if node.tree is not None:
            self._pictures.want(node.key, node.tree)

    def _fill(self, node: RunNode) -> None:
        item = self._items[node.key]
        word, role = result_of(node)
        item.setText(STEP, node.step)
        item.setText(REACHED, "" if node.shown is None else f"{node.shown.value:.2f}")
        item.setData(REACHED, _ORDER, node.shown.value if node.shown is not None and node.is_valid else -1.0)
        item.setText(RESULT, f" {_SIGNS[role]} {word}")
        item.setForeground(RESULT, appearance().theme.color(role))
        item.setText(CHANGED, "; ".join(node.lines) or node.trouble)
        for column in (STEP, RESULT, CHANGED):
            item.setToolTip(column, "\n".join(filter(None, (item.text(column), node.trouble))))

    def _mark_best(self) -> None:
        assert self._run is not None
        path = self._run.best_path
        for node in self._run.nodes:
            item = self._items[node.key]
            name = "" if node.machine is None else str(node.machine)
            item.setText(MACHINE, f"{name} ★" if node.key == self._run.best else name)
            tip = "The best machine" if node.key == self._run.best else "On the path to the best machine"
            item.setToolTip(MACHINE, tip if node.key in path else "")
            font = QFont(self.font())
            font.setWeight(QFont.Weight.DemiBold if node.key in path else QFont.Weight.Normal)
            for column in (MACHINE, STEP, REACHED):
                item.setFont(column, font)

    def _filter(self) -> None:
        if self._run is None:
            return
        kept: set[str] = set()
        for node in reversed(self._run.nodes):
            if not self._only_valid or node.is_valid or node.key in kept:
                kept |= {node.key, node.parent or ""}
        for key, item in self._items.items():
            item.setHidden(key not in kept)

    def _show_picture(self, key: str, picture: QPixmap) -> None:
        if key in self._items:
            self._items[key].setIcon(MACHINE, QIcon(picture))

    def _draw_anew(self, theme: Theme) -> None:
        for node in self._run.nodes if self._run is not None else ():
            self._items[node.key].setForeground(RESULT, theme.color(result_of(node)[1]))
            if node.tree is not None:
                self._pictures.want(node.key, node.tree)


class _Item(QTreeWidgetItem):
    """A row that sorts by what its cells mean."""

    def __lt__(self, other: QTreeWidgetItem) -> bool:
        tree = self.treeWidget()
        column = tree.sortColumn() if tree is not None else MACHINE
        if column in (MACHINE, REACHED):
            return bool(self.data(column, _ORDER) < other.data(column, _ORDER))
        return self.text(column) < other.text(column)


def result_of(node: RunNode) -> tuple[str, str]:
    """A word for the outcome of a node, and the role of its colour."""
    if node.trouble == NOT_TAKEN:
        return "not taken", "warning"
    if node.machine is None:
        return ("not usable", "failed") if node.trouble else ("usable", "passed")
    if not node.is_valid:
        return "not valid", "failed"
    return ("valid", "passed") if not node.trouble else ("counts nothing", "warning")
