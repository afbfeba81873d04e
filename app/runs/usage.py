"""What an attempt has cost: time, tokens, money, and every request."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QVBoxLayout, QWidget

from spatial_workbench.app.attempts import dossier as words
from spatial_workbench.app.attempts.dossier import Dossier
from spatial_workbench.app.attempts.text_list import RequestList
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE


class UsagePage(QWidget):
    """The usage of an attempt, and every request made for it."""

    def __init__(self) -> None:
        super().__init__()
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(4 * SPACE)
        self._form.setVerticalSpacing(SPACE)
        self._heading = QLabel("Requests")
        self._heading.setObjectName("secondary")
        self.tries = RequestList()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(self._form)
        layout.addWidget(self._heading)
        layout.addWidget(self.tries, 1)
        layout.addStretch(0)

    def show_usage(self, dossier: Dossier) -> None:
        """Shows the usage of one attempt."""
        while self._form.rowCount():
            self._form.removeRow(0)
        for name, figure in words.usage(dossier.row) or [("Usage", "Nothing is stored about it.")]:
            label = QLabel(name)
            label.setObjectName("secondary")
            value = QLabel(with_marks(figure))
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._form.addRow(label, value)
        self.tries.show_requests(dossier.tries)
        for widget in (self._heading, self.tries):
            widget.setVisible(bool(dossier.tries))
