"""Draws the heads of groups in the runs browser: an arrow, what the group has in common, its count and its mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from spatial_workbench.app.runs.model import RunsModel
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import pixmap
from spatial_workbench.widgets.qt import Index
from spatial_workbench.widgets.theme import SPACE

_ARROW_PX = 10


class HeadDelegate(QStyledItemDelegate):
    """Draws each cell of a head as a part of one line that reaches over all columns, in whatever order they are."""

    def __init__(self, table: QTableView, runs: RunsModel) -> None:
        super().__init__(table)
        self._table = table
        self._runs = runs

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        group = self._runs.group(index.row())
        if group is None:
            super().paint(painter, option, index)
            return
        theme = appearance().theme
        header = self._table.horizontalHeader()
        line = QRect(-header.offset(), option.rect.top(), header.length(), option.rect.height())
        painter.save()
        painter.setClipRect(option.rect)
        painter.fillRect(line, theme.color("window"))
        painter.fillRect(QRect(line.left(), line.bottom(), line.width(), 1), theme.color("line"))
        if option.state & QStyle.StateFlag.State_HasFocus or self._is_current(index):
            painter.fillRect(QRect(line.left(), line.top(), 3, line.height()), theme.color("accent"))
        self._draw_words(painter, line, option.font, *self._runs.head_words(group), group.key in self._runs.opened)
        painter.restore()

    def _is_current(self, index: Index) -> bool:
        return self._table.hasFocus() and self._table.currentIndex().row() == index.row()

    def _draw_words(self, painter: QPainter, line: QRect, font: QFont, title: str, words: str, is_open: bool) -> None:
        theme = appearance().theme
        ratio = self._table.devicePixelRatioF()
        arrow = pixmap("down" if is_open else "arrow_right", _ARROW_PX, "secondary", ratio)
        painter.drawPixmap(line.left() + 3 * SPACE, line.center().y() - _ARROW_PX // 2, arrow)
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        place = line.adjusted(7 * SPACE, 0, 0, 0)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        painter.drawText(place, flags, title)
        place.setLeft(place.left() + QFontMetrics(bold).horizontalAdvance(title) + 3 * SPACE)
        painter.setFont(font)
        painter.setPen(theme.color("secondary"))
        painter.drawText(place, flags, words)
