"""The report on a study in the window: a list of its sections, and the chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spatial_workbench.engine.evaluation.results.contents import ReportSection
    from spatial_workbench.widgets.tables.section_view import SectionView

SECTIONS_PX = 216


class ReportView(QWidget):
    """Shows a report, section by section.

    Signals:
        failed(str): a table or a chart could not be written to a file.
    """

    failed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.sections: tuple[ReportSection, ...] = ()
        self._view: SectionView | None = None
        self._make_widgets()
        self._lay_out()

    def show_sections(self, sections: Sequence[ReportSection]) -> None:
        """Shows a report; the section that was chosen stays chosen."""
        chosen = self.chosen_section
        self.sections = tuple(sections)
        self.list.blockSignals(True)
        self.list.clear()
        for section in self.sections:
            QListWidgetItem(section.title, self.list).setToolTip(section.title)
        ids = [section.id for section in self.sections]
        self.list.setCurrentRow(ids.index(chosen) if chosen in ids else 0)
        self.list.blockSignals(False)
        self.stack.setCurrentIndex(1)
        self._show_current()

    def show_section(self, name: str) -> None:
        """Goes to the section of that id."""
        self.list.setCurrentRow([section.id for section in self.sections].index(name))

    def show_waiting(self) -> None:
        """Says that the report is being made, unless an earlier one of the study is shown."""
        if not self.sections:
            self.stack.setCurrentIndex(0)

    def forget(self) -> None:
        """Shows nothing, as another study was chosen."""
        self.sections = ()
        self._drop_view()
        self.show_waiting()

    @property
    def chosen_section(self) -> str:
        """The id of the section that is shown; "" if there is none."""
        row = self.list.currentRow()
        return self.sections[row].id if 0 <= row < len(self.sections) else ""

    def _show_current(self) -> None:
        if not self.chosen_section:
            return
        from spatial_workbench.widgets.tables.section_view import SectionView

        section = self.sections[self.list.currentRow()]
        if self._view is not None and self._view.section == section:
            return
        is_same = self._view is not None and self._view.section.id == section.id
        place = self.area.verticalScrollBar().value() if is_same else 0
        self._drop_view()
        self._view = SectionView(section)
        self._view.failed.connect(self.failed)
        self.area.setWidget(self._view)
        self.area.verticalScrollBar().setValue(place)

    def _drop_view(self) -> None:
        if self._view is not None:
            self._view.close_view()
            self._view = None

    def _make_widgets(self) -> None:
        self.list = QListWidget()
        self.list.setObjectName("sections")
        self.list.setAccessibleName("Sections of the report")
        self.list.setFixedWidth(SECTIONS_PX)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(lambda _: self._show_current())
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setObjectName("page")
        self.area.viewport().setObjectName("page")
        self.waiting = QLabel("Computing the figures…")
        self.waiting.setObjectName("secondary")
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)

    def _lay_out(self) -> None:
        report = QWidget()
        row = QHBoxLayout(report)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6 * SPACE)
        row.addWidget(self.list)
        row.addWidget(self.area, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.waiting)
        self.stack.addWidget(report)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
