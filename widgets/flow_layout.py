"""A layout in rows."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from spatial_workbench.widgets.theme import SPACE


class FlowLayout(QLayout):
    """Lays widgets out in rows, as many in a row as fit, under headings.

    fills: Whether widgets of equal width are widened until they fill their rows, so that no empty column is left.
    at_right: Whether rows end at the right instead of beginning at the left.
    """

    def __init__(self, parent: QWidget, fills: bool = False, at_right: bool = False) -> None:
        super().__init__(parent)
        self._at_right = at_right
        self._items: list[QLayoutItem] = []
        self._headings: set[QWidget] = set()
        self._fills = fills
        self._heights: dict[int, int] = {}
        self._shown: list[tuple[QLayoutItem, QSize]] | None = None
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(4 * SPACE)

    def add_heading(self, heading: QWidget) -> None:
        """Adds a widget that has a row to itself."""
        self._headings.add(heading)
        self.addWidget(heading)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self._shown = None

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        self._shown = None
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def invalidate(self) -> None:
        self._heights.clear()
        self._shown = None
        super().invalidate()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """The height at a width; it is kept until a widget changes, since Qt asks a hundred times as a window opens."""
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize(0, 0)
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, move: bool) -> int:
        y = rect.y()
        for row in self._rows(rect.width()):
            free = rect.width() - sum(size.width() for _, size in row) - self.spacing() * (len(row) - 1)
            x = rect.x() + (free if self._at_right else 0)
            for item, size in row:
                if move:
                    item.setGeometry(QRect(QPoint(x, y), size))
                x += size.width() + self.spacing()
            y += max(size.height() for _, size in row) + self.spacing()
        return max(0, y - self.spacing() - rect.y())

    def _rows(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """The widgets of each row, with their sizes."""
        rows: list[list[tuple[QLayoutItem, QSize]]] = []
        x = 0
        for item, wanted in self._shown_items():
            size = QSize(wanted)
            if self._fills:
                size.setWidth(self._widened(size.width(), width))
            if item.widget() in self._headings:
                size.setWidth(width)
            if not rows or x + size.width() > width:
                rows.append([])
                x = 0
            rows[-1].append((item, size))
            x += size.width() + self.spacing()
        return rows

    def _shown_items(self) -> list[tuple[QLayoutItem, QSize]]:
        """The widgets that are not hidden, with the sizes that they want; kept until one of them changes."""
        if self._shown is None:
            self._shown = [(item, item.sizeHint()) for item in self._items if not item.isEmpty()]
        return self._shown

    def _widened(self, width: int, room: int) -> int:
        """The width of a widget in a full row."""
        columns = max(1, (room + self.spacing()) // (width + self.spacing()))
        return max(width, (room - (columns - 1) * self.spacing()) // columns)
