"""Shows one section of the results or of a report: its words, its charts, its tables."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import Table
from spatial_workbench.widgets.charts.view import ChartView
from spatial_workbench.widgets.tables.table_view import TableCard
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

PARAGRAPH_PX = 760
"""Longer lines are hard to read."""


class SectionView(QWidget):
    """Shows a section from top to bottom.

    chart: which of several charts is shown. orders: by what tables are sorted, as `orders` returns it.

    Signals:
        chosen(Target): a mark of a chart was clicked.
        failed(str): a file could not be written.
        attempts_chosen(tuple): a row of a table with attempts was double-clicked; their numbers.
    """

    chosen = Signal(object)
    failed = Signal(str)
    attempts_chosen = Signal(object)

    def __init__(
        self,
        section: ReportSection,
        chart: int = 0,
        orders: Mapping[str, tuple[int, bool]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.section = section
        self.charts: list[ChartView] = []
        self.cards = [self._card(table) for table in section.tables]
        self._chooser: QComboBox | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 2 * SPACE, 6 * SPACE)
        layout.setSpacing(4 * SPACE)
        if section.lacking:
            layout.addWidget(_hint(section.lacking))
        for paragraph in section.words:
            layout.addWidget(_paragraph(paragraph))
        self._add_charts(layout, chart)
        for card in self.cards:
            layout.addWidget(card)
        layout.addStretch(1)
        for card in self.cards:
            if card.table.title in (orders or {}):
                card.sort_by(*(orders or {})[card.table.title])

    @property
    def orders(self) -> dict[str, tuple[int, bool]]:
        """The columns by which people sorted tables, by their titles, and whether in descending order."""
        return {card.table.title: card.order for card in self.cards if card.order is not None}

    @property
    def chosen_chart(self) -> int:
        """The chart that is shown, if there are several to choose from."""
        return max(0, self._chooser.currentIndex()) if self._chooser is not None else 0

    def close_view(self) -> None:
        """Releases the charts' resources."""
        for chart in self.charts:
            chart.close_view()

    def _add_charts(self, layout: QVBoxLayout, chosen: int) -> None:
        charts = self.section.charts
        if self.section.one_chart and charts:
            chosen = min(chosen, len(charts) - 1)
            layout.addLayout(self._make_chooser(chosen))
            charts = charts[chosen : chosen + 1]
        for chart in charts:
            view = ChartView()
            view.set_chart(chart)
            view.chosen.connect(self.chosen)
            view.failed.connect(self.failed)
            self.charts.append(view)
            layout.addWidget(view)

    def _make_chooser(self, chosen: int) -> QHBoxLayout:
        self._chooser = ChoiceBox()
        what = "Chart" if self.section.id == "puzzles" else "Task"
        self._chooser.setAccessibleName(what)
        self._chooser.addItems([chart.title for chart in self.section.charts])
        self._chooser.setCurrentIndex(chosen)
        self._chooser.currentIndexChanged.connect(lambda i: self.charts[0].set_chart(self.section.charts[i]))
        row = QHBoxLayout()
        row.addWidget(QLabel(what))
        row.addWidget(self._chooser)
        row.addStretch(1)
        return row

    def _card(self, table: Table) -> TableCard:
        card = TableCard(table)
        card.failed.connect(self.failed)
        card.attempts_chosen.connect(self.attempts_chosen)
        return card


def _hint(text: str) -> QLabel:
    label = _paragraph(text)
    label.setObjectName("secondary")
    return label


def _paragraph(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setMaximumWidth(PARAGRAPH_PX)
    return label
