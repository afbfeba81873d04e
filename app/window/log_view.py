"""The application's log, for people who want to report a problem."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.widgets.theme import SPACE

KEPT_LINES = 5000
_FORMAT = logging.Formatter("%(asctime)s  %(levelname)-7s  %(name)s: %(message)s", datefmt="%H:%M:%S")


class LogBuffer(logging.Handler):
    """Collects log lines from every thread and hands them to the view in the window's thread."""

    class _Signals(QObject):
        added = Signal(str)

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(_FORMAT)
        self.lines: list[str] = []
        self.signals = self._Signals()

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        self.lines = [*self.lines[-KEPT_LINES:], line]
        self.signals.added.emit(line)


class LogPage(QWidget):
    """Shows the log as it grows."""

    title = "Log"
    icon_name = "log"

    def __init__(self, buffer: LogBuffer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        title = QLabel("Log")
        title.setObjectName("pageTitle")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(KEPT_LINES)
        self.text.setPlaceholderText("The log is empty. Errors and warnings will appear here.")
        self.text.setAccessibleName("Log")
        self.text.setPlainText("\n".join(buffer.lines))
        buffer.signals.added.connect(self.text.appendPlainText)
        copy = QPushButton("Copy all")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        head = QHBoxLayout()
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 6 * SPACE)
        layout.setSpacing(4 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.text)

    def close_page(self) -> None:
        """Does nothing: the log itself is not part of the page."""
