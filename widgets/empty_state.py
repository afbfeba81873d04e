"""What an empty page shows: a heading, what to do, and a button where that helps."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.widgets.theme import SPACE


class EmptyState(QWidget):
    """Texts in the middle of an empty page; the button is hidden unless it has a text."""

    def __init__(self, heading: str = "", text: str = "", button: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading = QLabel(heading)
        self.heading.setObjectName("panelTitle")
        self.text = QLabel(text)
        self.text.setObjectName("secondary")
        self.text.setWordWrap(True)
        self.button = QPushButton(button)
        self.button.setVisible(bool(button))
        column = QVBoxLayout(self)
        column.setSpacing(2 * SPACE)
        column.addStretch(1)
        for label in (self.heading, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(2)

    def say(self, heading: str, text: str) -> None:
        """Changes the heading and the text."""
        self.heading.setText(heading)
        self.text.setText(text)
