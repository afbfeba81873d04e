"""The rules of a task, the editor's gestures and its keys, to be read beside the editor."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QShowEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser

from spatial_workbench.engine.core import Task
from spatial_workbench.widgets.theme import SPACE

NONE = "This task has no page of rules; its prompt states them all."


class RulesPanel(QTextBrowser):
    """Shows the task's page; it is read when the panel is seen for the first time."""

    def __init__(self, task: Task[Any]) -> None:
        super().__init__()
        self._task = task
        self._is_filled = False
        self.setOpenLinks(False)
        self.setAccessibleName("Rules")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_filled:
            self._is_filled = True
            self.setMarkdown(self._task.rules() or NONE)
            _space_paragraphs(self.document())


def _space_paragraphs(document: QTextDocument) -> None:
    """Adds space between paragraphs, which text read from Markdown lacks; rows of tables stay close."""
    cursor = QTextCursor(document)
    block = document.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        if cursor.currentTable() is None:
            form = block.blockFormat()
            form.setTopMargin(3 * SPACE if form.headingLevel() else 0)
            form.setBottomMargin(2 * SPACE)
            cursor.setBlockFormat(form)
        block = block.next()
