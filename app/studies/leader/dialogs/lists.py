"""A dialog that shows lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)


class ListDialog(QDialog):
    """Shows what happened to files, a line each."""

    def __init__(self, title: str, heading: str, lines: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        head = QLabel(heading)
        head.setWordWrap(True)
        self.lines = QPlainTextEdit("\n".join(lines))
        self.lines.setReadOnly(True)
        self.lines.setMinimumSize(560, 240)
        column = QVBoxLayout(self)
        column.addWidget(head)
        column.addWidget(self.lines, 1)


def codes_in_words(codes: Sequence[str]) -> str:
    """Codes in a sentence; of many, the first and how many more."""
    return ", ".join(codes[:8]) + (f" and {len(codes) - 8} more" if len(codes) > 8 else "")
