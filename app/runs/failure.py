"""Why an attempt failed, according to models that judged it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.app.attempts import dossier as words
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.store import FailureLabel


class FailurePage(QWidget):
    """Why an attempt failed according to judges: label, confidence, justification and evidence; newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(4 * SPACE)
        self.form.setVerticalSpacing(2 * SPACE)
        holder = QWidget()
        holder.setObjectName("panel")
        holder.setLayout(self.form)
        area = QScrollArea()
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.addWidget(area)

    def show_labels(self, labels: Sequence[FailureLabel]) -> None:
        """Shows the judges' labels of one attempt."""
        while self.form.rowCount():
            self.form.removeRow(0)
        for label in reversed(labels):
            for name, value in words.label_words(label):
                self._add(name, value)
            self.form.addRow(QLabel(""))

    def _add(self, name: str, value: str) -> None:
        title = QLabel(name)
        content = QLabel(with_marks(value))
        title.setObjectName("secondary")
        content.setWordWrap(True)
        content.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.form.addRow(title, content)
