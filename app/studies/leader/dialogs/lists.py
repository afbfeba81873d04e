"""A dialog that shows lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.widgets.theme import SPACE


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
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        column.setSpacing(3 * SPACE)
        column.addWidget(head)
        column.addWidget(self.lines, 1)
        column.addWidget(buttons)


def codes_in_words(codes: Sequence[str]) -> str:
    """Codes in a sentence; of many, the first and how many more."""
    return ", ".join(codes[:8]) + (f" and {len(codes) - 8} more" if len(codes) > 8 else "")
