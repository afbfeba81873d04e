"""The study that is chosen, and how things are done with it in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from spatial_workbench.app.studies.leader.work.reading import StudySnapshot

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService


class ChosenStudy(QObject):
    """The context that the parts of the leader's page share.

    Attributes:
        id: Of the chosen study; "" if none is chosen.
        snapshot: The study as it was read last.
        dialog: The dialog that was opened last.

    Signals:
        message(str): a note for the status bar.
        failed(str): something could not be done; says why.
        done(str): something was done, and the study has to be read again; says what.
        made(str): a draft was made; its id.
        asking(): a dialog opens.
    """

    message = Signal(str)
    failed = Signal(str)
    done = Signal(str)
    made = Signal(str)
    asking = Signal()

    def __init__(self, jobs: Jobs, project: ProjectService, page: QWidget) -> None:
        super().__init__(page)
        self.page = page
        self.project = project
        self.id = ""
        self.snapshot: StudySnapshot | None = None
        self.dialog: QDialog | None = None
        self.is_closed = False
        self._jobs = jobs
        self._running: list[BackgroundJob] = []

    @property
    def path(self) -> Path | None:
        """The project's file."""
        return self.project.path

    @property
    def is_idle(self) -> bool:
        """Whether nothing is done in the background."""
        return not any(job.is_pending for job in self._running)

    def soon(
        self, label: str, function: Callable[..., Any], *arguments: Any, done: Any, failed: Any = None
    ) -> BackgroundJob:
        """Runs a function before longer work; passes its result to `done`."""
        tell = failed or self._announce_failure
        job = self._jobs.live.run(label, function, *arguments, done=done, failed=tell, quiet=True, owner=self.page)
        return self._keep(job)

    def do(
        self, label: str, function: Callable[..., Any], *arguments: Any, done: Any = None, progressed: Any = None
    ) -> None:
        """Runs a function on the chosen study; without `done`, the page shows the sentence that it returns."""
        self.run(label, function, self.path, self.id, *arguments, done=done, progressed=progressed)

    def create(self, label: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Runs a function that makes a draft."""
        self.run(label, function, self.path, *arguments, done=self.made.emit)

    def run(
        self, label: str, function: Callable[..., Any], *arguments: Any, done: Any = None, progressed: Any = None
    ) -> None:
        """Runs a function that may take long."""
        then = done or self.finish
        failed = self._announce_failure
        owner = self.page
        job = self._jobs.run(label, function, *arguments, done=then, failed=failed, progressed=progressed, owner=owner)
        self._keep(job)

    def finish(self, text: str) -> None:
        """Shows what was done, and reads the study again."""
        if not self.is_closed:
            self.done.emit(text)

    def ask(self, dialog: QDialog) -> None:
        """Opens a dialog."""
        self.asking.emit()
        self.dialog = dialog
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def close(self) -> None:
        """Ends background work."""
        self.is_closed = True
        for job in self._running:
            job.cancel()

    def _keep(self, job: BackgroundJob) -> BackgroundJob:
        self._running = [*(earlier for earlier in self._running if earlier.is_pending), job]
        return job

    def _announce_failure(self, text: str) -> None:
        if not self.is_closed:
            self.failed.emit(text)
