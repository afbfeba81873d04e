"""A long text to read, such as a model's reply."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

SHOWN_CHARS = 100_000
"""Longer texts are cut on the screen; "Copy" copies all of them."""


class LongText(QWidget):
    """A text in fixed-width letters, with a way to copy it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._whole = ""
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setObjectName("mono")
        self.text.setAccessibleName(name)
        self._note = QLabel()
        self._note.setObjectName("secondary")
        copy = QPushButton("Copy text")
        copy.setToolTip(f"Copy the {name.lower()}")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self._whole))
        foot = QHBoxLayout()
        foot.addWidget(copy)
        foot.addWidget(self._note, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.text, 1)
        layout.addLayout(foot)

    def show_text(self, text: str) -> None:
        """Shows a text, or the beginning of a long one."""
        if text == self._whole:
            return
        self._whole = text
        self.text.setPlainText(with_marks(text[:SHOWN_CHARS]))
        cut = len(text) > SHOWN_CHARS
        self._note.setText(f"The first {SHOWN_CHARS:,} of {len(text):,} characters" if cut else "")
