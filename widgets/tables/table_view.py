"""A table of results as a card: title, table with two-line cells, notes; it can be copied and saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QShortcut,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.evaluation.results.documents import FORMATS, as_latex, as_markdown, save_document
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.clipboard import copy_text
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import sized_font
from spatial_workbench.widgets.theme import SPACE

CELL = Qt.ItemDataRole.UserRole
LINE = Qt.ItemDataRole.UserRole + 1
HEADING = Qt.ItemDataRole.UserRole + 2
ROW_PX, TALL_ROW_PX = 28, 42
COLUMN_PX, TEXT_COLUMN_PX = 86, 170
TITLE_PX = 250
_PAD = 8
_MOST_PINNED = 0.65
"""The columns that stay take no more of the room than this."""
_Hint = QAbstractItemView.ScrollHint
_PLAIN = (
    "QTableCornerButton::section { background: transparent; border: none; } QHeaderView { background: transparent; }"
    "QLabel { background: palette(button); }"
)
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_MOST_HEIGHTS = 500
"""How many heights of titles a table keeps: while a column is drawn wider, each width has one."""
_DOCUMENTS = {"latex": "LaTeX", "markdown": "Markdown", "html": "HTML"}


class TableModel(QAbstractTableModel):
    """A `Table` as Qt sees it."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def show_table(self, table: Table) -> None:
        """Shows the same rows in another order."""
        self.layoutAboutToBeChanged.emit()
        self.table = table
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.table.lines)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.table.headings)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.table.lines[index.row()]
        cell = line.cells[index.column()]
        heading = self.table.headings[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return with_marks(cell.text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (cell.tip, line.tip if heading.is_published else ""))) or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.title}, {heading.title}: {cell.text} {cell.detail}"
        return {CELL: cell, LINE: line, HEADING: heading}.get(role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            line = self.table.lines[section]
            shown: dict[int, Any] = {
                Qt.ItemDataRole.DisplayRole: with_marks(line.title),
                Qt.ItemDataRole.ToolTipRole: line.tip or line.title,
            }
            return {**shown, LINE: line}.get(role)
        heading = self.table.headings[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return _whole(heading)
        return {Qt.ItemDataRole.DisplayRole: heading.label, HEADING: heading}.get(role)


class _Cells(QStyledItemDelegate):
    """Paints each value, with its basis below in smaller letters."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = appearance().theme
        cell: TableCell = index.data(CELL)
        line: TableLine = index.data(LINE)
        heading: Heading = index.data(HEADING)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        ground = theme.accent if is_selected else theme.window if line.is_sum else theme.panel
        painter.fillRect(option.rect, QColor(ground))
        side = Qt.AlignmentFlag.AlignLeft if heading.is_text else Qt.AlignmentFlag.AlignRight
        strong = (
            theme.on_accent
            if is_selected
            else theme.secondary
            if heading.is_published or line.is_published
            else theme.text
        )
        area = option.rect.adjusted(_PAD, 4, -_PAD, -4)
        painter.setFont(sized_font(13, line.is_sum and not heading.is_text))
        painter.setPen(QColor(theme.secondary if heading.is_text and not is_selected else strong))
        vertical = Qt.AlignmentFlag.AlignTop if cell.detail else Qt.AlignmentFlag.AlignVCenter
        text = painter.fontMetrics().elidedText(cell.text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, side | vertical, text)
        if cell.detail:
            painter.setFont(sized_font(11))
            painter.setPen(QColor(theme.on_accent if is_selected else theme.secondary))
            painter.drawText(area, side | Qt.AlignmentFlag.AlignBottom, cell.detail)
        _rule(painter, option.rect)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        cell: TableCell = index.data(CELL)
        heading: Heading = index.data(HEADING)
        detail = QFontMetrics(sized_font(11)).horizontalAdvance(cell.detail)
        width = max(QFontMetrics(sized_font(13, True)).horizontalAdvance(cell.text), detail) + 2 * _PAD + 2
        return QSize(min(width, TEXT_COLUMN_PX if heading.is_text else 4 * COLUMN_PX), ROW_PX)


def _whole(heading: Heading) -> str:
    """The full title of a column with its meaning."""
    return "\n".join(dict.fromkeys(filter(None, (heading.label, heading.tip))))


class _Titles(QHeaderView):
    """The rows' titles with their footnote marks; they stay when the table is scrolled sideways."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._measured: tuple[Table | None, str, int] | None = None
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(min(self._widest() + 3 * _PAD, TITLE_PX), super().sizeHint().height())

    def _widest(self) -> int:
        """The width of the widest title: Qt asks dozens of times while a table is laid out."""
        model = self.model()
        table = model.table if isinstance(model, TableModel) else None
        font = sized_font(13, True)
        if self._measured is None or self._measured[0] is not table or self._measured[1] != font.key():
            metrics = QFontMetrics(font)
            titles = (table.first, *(line.title + line.marks for line in table.lines)) if table is not None else ()
            self._measured = table, font.key(), max(map(metrics.horizontalAdvance, titles), default=60)
        return self._measured[2]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        theme = appearance().theme
        line: TableLine = self.model().headerData(section, Qt.Orientation.Vertical, LINE)
        painter.save()
        painter.fillRect(rect, QColor(theme.window if line.is_sum else theme.panel))
        painter.setFont(sized_font(13, line.is_sum))
        painter.setPen(QColor(theme.secondary if line.is_published else theme.text))
        metrics = painter.fontMetrics()
        marks = QFontMetrics(sized_font(11)).horizontalAdvance(line.marks) + 3 if line.marks else 0
        area = rect.adjusted(_PAD, 0, -_PAD, 0)
        text = metrics.elidedText(line.title, Qt.TextElideMode.ElideRight, area.width() - marks)
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if line.marks:
            painter.setFont(sized_font(11, True))
            painter.setPen(QColor(theme.warning))
            area.translate(metrics.horizontalAdvance(text) + 3, -5)
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line.marks)
        _rule(painter, rect)
        painter.restore()


class _Headings(QHeaderView):
    """The columns' titles, wrapped; published columns are in the secondary colour, sorted ones have an arrow."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.order: tuple[int, bool] | None = None
        self._heights: dict[tuple[str, int, str], int] = {}
        self.setSectionsClickable(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def sizeHint(self) -> QSize:
        model = self.model()
        headings = model.table.headings if isinstance(model, TableModel) else ()
        plain = sized_font(11)
        bold = sized_font(11, True)
        heights = [
            self._height(heading.label, self.sectionSize(section), plain if heading.is_published else bold)
            for section, heading in enumerate(headings)
        ]
        return QSize(super().sizeHint().width(), max(heights, default=20) + 12)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        theme = appearance().theme
        heading: Heading = self.model().headerData(section, Qt.Orientation.Horizontal, HEADING)
        painter.save()
        painter.fillRect(rect, QColor(theme.panel))
        painter.setFont(sized_font(11, not heading.is_published))
        painter.setPen(QColor(theme.secondary if heading.is_published or heading.is_text else theme.text))
        side = Qt.AlignmentFlag.AlignLeft if heading.is_text else Qt.AlignmentFlag.AlignRight
        area = rect.adjusted(_PAD, 4, -_PAD, -6)
        painter.drawText(area, side | Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap, heading.label)
        if self.order is not None and self.order[0] == section:
            flags = side | Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
            text = painter.boundingRect(area, flags, heading.label)
            beside = text.right() + 8 if heading.is_text else max(rect.left() + 4, text.left() - 8)
            _arrow(painter, QPointF(beside, text.center().y() + 1), self.order[1])
        _rule(painter, rect)
        painter.restore()

    def show_order(self, order: tuple[int, bool]) -> None:
        """Marks the column by which rows are sorted, and whether in descending order."""
        self.order = order
        self.viewport().update()

    def _height(self, label: str, width: int, font: QFont) -> int:
        """The height of a title in a column; kept, since Qt asks for all columns whenever one of them changes."""
        key = (label, width, font.key())
        if key not in self._heights:
            if len(self._heights) >= _MOST_HEIGHTS:
                self._heights.clear()
            flags = Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextWordWrap
            bounds = QFontMetrics(font).boundingRect(QRect(0, 0, width - 2 * _PAD, 200), flags, label)
            self._heights[key] = bounds.height()
        return self._heights[key]


class _Corner(QLabel):
    """The title of the rows' titles.

    Signals:
        clicked(): it was clicked.
    """

    clicked = Signal()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()


class _Grid(QTableView):
    """A table as high as its rows: only the page scrolls vertically. `first` is the title of the rows' titles.

    While the page is scrolled, the headings stay in sight as long as there are rows below them, and the horizontal bar
    as long as there are rows above it.

    Signals:
        first_clicked(): the title of the rows' titles was clicked.
    """

    first_clicked = Signal()

    def __init__(self, first: str) -> None:
        super().__init__()
        self._pinned: _Pinned | None = None
        self._page: QScrollArea | None = None
        self._first = _Corner(first, self)
        self._first.clicked.connect(self.first_clicked)
        self._first.setObjectName("caption")
        self._first.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self._first.setContentsMargins(_PAD, 4, _PAD, 6)

    def pin(self, count: int) -> None:
        """Pins the first columns, as long as they leave room for others."""
        self._pinned = _Pinned(self, count) if count else None
        self.updateGeometries()

    @property
    def pinned_px(self) -> int:
        """The width of the pinned columns; 0 if none are pinned."""
        return self._pinned.width() if self._pinned is not None and self._pinned.isVisibleTo(self) else 0

    def scrollTo(self, index: Index, hint: _Hint = _Hint.EnsureVisible) -> None:
        """Scrolls a cell into view beside the pinned columns."""
        super().scrollTo(index, hint)
        left = self.visualRect(self.model().index(index.row(), index.column())).left()
        if self._pinned is not None and index.column() >= self._pinned.count and left < self.pinned_px:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + left - self.pinned_px)

    def updateGeometries(self) -> None:
        super().updateGeometries()
        if self._pinned is not None:
            self._pinned.fit()
        self._follow_page()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        page = _page_around(self)
        if page is not None and page is not self._page:
            page.verticalScrollBar().valueChanged.connect(self._follow_page)
        self._page = page
        self._follow_page()

    def _follow_page(self) -> None:
        """Puts the headings where the table begins to be seen, and the horizontal bar where that ends."""
        headings = self.horizontalHeader()
        hidden = 0 if self._page is None else -self.mapTo(self._page.viewport(), QPoint()).y()
        top = max(0, min(hidden, self.viewport().height() - self.verticalHeader().defaultSectionSize()))
        headings.move(headings.x(), top)
        headings.raise_()
        if self._pinned is not None:
            self._pinned.place_headings(top)
            self._pinned.raise_()
        self._first.setGeometry(0, top, self.verticalHeader().width(), headings.height())
        self._first.raise_()
        self._place_bar(top + headings.height(), hidden)

    def _place_bar(self, least: int, hidden: int) -> None:
        bar = self.horizontalScrollBar().parentWidget()
        assert bar is not None
        seen = self.height() if self._page is None else min(self.height(), hidden + self._page.viewport().height())
        bar.move(bar.x(), max(least, seen - bar.height()))
        bar.raise_()

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            QCoreApplication.sendEvent(self.horizontalScrollBar(), event)
        else:
            event.ignore()


def _page_around(widget: QWidget) -> QScrollArea | None:
    """The page that scrolls a widget."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around


class _Pinned(QTableView):
    """A copy of the first columns, laid over the table so that they do not scroll."""

    def __init__(self, grid: _Grid, count: int) -> None:
        super().__init__(grid)
        self.count = count
        self._grid = grid
        self._top = 0
        self.setHorizontalHeader(_Headings(self))
        self.verticalHeader().hide()
        self.setModel(grid.model())
        self.setSelectionModel(grid.selectionModel())
        self.setItemDelegate(grid.itemDelegate())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(grid.selectionMode())
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().setDefaultSectionSize(grid.verticalHeader().defaultSectionSize())
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column >= count)
        grid.horizontalHeader().sectionResized.connect(lambda *_: self.fit())
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def fit(self) -> None:
        """Covers the columns of the table; hidden if that would leave too little room for others."""
        grid = self._grid
        for column in range(self.count):
            self.setColumnWidth(column, grid.columnWidth(column))
        header = grid.horizontalHeader()
        titles = grid.verticalHeader()
        self.horizontalHeader().setFixedHeight(header.height())
        room = grid.viewport().width()
        width = sum(grid.columnWidth(column) for column in range(self.count))
        self.setVisible(width <= _MOST_PINNED * room and header.length() > room)
        self.setGeometry(titles.width(), 0, width, header.height() + grid.viewport().height())

    def place_headings(self, top: int) -> None:
        """Puts the headings so many pixels below the upper end."""
        self._top = top
        self.horizontalHeader().move(0, top)
        self.horizontalHeader().raise_()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self.place_headings(self._top)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._grid.wheelEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setPen(QColor(appearance().theme.secondary))
        edge = self.viewport().width() - 1
        painter.drawLine(edge, 0, edge, self.viewport().height())


