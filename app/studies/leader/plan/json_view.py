"""The document of a plan as JSON."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from spatial_workbench.widgets.shown_text import replace_text


class JsonView(QWidget):
    """A document that can be changed as JSON.

    Signals:
        changed(dict): the document as it was typed; it is an object, and may not be a plan.
    """

    changed = Signal(dict)

    def __init__(self) -> None:
        super().__init__()
        self.text = QPlainTextEdit()
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName("The document as JSON")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.textChanged.connect(self._read)
        self.words = QLabel()
        self.words.setObjectName("error")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text, 1)
        column.addWidget(self.words)

    def show_document(self, data: dict[str, Any]) -> None:
        """Shows a document without a signal."""
        text = json.dumps(data, ensure_ascii=False, indent=2)
        if text != self.text.toPlainText():
            with QSignalBlocker(self.text):
                replace_text(self.text, text)

    def _read(self) -> None:
        try:
            data = json.loads(self.text.toPlainText())
            if not isinstance(data, dict):
                raise ValueError("it is not an object")
        except (ValueError, RecursionError) as error:
            self.words.setText(f"This is not JSON yet: {error}")
            return
        self.words.setText("")
        self.changed.emit(data)
