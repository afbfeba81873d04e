"""Lists of texts in columns: the requests that were made for an attempt, its history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.app.attempts import dossier as words
from spatial_workbench.app.attempts.words import format_seconds
from spatial_workbench.widgets.plain_text import with_marks

if TYPE_CHECKING:
    from spatial_workbench.engine.store import StoredTry


class TextList(QTreeWidget):
    """A list with columns; the last one takes the remaining width."""

    def __init__(self, name: str, titles: Sequence[str], widths: Sequence[int]) -> None:
        super().__init__()
        self.setHeaderLabels(titles)
        self.setAccessibleName(name)
        self.setRootIsDecorated(False)
        self.setWordWrap(True)
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def add_texts(self, texts: Sequence[str]) -> None:
        """Adds a row; each cell shows its full text as a tooltip."""
        row = QTreeWidgetItem(self, list(map(with_marks, texts)))
        for column, text in enumerate(texts):
            row.setToolTip(column, with_marks(text))
            row.setTextAlignment(column, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)


class RequestList(TextList):
    """The requests that were made for an attempt, with their outcomes."""

    def __init__(self) -> None:
        super().__init__("Requests", ("Started", "Time", "Tokens", "Cost, $", "Outcome"), (128, 60, 64, 72))

    def show_requests(self, tries: Sequence[StoredTry]) -> None:
        """Lists these requests."""
        self.clear()
        for attempted in tries:
            self.add_texts(
                [
                    moment_words(attempted.started_at),
                    "" if attempted.seconds is None else format_seconds(attempted.seconds),
                    "" if attempted.output_tokens is None else f"{attempted.output_tokens:,}",
                    "" if attempted.cost_usd is None else f"{attempted.cost_usd:.4f}",
                    words.message_of(attempted) or "answered",
                ]
            )


def moment_words(moment: datetime) -> str:
    """A date and a time of day."""
    return moment.astimezone().strftime("%d %b %Y %H:%M")
