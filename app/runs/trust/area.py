"""A section of tables and charts under its head: a title, a note, progress with a way to cancel, and saving."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.background.jobs import BackgroundJob, Lane
from spatial_workbench.app.runs.trust import work
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.tables.section_view import SectionView
from spatial_workbench.widgets.theme import SPACE


class SectionArea(QWidget):
    """Has a section worked out in a process of its own, and shows it.

    title: The heading, and that of a saved report. about: A sentence under it in a report. file_name: What a report is
    called at first.

    Signals:
        message(str): a note for the status bar.
        started(): something is being worked out.
        ended(): it is shown, or was cancelled, or failed.
        attempts_chosen(tuple): a row with attempts was double-clicked; their numbers.
    """

    message = Signal(str)
    started = Signal()
    ended = Signal()
    attempts_chosen = Signal(object)

    def __init__(self, title: str, about: str, file_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._about = about
        self._file_name = file_name
        self._lane = Lane(title, self)
        self._job: BackgroundJob | None = None
        self._is_saving = False
        self.section: ReportSection | None = None
        self._view: SectionView | None = None
        self.empty = EmptyState()
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumWidth(160)
        self.bar.setAccessibleName("Progress")
        self.cancel = QPushButton(icon("close"), "Cancel")
        self.cancel.setToolTip("Stop; nothing of it is kept")
        self.cancel.clicked.connect(self.stop)
        self.save = QPushButton("Save report…")
        self.save.setToolTip("All of this as one HTML file that any browser opens, or the first table as CSV")
        self.save.clicked.connect(self._choose_file)
        self._lay_out()
        self._show_possible()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being worked out or written."""
        return self._job is None

    def work_out(self, label: str, function: Callable[..., ReportSection], *arguments: Any) -> None:
        """Has a section worked out in the background, and shows it when it is there."""
        if self._job is not None:
            return
        self._is_saving = False
        self._job = self._lane.run(
            label,
            function,
            *arguments,
            done=self._take_section,
            failed=self._fail,
            progressed=self._show_progress,
        )
        self._show_progress(0, 0, f"{label}…")
        self._show_possible()
        self.started.emit()

    def stop(self) -> None:
        """Stops what is being worked out, and says so."""
        if self._job is not None:
            self.give_up()
            self._end("Stopped.")

    def give_up(self) -> None:
        """Stops what is being worked out, since something else is wanted now."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def save_to(self, path: Path) -> None:
        """Writes the section as a report, in the background."""
        if self.section is None or self._job is not None:
            return
        self._is_saving = True
        self._job = self._lane.run(
            f"Writing {path.name}",
            work.save_section,
            path,
            self._title,
            self._about,
            self.section,
            done=lambda _: self._end(f"“{path.name}” was written."),
            failed=lambda why: self._end(f"“{path.name}” was not written: {why}"),
        )
        self._show_possible()

    def show_empty(self, head: str, text: str) -> None:
        """Says why there is no section, and what to do."""
        self.section = None
        self.empty.say(head, text)
        self._stack.setCurrentIndex(0)
        self._show_possible()

    def close_area(self) -> None:
        """Ends what runs, and releases what is shown."""
        self._lane.close()
        self._job = None
        self._drop_view()

    def _take_section(self, section: ReportSection) -> None:
        self.section = section
        self._drop_view()
        self._view = SectionView(section)
        self._view.failed.connect(self.message)
        self._view.attempts_chosen.connect(self.attempts_chosen)
        self._area.setWidget(self._view)
        self._stack.setCurrentIndex(1)
        self._end("")

    def _fail(self, why: str) -> None:
        self._end(why)

    def _end(self, words: str) -> None:
        self._job = None
        self.note.setText(words)
        if words:
            self.message.emit(words)
        self._show_possible()
        self.ended.emit()

    def _show_progress(self, done: float, total: float, text: str) -> None:
        self.bar.setRange(0, int(total))
        self.bar.setValue(int(done))
        self.note.setText(f"{done:,.0f} of {total:,.0f} · {text}" if total else text)

    def _show_possible(self) -> None:
        is_busy = self._job is not None
        self.bar.setVisible(is_busy and not self._is_saving)
        self.cancel.setVisible(is_busy)
        self.save.setEnabled(not is_busy and self.section is not None)

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self, "Save the report", f"{self._file_name}.html", "HTML (*.html);;CSV (*.csv)"
        )
        if path:
            self.save_to(Path(path))

    def _drop_view(self) -> None:
        if self._view is not None:
            self._view.close_view()
            self._view = None

    def _lay_out(self) -> None:
        heading = QLabel(self._title)
        heading.setObjectName("pageTitle")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(heading)
        head.addSpacing(2 * SPACE)
        head.addWidget(self.note, 1)
        for widget in (self.bar, self.cancel, self.save):
            head.addWidget(widget)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.viewport().setObjectName("page")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._area)
        self.controls = QHBoxLayout()
        self.controls.setSpacing(2 * SPACE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 0)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(head)
        layout.addLayout(self.controls)
        layout.addWidget(self._stack, 1)
