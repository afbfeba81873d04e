"""What failed in a batch, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from app.evaluation.watch import Shown
from engine.evaluation.process import log_file
from engine.store import ItemState
from widgets.theme import SPACE

if TYPE_CHECKING:
    from app.evaluation.watch import Watched
    from app.project_service import ProjectService
    from engine.store import Item

_SHOWN = 500
_STATES = (ItemState.ERROR, ItemState.CRASHED)


class FailureList(QWidget):
    """A sentence on the batch, and its failed items with their reasons."""

    def __init__(self, project: ProjectService) -> None:
        super().__init__()
        self._project = project
        self._of: tuple[int, int] | None = None
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setObjectName("secondary")
        self.table = QTableWidget(0, 3)
        self.table.setHorizontalHeaderLabels(["Instance", "What happened", "Message"])
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setShowGrid(False)
        self.table.setAccessibleName("Failed items")
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setWordWrap(False)
        self.table.setColumnWidth(0, 200)
        self.table.setColumnWidth(1, 150)
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.about)
        layout.addWidget(self.table, 1)
        layout.addStretch(0)

    def show_batch(self, one: Watched | None) -> None:
        """Shows what failed in a batch; reads it only when that is another one, or more failed."""
        key = (one.row.number, one.failed) if one is not None else None
        self.about.setText(self._sentence(one))
        self.table.setVisible(one is not None and one.failed > 0)
        if key != self._of:
            self._of = key
            self.table.setRowCount(0)
            if one is not None and one.failed:
                number = one.row.number
                self._project.ask(lambda project: project.items(number, _STATES)[:_SHOWN], self._fill)

    def _fill(self, items: list[Item]) -> None:
        self.table.setRowCount(len(items))
        for row, item in enumerate(items):
            for column, text in enumerate((item.address, item.error or item.state.value, item.message or "")):
                cell = QTableWidgetItem(text)
                cell.setToolTip(text)
                self.table.setItem(row, column, cell)

    def _sentence(self, one: Watched | None) -> str:
        if one is None:
            return ""
        counts = one.row.counts
        parts = [f"{counts[state]} {state.value}" for state in ItemState if counts.get(state)]
        requests = f"Requests made: {one.row.tries}." if one.row.tries else ""
        lost = ""
        if one.state is Shown.INTERRUPTED and self._project.path is not None:
            log = log_file(self._project.path, one.row.number)
            lost = f"Its process ended unexpectedly; “Go on” asks what is left. What it said last is in {log}."
        return " ".join(filter(None, (f"Items: {', '.join(parts)}.", requests, one.row.note, lost)))
