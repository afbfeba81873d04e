"""Saves the report from the Results page: the button, the file, and a way to cancel it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QToolButton, QWidget

from spatial_workbench.app.background.jobs import BackgroundJob
from spatial_workbench.app.results.report import write_report
from spatial_workbench.engine.evaluation.results.contents import ResultsChoice


class ReportSaving(QObject):
    """Writes the report in the background.

    run: Runs a job. project: The project at this moment. choice: The choice of results at this moment.

    Signals:
        told(str): how far it is, or how it ended.
        ended(str): how it ended.
    """

    told = Signal(str)
    ended = Signal(str)

    def __init__(
        self,
        run: Callable[..., BackgroundJob],
        project: Callable[[], Path | None],
        choice: Callable[[], ResultsChoice],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._run = run
        self._project = project
        self._choice = choice
        self._job: BackgroundJob | None = None
        self.button = QPushButton("Save report…")
        self.button.setObjectName("primary")
        self.button.setToolTip("All of this as one HTML file that any browser opens, with pictures")
        self.button.clicked.connect(self._choose_file)
        self.cancel = QToolButton()
        self.cancel.setText("Cancel")
        self.cancel.clicked.connect(self._cancel_job)
        self.cancel.hide()

    def save_to(self, path: Path) -> None:
        """Writes the report to a file, in the background."""
        project = self._project()
        if project is None:
            return
        self.button.setEnabled(False)
        self.cancel.show()
        self._job = self._run(
            "Writing the report",
            write_report,
            project,
            path,
            self._choice(),
            done=lambda _: self._end(f"The report is in “{path.name}”."),
            failed=lambda text: self._end(f"The report could not be written. {text}"),
            progressed=lambda done, total, text: self.told.emit(f"{text} · {done:.0f} of {total:.0f}"),
        )

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self.button, "Save the report", "report.html", "HTML (*.html)")
        if path:
            self.save_to(Path(path))

    def _cancel_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._end("The report was not written.")

    def _end(self, text: str) -> None:
        self._job = None
        self.button.setEnabled(True)
        self.cancel.hide()
        self.told.emit(text)
        self.ended.emit(text)