class TableCard(QFrame):
    """A table with its title, notes, and a menu to copy and save it.

    Signals:
        failed(str): a file could not be written.
        attempts_chosen(tuple): a row with attempts was double-clicked, or Return pressed on it; their numbers.
    """

    failed = Signal(str)
    attempts_chosen = Signal(object)

    def __init__(self, table: Table, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.table = table
        self.order: tuple[int, bool] | None = None
        self.grid = self._make_grid()
        title = QLabel(table.title)
        about = QLabel(table.about)
        title.setObjectName("panelTitle")
        about.setObjectName("caption")
        about.setWordWrap(True)
        more = QToolButton()
        more.setIcon(icon("more", "secondary"))
        more.setToolTip("Copy or save this table")
        more.setAccessibleName(f"Copy or save: {table.title}")
        more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setMenu(self._make_menu())
        head = QHBoxLayout()
        head.setContentsMargins(3 * SPACE, 0, 2 * SPACE, 0)
        head.addWidget(title)
        head.addWidget(about, 1)
        head.addWidget(more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 3 * SPACE, 1, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(head)
        if table.words:
            layout.addWidget(_words(table))
        layout.addWidget(self.grid)
        if table.notes:
            layout.addWidget(_notes(table))

    def copy(self) -> None:
        """Copies the selected cells to the clipboard, or the whole table if none are selected."""
        chosen = self.grid.selectionModel().selectedIndexes()
        copy_text(_as_text(chosen) if chosen else self.table.as_text())

    def save_to(self, path: Path) -> None:
        """Writes the table as CSV; emits `failed` if that is impossible."""
        try:
            self.table.save_csv(path)
        except OSError as error:
            self.failed.emit(f"The table could not be written to “{path}”: {error.strerror or error}.")

    def save_document_to(self, path: Path, kind: str) -> None:
        """Writes the table as one of the formats for documents; emits `failed` if that is impossible."""
        try:
            save_document(self.table, path, kind)
        except OSError as error:
            self.failed.emit(f"The table could not be written to “{path}”: {error.strerror or error}.")

    def sort_by(self, column: int, descending: bool) -> None:
        """Sorts the rows by a column, -1 for their titles; does nothing if they may not be sorted."""
        if not self.table.is_sortable or column >= len(self.table.headings):
            return
        self.order = (column, descending)
        self.table = self.table.sorted_by(column, descending)
        model = self.grid.model()
        assert isinstance(model, TableModel)
        model.show_table(self.table)
        self.grid.clearSelection()
        headings = self.grid.horizontalHeader()
        assert isinstance(headings, _Headings)
        headings.show_order(self.order)

    def _sort_next(self, column: int) -> None:
        """Sorts by a column, the better values first; once more, the other way round."""
        if self.order is not None and self.order[0] == column:
            self.sort_by(column, not self.order[1])
            return
        heading = self.table.headings[column] if column >= 0 else None
        self.sort_by(column, heading is not None and not heading.is_text and not heading.low_first)

    def _make_grid(self) -> _Grid:
        grid = _Grid(self.table.first)
        grid.setAccessibleName(self.table.title)
        grid.setVerticalHeader(_Titles(grid))
        grid.setHorizontalHeader(_Headings(grid))
        grid.setModel(TableModel(self.table))
        grid.model().setParent(grid)
        grid.setItemDelegate(_Cells(grid))
        grid.setShowGrid(False)
        grid.setFrameShape(QFrame.Shape.NoFrame)
        grid.setCornerButtonEnabled(False)
        grid.setStyleSheet(_PLAIN)
        grid.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        grid.setTabKeyNavigation(False)
        grid.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        grid.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tall = any(cell.detail for line in self.table.lines for cell in line.cells)
        grid.verticalHeader().setDefaultSectionSize(TALL_ROW_PX if tall else ROW_PX)
        for column, heading in enumerate(self.table.headings):
            word = _widest_word(heading)
            least = word if heading.is_text else max(COLUMN_PX, min(word, TITLE_PX))
            grid.setColumnWidth(column, max(grid.sizeHintForColumn(column), least))
        grid.horizontalHeader().setStretchLastSection(bool(self.table.headings and self.table.headings[-1].is_text))
        grid.pin(self.table.pinned)
        height = grid.horizontalHeader().sizeHint().height() + grid.verticalHeader().length() + 14
        grid.setFixedHeight(height)
        grid.activated.connect(self._choose)
        if self.table.is_sortable:
            grid.horizontalHeader().setSectionsClickable(True)
            grid.horizontalHeader().sectionClicked.connect(self._sort_next)
            grid.first_clicked.connect(lambda: self._sort_next(-1))
        QShortcut(QKeySequence.StandardKey.Copy, grid, self.copy, context=Qt.ShortcutContext.WidgetShortcut)
        return grid

    def _choose(self, index: QModelIndex) -> None:
        attempts = self.table.lines[index.row()].attempts
        if attempts:
            self.attempts_chosen.emit(attempts)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Copy", self.copy)
        menu.addAction("Copy as LaTeX", lambda: copy_text(as_latex(self.table)))
        menu.addAction("Copy as Markdown", lambda: copy_text(as_markdown(self.table)))
        menu.addSeparator()
        menu.addAction("Save as CSV…", lambda: self._ask_and_save("csv", "CSV", self.save_to))
        for kind, title in _DOCUMENTS.items():
            save = partial(self.save_document_to, kind=kind)
            menu.addAction(f"Save as {title}…", partial(self._ask_and_save, FORMATS[kind][0], title, save))
        if self.table.is_sortable:
            menu.addSeparator()
            self._add_orders(menu.addMenu("Sort by"))
        return menu

    def _add_orders(self, menu: QMenu) -> None:
        for column, title in enumerate((self.table.first, *(heading.title for heading in self.table.headings)), -1):
            menu.addAction(title, partial(self._sort_next, column))

    def _ask_and_save(self, suffix: str, title: str, save: Callable[[Path], None]) -> None:
        name = f"{self.table.title.lower().replace(' ', '-').replace(':', '')}.{suffix}"
        path, _ = QFileDialog.getSaveFileName(self, "Save the table", name, f"{title} (*.{suffix})")
        if path:
            save(Path(path))


def _words(table: Table) -> QLabel:
    label = QLabel(table.words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setContentsMargins(3 * SPACE, 0, 3 * SPACE, SPACE)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _notes(table: Table) -> QLabel:
    label = QLabel("\n".join(f"{note.mark}  {note.text}" if note.mark else note.text for note in table.notes))
    label.setObjectName("caption")
    label.setWordWrap(True)
    label.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, 0)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _arrow(painter: QPainter, middle: QPointF, is_down: bool) -> None:
    """A small triangle: up for ascending order, down for descending order."""
    side = 3.5 if is_down else -3.5
    points = [QPointF(-3.5, -side / 2), QPointF(3.5, -side / 2), QPointF(0, side / 2)]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(appearance().theme.accent))
    painter.drawPolygon(QPolygonF([middle + point for point in points]))


def _widest_word(heading: Heading) -> int:
    metrics = QFontMetrics(sized_font(11, True))
    return max(metrics.horizontalAdvance(word) for word in heading.label.split()) + 2 * _PAD + 2


def _as_text(chosen: list[QModelIndex]) -> str:
    rows: dict[int, dict[int, str]] = {}
    for index in chosen:
        rows.setdefault(index.row(), {})[index.column()] = index.data()
    return "\n".join("\t".join(rows[row][column] for column in sorted(rows[row])) for row in sorted(rows))


def _rule(painter: QPainter, rect: QRect) -> None:
    painter.setPen(QColor(appearance().theme.line))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
