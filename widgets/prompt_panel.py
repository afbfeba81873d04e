"""What a solver is told: the prompt's text and pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from engine.core import Prompt
from widgets.theme import SPACE

PICTURE_HEIGHT = 168
"""Larger pictures are shown smaller, so that the text keeps its room."""


class PromptPanel(QWidget):
    """Shows a Prompt, and copies its text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._text.setAccessibleName("What a solver is told")
        # Prompts hold grids and trees, which have to line up.
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setObjectName("mono")
        self._pictures = QVBoxLayout()
        copy = QPushButton("Copy text")
        copy.setToolTip("Copy what a solver is told")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self._text.toPlainText()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(self._pictures)
        layout.addWidget(self._text, 1)
        layout.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeft)

    def show_prompt(self, prompt: Prompt) -> None:
        """Shows a prompt."""
        self._text.setPlainText(prompt.text)
        for i in reversed(range(self._pictures.count())):
            self._pictures.takeAt(i).widget().deleteLater()
        for number, data in enumerate(prompt.pictures, 1):
            picture = QLabel()
            image = QPixmap.fromImage(QImage.fromData(data))
            if image.height() > PICTURE_HEIGHT:
                image = image.scaledToHeight(PICTURE_HEIGHT)
            picture.setPixmap(image)
            picture.setAccessibleName(f"Picture {number}")
            self._pictures.addWidget(picture)
