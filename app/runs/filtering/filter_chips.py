"""The active filters of the runs browser as chips, each of which can be removed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from spatial_workbench.app.frame.controls import Chip
from spatial_workbench.app.runs.filtering.filter_words import active_filters
from spatial_workbench.engine.store import RunFilter
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.theme import SPACE


class FilterChips(QWidget):
    """A chip for each active filter, and a button that removes all; hidden without any.

    Signals:
        removed(tuple): a chip was clicked; the fields of its filter.
        cleared(): remove all filters.
    """

    removed = Signal(tuple)
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._clear = QPushButton("Clear")
        self._clear.setObjectName("link")
        self._clear.setToolTip("Remove all filters")
        self._clear.clicked.connect(self.cleared)
        self._flow = FlowLayout(self)
        self._flow.setSpacing(SPACE)

    def show_filter(self, run_filter: RunFilter) -> None:
        """Shows what is active in a filter."""
        for chip in self.findChildren(Chip):
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._flow.removeWidget(self._clear)
        for text, fields in active_filters(run_filter):
            chip = Chip(text)
            chip.clicked.connect(lambda _=False, names=fields: self.removed.emit(names))
            self._flow.addWidget(chip)
        self._flow.addWidget(self._clear)
        self.setVisible(run_filter != RunFilter())
