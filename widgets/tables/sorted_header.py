"""A header that marks the sorted column with an arrow beside its title, wherever the title stands."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView

from spatial_workbench.widgets.appearance import appearance, scaled
from spatial_workbench.widgets.theme import SPACE

_ARROW_PX = 8
_TYPE_PX = 11
"""The size of titles, and the padding around them, as in the style sheet."""
_PADDING_PX = 9


class SortedHeader(QHeaderView):
    """Draws the arrow itself: Qt's own covers titles that stand at the right."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, index: int) -> None:
        super().initStyleOptionForIndex(option, index)
        option.sortIndicator = QStyleOptionHeader.SortIndicator.None_

    def setSelectionModel(self, selectionModel: QItemSelectionModel) -> None:  # noqa: N803
        """Keeps a selection of its own, always empty: Qt asks for every row of each title whether it is selected."""
        if selectionModel.parent() is self:
            super().setSelectionModel(selectionModel)

    def sectionSizeFromContents(self, section: int) -> QSize:
        """The room that a title takes with the arrow beside it."""
        width = self._title_px(section) + _ARROW_PX + SPACE + 2 * _PADDING_PX
        return QSize(width, super().sectionSizeFromContents(section).height())

    def arrow_place(self, section: int) -> QRect | None:
        """Where the arrow of a section is drawn; None: it is not the sorted one."""
        if not self.isSortIndicatorShown() or section != self.sortIndicatorSection():
            return None
        left = self.sectionViewportPosition(section)
        right = left + self.sectionSize(section)
        beside = self._title_px(section) + _PADDING_PX + SPACE
        x = right - beside - _ARROW_PX if self._is_at_right(section) else left + beside
        x = min(max(x, left), right - _ARROW_PX)
        return QRect(x, (self.height() - _ARROW_PX // 2) // 2, _ARROW_PX, _ARROW_PX // 2)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803
        super().paintSection(painter, rect, logicalIndex)
        place = self.arrow_place(logicalIndex)
        if place is None:
            return
        is_rising = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        base, tip = (place.bottom() + 1, place.top()) if is_rising else (place.top(), place.bottom() + 1)
        corners = [
            QPointF(place.left(), base),
            QPointF(place.right() + 1, base),
            QPointF(place.center().x() + 0.5, tip),
        ]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(appearance().theme.color("accent"))
        painter.drawPolygon(corners)
        painter.restore()

    def _title_px(self, section: int) -> int:
        font = QFont(self.font())
        font.setPixelSize(scaled(_TYPE_PX))
        title = self.model().headerData(section, self.orientation(), Qt.ItemDataRole.DisplayRole)
        return QFontMetrics(font).horizontalAdvance(str(title or ""))

    def _is_at_right(self, section: int) -> bool:
        alignment = self.model().headerData(section, self.orientation(), Qt.ItemDataRole.TextAlignmentRole)
        return bool(int(alignment or 0) & Qt.AlignmentFlag.AlignRight.value)
