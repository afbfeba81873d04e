"""What stands above the tabs of a study: its name, its state, and what went wrong."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader.work.reading import StudySnapshot
from spatial_workbench.widgets.theme import SPACE


class StudyHead(QWidget):
    """The name and the state of the chosen study, with a note when something went wrong or is overdue."""

    def __init__(self) -> None:
        super().__init__()
        self.heading = QLabel()
        self.heading.setObjectName("pageTitle")
        self.place = QLabel()
        self.place.setObjectName("secondary")
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note = QLabel()
        self.note.setObjectName("error")
        self.note.setWordWrap(True)
        self.note.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        for label in (self.heading, self.place, self.note):
            column.addWidget(label)

    def show_study(self, snapshot: StudySnapshot) -> None:
        """Shows the name and the state of a study."""
        row = snapshot.row
        version = f" · version {row.version}" if row.version > 1 else ""
        self.heading.setText(row.name)
        self.place.setText(f"{row.state} · {row.slots} places · hash {row.short_hash}{version} · id {row.id}")
        self.place.setToolTip(row.hash)

    def show_if_overdue(self, snapshot: StudySnapshot) -> None:
        """Says so if the data should have been deleted."""
        if date.today().isoformat() > snapshot.row.delete_after and snapshot.row.sessions:
            self.show_note(f"The data were to be deleted after {snapshot.row.delete_after}: Outcomes › Delete data…")

    def show_note(self, text: str) -> None:
        """Says what went wrong."""
        self.note.setText(text)
        self.note.show()

    def hide_note(self) -> None:
        """Hides what went wrong before."""
        self.note.hide()
