"""The sections of a plan below each other, with a list of them at the left that follows the scrolling."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidgetItem, QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader.plan.sections import PlanSection
from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.forms.fields import FormField, PlacedProblem
from spatial_workbench.widgets.forms.laying_out import add_fields
from spatial_workbench.widgets.forms.records_list import mark_entry, marked_list
from spatial_workbench.widgets.panels.problem_lines import problem_line
from spatial_workbench.widgets.theme import SPACE

COLUMN_PX = 760
SECTIONS_PX = 150


class SectionPages(QWidget):
    """Sections with their fields; a click on a name scrolls to its section, and the name of the one in sight is chosen.

    above: shown above the sections, and not scrolled.
    """

    def __init__(self, sections: Sequence[PlanSection], above: QWidget) -> None:
        super().__init__()
        body = QWidget()
        body.setMaximumWidth(COLUMN_PX)
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 8 * SPACE)
        self._column.setSpacing(3 * SPACE)
        self._rest = QVBoxLayout()
        self._column.addLayout(self._rest)
        self._heads: list[QWidget] = []
        self._fields: list[tuple[FormField, ...]] = []
        # The last sections cannot come to the top; the one that was asked for stays chosen.
        self._is_led = False
        self._column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(body)
        self.list = marked_list(SECTIONS_PX)
        self.list.setAccessibleName("Parts of the plan")
        for section in sections:
            QListWidgetItem(section.title, self.list)
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(self._scroll_to)
        # The section in sight is chosen already, and may not be seen from its top.
        self.list.itemClicked.connect(lambda item: self._scroll_to(self.list.row(item)))
        self.area.verticalScrollBar().valueChanged.connect(self._follow)
        right = QVBoxLayout()
        right.setSpacing(SPACE)
        right.addWidget(above)
        right.addWidget(self.area, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.list)
        row.addLayout(right, 1)

    @property
    def count(self) -> int:
        """How many sections were added."""
        return len(self._fields)

    def add_section(self, section: PlanSection, fields: tuple[FormField, ...], below: Sequence[QWidget]) -> None:
        """Adds a section with its fields, and widgets below them."""
        # In its place before it is filled: a widget that comes into another one looks for the style of all in it again.
        part = QWidget()
        self._column.insertWidget(self._column.count() - 1, part)
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3 * SPACE)
        head = QLabel(section.title)
        head.setObjectName("sectionTitle")
        head.setContentsMargins(0, 3 * SPACE, 0, 0)
        column.addWidget(head)
        if section.about:
            about = QLabel(section.about)
            about.setObjectName("caption")
            about.setWordWrap(True)
            column.addWidget(about)
        add_fields(column, fields)
        for widget in below:
            column.addWidget(widget)
        self._fields.append(fields)
        self._heads.append(part)

    def show_rest(self, problems: Sequence[PlacedProblem]) -> None:
        """Shows problems above all sections."""
        while (item := self._rest.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for problem in problems:
            self._rest.addWidget(problem_line(f"{problem.place}: {problem.message}", problem.is_error))

    def mark_sections(self) -> None:
        """Marks the sections whose fields have problems."""
        for row, fields in enumerate(self._fields):
            problems = [problem for field in fields for problem in field.told]
            mark_entry(self.list.item(row), [problem.is_error for problem in problems])
            self.list.item(row).setToolTip(counted(len(problems), "problem") if problems else "")

    def go_to(self, row: int) -> None:
        """Chooses a section and scrolls to it."""
        self.list.setCurrentRow(row)
        self._scroll_to(row)

    def _scroll_to(self, row: int) -> None:
        if 0 <= row < len(self._heads):
            bar = self.area.verticalScrollBar()
            self._is_led = True
            bar.setValue(self._heads[row].y() - SPACE)
            self._is_led = False

    def _follow(self, top: int) -> None:
        """Chooses the name of the section at the top of what is seen; at the end, of the last one."""
        if self._is_led or self.count < self.list.count():
            return
        at_end = 0 < top == self.area.verticalScrollBar().maximum()
        above = [row for row, head in enumerate(self._heads) if at_end or head.y() <= top + 4 * SPACE]
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(max(above, default=0))
